// Regression by a Gaussian process on few, noisy values: what Bayesian optimisation asks.
#pragma once

#include <cstddef>
#include <vector>

namespace nhot {

struct NoisyValue {
  std::vector<double> place;
  double value = 0;
  double error = 0;  // standard error of the value
};

struct Prediction {
  double mean = 0;
  double error = 0;  // standard deviation of the function there, without noise
};

/// A constant mean and a squared exponential kernel; its width (one for all directions: scale the
/// places) and height are those of the largest marginal likelihood on a grid.
class GaussianProcess {
 public:
  /// At least one value, all places of one dimension.
  explicit GaussianProcess(std::vector<NoisyValue> values);

  Prediction at(const std::vector<double>& place) const;
  double width() const { return width_; }
  double height() const { return height_; }

 private:
  double kernel(const std::vector<double>& a, const std::vector<double>& b) const;

  std::vector<NoisyValue> values_;
  double width_ = 1;
  double height_ = 1;  // standard deviation of the function
  double mean_ = 0;
  std::vector<double> weights_;  // of the kernel at each value
  std::vector<double> inverse_;  // of the covariance matrix of the values, row by row
};

/// Of how much a draw from the prediction exceeds `best`, zero when it does not.
double expected_improvement(const Prediction& prediction, double best);

}  // namespace nhot
