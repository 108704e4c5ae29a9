// Chains that move together: the unit of work of a run's threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

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
  /// The present states are draws. A group that does not track the lowest energy move by move
  /// updates it here.
  virtual void note_draw() {}
};

/// Chains [first, last) of a run.
struct ChainRange {
  std::size_t first = 0;
  std::size_t last = 0;

  std::size_t size() const { return last - first; }
};

/// Chains [first, last) of each group: equally many groups for every thread, of at most
/// most_interleaved chains.
inline std::vector<std::pair<std::size_t, std::size_t>> chains_in_groups(std::size_t chains,
                                                                         std::size_t threads) {
  const std::size_t rounds =
      (chains + threads * most_interleaved - 1) / (threads * most_interleaved);
  const std::size_t number = std::min(chains, threads * rounds);
  std::vector<std::pair<std::size_t, std::size_t>> groups;
  for (std::size_t g = 0; g < number; ++g)
    groups.emplace_back(g * chains / number, (g + 1) * chains / number);
  return groups;
}

/// Independent chains, interleaved where that is faster.
class ChainBundle final : public ChainGroup {
 public:
  explicit ChainBundle(std::vector<std::unique_ptr<AnyChain>> chains) : chains_(std::move(chains)) {
    for (const auto& chain : chains_) team_.push_back(chain.get());
  }

  std::size_t size() const override { return chains_.size(); }
  ChainView& chain(std::size_t k) override { return *chains_[k]; }
  void advance(std::uint64_t moves) override { team_.front()->advance_together(team_, moves); }

 private:
  std::vector<std::unique_ptr<AnyChain>> chains_;
  std::vector<AnyChain*> team_;
};

}  // namespace nhot
