#include "auto_move.hpp"

#include "interrupt.hpp"
#include "progress.hpp"

namespace nhot::app {

TuningHooks hooks_of_search(ProgressBar& bar) {
  TuningHooks hooks;
  hooks.stop = InterruptGuard::requested;
  if (bar.active())
    hooks.progress = [&bar](const TuningProgress& now) {
      bar.show("tuning", now.fraction, now.seconds, static_cast<double>(now.trials), "trials");
    };
  return hooks;
}

ChosenMove move_from(const OptionValues& values, const Problem& problem, double beta,
                     const RunPlan& run) {
  ProgressBar bar(values.flag("quiet"));
  return choose_move(problem.model, problem.shell, beta, values, run, hooks_of_search(bar));
}

}  // namespace nhot::app
