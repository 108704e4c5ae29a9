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
  const nhot::TemperingResult run = nhot::run_tempering(chains, plan);
  for (const nhot::RungResult& rung : run.rungs)
    for (const nhot::NamedSummary& row : nhot::summarise_rung(rung))
      if (row.name == "overlap_low")
        std::printf("beta %g: %s %.3f +- %.3f\n", rung.beta, row.name.c_str(), row.summary.mean,
                    row.summary.mcse);
}
