// A population of weighted chains that cools together: for annealed importance sampling,
// sequential Monte Carlo and population annealing.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nhot/base/archive.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/random/draws.hpp"

namespace nhot {

/// Begins at beta = 0 with exact uniform draws of the shell. reweight(b) multiplies the weight of
/// each member by exp(-(b - beta) E); moves at the new beta keep the law; resample() replaces
/// members in proportion to their weights. Then, for a schedule fixed beforehand,
///
///     exp(log_ratio()) is an unbiased estimate of Z(beta) / Z(0),
///
/// however often it is resampled (Del Moral, Doucet and Jasra, J. R. Stat. Soc. B 68, 2006). Never
/// resampling is annealed importance sampling (Neal, Stat. Comput. 11, 2001).
///
/// Member k of population p draws from the streams (seed, p, k, ...) whoever its parent was.
class Population {
 public:
  Population(const ChainFactory& factory, std::uint64_t seed, std::uint64_t number,
             std::size_t size);

  std::size_t size() const { return members_.size(); }
  double beta() const { return beta_; }
  const AnyChain& member(std::size_t k) const { return *members_[k]; }
  AnyChain& member(std::size_t k) { return *members_[k]; }
  /// Weights, adding up to 1.
  const std::vector<double>& weights() const { return weights_; }
  /// Initial members that have descendants now.
  std::size_t families() const;

  /// Conditional ESS over the size for a reweighting to beta b: (sum w f)^2 / (sum w f^2) with
  /// f = exp(-(b - beta) E).
  double share_left(double beta) const;
  /// The coldest beta up to `coldest` at which share_left is at least `share`.
  double next_beta(double coldest, double share) const;

  void reweight(double beta);
  /// 1 / sum of squared weights, over the size.
  double effective_share() const;
  /// Systematic resampling: member k gets floor or ceil of size * weight copies. Weights become
  /// equal.
  void resample();
  /// `moves` moves of every member at the present beta.
  void advance(std::uint64_t moves);

  /// Everything, to the bit, for a population of the same factory and size.
  void save(Saving& saving) const;
  void restore(Restoring& restoring);

  /// log of the estimate of Z(beta) / Z(0).
  double log_ratio() const { return log_ratio_; }

 private:
  std::vector<std::unique_ptr<AnyChain>> members_;
  std::vector<double> weights_;
  std::vector<std::size_t> family_;  // the initial member that each descends from
  RandomDraws draws_;                // of the resampling
  double beta_ = 0;
  double log_ratio_ = 0;
};

/// Offspring of systematic resampling, one number per weight: with one uniform draw u in [0, 1),
/// the points (u + k) / size fall into the cumulated weights.
std::vector<std::size_t> systematic_offspring(const std::vector<double>& weights, double u);

}  // namespace nhot
