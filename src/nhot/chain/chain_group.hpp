// Chains that move together: what a run of independent chains shares out to its threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "nhot/chain/any_chain.hpp"

namespace nhot {

class ChainGroup {
 public:
  virtual ~ChainGroup() = default;

  virtual std::size_t size() const = 0;
  virtual ChainView& chain(std::size_t k) = 0;
  const ChainView& chain(std::size_t k) const { return const_cast<ChainGroup*>(this)->chain(k); }

  /// Runs `moves` moves of every chain.
  virtual void advance(std::uint64_t moves) = 0;
  /// The present states are draws. A group that does not watch the energy after every move looks at
  /// it here, for the lowest one.
  virtual void note_draw() {}
};

/// A chain on its own.
class SingleChain final : public ChainGroup {
 public:
  explicit SingleChain(std::unique_ptr<AnyChain> chain) : chain_(std::move(chain)) {}

  std::size_t size() const override { return 1; }
  ChainView& chain(std::size_t) override { return *chain_; }
  void advance(std::uint64_t moves) override { chain_->advance(moves); }

 private:
  std::unique_ptr<AnyChain> chain_;
};

}  // namespace nhot
