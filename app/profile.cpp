// nhot profile: log Z_n and the law of n over a band of shells.
#include <cmath>
#include <limits>
#include <utility>

#include "checkpoint.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "nhot/report/profile_figures.hpp"
#include "nhot/result/profile_report.hpp"
#include "nhot/run/method_options.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "scan.hpp"
#include "terminal.hpp"
#include "watch.hpp"

namespace nhot::app {
namespace {

/// What makes the run longer.
std::vector<std::string> lengths_of(const OptionValues& values) {
  if (values.text("resume").empty()) return {};
  return {values.was_set("moves") ? "moves" : "seconds"};
}

ExitCode run_profile(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const bool quiet = values.flag("quiet");
  CheckpointedCall call(invocation, lengths_of(values));
  const Problem problem = call.problem();
  const ProfilePlan plan = profile_plan_from(values);
  const BandFactory factory(problem.model, problem.shell.reference(), profile_band(values),
                            values.real("beta"));
  const InterruptGuard interrupts;
  StateStore* const store = call.begin(problem);
  ProfileReport report =
      make_report(factory, plan, values.real("mu"),
                  run_watched(quiet, {"sampling", "moves", static_cast<double>(plan.chains)},
                              [&](RunHooks hooks) {
                                hooks.store = store;
                                return estimate_profile(factory, plan, hooks);
                              }));
  call.end(report.result.interrupted);
  put_first(report.notes, invocation.notes, problem);
  if (report.result.interrupted)
    print_note("interrupted; the profile is from the moves so far" + call.way_on());
  if (print_for_programs(values, facts_of(report))) return ExitCode::done;
  if (quiet) report.notes.clear();
  print(to_text(report, page_layout()));
  if (!quiet) print("\n" + profile_figures(report, {page_layout(), shows_unicode()}));
  return ExitCode::done;
}

}  // namespace

const Command& profile_command() {
  static const Command command = {
      "profile",
      "log of the partition functions of a band of shells",
      "Estimates log Z_n for every n of a band from chains that go through all of it, with weights "
      "per n that are learned first and then frozen, and prints the free energy F(n) = -log Z_n / "
      "beta and the law of n at a chemical potential, P(n) ~ Z_n exp(beta mu n), with error bars.",
      {"model"},
      {model_options(), band_options(), profile_options(), checkpoint_options(true),
       common_options()},
      {{"nhot profile ferromagnet:8x8 -n 0..64 --beta 0.5 --moves 1e5",
        "the free energy of a small lattice at every magnetisation"},
       {"nhot profile field:200,seed=1 -n 10..60 --mu 0.5 --moves 1e5 --json",
        "independent sites at a chemical potential, as JSON"}},
      run_profile};
  return command;
}

}  // namespace nhot::app
