// One ladder of replicas: the chains, who is on which rung, and the rung's counters.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/run/temper/exchange.hpp"
#include "nhot/run/temper/replica_share.hpp"
#include "nhot/run/temper/rung_laws.hpp"

namespace nhot {

/// On the path of weights every rung has a chain of its own, which replicas hand their states on
/// to: that of rung k moves with a stream of (seed, c, k, moves), anew with every place(). Such
/// ladders are not shared by ranks.
///
/// Replica r of ladder c moves with the stream (seed, c, r, moves), whatever rung it is on, and the
/// exchanges of ladder c draw from (seed, c, 0, exchange). Where ranks share a ladder, each has
/// some of the replicas, and all that take part in its exchanges have the same ReplicaLadder.
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

  /// How many sites an advance() changes: how fast a replica forgets.
  struct ChangedSites {
    std::uint64_t sites = 0;  // summed over the measured calls
    std::uint64_t calls = 0;
  };

  /// `laws`: placed before every place() and restore().
  /// `measures`: changes() belong to the archives.
  /// `start`: of every replica; null: uniform on the shell, from (seed, c, r, start).
  TemperedLadder(const ChainFactory& factory, const RungLaws& laws, std::uint64_t seed,
                 std::uint64_t number, const Bits* start, ReplicaShare share = {},
                 std::size_t shared_as = 0, bool measures = false);

  /// Moves to other rungs, of any number. A new rung takes the state of the old rung that is
  /// nearest in beta, so this belongs to warm-up.
  void place(std::vector<double> betas);
  /// The same in two steps: by replica, the one whose state it takes (none at first); and the
  /// states, of which only those of the own replicas are looked at.
  std::vector<std::size_t> sources(const std::vector<double>& betas) const;
  void place(std::vector<double> betas, const std::vector<Bits>& states);

  const ReplicaLadder& exchanges() const { return ladder_; }
  std::size_t rungs() const { return ladder_.rungs(); }
  const AnyChain& at(std::size_t rung) const { return *replicas_[chain_of(rung)]; }
  /// The replica of a rung is here.
  bool holds(std::size_t rung) const { return has(chain_of(rung)); }
  bool has(std::size_t replica) const { return share_.has(shared_as_, replica); }
  std::size_t replicas() const { return replicas_.size(); }
  const AnyChain& replica(std::size_t r) const { return *replicas_[r]; }

  /// Moves the replica of a rung, if it is here. Rungs may be advanced from several threads at
  /// once. `measure`: adds to changes().
  void advance(std::size_t rung, std::uint64_t moves, bool measure = false);
  /// One round of exchange; after all rungs have been advanced, and with the energies of replicas
  /// elsewhere set.
  void exchange();
  double energy(std::size_t replica) const;
  void set_energy(std::size_t replica, double energy) { energies_[replica] = energy; }

  /// Replaces the state of a rung's replica.
  void set_bits(std::size_t rung, const Bits& bits) { replicas_[chain_of(rung)]->set_bits(bits); }
  /// Time that was spent on a rung outside advance().
  void add_cpu_seconds(std::size_t rung, double seconds) { counters_[rung].cpu_seconds += seconds; }

  void add_recording_seconds(std::size_t rung, double seconds) {
    counters_[rung].cpu_seconds += seconds;
    counters_[rung].recording_seconds += seconds;
  }

  const std::vector<ChangedSites>& changes() const { return changes_; }
  void add_changes(const std::vector<ChangedSites>& changes);
  std::vector<ChangedSites> take_changes();

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
  /// What another rank has done: its counters, and the lowest energy that it has seen.
  void add_counters(const std::vector<RungCounters>& counters);
  std::vector<RungCounters> take_counters();
  void note_best(double energy) { best_elsewhere_ = std::min(best_elsewhere_, energy); }
  /// Forgets counters and exchange statistics, but not the best energy.
  void reset_counters();

  /// Everything that the next move and the next exchange depend on, and all counters; changes()
  /// when there are any. `elsewhere`: archives of the replicas that are not here, by number.
  void save(ByteWriter& out, const std::vector<std::vector<std::byte>>& elsewhere = {}) const;
  /// InputError when the archive is short, damaged or of another ladder; this one is then unusable.
  void restore(ByteReader& in);
  /// Only who is on which rung, and the stream of the exchanges.
  void save_exchanges(ByteWriter& out) const;
  void restore_exchanges(ByteReader& in);

 private:
  /// The number of the chain that moves the replica of a rung.
  std::size_t chain_of(std::size_t rung) const {
    return laws_.of_weights() ? rung : ladder_.replica_at(rung);
  }
  void exchange_states();
  void make_replicas(std::size_t count);
  std::unique_ptr<AnyChain> make_replica(std::size_t r) const;
  Bits first_state(std::size_t r) const;

  const ChainFactory& factory_;
  const RungLaws& laws_;
  std::uint64_t seed_;
  std::uint64_t number_;
  std::uint64_t placed_ = 0;  // times, on the path of weights
  ReplicaShare share_;
  std::size_t shared_as_;  // number of the ladder in the share
  bool measures_;
  Bits start_;  // of every replica; empty: uniform
  // Those above rungs() rest; null: on another rank.
  std::vector<std::unique_ptr<AnyChain>> replicas_;
  ReplicaLadder ladder_;
  RandomDraws draws_;
  std::vector<RungCounters> counters_;
  std::vector<ChangedSites> changes_;  // by rung, since the last place()
  std::vector<double> energies_;       // by replica, for exchanges
  double best_elsewhere_ = std::numeric_limits<double>::infinity();
};

}  // namespace nhot
