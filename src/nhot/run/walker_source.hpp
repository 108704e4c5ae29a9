// Makes the walkers that annealing cools: the band walk, or chains of any move.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "nhot/chain/factory.hpp"
#include "nhot/run/walker.hpp"

namespace nhot {

class ChainSetup;
class VisitedStates;

class WalkerSource {
 public:
  /// Move "auto" is the band walk. InputError when a move does not fit.
  WalkerSource(const Model& model, const Shell& shell, std::string_view move, std::uint64_t seed);
  ~WalkerSource();

  /// "auto", or the move with every parameter.
  const std::string& move() const { return move_; }

  std::unique_ptr<Walker> make(const Xoshiro256& stream) const;
  /// A band walk, whatever the move.
  std::unique_ptr<Walker> make_band(const Xoshiro256& stream) const;

 private:
  std::shared_ptr<const Shell> shell_;
  std::unique_ptr<const ChainSetup> band_;  // for its kernel
  std::optional<ChainFactory> factory_;
  std::string move_ = "auto";
  std::uint64_t moves_per_sweep_ = 1;
};

/// One move of a chain; the state it leads to is told to `visited`.
void advance_and_record(AnyChain& chain, VisitedStates& visited);

}  // namespace nhot
