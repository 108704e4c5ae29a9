#include "nhot/run/temper/ladder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace nhot {
namespace {

// Energies that are normal with deviation s(beta): the barrier is the integral of s / sqrt(pi), and
// the rejection between two near rungs erf of half the integral of s.
double deviation(double beta) { return 40 * std::exp(-2 * beta) + 3; }
double integral(double a, double b) {
  return 20 * (std::exp(-2 * a) - std::exp(-2 * b)) + 3 * (b - a);
}
std::vector<double> rejections(const std::vector<double>& betas) {
  std::vector<double> result;
  for (std::size_t k = 0; k + 1 < betas.size(); ++k)
    result.push_back(std::erf(integral(betas[k], betas[k + 1]) / 2));
  return result;
}
double spread(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

TEST(Barrier, IsTheRejectionOfCloseRungs) {
  EXPECT_NEAR(barrier_of_rejection(1e-4), 1e-4, 1e-10);
  EXPECT_EQ(barrier_of_rejection(1.0), 3.0);
  EXPECT_NEAR(barrier_of_rejection(0.0), 0.0, 1e-15);
}

TEST(Barrier, InvertsTheLawOfNormalEnergies) {
  for (const double barrier : {0.1, 0.5, 1.0, 2.0})
    EXPECT_NEAR(barrier_of_rejection(std::erf(std::sqrt(std::numbers::pi) / 2 * barrier)), barrier,
                1e-9);
}

TEST(BarrierCurve, GoesThroughItsPointsAndGrows) {
  const BarrierCurve curve({0, 0.1, 0.5, 2}, {0.5, 0.01, 0.9});
  EXPECT_EQ(curve.at(0), 0);
  EXPECT_NEAR(curve.at(0.1), barrier_of_rejection(0.5), 1e-12);
  EXPECT_NEAR(curve.at(0.5), barrier_of_rejection(0.5) + barrier_of_rejection(0.01), 1e-12);
  EXPECT_NEAR(curve.at(2), curve.total(), 1e-12);
  double last = -1;
  for (int k = 0; k <= 1000; ++k) {
    const double now = curve.at(2e-3 * k);
    EXPECT_GE(now, last);
    last = now;
  }
  for (const double share : {0.1, 0.3, 0.99})
    EXPECT_NEAR(curve.at(curve.beta_at(share * curve.total())), share * curve.total(), 1e-9);
}

TEST(BarrierCurve, HasAnInverseWhereNothingIsRejected) {
  const BarrierCurve curve({0, 1, 2}, {0, 0});
  EXPECT_NEAR(curve.beta_at(curve.total() / 2), 1.0, 1e-9);
}

TEST(PlaceRungs, EqualisesTheRejection) {
  std::vector<double> betas = {0, 0.5, 1, 1.5, 2};
  EXPECT_GT(spread(rejections(betas)), 0.1) << "the first ladder must be uneven for the test";
  std::size_t rungs = 0;
  for (int stage = 0; stage < 6; ++stage) {
    const BarrierCurve curve(betas, rejections(betas));
    rungs = rungs_for(curve.total(), 2, 128);
    betas = place_rungs(curve, 0, 2, rungs);
  }
  const std::vector<double> now = rejections(betas);
  EXPECT_LT(spread(now), 0.01);
  const double barrier = integral(0, 2) / std::sqrt(std::numbers::pi);
  EXPECT_EQ(rungs, static_cast<std::size_t>(std::ceil(2 * barrier)) + 1);
  EXPECT_EQ(betas.front(), 0);
  EXPECT_EQ(betas.back(), 2);
  EXPECT_GT(deviation(0), deviation(1));  // rungs crowd where energies fluctuate
  EXPECT_LT(betas[1] - betas[0], betas[rungs - 1] - betas[rungs - 2]);
}

TEST(PlaceRungs, BeginsAnywhereOnTheCurve) {
  const BarrierCurve curve({0, 0.5, 1}, {0.5, 0.3});
  const std::vector<double> betas = place_rungs(curve, 0.25, 1, 4);
  EXPECT_EQ(betas.front(), 0.25);
  EXPECT_EQ(betas.back(), 1);
  const double step = (curve.total() - curve.at(0.25)) / 3;
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(curve.at(betas[k]), curve.at(0.25) + step * static_cast<double>(k), 1e-9);
}

TEST(ForgetfulEnd, IsTheColdestRungBeforeReplicasRemember) {
  const std::vector<double> betas = {0.1, 0.2, 0.4, 0.8};
  EXPECT_EQ(forgetful_end(betas, {9, 8, 7, 1}, 5), 0.4);
  EXPECT_EQ(forgetful_end(betas, {9, 4, 7, 6}, 5), 0.1);  // what is colder and forgets is cut off
  EXPECT_EQ(forgetful_end(betas, {9, 8, 7, 6}, 5), 0.4);  // a ladder needs two rungs
  EXPECT_DOUBLE_EQ(forgetful_end(betas, {4, 3, 2, 1}, 5), 0.08);  // hotter than measured so far
  EXPECT_EQ(forgetful_end({0.01, 1}, {4, 3}, 5), 0);
  EXPECT_EQ(forgetful_end({0, 1}, {4, 3}, 5), 0);
}

TEST(RungsFor, StaysWithinItsBounds) {
  EXPECT_EQ(rungs_for(3.0, 2, 128), 7U);
  EXPECT_EQ(rungs_for(0.0, 2, 128), 2U);
  EXPECT_EQ(rungs_for(1e9, 2, 128), 128U);
}

TEST(FirstRungs, GrowsAndKeepsItsEnds) {
  for (const double deviation_at_hot : {0.0, 1e-8, 1.0, 1e8}) {
    const std::vector<double> betas = first_rungs(0.1, 5, deviation_at_hot, 9);
    EXPECT_EQ(betas.front(), 0.1);
    EXPECT_EQ(betas.back(), 5);
    for (std::size_t k = 0; k + 1 < betas.size(); ++k) EXPECT_LT(betas[k], betas[k + 1]);
  }
}

}  // namespace
}  // namespace nhot
