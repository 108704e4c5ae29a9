// A chain seen from outside: the one virtual door above the hot loop. A call runs a chunk of moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nhot/chain/chain_view.hpp"

namespace nhot {

/// Chains whose walks are interleaved at a time: more do not help, for their working sets no longer
/// fit into the inner caches.
inline constexpr std::size_t most_interleaved = 4;

class AnyChain : public ChainView {
 public:
  /// Runs `moves` moves.
  virtual void advance(std::uint64_t moves) = 0;

  /// True when several chains like this one are faster together than one after the other.
  virtual bool interleaves() const { return false; }

  /// Runs `moves` moves of each of several chains of one setup; `team` holds this one, too. Each
  /// moves as it would alone; where it pays their walks are interleaved.
  virtual void advance_together(std::span<AnyChain* const> team, std::uint64_t moves) {
    for (AnyChain* chain : team) chain->advance(moves);
  }

  /// Replaces the state; InputError says by how much the new one is off the shell.
  virtual void set_bits(const Bits& bits) = 0;

  virtual double beta() const = 0;
  /// Changes the temperature; parameters relative to beta follow. InputError unless beta is finite
  /// and not negative.
  virtual void set_beta(double beta) = 0;

  /// From now on, keeps the state whenever a move leads below this energy and below the lowest
  /// since reset_counters(). Not part of what save() saves.
  virtual void record_below(double energy) = 0;
  /// The state kept last; empty when there was none.
  virtual const Bits& recorded() const = 0;
};

}  // namespace nhot
