// What a run produces, as plain columns: one row per kept draw, one column set per chain.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "nhot/base/packed_bits.hpp"

namespace nhot {

/// Facts about the draws of one chain.
struct ChainColumns {
  std::vector<double> energy;
  std::vector<std::uint8_t> accepted;      // was the last move before the draw accepted
  std::vector<double> acceptance_rate;     // share of moves accepted since the draw before
  std::vector<std::int32_t> saw_length;    // walk length of that last move
  std::vector<std::int32_t> hamming_move;  // sites it changed

  std::size_t draws() const { return energy.size(); }
};

/// A scalar followed along the run: one series per chain, or per pair of chains.
struct ObservableColumn {
  std::string name;
  std::string help;
  std::vector<std::vector<double>> series;  // [chain or pair][draw]
  bool per_pair = false;                    // series k belongs to chains 2k and 2k + 1
};

/// Draws of one phase (warm-up or sampling) of all chains. Every chain has the same number of
/// draws.
struct Trace {
  double beta = 0;
  std::uint64_t thin = 1;  // moves between draws
  std::vector<ChainColumns> chains;
  std::vector<ObservableColumn> observables;  // "energy" is not repeated here

  /// States kept, fewer than draws: state s of chain c was taken at draw state_draws[s].
  std::vector<std::uint64_t> state_draws;
  std::vector<std::vector<PackedBits>> states;  // [chain][s]

  std::size_t draws() const { return chains.empty() ? 0 : chains.front().draws(); }

  /// Adds the draws of `block` behind the own ones. Both have the same chains and observables.
  void append(Trace block);
  /// Keeps every second draw (the second, the fourth, ...) and doubles thin.
  void halve();
  /// A copy that keeps no state.
  Trace without_states() const;
  /// Drops every draw from this one on.
  void cut(std::size_t draws);
};

/// What a file says about a run besides its draws: key and value, in order.
using Metadata = std::vector<std::pair<std::string, std::string>>;

}  // namespace nhot
