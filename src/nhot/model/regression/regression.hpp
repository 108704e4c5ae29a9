// Which predictors explain a response: Bayesian linear regression as an energy over subsets of
// columns. On the shell of n ones the law is the posterior over models with exactly n predictors.
//
//     const Model model = regression("crime", {rows, names, X, y}, CoefficientPrior::unit);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nhot/model/known_energy.hpp"
#include "nhot/model/model.hpp"
#include "nhot/model/subset/gram.hpp"

namespace nhot {

/// What is assumed of the coefficients of a model with k predictors, given n rows and p columns:
/// Zellner's g-prior with g = n (a prior worth one row) or g = max(n, p^2) (the benchmark prior of
/// Fernandez, Ley and Steel, J. Econometrics 2001), or Schwarz's approximation.
enum class CoefficientPrior { unit, benchmark, bic };

/// Names in the order of the enum.
inline constexpr const char* prior_names[] = {"unit", "benchmark", "bic"};
/// InputError when there is no such prior.
CoefficientPrior prior_from(std::string_view name);

struct RegressionData {
  std::size_t rows = 0;
  std::vector<std::string> names;  // of the predictors
  std::vector<double> predictors;  // column after column, `rows` numbers each
  std::vector<double> response;
  std::string response_name = "y";  // for messages
};

/// E(S) = -log(marginal likelihood of S / that of no predictors), every model with an intercept of
/// flat prior and sigma of prior 1 / sigma. With R^2 of least squares on the columns of S, k = |S|:
///
///     g-prior   E = (n - 1)/2 log((1 + g (1 - R^2)) / (1 + g)) + k/2 log(1 + g)
///     bic       E = n/2 log(1 - R^2) + k/2 log n     (half the difference of the BICs)
///
/// Columns are centred and scaled to length 1; their inner products carry a ridge of 2^-24 (see
/// Gram), so that subsets of dependent columns, such as more columns than rows, have finite
/// energies too; 1 - R^2 counts as 2^-24 at least. dE of all sites costs O(k p) a flip, and O(n p)
/// where a column joins and there are more than Gram::most_kept of them.
class Regression final : public KnownEnergy {
 public:
  /// InputError, with the column, when there are fewer than 3 rows, a column is constant, or a
  /// column is a combination of those before it to 1 part in 10^6 of its variance. Where there are
  /// as many columns as rows, or very many, only pairs are looked at.
  Regression(RegressionData data, CoefficientPrior prior);

  Site sites() const override { return gram_->size(); }
  double energy(std::span<const Bit> bits) const override;
  void changes(std::span<const Bit> bits, std::span<double> all) const override;
  std::unique_ptr<ChangeTable> make_table() const override;

  std::string kind() const override { return "regression"; }
  double largest_change() const override;
  void add_to(Digest& digest) const override;
  void describe(Facts& facts) const override;

  const RegressionData& data() const { return data_; }
  const std::vector<std::string>& names() const { return data_.names; }
  std::size_t rows() const { return data_.rows; }
  /// 0 for bic.
  double g() const { return g_; }
  CoefficientPrior prior() const { return prior_; }
  /// R^2 of least squares on the columns of the state.
  double r_squared(std::span<const Bit> bits) const;

  /// E of so many columns that leave a share `rest` = 1 - R^2 of the variance.
  double energy_of(std::size_t columns, double rest) const;

 private:
  RegressionData data_;
  CoefficientPrior prior_;
  double g_ = 0;
  double size_cost_ = 0;              // of one more column
  std::shared_ptr<const Gram> gram_;  // of the columns, scaled
  std::vector<double> products_;      // of the columns with the response, scaled
};

Model regression(std::string name, RegressionData data, CoefficientPrior prior);

}  // namespace nhot
