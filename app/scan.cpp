#include "scan.hpp"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "checkpoint.hpp"
#include "interrupt.hpp"
#include "nhot/io/run/scan_file.hpp"
#include "nhot/result/scan_archive.hpp"
#include "output.hpp"
#include "page.hpp"
#include "problem.hpp"
#include "resume.hpp"
#include "run_file.hpp"
#include "terminal.hpp"

namespace nhot::app {
namespace {

bool table_has(const OptionValues& values, const std::string& name) {
  for (const OptionSpec& spec : values.table())
    if (spec.name == name) return true;
  return false;
}

std::vector<std::string> values_along(const OptionValues& values, const std::string& name,
                                      OptionType type) {
  const std::string& text = values.text(name);
  return is_scan(text) ? scan_values(type, text) : std::vector<std::string>{text};
}

void refuse_in_scan(const OptionValues& values, const std::string& name,
                    const std::string& instead) {
  if (table_has(values, name) && !values.text(name).empty())
    throw InputError("--" + name + " is for a single run, not for a scan", instead);
}

std::string option_text(const OptionValues& values, const std::string& name) {
  return table_has(values, name) ? values.text(name) : "";
}

bool has_several(const OptionSpec& spec, const std::string& value) {
  return spec.scanned && is_scan(value) && !(spec.band && parse_band(value));
}

bool holds_scan(const OptionValues& values, const StoredState& stored) {
  for (const OptionSpec& spec : values.table())
    for (const std::string& value : stored_option(stored, spec.name))
      if (has_several(spec, value)) return true;
  return false;
}

/// The file of points that --resume names, by itself or by the file that the scan was to write;
/// empty when there is none.
std::string stopped_scan(const OptionValues& values) {
  const std::string resumed = option_text(values, "resume");
  if (resumed.empty()) return "";
  for (const std::string& path : {resumed + partial_suffix, resumed})
    if (is_checkpoint_file(path) && holds_scan(values, read_checkpoint_file(path))) return path;
  return "";
}

/// Where the points that are done are kept: in the file of --checkpoint, or beside that of --out.
CheckpointPlace place_of_scan(const OptionValues& values) {
  if (const std::string path = stopped_scan(values); !path.empty()) return {path, true};
  if (!option_text(values, "resume").empty())
    throw InputError(values.text("resume") + " is no scan that was stopped",
                     "leave out --resume to begin a new one; a single run goes on by nhot resume");
  if (const std::string path = option_text(values, "checkpoint"); !path.empty())
    return {path, false};
  const std::string out = option_text(values, "out");
  if (out.empty()) return {};
  std::error_code error;
  if (!values.flag("force") && std::filesystem::exists(out + partial_suffix, error))
    throw InputError(out + partial_suffix + " exists already: an earlier run that did not finish",
                     "go on with it: nhot resume " + out + "; or give --force to replace it");
  return {out + partial_suffix, false};
}

/// Reference and start, which may be files: what makes two points of one scan.
void check_inputs(StateStore* store, const std::string& distance, const Problem& problem,
                  const std::optional<Bits>& start) {
  const std::string name = "inputs " + distance;
  Bits reference;
  std::optional<Bits> begun;
  if (!restore_values(store, name, reference, begun))
    return save_values(store, name, problem.shell.reference(), start);
  if (reference != problem.shell.reference() || begun != start)
    throw InputError("the files of --reference or --start are not those of the points before",
                     "put the old files back, or start a new scan");
}

// A scan has no file until it ends; its draws are held until then.
Trace without_states(Trace trace) {
  trace.states.clear();
  trace.state_draws.clear();
  return trace;
}

}  // namespace

OptionGroup scanned(OptionGroup group, const std::string& name) {
  for (OptionSpec& spec : group.options) {
    if (spec.name != name) continue;
    spec.scanned = true;
    spec.help += spec.type == OptionType::integer
                     ? "; several make a scan (of sample, temper and logz): 10,20,30 or 10..30/3 "
                       "(three evenly spaced)"
                     : "; several make a scan (of sample and logz): 0.3,0.4 or 0.2..0.6/9 (nine "
                       "evenly spaced)";
  }
  return group;
}

bool is_scan_call(const OptionValues& values) {
  for (const OptionSpec& spec : values.table())
    if (spec.scanned && has_several(spec, values.text(spec.name))) return true;
  return !stopped_scan(values).empty();
}

ExitCode run_scan(Invocation& invocation, const WatchWords& words, const RunOnePoint& run) {
  const OptionValues& values = invocation.values;
  refuse_in_scan(values, "states-out",
                 "write the states of single runs, with the seeds that the scan prints");
  const CheckpointPlace place = place_of_scan(values);
  if (!place.resumes && !option_text(values, "out").empty())
    check_scan_place(values.text("out"), values.flag("force"));
  CheckpointedCall call(invocation, {}, place);  // of a scan that goes on, it knows the options
  const std::string out = option_text(values, "out");
  const auto lock = out.empty() ? nullptr : FileLock::hold(out);
  const bool has_page = table_has(values, "report");
  if (has_page) check_page_place(values);
  const std::vector<std::string> betas = values_along(values, "beta", OptionType::real);
  const std::vector<std::string> distances = values_along(values, "distance", OptionType::integer);

  std::vector<Problem> problems;
  for (const std::string& distance : distances) {  // all of them before the first run
    OptionValues single = values;
    if (!distance.empty()) single.set("distance", distance);
    problems.push_back(problem_from(single));
  }
  call.check(problems.front().model.hash());
  StateStore* const store = call.begin(problems.front().model.hash());
  for (std::size_t k = 0; k < distances.size(); ++k)
    check_inputs(store, distances[k], problems[k], start_from(values, problems[k].shell));
  problems.clear();

  Scan scan;
  scan.driver = invocation.command->name;
  scan.model = values.text("model");
  scan.seed = static_cast<std::uint64_t>(values.integer("seed"));
  const InterruptGuard interrupts;
  const std::size_t all = betas.size() * distances.size();
  for (const std::string& distance : distances)
    for (const std::string& beta : betas) {
      if (InterruptGuard::requested()) continue;
      const std::string name = "point " + std::to_string(scan.points.size());
      if (const auto stored = store ? store->find(name) : std::nullopt) {
        scan.points.push_back(scan_point_from(*stored));
        continue;
      }
      Invocation single = invocation;
      single.notes.clear();
      for (const char* option : {"checkpoint", "resume"})
        if (table_has(values, option)) single.values.set(option, "");
      if (values.was_set("beta"))
        single.values.set("beta", beta);  // of temper, the ladder may say it
      if (!distance.empty()) single.values.set("distance", distance);
      const std::uint64_t seed =
          scan_seed(scan.seed, single.values.real("beta"),
                    distance.empty() ? 0 : static_cast<std::uint64_t>(*parse_integer(distance)));
      single.values.set("seed", std::to_string(seed));
      WatchWords own = words;
      own.phase += " " + std::to_string(scan.points.size() + 1) + "/" + std::to_string(all);
      ScanPoint point = run(single, own);
      const Fact* target = find_fact(point.facts, "beta");  // of temper, a rung of its ladder
      point.beta = target ? std::get<double>(target->value()) : single.values.real("beta");
      const Fact* distance_fact = find_fact(point.facts, "distance");
      point.distance = std::get<std::uint64_t>(distance_fact->value());
      point.seed = seed;
      point.trace = without_states(std::move(point.trace));
      if (store && !InterruptGuard::requested()) store->save(name, archive_of(point));
      scan.points.push_back(std::move(point));
    }
  const bool interrupted = InterruptGuard::requested();
  if (interrupted)
    print_note("interrupted; " + std::to_string(all - scan.points.size()) + " of " +
               std::to_string(all) + " points were not begun" +
               (out.empty() ? call.way_on() : "; go on with: nhot resume " + out));
  scan.notes = invocation.notes;
  if (!scan.points.empty())
    scan.notes.push_back("every row is a run of its own; nhot " + scan.driver + " with the " +
                         "beta, n and seed of a row gives its numbers again");
  if (!out.empty()) {
    Metadata attributes = {{"command", scan.driver}};
    for (const auto& [name, value] : values.resolved())
      if (!is_common_option(name) && name != "out" && name != "force" && name != "threads")
        attributes.emplace_back(name, value);
    write_scan(scan, attributes, out, values.flag("force"));
  }
  call.end(interrupted || !out.empty());
  if (!out.empty() && !interrupted) std::filesystem::remove(place.path);
  Facts facts = facts_of(scan);
  if (!out.empty()) facts.emplace_back("out", out);
  if (has_page && !values.text("report").empty())
    write_page_of(invocation, "scan",
                  scan_page(scan.model, origin_of(invocation), scan.model, columns_of(scan)),
                  facts);
  if (!print_for_programs(values, facts)) {
    if (values.flag("quiet")) scan.notes.clear();
    print(to_text(scan, page_layout()));
    if (!out.empty() && !values.flag("quiet"))
      print("written to " + out + "; nhot report makes a page of it\n");
    if (has_page) tell_page(values);
  }
  return ExitCode::done;
}

}  // namespace nhot::app
