// A chain seen from outside: the one virtual door above the hot loop. A call runs a chunk of moves.
#pragma once

#include <cstdint>
#include <limits>

#include "nhot/base/bytes.hpp"
#include "nhot/base/types.hpp"

namespace nhot {

/// Totals since the chain was made (or since reset_counters).
struct ChainCounters {
  std::uint64_t moves = 0;
  std::uint64_t accepted = 0;
  std::uint64_t steps = 0;
  double best_energy = std::numeric_limits<double>::infinity();  // lowest seen after any move
};

/// The latest move, for traces.
struct LastMove {
  bool accepted = false;
  std::uint32_t length = 0;   // walk length
  std::uint32_t hamming = 0;  // sites that differ between before and after
};

class AnyChain {
 public:
  virtual ~AnyChain() = default;

  /// Runs `moves` moves.
  virtual void advance(std::uint64_t moves) = 0;

  virtual double energy() const = 0;
  /// The state in the model's own bits.
  virtual Bits bits() const = 0;
  /// Replaces the state; InputError says by how much the new one is off the shell.
  virtual void set_bits(const Bits& bits) = 0;

  virtual double beta() const = 0;
  /// Changes the temperature; parameters relative to beta follow. InputError unless beta is finite
  /// and not negative.
  virtual void set_beta(double beta) = 0;

  virtual const ChainCounters& counters() const = 0;
  virtual void reset_counters() = 0;
  virtual LastMove last_move() const = 0;

  /// From now on, keeps the state whenever a move leads below this energy and below the lowest
  /// since reset_counters(). Not part of what save() saves.
  virtual void record_below(double energy) = 0;
  /// The state kept last; empty when there was none.
  virtual const Bits& recorded() const = 0;

  /// Everything needed to go on to the bit: state, caches, counters, generator.
  virtual void save(ByteWriter& out) const = 0;
  /// InputError when the archive is short, damaged or of another chain; the chain is then unusable
  /// until it is restored or given bits again.
  virtual void restore(ByteReader& in) = 0;
};

}  // namespace nhot
