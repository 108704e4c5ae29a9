// nhot diagnose: the summary of stored runs.
#include "command.hpp"
#include "nhot/io/run/pooled_run.hpp"
#include "nhot/io/run/run_record.hpp"
#include "nhot/report/text_figures.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace nhot::app {
namespace {

ExitCode run_diagnose(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const std::vector<std::string> paths = values.list("runs");
  if (paths.empty())
    throw InputError("no run file is given",
                     "write nhot diagnose RUN.nc; nhot sample --out RUN.nc makes one");
  std::vector<StoredRun> stored;
  std::vector<std::string> notes = invocation.notes;
  for (const std::string& path : paths) {
    stored.push_back(read_run(path));
    if (!stored.back().finished)
      notes.push_back(path +
                      " is of a run that goes on or was killed: this is what it had written");
  }
  PooledRun run = paths.size() > 1
                      ? pool(std::move(stored), paths)
                      : PooledRun{record_from(stored.front()), stored.front().trace, {}};
  RunReport report = make_report(run.record, run.trace);
  report.notes = std::move(notes);
  report.notes.insert(report.notes.end(), run.notes.begin(), run.notes.end());
  if (!print_for_programs(values, facts_of(report))) {
    if (values.flag("quiet")) report.notes.clear();
    print(to_text(report, page_layout()));
    if (!values.flag("quiet"))
      print("\n" + text_figures(report, run.trace, {page_layout(), shows_unicode()}));
  }
  return ExitCode::done;
}

}  // namespace

const Command& diagnose_command() {
  static const OptionGroup group = [] {
    OptionSpec runs{"runs", OptionType::text, "",
                    "files that nhot sample --out or nhot temper --out has written; several runs "
                    "of one model, shell and beta are taken together",
                    "RUN.nc..."};
    runs.repeatable = true;
    return OptionGroup{"Run files", {runs}};
  }();
  static const Command command = {
      "diagnose",
      "summarise stored runs and judge whether they converged",
      "Reads a run file, finished or not, and prints what nhot sample printed at its end: means "
      "with "
      "their errors, autocorrelation times, effective sample sizes, R-hat and the verdict; then "
      "the "
      "figures of nhot report as lines of text. Several runs are judged as one, over all their "
      "chains.",
      {"runs"},
      {group, common_options()},
      {{"nhot diagnose run.nc", "the summary of a run"},
       {"nhot diagnose run.nc --json", "the same for a program"}},
      run_diagnose};
  return command;
}

}  // namespace nhot::app
