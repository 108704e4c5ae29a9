// Are the nominal costs of moves, by which a search counts, those of this machine? They are to be
// so up to one factor for all moves of a model: only then does a search by counts prefer what is
// faster.
//
//     bench_costs [SECONDS]    // of a window: the fastest of five counts (0.03)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "nhot/model/generators.hpp"
#include "nhot/move/registry.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/start.hpp"
#include "nhot/run/timed_chains.hpp"
#include "nhot/run/tune/move_cost.hpp"

namespace nhot {
namespace {

constexpr std::size_t chains = 2;  // on one thread: four on two cores, as a run has them

double cpu_seconds(const TimedChains& with) { return with.seconds().cpu; }

double nominal_seconds(const TimedChains& with, const MoveCost& cost) {
  double sum = 0;
  for (std::size_t c = 0; c < with.size(); ++c) sum += cost.of(with[c].counters());
  return sum;
}

struct Costs {
  double nominal = 0;  // nanoseconds of a move
  double measured = 0;
  double steps = 0;  // of a move
  double acceptance = 0;
};

Costs costs_of(const ChainFactory& factory, const std::vector<Bits>& starts, double window) {
  TimedChains with(factory, 1, starts, 1, {0, starts.size()});
  std::uint64_t moves = 1;
  for (double taken = 0; taken < window && moves < std::uint64_t{1} << 40;) {
    moves *= 2;
    with.reset_seconds();
    with.advance(moves);
    taken = cpu_seconds(with);
  }
  const MoveCost cost = move_cost(factory);
  Costs result{0, std::numeric_limits<double>::infinity(), 0, 0};
  with.reset_counters();
  constexpr int windows = 5;
  for (int k = 0; k < windows; ++k) {
    with.reset_seconds();
    with.advance(moves);
    result.measured = std::min(result.measured, cpu_seconds(with));
  }
  const double all = static_cast<double>(moves) * static_cast<double>(chains);
  result.measured *= 1e9 / all;
  result.nominal = nominal_seconds(with, cost) * 1e9 / (windows * all);
  for (std::size_t c = 0; c < with.size(); ++c) {
    result.steps += static_cast<double>(with[c].counters().steps) / (windows * all);
    result.acceptance += static_cast<double>(with[c].counters().accepted) / (windows * all);
  }
  return result;
}

/// Of a mixture, by what its moves cost alone.
double mixture_nominal(const ChainFactory& mixture, const std::map<std::string, Costs>& alone) {
  double sum = 0;
  double weights = 0;
  for (const MoveText& part : parse_moves(mixture.move())) {
    const Costs& known = alone.at(part.kind->name);
    sum += part.weight *
           mixed_seconds(mixture, part.kind->name, 1e-9 * known.nominal, known.acceptance);
    weights += part.weight;
  }
  return 1e9 * sum / weights;
}

/// Bonds between random pairs of sites, of weight 1 or normal.
Model random_graph(Site sites, std::size_t bonds, bool with_normal) {
  Xoshiro256 engine = make_stream(1, 0, 0, Purpose::test);
  NormalSource normal(engine);
  QuadraticTerms terms;
  terms.sites = sites;
  for (std::size_t k = 0; k < bonds; ++k) {
    const auto i = static_cast<Site>(engine() % sites);
    const auto j = static_cast<Site>(engine() % sites);
    if (i != j) terms.couplings.push_back({i, j, with_normal ? normal() : 1.0});
  }
  return {"random graph", QuadraticModel(std::move(terms))};
}

struct Case {
  Model model;
  Site distance;
  double beta;
  std::vector<std::string> moves;
};

std::vector<Case> cases() {
  const std::vector<std::string> walks = {
      "swap", "kawasaki", "im:length=1", "im", "im:length=1..40", "path", "path:length=1..40"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = walks;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const std::string mixture = "0.998*swap + 0.002*im";
  const Model lattice = model_from_spec("ferromagnet:60x60");
  const Model glass = model_from_spec("spin-glass:9x9x9,seed=7");
  const Model gaussian = model_from_spec("spin-glass:9x9x9,couplings=gaussian,seed=7");
  const Model rbm = model_from_spec("rbm:784x500,seed=1");
  const Model field = model_from_spec("field:1000,seed=1");
  return {{lattice, 1800, 1 / 1.5, with({"cluster", mixture, "0.999*im + 0.001*cluster"})},
          {lattice, 1800, 1 / 2.27, with({"cluster", mixture})},
          {lattice, 1800, 1 / 3.0, with({"cluster", mixture, "0.99*swap + 0.01*cluster"})},
          {glass, 364, 0.5,
           with({mixture, "im:engine=classes", "im:engine=thinned", "im:engine=tree"})},
          {glass, 364, 1, with({mixture})},
          {gaussian, 364, 1, with({mixture, "im:engine=tree"})},
          {random_graph(800, 19176, false), 400, 0.2, with({mixture, "im:engine=tree"})},
          {random_graph(400, 60000, true), 200, 0.05, with({mixture})},
          {rbm, 428, 1, with({"block", mixture})},
          {field, 100, 1, {"swap", "im:length=1", "im", "path", mixture}}};
}

int print_all(double window) {
  std::printf(
      "| model | beta | move | engine | steps | accepted | nominal ns | measured ns | nominal / "
      "measured | as "
      "for swap |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Case& one : cases()) {
    const Model& model = one.model;
    const Shell shell(Bits(model.sites(), 0), one.distance);
    double of_swap = 1;
    std::map<std::string, Costs> alone;
    // From states of the law, as far as a second of walks gets.
    const ChainFactory warming(model, shell, model.rbm() ? "swap" : "0.9*im + 0.1*swap", one.beta);
    TimedChains warm(warming, 1, starts_of(shell, 1, chains, std::nullopt), 1, {0, chains});
    while (warm.seconds().cpu < 0.3) warm.advance(1000);
    std::vector<Bits> starts;
    for (std::size_t c = 0; c < chains; ++c) starts.push_back(warm[c].bits());
    for (const std::string& move : one.moves) {
      const ChainFactory factory(model, shell, move, one.beta);
      Costs costs = costs_of(factory, starts, window);
      if (move.find('+') == std::string::npos)
        alone.emplace(move, costs);
      else
        costs.nominal = mixture_nominal(factory, alone);
      const double ratio = costs.nominal / costs.measured;
      if (move == "swap") of_swap = ratio;
      std::printf("| %s | %.3g | `%s` | %s | %.3g | %.3f | %.4g | %.4g | %.2f | %.2f |\n",
                  model.name().c_str(), one.beta, move.c_str(), factory.engine().c_str(),
                  costs.steps, costs.acceptance, costs.nominal, costs.measured, ratio,
                  ratio / of_swap);
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace nhot

int main(int argc, char** argv) {
  const double window = argc > 1 ? std::strtod(argv[1], nullptr) : 0.03;
  if (!(window > 0 && window < 100)) {
    std::fprintf(stderr, "bench_costs [SECONDS]\n");
    return 2;
  }
  return nhot::print_all(window);
}
