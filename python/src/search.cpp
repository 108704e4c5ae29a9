// tune, and the move of a run that is to be found.
#include "search.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "nhot/run/method_options.hpp"
#include "observables.hpp"
#include "options.hpp"

namespace nhot::python {
namespace {

TuningHooks hooks_of_search(Watch& watch) {
  TuningHooks hooks;
  hooks.stop = watch.stop();
  hooks.progress = [&watch](const TuningProgress& now) {
    watch.tell({"tuning", now.fraction, now.seconds, static_cast<double>(now.trials)});
  };
  return hooks;
}

/// (facts, text).
nb::tuple run_tune(const Model& model, const Given& given, const nb::tuple& frame,
                   const nb::object& start, const std::vector<ObservableIn>& observables,
                   std::size_t width, nb::object show) {
  const OptionValues values = values_of("tune", given);
  TuningPlan plan = tuning_plan_from(values);
  const Shell shell = shell_of(model, values, frame);
  plan.start = start_from(start, shell);
  plan.observables = observables_from(observables);
  Watch watch(std::move(show));
  const TuningReport report = make_report(plan, watch.run([&] {
    return run_tuning(model, shell, values.real("beta"), plan, hooks_of_search(watch));
  }));
  return nb::make_tuple(to_python(facts_of(report)),
                        with_keywords(to_text(report, TextLayout{width})));
}

}  // namespace

ChosenMove chosen_move(const Model& model, const Shell& shell, double beta,
                       const OptionValues& values, const RunPlan& run, Watch& watch) {
  return choose_move(model, shell, beta, values, run, hooks_of_search(watch));
}

void add_tuning(nb::module_& module) {
  module.def("tune", run_tune, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(),
             nb::arg(), nb::arg().none());
}

}  // namespace nhot::python
