#include "auto_move.hpp"

#include "interrupt.hpp"
#include "nhot/run/method_options.hpp"
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
  const std::string& text = values.text("move");
  if (text != "auto") return {text, std::nullopt};
  TuningPlan plan =
      tuning_plan_for(values, tuning_seconds(problem.model, problem.shell, beta, run));
  plan.start = run.start;
  ProgressBar bar(values.flag("quiet"));
  return choose_move(problem.model, problem.shell, beta, text, plan, hooks_of_search(bar));
}

}  // namespace nhot::app
