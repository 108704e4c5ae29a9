#include "nhot/run/tune/gaussian_process.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <utility>

#include "nhot/base/contracts.hpp"

namespace nhot {
namespace {

double correlation(const std::vector<double>& a, const std::vector<double>& b, double width) {
  double distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) distance += (a[i] - b[i]) * (a[i] - b[i]);
  return std::exp(-0.5 * distance / (width * width));
}

}  // namespace

GaussianProcess::GaussianProcess(std::vector<NoisyValue> values) : values_(std::move(values)) {
  NHOT_EXPECTS(!values_.empty());
  const auto n = static_cast<Eigen::Index>(values_.size());
  Eigen::VectorXd y(n);
  for (Eigen::Index i = 0; i < n; ++i) y[i] = values_[static_cast<std::size_t>(i)].value;
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
  double best = -std::numeric_limits<double>::infinity();
  for (const double width : {0.5, 0.8, 1.25, 2.0, 3.2, 5.0})
    for (const double height : {0.1, 0.2, 0.4, 0.8, 1.6, 3.2}) {
      Eigen::MatrixXd covariance(n, n);
      for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < n; ++j) {
          const NoisyValue& a = values_[static_cast<std::size_t>(i)];
          const NoisyValue& b = values_[static_cast<std::size_t>(j)];
          covariance(i, j) = height * height * correlation(a.place, b.place, width) +
                             (i == j ? a.error * a.error + 1e-8 : 0);
        }
      const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
      if (factor.info() != Eigen::Success) continue;
      const Eigen::VectorXd inverse_ones = factor.solve(ones);
      const double mean = inverse_ones.dot(y) / inverse_ones.sum();
      const Eigen::VectorXd rest = y - mean * ones;
      const Eigen::VectorXd weights = factor.solve(rest);
      const double log_likelihood =
          -0.5 * rest.dot(weights) - factor.matrixLLT().diagonal().array().log().sum();
      if (log_likelihood <= best) continue;
      best = log_likelihood;
      width_ = width;
      height_ = height;
      mean_ = mean;
      weights_.assign(weights.begin(), weights.end());
      const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(n, n));
      inverse_.assign(inverse.data(), inverse.data() + inverse.size());
    }
}

double GaussianProcess::kernel(const std::vector<double>& a, const std::vector<double>& b) const {
  return height_ * height_ * correlation(a, b, width_);
}

Prediction GaussianProcess::at(const std::vector<double>& place) const {
  const std::size_t n = values_.size();
  std::vector<double> towards(n);
  for (std::size_t i = 0; i < n; ++i) towards[i] = kernel(place, values_[i].place);
  Prediction result{mean_, 0};
  double known = 0;
  for (std::size_t i = 0; i < n; ++i) {
    result.mean += weights_[i] * towards[i];
    for (std::size_t j = 0; j < n; ++j) known += towards[i] * inverse_[i * n + j] * towards[j];
  }
  result.error = std::sqrt(std::max(0.0, height_ * height_ - known));
  return result;
}

double expected_improvement(const Prediction& prediction, double best) {
  if (!(prediction.error > 0)) return std::max(0.0, prediction.mean - best);
  const double z = (prediction.mean - best) / prediction.error;
  const double density = std::exp(-0.5 * z * z) * 0.3989422804014327;
  const double below = 0.5 * std::erfc(-z * 0.7071067811865476);
  return prediction.error * (z * below + density);
}

}  // namespace nhot
