#include "nhot/run/tune/move_cost.hpp"

#include <algorithm>
#include <string>

#include "nhot/model/quadratic.hpp"
#include "nhot/move/registry.hpp"

namespace nhot {
namespace {

// Nanoseconds on an AMD Zen 5, fitted by hand to the moves and models of bench/costs.cpp, which
// prints them beside what it measures. Slower machines take so much longer: a search is not to
// exceed its time there.
constexpr double nanosecond = 2e-9;

/// What costs depend on.
struct Setting {
  double sites;
  double degree;
  double far;  // memory is slow
  bool dense;  // a flip passes over all sites
  const std::string& engine;

  explicit Setting(const ChainFactory& factory)
      : sites(factory.model().sites()),
        degree(2 * static_cast<double>(factory.model().couplings()) / sites),
        far(sites < 1 << 15   ? 1
            : sites < 1 << 19 ? 2
                              : 6),
        dense(factory.engine() == "dense" || factory.model().kind() == "rbm" ||
              degree > 0.125 * sites),
        engine(factory.engine()) {}

  /// A step of a walk: to draw a site, flip it, and weigh it and its neighbours again.
  double step() const {
    if (dense) return 110 + 0.12 * sites;
    if (engine == "tree" || engine == "linear") return 90 + 9 * degree;
    return far * (engine == "sums" ? 40 + 4.2 * degree : 17 + 3.5 * degree);
  }
  /// A flip outside of walks, for the weights that walks of the same mixture draw from.
  double weights_of_flip() const {
    if (engine == "none") return 0;
    if (dense) return 55 + 0.07 * sites;
    if (engine == "tree" || engine == "linear") return 20 + 4 * degree;
    return far * (engine == "sums" ? 16 + 2 * degree : 5 + 0.5 * degree);
  }
};

MoveCost cost_of(const std::string& kind, const ChainFactory& factory) {
  const Setting on(factory);
  if (factory.model().custom()) {  // a call for every site that may be flipped
    constexpr double call = 400;
    return {kind == "path" ? 2 * call * on.sites : call, call * (kind == "im" ? on.sites : 2),
            call};
  }
  if (kind == "im") return {20, on.step(), 0};
  if (kind == "path") return {300 + 17 * on.sites, 150 * on.far, 0};
  if (kind == "block") return {300 + 30 * on.sites, 5 * on.far, 0};
  if (kind == "cluster") return {200, 24 * on.far, 0};
  const double accepted = on.far * (on.dense ? 15 + 0.1 * on.sites : 15 + 2 * on.degree);
  if (kind == "kawasaki") return {0, 10 * on.far, accepted};
  const double look_up = on.dense ? 8 : 0.7 * std::max(on.degree - 6, 0.0);  // of a coupling
  return {0, (5.3 + look_up) * on.far, accepted};
}

MoveCost in_seconds(MoveCost cost) {
  for (double* part : {&cost.per_move, &cost.per_step, &cost.per_accepted}) *part *= nanosecond;
  return cost;
}

}  // namespace

double draw_cost(Site sites) { return 1e-9 * (300 + 4.0 * sites); }

double start_cost(Site sites) { return 1e-9 * (5000 + 150.0 * sites); }

MoveCost move_cost(const ChainFactory& factory) {
  MoveCost result;
  double weights = 0;
  for (const MoveText& move : parse_moves(factory.move())) {
    const MoveCost one = cost_of(move.kind->name, factory);
    weights += move.weight;
    result.per_move += move.weight * one.per_move;
    result.per_step += move.weight * one.per_step;
    result.per_accepted += move.weight * one.per_accepted;
  }
  for (double* part : {&result.per_move, &result.per_step, &result.per_accepted}) *part /= weights;
  return in_seconds(result);
}

double mixed_seconds(const ChainFactory& mixture, const std::string& kind, double alone,
                     double acceptance) {
  constexpr double choice = 6;           // of the next move, and no loop of one move alone
  constexpr double interleaving = 1.35;  // of walks of several chains, which stops
  const Setting on(mixture);
  const bool walk = kind == "im";
  const bool interleaved = walk && on.engine == "classes";
  const double weights = walk ? 0 : 2 * acceptance * on.weights_of_flip();
  return alone * (interleaved ? interleaving : 1) + nanosecond * (choice + weights);
}

}  // namespace nhot
