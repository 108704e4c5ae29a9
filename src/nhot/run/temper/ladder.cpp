#include "nhot/run/temper/ladder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nhot/base/contracts.hpp"

namespace nhot {

double barrier_of_rejection(double rejection) {
  constexpr double most = 3;
  const double target = std::clamp(rejection, 0.0, 1.0);
  // erf is monotone: bisection to the last digit that matters.
  const double scale = std::sqrt(std::numbers::pi) / 2;
  if (target >= std::erf(scale * most)) return most;
  double low = 0;
  double high = most;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (std::erf(scale * middle) < target ? low : high) = middle;
  }
  return (low + high) / 2;
}

BarrierCurve::BarrierCurve(std::vector<double> betas, const std::vector<double>& rejection)
    : betas_(std::move(betas)) {
  NHOT_EXPECTS(betas_.size() >= 2 && rejection.size() + 1 == betas_.size());
  // A pair without any rejection still has a little barrier, so that the curve has an inverse.
  double sum = 0;
  for (const double r : rejection) sum += barrier_of_rejection(r);
  const double least = std::max(1e-9, 1e-3 * sum / static_cast<double>(rejection.size()));
  barrier_.push_back(0);
  std::vector<double> secant;
  for (std::size_t k = 0; k < rejection.size(); ++k) {
    NHOT_EXPECTS(betas_[k] < betas_[k + 1]);
    const double rise = std::max(least, barrier_of_rejection(rejection[k]));
    barrier_.push_back(barrier_.back() + rise);
    secant.push_back(rise / (betas_[k + 1] - betas_[k]));
  }
  slope_.push_back(secant.front());
  for (std::size_t k = 1; k < secant.size(); ++k)  // harmonic mean: between the secants
    slope_.push_back(2 / (1 / secant[k - 1] + 1 / secant[k]));
  slope_.push_back(secant.back());
  // Slopes of at most three times both secants keep every piece monotone.
  for (std::size_t k = 0; k < secant.size(); ++k) {
    slope_[k] = std::min(slope_[k], 3 * secant[k]);
    slope_[k + 1] = std::min(slope_[k + 1], 3 * secant[k]);
  }
}

double BarrierCurve::at(double beta) const {
  if (beta <= betas_.front()) return 0;
  if (beta >= betas_.back()) return total();
  const auto above = std::upper_bound(betas_.begin(), betas_.end(), beta);
  const auto k = static_cast<std::size_t>(above - betas_.begin()) - 1;
  const double width = betas_[k + 1] - betas_[k];
  const double t = (beta - betas_[k]) / width;
  const double rest = 1 - t;
  return barrier_[k] * (1 + 2 * t) * rest * rest + slope_[k] * width * t * rest * rest +
         barrier_[k + 1] * t * t * (3 - 2 * t) - slope_[k + 1] * width * t * t * rest;
}

double BarrierCurve::beta_at(double barrier) const {
  double low = betas_.front();
  double high = betas_.back();
  for (int step = 0; step < 80; ++step) {
    const double middle = low + (high - low) / 2;
    (at(middle) < barrier ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

std::vector<double> place_rungs(const BarrierCurve& curve, double hottest, double coldest,
                                std::size_t rungs) {
  NHOT_EXPECTS(rungs >= 2);
  std::vector<double> betas(rungs);
  const double first = curve.at(hottest);
  for (std::size_t k = 0; k < rungs; ++k)
    betas[k] = curve.beta_at(first + (curve.total() - first) * static_cast<double>(k) /
                                         static_cast<double>(rungs - 1));
  betas.front() = hottest;
  betas.back() = coldest;
  return betas;
}

double forgetful_end(const std::vector<double>& betas, const std::vector<double>& changed,
                     double enough) {
  NHOT_EXPECTS(betas.size() >= 2 && changed.size() == betas.size());
  if (changed.front() < enough) {
    const double hotter = betas.front() * (changed.front() / enough);
    return hotter < betas.back() / 64 ? 0 : hotter;
  }
  std::size_t end = 0;
  while (end + 2 < betas.size() && changed[end + 1] >= enough) ++end;
  return betas[end];
}

std::size_t rungs_for(double barrier, std::size_t fewest, std::size_t most) {
  const double wanted = std::ceil(2 * barrier) + 1;
  if (!(wanted < static_cast<double>(most))) return most;
  return std::max(fewest, static_cast<std::size_t>(wanted));
}

std::vector<double> first_rungs(double hottest, double coldest, double deviation,
                                std::size_t rungs) {
  NHOT_EXPECTS(rungs >= 2 && hottest < coldest);
  const double scale = deviation > 0 && std::isfinite(deviation) ? deviation : 1.0;
  const double span = std::log1p(scale * (coldest - hottest));
  std::vector<double> betas(rungs);
  for (std::size_t k = 0; k < rungs; ++k)
    betas[k] = hottest +
               std::expm1(span * static_cast<double>(k) / static_cast<double>(rungs - 1)) / scale;
  betas.front() = hottest;
  betas.back() = coldest;
  return betas;
}

}  // namespace nhot
