// nhot resume: goes on with a run, whichever command began it.
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "command.hpp"
#include "commands.hpp"
#include "nhot/io/run/checkpoint_file.hpp"
#include "nhot/io/run/run_reader.hpp"
#include "nhot/io/run/scan_file.hpp"
#include "nhot/run/method_options.hpp"
#include "output.hpp"
#include "parse.hpp"
#include "resume.hpp"
#include "terminal.hpp"

namespace nhot::app {
namespace {

/// The command that wrote a file, or what it left beside it when it was killed.
std::string author_of(const std::string& path) {
  std::error_code error;
  const std::string partial = path + partial_suffix;
  for (const std::string& checkpoint : {partial, path})  // beside a file: of a scan
    if (is_checkpoint_file(checkpoint))
      return find_value(read_checkpoint_file(checkpoint).about, "command").value_or("");
  const bool whole = std::filesystem::exists(path, error);
  const Metadata metadata =
      read_run_metadata(!whole && std::filesystem::exists(partial, error) ? partial : path);
  const std::string author = find_value(metadata, "command").value_or("");
  if (author.empty())
    throw InputError(path + " was not written by a command that can go on",
                     "resume a file of nhot sample --out, or of another command's --checkpoint");
  return author;
}

ExitCode run_words(const Command& command, std::vector<std::string> words) {
  std::optional<Invocation> invocation = parse_words(command, std::move(words));
  return command.run(*invocation);
}

/// A scan with --out that has all its points.
ExitCode tell_finished_scan(const OptionValues& values, const std::string& path) {
  for (const char* length : {"moves", "seconds", "reads", "populations"})
    if (values.was_set(length))
      throw InputError(path + " is a scan that is finished, and scans are not made longer",
                       "begin a new scan with --" + std::string(length));
  const StoredScan scan = read_scan(path);
  if (!values.flag("quiet"))
    print_note("nothing is left to do: " + path +
               " is a scan that is finished; this is its result");
  Facts columns;
  for (const ScanColumn& column : scan.columns) columns.emplace_back(column.name, column.values);
  const std::string model = find_value(scan.metadata, "model").value_or("");
  if (print_for_programs(values, {{"scan", find_value(scan.metadata, "command").value_or("")},
                                  {"model", model},
                                  {"columns", std::move(columns)}}))
    return ExitCode::done;
  print("model  " + model + "\n\n" + page_layout().table(point_rows(scan.columns)));
  return ExitCode::done;
}

ExitCode run_resume(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  std::string path = values.text("run");
  if (path.empty())
    throw InputError("no run is named", "write nhot resume RUN.nc; nhot resume --help says more");
  if (path.ends_with(partial_suffix) && is_checkpoint_file(path))
    path.resize(path.size() - std::string_view(partial_suffix).size());
  std::error_code error;
  if (!std::filesystem::exists(path + partial_suffix, error) && is_scan_file(path))
    return tell_finished_scan(values, path);
  const Command& author = find_command(author_of(path));
  std::vector<std::string> common;
  std::vector<std::string> words = {"--resume", path};
  for (const OptionSpec& spec : invocation.command->table) {
    if (!values.was_set(spec.name) || spec.name == "run" || spec.name == "config") continue;
    if (!author.has_option(spec.name))
      throw InputError("--" + spec.name + " does not apply to a run of nhot " + author.name,
                       "nhot " + author.name + " --help lists its options");
    std::vector<std::string>& to = is_common_option(spec.name) ? common : words;
    if (spec.type == OptionType::flag) {
      to.push_back("--" + spec.name);
      continue;
    }
    // The model is the command's first word, except of reproduce.
    if (spec.name != "model" || author.positionals.front() != "model")
      to.push_back("--" + spec.name);
    to.push_back(values.text(spec.name));
  }
  words.insert(words.end(), common.begin(), common.end());
  try {
    return run_words(author, words);
  } catch (const NothingLeft& nothing) {
    if (!values.flag("quiet")) print_note(std::string(nothing.what()) + "; this is its result");
    std::vector<std::string> again = {path};
    again.insert(again.end(), common.begin(), common.end());
    return run_words(find_command("diagnose"), again);
  }
}

OptionGroup resume_group() {
  OptionGroup group{"The run", {}};
  group.options.push_back(
      {"run", OptionType::text, "",
       "a file of --out (nhot sample, temper) or of --checkpoint (other commands)", "RUN.nc"});
  OptionSpec moves = borrowed_option(run_options(), "moves");
  moves.help = "go on for this many moves, instead of what is left of what was asked";
  OptionSpec seconds = borrowed_option(run_options(), "seconds");
  seconds.default_value.clear();
  seconds.help = "go on for this time; the unit is that in which the run was asked for";
  OptionSpec reads = borrowed_option(annealing_options(), "reads");
  reads.help = "of nhot anneal: this many reads more than were asked for";
  OptionSpec populations = borrowed_option(partition_options(), "populations");
  populations.default_value.clear();
  populations.help = "of nhot logz: this many populations more than were asked for";
  OptionSpec model = borrowed_option(model_options(), "model");
  model.help = "where the file of the model is now, when it was moved; it is known by its hash";
  for (OptionSpec* spec : {&moves, &seconds, &reads, &populations, &model})
    group.options.push_back(*spec);
  group.options.push_back(borrowed_option(run_options(), "threads"));
  return group;
}

}  // namespace

const Command& resume_command() {
  static const Command command = {
      "resume",
      "go on with a run that was stopped, killed, or is to be longer",
      "Finishes what the run of a file was asked for, whichever command began it, with the model "
      "and options of the file; the result is that of a run that was never stopped. Says so when "
      "nothing is left.",
      {"run"},
      {resume_group(), common_options()},
      {{"nhot resume run.nc", "what is left of a run that was stopped"},
       {"nhot resume run.nc --moves 1e4", "10,000 moves longer"}},
      run_resume};
  return command;
}

}  // namespace nhot::app
