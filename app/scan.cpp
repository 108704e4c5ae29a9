#include "scan.hpp"

#include <utility>

#include "interrupt.hpp"
#include "nhot/io/run/scan_file.hpp"
#include "output.hpp"
#include "page.hpp"
#include "problem.hpp"
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
    if (spec.scanned && is_scan(values.text(spec.name))) return true;
  return false;
}

ExitCode run_scan(Invocation& invocation, const WatchWords& words, const RunOnePoint& run) {
  const OptionValues& values = invocation.values;
  refuse_in_scan(values, "resume", "resume one run with one value of each option");
  refuse_in_scan(values, "checkpoint",
                 "give --checkpoint to one run with one value of each option");
  refuse_in_scan(values, "states-out",
                 "write the states of single runs, with the seeds that the scan prints");
  const std::string out = table_has(values, "out") ? values.text("out") : "";
  if (!out.empty()) check_scan_place(out, values.flag("force"));
  const bool has_page = table_has(values, "report");
  if (has_page) check_page_place(values);
  const std::vector<std::string> betas = values_along(values, "beta", OptionType::real);
  const std::vector<std::string> distances = values_along(values, "distance", OptionType::integer);

  for (const std::string& distance : distances) {  // all of them before the first run
    OptionValues single = values;
    if (!distance.empty()) single.set("distance", distance);
    problem_from(single);
  }

  Scan scan;
  scan.driver = invocation.command->name;
  scan.model = values.text("model");
  scan.seed = static_cast<std::uint64_t>(values.integer("seed"));
  const InterruptGuard interrupts;
  const std::size_t all = betas.size() * distances.size();
  for (const std::string& distance : distances)
    for (const std::string& beta : betas) {
      if (InterruptGuard::requested()) continue;
      Invocation single = invocation;
      single.notes.clear();
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
      point.distance = static_cast<std::uint64_t>(single.values.integer("distance"));
      point.seed = seed;
      point.trace = without_states(std::move(point.trace));
      scan.points.push_back(std::move(point));
    }
  if (scan.points.size() < all)
    print_note("interrupted; " + std::to_string(all - scan.points.size()) + " of " +
               std::to_string(all) + " points were not begun");
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
