// One chain as a recorder sees it: what it is, not how it moves.
#pragma once

#include <cstdint>
#include <limits>

#include "nhot/base/bytes.hpp"
#include "nhot/base/packed_bits.hpp"
#include "nhot/base/types.hpp"

namespace nhot {

/// Totals since the chain was made (or since reset_counters).
struct ChainCounters {
  std::uint64_t moves = 0;
  std::uint64_t accepted = 0;
  std::uint64_t changed = 0;  // moves that ended in another state
  std::uint64_t steps = 0;
  double best_energy = std::numeric_limits<double>::infinity();  // lowest seen after any move
};

/// The latest move, for traces.
struct LastMove {
  bool accepted = false;
  std::uint32_t length = 0;   // walk length
  std::uint32_t hamming = 0;  // sites that differ between before and after
};

class ChainView {
 public:
  virtual ~ChainView() = default;

  virtual double energy() const = 0;
  /// The state in the model's own bits.
  virtual Bits bits() const = 0;
  /// The same into an existing buffer.
  virtual void read(PackedBits& state) const { state.assign(bits()); }

  virtual const ChainCounters& counters() const = 0;
  virtual void reset_counters() = 0;
  virtual LastMove last_move() const = 0;

  /// Everything needed to continue bit for bit: state, caches, counters, generator.
  virtual void save(ByteWriter& out) const = 0;
  /// InputError when the archive is short, damaged or of another chain; the chain is then unusable
  /// until it is restored or given bits again.
  virtual void restore(ByteReader& in) = 0;
};

}  // namespace nhot
