// The laws of the rungs of a ladder: what changes from the hot end to the target.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/run/temper/tempering.hpp"

namespace nhot {

/// On the path of temperatures all rungs have the model of the target, at betas of their own.
///
/// On the path of weights all rungs have the beta of the target, and rung k an RBM with the same
/// biases and the weights times lambda_k, from 0, where units are independent, to 1, the target:
///
///     pi_k(x) ~ exp(-beta (B(x) + lambda_k I(x))),   E = B + I,  B of the biases, I of the
///     weights.
///
/// A ladder of betas beta lambda_k and energies I exchanges replicas of these laws as one of
/// temperatures does with E.
class RungLaws {
 public:
  RungLaws(const ChainFactory& target, LadderPath path);

  bool of_weights() const { return path_ == LadderPath::weights; }

  /// For a ladder with these betas; on the path of weights, beta lambda_k. `share_out(n, task)`
  /// runs task(0) .. task(n - 1).
  using ShareOut = std::function<void(std::size_t, const std::function<void(std::size_t)>& task)>;
  void place(const std::vector<double>& betas, const ShareOut& share_out);
  const std::vector<double>& betas() const { return betas_; }

  /// Makes the chains of a rung.
  const ChainFactory& factory(std::size_t rung) const;

  /// The target without its weights, where units are independent; null where it is no RBM.
  const ChainFactory* free_units() const { return free_units_.get(); }

  /// What exchanges compare: E, or I of a chain of factory(rung).
  double exchanged_energy(const AnyChain& chain, std::size_t rung) const;

 private:
  ChainFactory factory_at(double scale) const;

  const ChainFactory& target_;
  LadderPath path_;
  std::unique_ptr<const ChainFactory> free_units_;
  std::vector<double> betas_;
  std::vector<std::unique_ptr<const ChainFactory>> factories_;  // null: that of the target
};

}  // namespace nhot
