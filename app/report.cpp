// nhot report: a page of figures from stored runs.
#include <filesystem>

#include "again.hpp"
#include "command.hpp"
#include "nhot/base/version.hpp"
#include "nhot/io/run_reader.hpp"
#include "nhot/report/page.hpp"
#include "nhot/report/run_series.hpp"
#include "output.hpp"
#include "run_file.hpp"
#include "sample_report.hpp"

namespace nhot::app {
namespace {

// The command that makes the same draws again: numbers of moves take the place of times.
std::string command_for(const StoredRun& run, const SampleReport& report) {
  const auto given = [&](const char* key) { return find_value(run.metadata, key).value_or(""); };
  const std::string command = given("command").empty() ? "sample" : given("command");
  std::string text = "nhot " + command + " " + shell_word(given("model"));
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += " --" + std::string(name) + " " + shell_word(value);
  };
  add("format", given("format"));
  add("distance", given("distance"));
  if (given("reference") != "zeros") add("reference", given("reference"));
  if (given("start") != "uniform") add("start", given("start"));
  add("beta", given("beta"));
  add("move", given("move"));
  if (command != "sample") return text;
  add("moves", std::to_string(report.run.moves));
  add("warmup", std::to_string(report.run.warmup));
  add("thin", std::to_string(report.thin));
  add("chains", std::to_string(report.run.chains));
  add("seed", given("seed"));
  return text;
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

  Json data = {{"kind", "runs"},
               {"title", paths.size() == 1 ? "Run " + paths.front() : "Runs"},
               {"version", version()},
               {"runs", Json::array()}};
  for (const std::string& path : paths) {
    const StoredRun stored = read_run(path);
    const SampleReport report = make_report(record_from(stored), stored.trace);
    Json series = run_series(stored, to_json(report));
    series["file"] = std::filesystem::path(path).filename().string();
    series["command"] = command_for(stored, report);
    data["runs"].push_back(series);
  }
  write_page(out, values.flag("force"), "nhot: " + data["title"].get<std::string>(), "run", data);
  if (values.flag("json"))
    print_json({{"report", out}, {"runs", paths}});
  else
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
      "Writes one HTML file that needs no network: traces, rank plots, autocorrelations, growth of "
      "the effective sample size, acceptance by walk length, states as images, options, and the "
      "command to run it again.",
      {"runs"},
      {group, common_options()},
      {{"nhot report run.nc -o run.html", "the page of a run"}},
      run_report};
  return command;
}

}  // namespace nhot::app
