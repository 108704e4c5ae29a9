// nhot diagnose: the summary of a stored run.
#include "command.hpp"
#include "nhot/io/run_reader.hpp"
#include "output.hpp"
#include "run_file.hpp"
#include "sample_report.hpp"
#include "text_figures.hpp"

namespace nhot::app {
namespace {

ExitCode run(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const std::string& path = values.text("run");
  if (path.empty())
    throw InputError("no run file is given",
                     "write nhot diagnose RUN.nc; nhot sample --out RUN.nc makes one");
  const StoredRun stored = read_run(path);
  SampleReport report = make_report(record_from(stored), stored.trace);
  report.notes = invocation.notes;
  if (!stored.finished)
    report.notes.push_back(path +
                           " is of a run that goes on or was killed: this is what it had "
                           "written");
  if (values.flag("json")) {
    print_json(to_json(report));
  } else {
    if (values.flag("quiet")) report.notes.clear();
    print(to_text(report));
    if (!values.flag("quiet")) print("\n" + text_figures(report, stored.trace, shows_unicode()));
  }
  return ExitCode::done;
}

}  // namespace

const Command& diagnose_command() {
  static const OptionGroup group = {
      "Run file",
      {{"run", OptionType::text, "", "a file that nhot sample --out has written", "RUN.nc"}}};
  static const Command command = {
      "diagnose",
      "summarise a stored run and judge whether it converged",
      "Reads a run file, finished or not, and prints what nhot sample printed at its end: means "
      "with "
      "their errors, autocorrelation times, effective sample sizes, R-hat and the verdict; then "
      "the "
      "figures of nhot report as lines of text.",
      {"run"},
      {group, common_options()},
      {{"nhot diagnose run.nc", "the summary of a run"},
       {"nhot diagnose run.nc --json", "the same for a program"}},
      run};
  return command;
}

}  // namespace nhot::app
