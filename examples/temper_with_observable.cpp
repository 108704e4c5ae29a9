// Replica exchange on a spin glass, with an observable of one's own: the overlap with a given
// state.
#include <cstdio>
#include <nhot/nhot.hpp>

int main() {
  const nhot::Model model = nhot::model_from_spec("spin-glass:6x6,seed=3");
  const nhot::Shell shell(nhot::Bits(model.sites(), 0), 12);

  // The given state: a low one, found by annealing.
  nhot::AnnealingPlan search;
  search.reads = 20;
  const nhot::PackedBits low(nhot::anneal(model, shell, search).states.front().bits);

  nhot::TemperingPlan plan;
  plan.moves = 20'000;
  plan.betas = {0, 0.3, 0.6};
  plan.observables = {nhot::make_observable(
      "overlap_low", "overlap with a low state",
      [&](const nhot::PackedBits& state) { return nhot::overlap(state, low); })};
  const nhot::ChainFactory chains(model, shell, "im:length=1..4", 1.0);
  const nhot::TemperingReport report = nhot::temper(chains, plan).report;
  for (const nhot::RungReport& rung : report.rungs)
    for (const nhot::ObservableReport& row : rung.report.observables)
      if (row.name == "overlap_low")
        std::printf("beta %g: %s %.3f +- %.3f\n", rung.report.run.beta, row.name.c_str(),
                    row.summary.mean, row.summary.mcse);
}
