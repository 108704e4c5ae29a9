// A move of one's own: a site leaves, and comes back where heat bath puts it.
#include <cmath>
#include <cstdio>
#include <nhot/exact/check_model.hpp>
#include <nhot/nhot.hpp>

/// Keeps exp(-beta E): given who leaves, the place is drawn from that law.
class HeatBath : public nhot::OwnMove {
 public:
  bool attempt(nhot::MoveState& state, nhot::MoveDraws& draws, double beta) const override {
    const nhot::Side ones = nhot::differing(0);
    const nhot::Side zeros = nhot::agreeing(0);
    if (state.size(ones) == 0) return false;
    const nhot::Site out = state.at(ones, static_cast<nhot::Site>(draws.below(state.size(ones))));
    std::vector<nhot::Site> places = {out};
    std::vector<double> weights = {1};
    for (nhot::Site k = 0; k < state.size(zeros); ++k) {
      places.push_back(state.at(zeros, k));
      weights.push_back(std::exp(-beta * state.exchange_cost(out, places.back())));
    }
    const nhot::Site in = places[draws.choose(weights)];
    state.flip(out);
    state.flip(in);
    return true;
  }
};

int main() {
  nhot::register_move("heat-bath", "a site goes where it likes to be",
                      std::make_shared<const HeatBath>());
  std::printf(
      "%s\n",
      nhot::exact::check_model(nhot::model_from_spec("spin-glass:2x3,seed=1")).text().c_str());

  const nhot::Model model = nhot::model_from_spec("spin-glass:8x8,seed=1");
  for (const char* move : {"heat-bath", "swap"}) {
    const nhot::ChainFactory chains(model, nhot::Shell(nhot::Bits(64, 0), 20), move, 0.8);
    nhot::RunPlan plan;
    plan.moves = 50'000;
    const nhot::RunReport report = nhot::sample(chains, plan).report;
    const nhot::ObservableSummary& energy = report.observables.front().summary;
    std::printf("%s: energy %.2f +- %.2f, converged: %s\n", move, energy.mean, energy.mcse,
                report.verdict.converged ? "yes" : "no");
  }
}
