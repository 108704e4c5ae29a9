// One ladder of replicas: the chains, who is on which rung, and the rung's counters.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/run/temper/exchange.hpp"

namespace nhot {

/// Replica r of ladder c moves with the stream (seed, c, r, moves), whatever rung it is on, and the
/// exchanges of ladder c draw from (seed, c, 0, exchange).
class TemperedLadder {
 public:
  struct RungCounters {
    std::uint64_t moves = 0;
    std::uint64_t accepted = 0;
    std::uint64_t changed = 0;
    std::uint64_t steps = 0;
    std::uint64_t accepted_since_draw = 0;
    double cpu_seconds = 0;
    double recording_seconds = 0;  // of the CPU seconds
  };

  /// `start`: of every replica; null: uniform on the shell, from (seed, c, r, start).
  TemperedLadder(const ChainFactory& factory, std::uint64_t seed, std::uint64_t number,
                 const Bits* start);

  /// Moves to other rungs, of any number. A new rung takes the state of the old rung that is
  /// nearest in beta, so this belongs to warm-up.
  void place(std::vector<double> betas);

  const ReplicaLadder& exchanges() const { return ladder_; }
  std::size_t rungs() const { return ladder_.rungs(); }
  const AnyChain& at(std::size_t rung) const { return *replicas_[ladder_.replica_at(rung)]; }

  /// Moves the replica of a rung. Rungs may be advanced from several threads at once.
  void advance(std::size_t rung, std::uint64_t moves);
  /// One round of exchange; after all rungs have been advanced.
  void exchange();

  /// Replaces the state of a rung's replica.
  void set_bits(std::size_t rung, const Bits& bits) {
    replicas_[ladder_.replica_at(rung)]->set_bits(bits);
  }
  /// Time that was spent on a rung outside advance().
  void add_cpu_seconds(std::size_t rung, double seconds) { counters_[rung].cpu_seconds += seconds; }

  void add_recording_seconds(std::size_t rung, double seconds) {
    counters_[rung].cpu_seconds += seconds;
    counters_[rung].recording_seconds += seconds;
  }

  const RungCounters& counters(std::size_t rung) const { return counters_[rung]; }
  /// Accepted moves at a rung since the last draw; counts from zero again.
  std::uint64_t take_accepted(std::size_t rung) {
    return std::exchange(counters_[rung].accepted_since_draw, 0);
  }
  /// The last draw was dropped: what was taken then belongs to the next one.
  void give_back_accepted(std::size_t rung, std::uint64_t accepted) {
    counters_[rung].accepted_since_draw += accepted;
  }
  double best_energy() const;
  /// Forgets counters and exchange statistics, but not the best energy.
  void reset_counters();

  /// Everything that the next move and the next exchange depend on, and all counters.
  void save(ByteWriter& out) const;
  /// InputError when the archive is short, damaged or of another ladder; this one is then unusable.
  void restore(ByteReader& in);

 private:
  void make_replicas(std::size_t count);

  const ChainFactory& factory_;
  std::uint64_t seed_;
  std::uint64_t number_;
  Bits start_;                                       // of every replica; empty: uniform
  std::vector<std::unique_ptr<AnyChain>> replicas_;  // those above rungs() rest
  ReplicaLadder ladder_;
  RandomDraws draws_;
  std::vector<RungCounters> counters_;
  std::vector<double> energies_;  // by replica, for exchanges
};

}  // namespace nhot
