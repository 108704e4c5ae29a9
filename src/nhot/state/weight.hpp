// How a walk favours cheap flips: the weight w = g(gamma * dE) of a site.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "nhot/base/contracts.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// exp: g(t) = exp(-t); logistic: g(t) = 1 / (1 + exp(t)); min: g(t) = min(1, exp(-t)).
/// Each satisfies log g(-t) - log g(t) = kappa * t, with kappa = 2, 1, 1.
enum class Bias { exp, logistic, min };

constexpr double kappa(Bias bias) { return bias == Bias::exp ? 2.0 : 1.0; }

/// log g(t), without overflow for any finite t.
inline double log_bias(Bias bias, double t) {
  switch (bias) {
    case Bias::exp:
      return -t;
    case Bias::logistic:
      return t > 0 ? -t - std::log1p(std::exp(-t)) : -std::log1p(std::exp(t));
    case Bias::min:
      break;
  }
  return -std::max(0.0, t);
}

/// One weight function of dE.
struct WeightFunction {
  Bias bias = Bias::logistic;
  double gamma = 0;

  /// Finite for any finite dE.
  double log_weight(double dE) const {
    constexpr double largest = std::numeric_limits<double>::max();
    return log_bias(bias, std::clamp(gamma * dE, -largest, largest));
  }

  double weight(double dE) const {
    const double t = gamma * dE;
    switch (bias) {
      case Bias::exp:
        return std::exp(-t);
      case Bias::logistic: {
        const double small = std::exp(-std::abs(t));
        return (t > 0 ? small : 1) / (1 + small);
      }
      case Bias::min:
        break;
    }
    return t > 0 ? std::exp(-t) : 1.0;
  }

  friend bool operator==(const WeightFunction&, const WeightFunction&) = default;
};

/// The distinct weight functions that the moves of a chain use, for the sites of each kind of side.
/// Differing sites are flipped by up steps and agreeing sites by down steps, so each kind has its
/// own list. An engine keeps totals for every function; most chains have one per kind.
class WeightSet {
 public:
  /// Index of the function among those of the side's kind; equal functions share one.
  unsigned add(Side side, WeightFunction function) {
    auto& list = functions_[side & 1U];
    const auto found = std::find(list.begin(), list.end(), function);
    if (found != list.end()) return static_cast<unsigned>(found - list.begin());
    list.push_back(function);
    return static_cast<unsigned>(list.size() - 1);
  }

  unsigned size(Side side) const { return static_cast<unsigned>(functions_[side & 1U].size()); }
  const WeightFunction& operator()(Side side, unsigned index) const {
    NHOT_EXPECTS(index < size(side));
    return functions_[side & 1U][index];
  }

 private:
  std::array<std::vector<WeightFunction>, 2> functions_;
};

/// A total weight, value * exp(log_scale). log_scale is zero except where weights leave the range
/// of doubles.
struct ScaledWeight {
  double value = 0;
  double log_scale = 0;

  double log() const { return std::log(value) + log_scale; }
};

/// True when a sum of weights needs no scale: neither overflowed nor so small that terms may have
/// been lost to underflow.
inline bool in_safe_range(double total) { return total > 1e-100 && total < 1e100; }

}  // namespace nhot
