// What recording a draw costs against the moves between draws. Rough figures, of no machine in
// particular and without a look at the clock, so that runs by moves give the same draws everywhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "nhot/base/contracts.hpp"
#include "nhot/chain/factory.hpp"

namespace nhot {

/// Of a step of the factory's moves; guessed low, so that recording stays below its share.
inline double step_nanoseconds(const ChainFactory& factory) {
  const double sites = factory.model().sites();
  const std::string& engine = factory.engine();
  if (engine == "bits") return 0.4;
  if (engine == "none") return 8;
  if (engine == "dense") return 50 + 0.25 * sites;
  return sites < 1 << 15 ? 30 : sites < 1 << 19 ? 40 : sites < 1 << 22 ? 60 : 120;
}

/// Of reading a state, measuring observables on it and comparing it with that of another chain.
inline double draw_nanoseconds(const ChainFactory& factory) {
  const double sites = factory.model().sites();
  return factory.engine() == "bits" ? 1000 + 4 * sites : 1000 + 0.35 * sites;
}

/// Draws of a chain worth taking from so many steps that last so long: as many as can be recorded
/// in a twentieth of that time, or in a moment that nobody notices. More of a small model, where
/// every draw tells something new: the slowest modes at a fixed count relax within about sites^2
/// steps, and a few dozen draws of that time are not too many.
inline std::uint64_t draws_worth_taking(const ChainFactory& factory, double steps,
                                        double nanoseconds) {
  const double sites = factory.model().sites();
  const double moment = sites < 1000 ? 2e6 : 5e5;
  const double cheap = std::max(nanoseconds / 20, moment) / draw_nanoseconds(factory);
  const double telling = 32 * steps / (sites * sites);
  return static_cast<std::uint64_t>(std::clamp(std::max(cheap, telling), 2.0, 1e15));
}

/// Moves between draws where the length of the run is not known: the closest draws that are worth
/// taking, by the same figures.
inline std::uint64_t closest_thin(const ChainFactory& factory, double steps_of_move) {
  const double sites = factory.model().sites();
  const double cheap = 20 * draw_nanoseconds(factory) / step_nanoseconds(factory);
  const double telling = sites * sites / 32;
  return static_cast<std::uint64_t>(
      std::clamp(std::ceil(std::min(cheap, telling) / steps_of_move), 1.0, 4096.0));
}

// Long runs begin with closer draws and drop every second one as they arrive, so that a run that is
// stopped early has draws, too.
inline constexpr std::uint64_t longest_first_thin = 4096;  // moves before the first draw

/// Moves between so many draws of so many moves, rounded up so that halving leads to first_thin().
inline std::uint64_t thin_for_draws(std::uint64_t moves, std::uint64_t draws) {
  const std::uint64_t thin = std::max<std::uint64_t>(1, (moves + draws - 1) / draws);
  std::uint64_t halvings = 1;
  while (thin > longest_first_thin * halvings) halvings *= 2;
  return (thin + halvings - 1) / halvings * halvings;
}

/// Where a run that ends with `last` moves between draws begins.
inline std::uint64_t first_thin(std::uint64_t last) {
  while (last > longest_first_thin) last /= 2;
  return last;
}

/// Moves between draws that bring the share of the time that recording takes, measured at `thin`,
/// within the limit, by doubling. A doubling halves a small share and leaves more of a large one,
/// so that the result is never twice what is needed, and may be too little: measure again.
inline std::uint64_t thin_within(std::uint64_t thin, double share, double limit) {
  NHOT_EXPECTS(limit > 0 && std::isfinite(share));
  for (; share > limit; share /= 2) thin *= 2;
  return thin;
}

}  // namespace nhot
