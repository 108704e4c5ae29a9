// compare, anneal, logz and profile: answers without draws.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "nhot/result/annealing_report.hpp"
#include "nhot/result/compare.hpp"
#include "nhot/result/partition_report.hpp"
#include "nhot/result/profile_report.hpp"
#include "nhot/run/method_options.hpp"
#include "options.hpp"
#include "ranks.hpp"
#include "search.hpp"
#include "watch.hpp"

namespace nhot::python {
namespace {

RunHooks hooks_of(Watch& watch, const char* phase, RankTeam* ranks) {
  RunHooks hooks;
  hooks.ranks = ranks;
  hooks.stop = watch.stop();
  hooks.progress = [&watch, phase](const RunProgress& now) {
    watch.tell({phase, now.fraction, now.seconds, static_cast<double>(now.moves)});
  };
  return hooks;
}

/// (facts, text, states (state, site), energies).
nb::tuple run_anneal(const Model& model, const Given& given, const nb::tuple& frame,
                     const nb::object& start, std::size_t width, nb::object show,
                     const nb::object& comm) {
  PythonRanks ranks(comm);
  const OptionValues values = values_of("anneal", given);
  AnnealingPlan plan = annealing_plan_from(values);
  const Shell shell = shell_of(model, values, frame);
  plan.start = start_from(start, shell);
  Watch watch(std::move(show));
  const AnnealingReport report = make_report(model, shell, plan, watch.run([&] {
    return anneal(model, shell, plan, hooks_of(watch, "annealing", ranks.team()));
  }));
  const std::vector<FoundState>& states = report.result.states;
  return nb::make_tuple(
      to_python(facts_of(report)), with_keywords(to_text(report, TextLayout{width})),
      make_array<std::uint8_t>({states.size(), model.sites()},
                               [&](std::uint8_t* out) {
                                 for (const FoundState& state : states)
                                   out = std::copy(state.bits.begin(), state.bits.end(), out);
                               }),
      make_array<double>({states.size()}, [&](double* out) {
        for (const FoundState& state : states) *out++ = state.energy;
      }));
}

/// (facts, text).
nb::tuple run_logz(const Model& model, const Given& given, const nb::tuple& frame,
                   std::size_t width, nb::object show, const nb::object& comm) {
  PythonRanks ranks(comm);
  const OptionValues values = values_of("logz", given);
  const PartitionPlan plan = partition_plan_from(values);
  const double beta = values.real("beta");
  const Shell shell = shell_of(model, values, frame);
  Watch watch(std::move(show));
  ChosenMove chosen;
  PartitionReport report = watch.run([&] {
    chosen = chosen_move(model, shell, beta, values, run_like(plan), watch);
    const ChainFactory factory(model, shell, chosen.move, beta);
    return make_report(factory, plan,
                       estimate_partition(factory, plan, hooks_of(watch, "cooling", ranks.team())));
  });
  add_search(chosen, report);
  return nb::make_tuple(to_python(facts_of(report)),
                        with_keywords(to_text(report, TextLayout{width})));
}

/// (facts, text).
nb::tuple run_profile(const Model& model, const Given& given, const nb::tuple& frame,
                      std::size_t width, nb::object show) {
  const OptionValues values = values_of("profile", given);
  const ProfilePlan plan = profile_plan_from(values);
  const ShellBand band = profile_band(values);
  const Shell first = shell_of(model, values, frame);
  Watch watch(std::move(show));
  const ProfileReport report = watch.run([&] {
    const BandFactory factory(model, first.reference(), band, values.real("beta"));
    return make_report(factory, plan, values.real("mu"),
                       estimate_profile(factory, plan, hooks_of(watch, "sampling", nullptr)));
  });
  return nb::make_tuple(to_python(facts_of(report)),
                        with_keywords(to_text(report, TextLayout{width})));
}

/// (facts, text).
nb::tuple run_compare(const Model& model, const Given& given, const nb::tuple& frame,
                      const nb::object& start, std::size_t width, nb::object show) {
  const OptionValues values = values_of("compare", given);
  ComparisonPlan plan = comparison_plan_from(values);
  const Shell shell = shell_of(model, values, frame);
  plan.start = start_from(start, shell);
  const std::vector<std::string> moves = compared_moves(values);
  Watch watch(std::move(show));
  ComparisonHooks hooks;
  hooks.stop = watch.stop();
  hooks.progress = [&watch](const ComparisonProgress& now) {
    watch.tell({"comparing", now.fraction, now.seconds, now.moves});
  };
  const CompareResult result =
      watch.run([&] { return compare(model, shell, values.real("beta"), moves, plan, hooks); });
  return nb::make_tuple(to_python(facts_of(result)),
                        with_keywords(to_text(result, TextLayout{width})));
}

}  // namespace

void add_other_drivers(nb::module_& module) {
  module.def("anneal", run_anneal, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(),
             nb::arg().none(), nb::arg().none());
  module.def("logz", run_logz, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
             nb::arg().none());
  module.def("profile", run_profile, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
  module.def("compare", run_compare, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(),
             nb::arg().none());
}

}  // namespace nhot::python
