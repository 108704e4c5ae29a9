// What a comparison keeps of one chain: energies often, states and clock readings seldom.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nhot/chain/any_chain.hpp"
#include "nhot/run/compare/comparison.hpp"
#include "nhot/trace/observables.hpp"
#include "nhot/trace/trace_fields.hpp"

namespace nhot {

/// Draw d is made after (d + 1) * thin moves, and every stride-th draw has a state; the stride is a
/// power of two. Holds at most max_draws draws and max_states states: when full, every second one
/// goes. Thin, and thin * stride, only grow, by doubling, so recorders that began alike can be
/// brought in step again.
class ChainRecorder {
 public:
  ChainRecorder(std::uint64_t thin, std::uint64_t stride, std::size_t max_draws,
                std::size_t max_states, std::size_t observables);

  std::uint64_t thin() const { return columns_.thin; }
  std::uint64_t stride() const { return stride_; }
  std::size_t draws() const { return columns_.draws(); }
  /// Draws up to and including the next one with a state.
  std::uint64_t draws_to_state() const { return stride_ - draws() % stride_; }

  /// The chain has just made thin() moves. Cheap: no state is copied. True when the draw is one
  /// that has a state; then record_state() comes next.
  bool record_draw(const AnyChain& chain, std::uint64_t accepted_before);
  void record_state(const AnyChain& chain, double cpu_seconds, const Observables& observables);

  /// Halves until they are as given: thin, and thin * stride, are the own ones times powers of 2.
  void bring_to(std::uint64_t thin, std::uint64_t stride);

  /// Everything, for archives.
  template <class Archive>
  void visit(Archive& archive) {
    archive(max_draws_, max_states_, stride_, columns_, stamps_, states_, observables_);
  }

  const ChainColumns& columns() const { return columns_.chains.front(); }
  const std::vector<Stamp>& stamps() const { return stamps_; }
  const std::vector<PackedBits>& states() const { return states_; }
  const std::vector<std::vector<double>>& observables() const { return observables_; }

 private:
  void halve_draws();
  void halve_states();

  std::size_t max_draws_;
  std::size_t max_states_;
  std::uint64_t stride_;
  Trace columns_;  // one chain, no states
  std::vector<Stamp> stamps_;
  std::vector<PackedBits> states_;
  std::vector<std::vector<double>> observables_;
};

}  // namespace nhot
