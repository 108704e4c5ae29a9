// sample and temper: runs whose draws are kept.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "draws.hpp"
#include "nhot/base/error.hpp"
#include "nhot/result/sample.hpp"
#include "nhot/result/temper.hpp"
#include "nhot/run/method_options.hpp"
#include "observables.hpp"
#include "options.hpp"
#include "ranks.hpp"
#include "search.hpp"
#include "watch.hpp"

namespace nhot::python {
namespace {

RunHooks hooks_of(Watch& watch, RankTeam* ranks = nullptr) {
  RunHooks hooks;
  hooks.ranks = ranks;
  hooks.stop = watch.stop();
  hooks.progress = [&watch](const RunProgress& now) {
    watch.tell({now.verifying ? "verifying"
                : now.warming ? "warm-up"
                              : "sampling",
                now.fraction, now.seconds, static_cast<double>(now.moves)});
  };
  return hooks;
}

struct SampleRun {
  ChosenMove chosen;
  std::shared_ptr<const ChainFactory> factory;
  Given given;
  SampleResult result;

  const Trace& trace(bool warmup) const { return warmup ? result.run.warmup : result.run.trace; }
};

std::shared_ptr<SampleRun> run_sample(const Model& model, const Given& given,
                                      const nb::tuple& frame, const nb::object& start,
                                      const std::vector<ObservableIn>& observables, nb::object show,
                                      const nb::object& comm) {
  PythonRanks ranks(comm);
  const OptionValues values = values_of("sample", given);
  RunPlan plan = plan_from(values);
  const Shell shell = shell_of(model, values, frame);
  plan.observables = observables_from(observables);
  plan.start = start_from(start, shell);
  plan.verify = values.flag("verify");
  ask_for_states(plan, values, true);
  if (plan.moves && plan.thin > *plan.moves)
    throw InputError("thin=" + std::to_string(plan.thin) + " keeps no draw of " +
                         std::to_string(*plan.moves) + " moves",
                     "give moves as a multiple of thin, or leave out thin");
  auto run = std::make_shared<SampleRun>();
  run->given = given;
  const double beta = values.real("beta");
  Watch watch(std::move(show));
  run->result = watch.run([&] {
    run->chosen = chosen_move(model, shell, beta, values, plan, watch);
    run->factory = std::make_shared<const ChainFactory>(model, shell, run->chosen.move, beta);
    SampleResult result = sample(*run->factory, plan, hooks_of(watch, ranks.team()));
    add_search(run->chosen, result.report);
    return result;
  });
  return run;
}

/// The chains of a run, for `given` (moves or seconds) more.
std::shared_ptr<SampleRun> extend_sample(const SampleRun& before, const Given& more,
                                         const std::vector<ObservableIn>& observables,
                                         nb::object show) {
  Given given = more;
  for (const auto& [name, value] : before.given)
    if (name != "moves" && name != "seconds" && name != "until" && name != "ess" &&
        std::none_of(more.begin(), more.end(), [&](const auto& own) { return own.first == name; }))
      given.emplace_back(name, value);
  const OptionValues values = values_of("sample", given);
  RunPlan plan = plan_from(values);
  plan.observables = observables_from(observables);
  plan.verify = values.flag("verify");
  ask_for_states(plan, values, true);
  const RunResult& old = before.result.run;
  plan.resume =
      std::make_shared<const StoppedRun>(StoppedRun{old.checkpoint, old.warmup, old.trace});
  auto run = std::make_shared<SampleRun>();
  run->chosen = before.chosen;
  run->factory = before.factory;
  run->given = before.given;
  Watch watch(std::move(show));
  run->result = watch.run([&] {
    SampleResult result = sample(*run->factory, plan, hooks_of(watch));
    add_search(run->chosen, result.report);
    return result;
  });
  return run;
}

struct TemperRun {
  std::shared_ptr<const ChainFactory> factory;
  TemperResult result;

  const RungResult& rung(std::size_t k) const {
    if (k >= result.run.rungs.size()) throw nb::index_error();
    return result.run.rungs[k];
  }
};

std::shared_ptr<TemperRun> run_temper(const Model& model, const Given& given,
                                      const nb::tuple& frame, const nb::object& start,
                                      const std::vector<ObservableIn>& observables, nb::object show,
                                      const nb::object& comm) {
  PythonRanks ranks(comm);
  const OptionValues values = values_of("temper", given);
  TemperingPlan plan = tempering_plan_from(values);
  const Shell shell = shell_of(model, values, frame);
  plan.observables = observables_from(observables);
  plan.start = start_from(start, shell);
  ask_for_states(plan, values, true);
  const double beta = values.was_set("beta") || plan.betas.empty()
                          ? values.real("beta")
                          : *std::max_element(plan.betas.begin(), plan.betas.end());
  auto run = std::make_shared<TemperRun>();
  Watch watch(std::move(show));
  run->result = watch.run([&] {
    const ChosenMove chosen = chosen_move(model, shell, beta, values, run_like(plan), watch);
    run->factory = std::make_shared<const ChainFactory>(model, shell, chosen.move, beta);
    TemperResult result =
        temper(*run->factory, plan, TemperingHooks(hooks_of(watch, ranks.team())));
    add_search(chosen, result.report.target);
    return result;
  });
  return run;
}

nb::list groups_as_list(const std::string& function) {
  nb::list result;
  for (const OptionGroup& group : groups_of(function))
    for (const OptionSpec& spec : group.options) {
      nb::dict one;
      one["group"] = group.title;
      one["name"] = spec.name;
      one["default"] = spec.default_value;
      one["help"] = with_keywords(spec.help);
      one["choices"] = spec.choices;
      one["repeatable"] = spec.repeatable;
      one["type"] = spec.type == OptionType::flag      ? "bool"
                    : spec.type == OptionType::integer ? "int"
                    : spec.type == OptionType::real    ? "float"
                                                       : "str";
      result.append(one);
    }
  return result;
}

}  // namespace

void add_runs(nb::module_& module) {
  module.def("options_of", groups_as_list);

  nb::class_<SampleRun>(module, "SampleRun")
      .def("columns",
           [](const SampleRun& run, bool warmup) { return columns_of(run.trace(warmup)); })
      .def("observables",
           [](const SampleRun& run, bool warmup) { return observables_of(run.trace(warmup)); })
      .def("states",
           [](const SampleRun& run, bool packed) {
             return states_of(run.trace(false), run.factory->model().sites(), packed);
           })
      .def("state_draws", [](const SampleRun& run) { return state_draws_of(run.trace(false)); })
      .def("site_means", [](const SampleRun& run) { return site_means_of(run.trace(false)); })
      .def("best",
           [](const SampleRun& run) -> nb::object {
             const FoundState& best = run.result.report.best_state;
             if (best.bits.empty()) return nb::none();
             return nb::make_tuple(
                 best.energy, make_array<std::uint8_t>({best.bits.size()}, [&](std::uint8_t* out) {
                   std::copy(best.bits.begin(), best.bits.end(), out);
                 }));
           })
      .def("interrupted", [](const SampleRun& run) { return run.result.run.interrupted; })
      .def("facts", [](const SampleRun& run) { return to_python(facts_of(run.result.report)); })
      .def("text",
           [](const SampleRun& run, std::size_t width) {
             return with_keywords(to_text(run.result.report, TextLayout{width}));
           })
      .def("extend", extend_sample, nb::arg(), nb::arg(), nb::arg().none());
  module.def("sample", run_sample, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(),
             nb::arg().none(), nb::arg().none());

  nb::class_<TemperRun>(module, "TemperRun")
      .def_prop_ro("rungs", [](const TemperRun& run) { return run.result.run.rungs.size(); })
      .def_prop_ro("target", [](const TemperRun& run) { return run.result.run.target; })
      .def("beta", [](const TemperRun& run, std::size_t k) { return run.rung(k).beta; })
      .def("columns",
           [](const TemperRun& run, std::size_t k) { return columns_of(run.rung(k).trace); })
      .def("observables",
           [](const TemperRun& run, std::size_t k) { return observables_of(run.rung(k).trace); })
      .def("states",
           [](const TemperRun& run, std::size_t k, bool packed) {
             return states_of(run.rung(k).trace, run.factory->model().sites(), packed);
           })
      .def("state_draws",
           [](const TemperRun& run, std::size_t k) { return state_draws_of(run.rung(k).trace); })
      .def("site_means",
           [](const TemperRun& run, std::size_t k) { return site_means_of(run.rung(k).trace); })
      .def("interrupted", [](const TemperRun& run) { return run.result.run.interrupted; })
      .def("rung_facts",
           [](const TemperRun& run, std::size_t k) {
             run.rung(k);
             return to_python(facts_of(run.result.report.rungs[k].report));
           })
      .def("facts", [](const TemperRun& run) { return to_python(facts_of(run.result.report)); })
      .def("text", [](const TemperRun& run, std::size_t width) {
        return with_keywords(to_text(run.result.report, TextLayout{width}));
      });
  module.def("temper", run_temper, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(),
             nb::arg().none(), nb::arg().none());
}

}  // namespace nhot::python
