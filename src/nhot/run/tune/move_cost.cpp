#include "nhot/run/tune/move_cost.hpp"

#include <string>

#include "nhot/move/registry.hpp"

namespace nhot {
namespace {

constexpr double nanosecond = 1e-9;

// An EPYC with AVX2, in nanoseconds: nhot tune --json prints ns_per_move of every trial.
MoveCost cost_of(const std::string& kind, const ChainFactory& factory) {
  const double sites = factory.model().sites();
  const double degree = 2 * static_cast<double>(factory.model().couplings()) / sites;
  const bool dense = factory.engine() == "dense" || factory.model().kind() == "rbm";
  const bool tree = factory.engine() == "tree" || factory.engine() == "linear";
  const double far = sites < 1 << 15 ? 1 : sites < 1 << 19 ? 2 : 6;  // memory is slow
  const double flip = dense ? 0.25 * sites : 7 * degree;
  if (factory.model().custom()) {  // a call for every site that may be flipped
    constexpr double call = 1000;
    return {kind == "path" ? 2 * call * sites : call, call * (kind == "im" ? sites : 2), call};
  }
  if (kind == "im")
    return {20, dense ? 220 + 0.5 * sites : tree ? 150 + 40 * degree : far * (15 + 18 * degree), 0};
  if (kind == "path") return {300 + 36 * sites, 30 * far + flip, 0};
  if (kind == "block") return {300 + 90 * sites, 10 * far, 0};
  if (kind == "cluster") return {100, 70 * far, 0};
  const bool real = factory.model().fixed_point().unit() < 1e-6;
  return {0, (dense || real ? 32 : 16) * far, 2 * flip};
}

}  // namespace

double draw_cost(Site sites) { return nanosecond * (300 + 4.0 * sites); }

double start_cost(Site sites) { return nanosecond * (5000 + 150.0 * sites); }

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
  for (double* part : {&result.per_move, &result.per_step, &result.per_accepted})
    *part *= nanosecond / weights;
  return result;
}

}  // namespace nhot
