// A determinantal point process: subsets S of N items with probability proportional to det L_S. On
// the shell of n ones it is the k-DPP with k = n (Kulesza and Taskar, ICML 2011).
//
//     const Model model = kdpp("diverse", {kernel, 0});     // an N x N kernel, row by row
//     const Model wide = kdpp("wide", {features, 5});       // L = B B', five features an item
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nhot/model/known_energy.hpp"
#include "nhot/model/model.hpp"
#include "nhot/model/subset/gram.hpp"

namespace nhot {

/// L as an N x N matrix, row by row, or as features, a row for every item.
struct KernelMatrix {
  std::vector<double> values;
  std::size_t features = 0;  // numbers in a row of B; 0: `values` is L itself

  /// The number of items; InputError when rows are cut short.
  Site items() const;
};

/// E(S) = -log det L'_S, with L' = L + 2^-24 diag(L): see Gram for the reason of that ridge. dE of
/// all sites costs O(|S| N) a flip, see SubsetFactor.
class KDpp final : public KnownEnergy {
 public:
  /// InputError, with the place, when L is not symmetric, not positive semidefinite to rounding (in
  /// its 2 x 2 minors) or has an item that can never be chosen.
  explicit KDpp(KernelMatrix kernel);

  Site sites() const override { return gram_->size(); }
  double energy(std::span<const Bit> bits) const override;
  void changes(std::span<const Bit> bits, std::span<double> all) const override;
  std::unique_ptr<ChangeTable> make_table() const override;

  std::string kind() const override { return "kdpp"; }
  double largest_change() const override;
  void add_to(Digest& digest) const override;
  void describe(Facts& facts) const override;

  const KernelMatrix& kernel() const { return kernel_; }

 private:
  KernelMatrix kernel_;
  std::vector<double> log_diagonal_;  // log L_ii
  std::shared_ptr<const Gram> gram_;  // of the items' vectors, scaled to length 1
};

/// The model, as a KDpp.
Model kdpp(std::string name, KernelMatrix kernel);

}  // namespace nhot
