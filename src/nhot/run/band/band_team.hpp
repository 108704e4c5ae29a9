// The chains of a run over a band, on threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "nhot/base/archive.hpp"
#include "nhot/chain/band/factory.hpp"
#include "nhot/run/band/band_plan.hpp"
#include "nhot/run/thread_team.hpp"

namespace nhot {

/// Chain k starts from a uniform draw on the k-th of evenly spaced shells of the band and draws
/// from the streams (seed, 0, k, ...): the numbers do not depend on the threads.
class BandTeam {
 public:
  /// `stop` is asked between pieces of work, by one thread at a time; it may be empty.
  BandTeam(const BandFactory& factory, const BandPlan& plan, std::function<bool()> stop);

  std::size_t size() const { return chains_.size(); }
  const BandChain& operator[](std::size_t k) const { return *chains_[k]; }
  BandChain& operator[](std::size_t k) { return *chains_[k]; }

  /// Moves per chain between two rebuilds: how often progress, time and stops are looked at.
  std::uint64_t piece() const { return piece_; }

  /// work(k) for every chain, on the threads; false when it was stopped.
  bool for_each_chain(const std::function<void(std::size_t)>& work);
  /// Moves of every chain, which is rebuilt first: what follows depends on what save() saves.
  bool advance(std::uint64_t moves);
  bool stopped() const { return stopped_; }

  void set_weights(const BandWeights& weights, double push = 0);
  void fade_tallies(double share);
  /// Every chain to a part of the band around the shell that it began on, so that neighbours share
  /// half of their parts. Chains that have not been moved yet.
  void confine_to_parts();
  /// All chains to the whole band again.
  void release();
  /// Forgets tallies and counters.
  void reset();

  std::vector<BandTally> tallies() const;
  /// From one end of the band to the other and back, over all chains.
  double round_trips() const;
  double acceptance() const;
  double cpu_seconds() const;

  void save(Saving& saving) const;
  void restore(Restoring& restoring);

 private:
  ShellBand band_;
  std::uint64_t piece_;
  std::function<bool()> stop_;
  std::mutex stop_mutex_;
  std::atomic<bool> stopped_{false};
  std::vector<std::unique_ptr<BandChain>> chains_;
  std::vector<double> cpu_seconds_;
  ThreadTeam team_;
};

}  // namespace nhot
