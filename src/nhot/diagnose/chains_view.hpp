// A rectangle of draws, C chains by N draws of one observable, seen without copying.
//
// Every estimator of this room takes one. A view does not own the draws: what it was made from must
// outlive it. Chains of unequal length (a run stopped by the clock or by Ctrl-C) are cut at the end
// to the shortest, because the estimators need a rectangle; draws() tells what is left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace nhot {

class ChainsView {
 public:
  using Chain = std::span<const double>;

  ChainsView() = default;

  /// One view per chain, each as long as the shortest.
  explicit ChainsView(std::vector<Chain> chains) : chains_(std::move(chains)) {
    if (!chains_.empty()) draws_ = chains_.front().size();
    for (const Chain chain : chains_) draws_ = std::min(draws_, chain.size());
    for (Chain& chain : chains_) chain = chain.first(draws_);
  }

  ChainsView(
      const std::vector<std::vector<double>>& chains)  // NOLINT: a view is meant to be implicit
      : ChainsView(std::vector<Chain>(chains.begin(), chains.end())) {}

  /// A row-major block: draw t of chain c at values[c * draws + t].
  ChainsView(const double* values, std::size_t chains, std::size_t draws) : draws_(draws) {
    chains_.reserve(chains);
    for (std::size_t c = 0; c < chains; ++c) chains_.emplace_back(values + c * draws, draws);
  }

  std::size_t chains() const { return chains_.size(); }
  std::size_t draws() const { return draws_; }
  /// All draws of all chains.
  std::size_t size() const { return chains_.size() * draws_; }
  bool empty() const { return size() == 0; }

  Chain operator[](std::size_t chain) const { return chains_[chain]; }
  auto begin() const { return chains_.begin(); }
  auto end() const { return chains_.end(); }

  /// Each chain as two: its first and its last N/2 draws. The middle draw of an odd N is left out.
  ChainsView split() const {
    std::vector<Chain> halves;
    halves.reserve(2 * chains_.size());
    for (const Chain chain : chains_) halves.push_back(chain.first(draws_ / 2));
    for (const Chain chain : chains_) halves.push_back(chain.last(draws_ / 2));
    return ChainsView(std::move(halves));
  }

 private:
  std::vector<Chain> chains_;
  std::size_t draws_ = 0;
};

}  // namespace nhot
