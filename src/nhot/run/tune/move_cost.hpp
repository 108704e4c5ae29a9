// What moves cost, without a look at the clock: figures measured once, of no machine in particular.
#pragma once

#include <string>

#include "nhot/chain/chain_view.hpp"
#include "nhot/chain/factory.hpp"

namespace nhot {

/// Nominal seconds, the mean over a mixture.
struct MoveCost {
  double per_move = 0;
  double per_step = 0;
  double per_accepted = 0;

  double of(const ChainCounters& counters) const {
    return per_move * static_cast<double>(counters.moves) +
           per_step * static_cast<double>(counters.steps) +
           per_accepted * static_cast<double>(counters.accepted);
  }
};

/// Of a mixture the mean of its parts, as if each took its turn alone.
MoveCost move_cost(const ChainFactory& factory);

/// Seconds of a move in a mixture, of which some kind takes `alone` by itself: the choice between
/// moves, and the weights of walks that other moves must keep, cost time as well.
double mixed_seconds(const ChainFactory& mixture, const std::string& kind, double alone,
                     double acceptance);

/// Nominal seconds of a chain: to take a draw in a trial, and to be made for one.
double draw_cost(Site sites);
double start_cost(Site sites);

}  // namespace nhot
