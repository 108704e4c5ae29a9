// nhot report: a page of figures from stored runs.
#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "command_line.hpp"
#include "commands.hpp"
#include "nhot/io/run/run_record.hpp"
#include "nhot/io/run/scan_file.hpp"
#include "nhot/report/page.hpp"
#include "nhot/report/page_data.hpp"
#include "nhot/report/run_series.hpp"
#include "output.hpp"

namespace nhot::app {
namespace {

// Options that do not change the draws, or whose place numbers of moves take.
bool left_out(std::string_view name) {
  constexpr std::array<std::string_view, 6> names = {"seconds", "threads", "out",
                                                     "force",   "until",   "ess"};
  return is_common_option(name) || std::find(names.begin(), names.end(), name) != names.end();
}

// Shown even where they are the defaults: what the run is.
bool always_shown(std::string_view name) {
  constexpr std::array<std::string_view, 8> names = {"distance", "beta", "move",   "moves",
                                                     "warmup",   "thin", "chains", "seed"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Command& command_of(const StoredRun& run) {
  const std::string name = find_value(run.metadata, "command").value_or("sample");
  for (const Command* command : commands())
    if (command->name == name) return *command;
  return find_command("sample");
}

// The command that makes the same draws again, with the options that the file holds. Numbers of
// moves take the place of times.
std::string command_for(const StoredRun& run, const RunReport& report) {
  const Command& command = command_of(run);
  const auto value_of = [&](const std::string& name) -> std::string {
    if (name == "moves") return std::to_string(report.run.moves);
    if (name == "warmup") return std::to_string(report.run.warmup);
    if (name == "thin") return std::to_string(report.thin);
    if (name == "chains") return std::to_string(report.run.chains);
    const auto target = find_value(run.metadata, "target_beta");  // of one rung of a ladder
    if (name == "beta" && target) return *target;
    return find_value(run.metadata, name).value_or("");
  };
  std::string text = "nhot " + command.name;
  for (const std::string& name : command.positionals) text += " " + shell_word(value_of(name));
  for (const OptionSpec& spec : command.table) {
    const std::string value = value_of(spec.name);
    const bool positional = std::find(command.positionals.begin(), command.positionals.end(),
                                      spec.name) != command.positionals.end();
    if (positional || left_out(spec.name) || value.empty() ||
        (value == spec.default_value && !always_shown(spec.name)))
      continue;
    if (spec.type != OptionType::flag)
      text += " --" + spec.name + " " + shell_word(value);
    else if (value == "true")
      text += " --" + spec.name;
  }
  return text;
}

// The page of a scan, which comes alone.
Json page_of_scan(const std::string& path) {
  const StoredScan scan = read_scan(path);
  const std::string name = find_value(scan.metadata, "command").value_or("sample");
  PageOrigin origin{"nhot " + name, scan.metadata};
  origin.command += " " + shell_word(find_value(scan.metadata, "model").value_or(""));
  for (const OptionSpec& spec : find_command(name).table) {
    const std::string value = find_value(scan.metadata, spec.name).value_or("");
    if (spec.name == "model" || value.empty() || value == spec.default_value) continue;
    origin.command += " --" + spec.name;
    if (spec.type != OptionType::flag) origin.command += " " + shell_word(value);
  }
  return scan_page(path, origin, find_value(scan.metadata, "model").value_or(""), scan.columns);
}

ExitCode run_report(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const std::vector<std::string> paths = values.list("runs");
  const std::string& out = values.text("out");
  if (paths.empty())
    throw InputError("no run file is given",
                     "write nhot report RUN.nc -o FILE.html; nhot sample --out RUN.nc makes a run");
  if (out.empty()) throw InputError("no file is named for the page", "add -o FILE.html");
  check_charts();

  for (const std::string& path : paths) {
    if (!is_scan_file(path)) continue;
    if (paths.size() > 1)
      throw InputError(path + " is a scan, which has a page of its own",
                       "make one page per scan: nhot report " + path + " -o FILE.html");
    const Json data = page_of_scan(path);
    write_page(out, values.flag("force"), "nhot: " + data["title"].get<std::string>(), "scan",
               data);
    if (!print_for_programs(values, {{"report", out}, {"runs", paths}}))
      print("report: " + out + "\n");
    return ExitCode::done;
  }
  Json data = runs_page(paths);
  for (const std::string& path : paths) {
    const StoredRun stored = read_run(path);
    const RunReport report = report_of(stored);
    Json series = run_series(stored, report);
    series["file"] = std::filesystem::path(path).filename().string();
    series["command"] = command_for(stored, report);
    data["runs"].push_back(series);
  }
  write_page(out, values.flag("force"), "nhot: " + data["title"].get<std::string>(), "run", data);
  if (!print_for_programs(values, {{"report", out}, {"runs", paths}}))
    print("report: " + out + "\n");
  return ExitCode::done;
}

}  // namespace

const Command& report_command() {
  static const OptionGroup group = [] {
    OptionSpec runs{"runs", OptionType::text, "", "files that nhot sample --out has written",
                    "RUN.nc..."};
    runs.repeatable = true;
    OptionSpec out{"out", OptionType::text, "", "the page to write", "FILE.html"};
    out.short_name = 'o';
    OptionGroup made = {"Report", {runs, out}};
    for (const OptionSpec& spec : output_options().options)
      if (spec.name == "force") made.options.push_back(spec);
    return made;
  }();
  static const Command command = {
      "report",
      "a page with the figures of stored runs",
      "Writes one HTML file that needs no network: verdict and tables, the states with how often "
      "each site is 1, traces, rank plots, autocorrelations, growth of the effective sample size, "
      "the ladder of a tempering run, options, and the command to run it again. Commands that "
      "store no run make their page themselves, by --report.",
      {"runs"},
      {group, common_options()},
      {{"nhot report run.nc -o run.html", "the page of a run"}},
      run_report};
  return command;
}

}  // namespace nhot::app
