// k-DPPs, regressions and polynomials: energies against other formulas, and what tables say of
// flips against differences of energies, also after long walks and through dependent subsets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nhot/model/subset/subset_factor.hpp"
#include "support/messages.hpp"
#include "support/subset_models.hpp"

namespace nhot::test {
namespace {

/// Determinant by Laplace expansion: slow, and nothing like a factor.
double determinant(const std::vector<std::vector<double>>& m) {
  if (m.empty()) return 1;
  double sum = 0;
  for (std::size_t c = 0; c < m.size(); ++c) {
    std::vector<std::vector<double>> minor;
    for (std::size_t r = 1; r < m.size(); ++r) {
      minor.push_back(m[r]);
      minor.back().erase(minor.back().begin() + static_cast<std::ptrdiff_t>(c));
    }
    sum += (c % 2 == 0 ? 1 : -1) * m[0][c] * determinant(minor);
  }
  return sum;
}

void expect_changes(const Energy& energy, const WalkedTable& walked, double tolerance) {
  const double here = energy.energy(walked.bits);
  Bits other = walked.bits;
  double worst = 0;
  for (Site i = 0; i < energy.sites(); ++i) {
    other[i] ^= 1;
    worst = std::max(worst, std::abs(energy.energy(other) - here - walked.table->changes()[i]));
    for (Site j = i + 1; j < energy.sites(); j += 3) {
      other[j] ^= 1;
      worst =
          std::max(worst, std::abs(energy.energy(other) - here - walked.table->pair_change(i, j)));
      worst =
          std::max(worst, std::abs(energy.energy(other) - here - walked.table->pair_change(j, i)));
      other[j] ^= 1;
    }
    other[i] ^= 1;
  }
  EXPECT_LE(worst, tolerance) << walked.ones << " ones";
}

TEST(KDpp, EnergyIsMinusTheLogOfTheDeterminant) {
  const std::vector<double> b = random_features(7, 9, 1);
  std::vector<double> kernel = products(b, 7, 9);
  const KDpp dense({kernel, 0});
  const KDpp factored({b, 9});
  for (Site i = 0; i < 7; ++i) kernel[i * 8] *= 1 + Gram::ridge;
  for (unsigned state = 0; state < 128; ++state) {
    Bits bits(7);
    std::vector<std::vector<double>> sub;
    for (Site i = 0; i < 7; ++i) bits[i] = state >> i & 1U;
    for (Site i = 0; i < 7; ++i) {
      if (!bits[i]) continue;
      sub.emplace_back();
      for (Site j = 0; j < 7; ++j)
        if (bits[j]) sub.back().push_back(kernel[i * 7 + j]);
    }
    const double expected = -std::log(determinant(sub));
    EXPECT_NEAR(dense.energy(bits), expected, 1e-10) << state;
    EXPECT_NEAR(factored.energy(bits), dense.energy(bits), 1e-9) << state;
  }
}

// Items of 6 features are dependent from 7 on: walks go up to 9 of them and back.
TEST(KDpp, ChangesHoldThroughDependentSubsets) {
  const KDpp energy({random_features(24, 6, 2), 6});
  WalkedTable walked(energy, 1);
  for (const std::size_t size : {3, 6, 9, 5, 12, 6, 0, 4}) {
    walked.walk(60, size);
    // Dependent vectors have rests near the ridge, which carry the rounding.
    expect_changes(energy, walked, size > 4 ? SubsetFactor::drift / Gram::ridge : 1e-9);
    if (size > 6) {
      EXPECT_GT(energy.energy(walked.bits), 15) << "dependent subsets hardly ever occur";
    }
  }
}

TEST(KDpp, ChangesDoNotDriftInLongWalks) {
  const KDpp energy({random_features(40, 60, 3), 60});
  WalkedTable walked(energy, 2);
  walked.walk(14, 12);
  for (int round = 0; round < 12; ++round) {
    walked.walk(SubsetFactor::refresh_interval / 2 + 37, 12);  // also just before a refresh
    expect_changes(energy, walked, 1e-11);
  }
}

TEST(KDpp, RefusesWhatIsNoKernel) {
  const auto said = [](KernelMatrix kernel) {
    return whole_of(refusal([&] { KDpp made(std::move(kernel)); }));
  };
  EXPECT_NE(said({{1, 0.5, 0.4, 1}, 0}).find("L(1, 0) is 0.4 and L(0, 1) is 0.5"),
            std::string::npos);
  EXPECT_NE(said({{1, 2, 2, 1}, 0}).find("negative determinant"), std::string::npos);
  EXPECT_NE(said({{1, 0, 0, 0}, 0}).find("item 1"), std::string::npos);
  EXPECT_NE(said({{1, 0, 0, -2}, 0}).find("L(1, 1) is -2"), std::string::npos);
  EXPECT_NE(said({{1, 0, 0}, 0}).find("not square"), std::string::npos);
  EXPECT_NE(said({{1, 0, 0}, 2}).find("no rows of 2"), std::string::npos);
  EXPECT_NE(said({{1, 0, 0, std::nan("")}, 2}).find("row 1, column 1"), std::string::npos);
  EXPECT_NE(said({{}, 0}).find("not square"), std::string::npos);
}

TEST(KDpp, OfMoreItemsThanProductsAreKeptIsTheSame) {
  const Site items = Gram::most_kept + 8;
  const std::vector<double> b = random_features(items, 6, 4);
  const KDpp wide({b, 6});
  const KDpp narrow({{b.end() - 48, b.end()}, 6});  // the last eight items
  Bits few = {1, 0, 0, 1, 0, 0, 1, 0};
  Bits many(items, 0);
  std::copy(few.begin(), few.end(), many.end() - 8);
  EXPECT_NEAR(wide.energy(many), narrow.energy(few), 1e-12);
  std::vector<double> all(items);
  wide.changes(many, all);
  for (Site i = 0; i < 8; ++i) EXPECT_NEAR(all[items - 8 + i], narrow.change(few, i), 1e-9) << i;
}

/// Residual sum of squares by the normal equations of X with an intercept, solved by elimination.
double residual(const RegressionData& data, const Bits& bits) {
  std::vector<std::vector<double>> columns = {std::vector<double>(data.rows, 1.0)};
  for (std::size_t c = 0; c < bits.size(); ++c)
    if (bits[c])
      columns.emplace_back(
          data.predictors.begin() + static_cast<std::ptrdiff_t>(c * data.rows),
          data.predictors.begin() + static_cast<std::ptrdiff_t>((c + 1) * data.rows));
  const auto dot = [](const auto& a, const auto& b) {
    double sum = 0;
    for (std::size_t r = 0; r < a.size(); ++r) sum += a[r] * b[r];
    return sum;
  };
  std::vector<double> rest = data.response;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t d = 0; d < c; ++d) {
      const double part = dot(columns[c], columns[d]) / dot(columns[d], columns[d]);
      for (std::size_t r = 0; r < data.rows; ++r) columns[c][r] -= part * columns[d][r];
    }
    const double part = dot(rest, columns[c]) / dot(columns[c], columns[c]);
    for (std::size_t r = 0; r < data.rows; ++r) rest[r] -= part * columns[c][r];
  }
  return dot(rest, rest);
}

TEST(Regression, EnergyIsMinusTheLogOfTheBayesFactor) {
  const RegressionData data = random_regression(20, 6, 5);
  const Regression unit(data, CoefficientPrior::unit);
  const Regression benchmark(data, CoefficientPrior::benchmark);
  const Regression bic(data, CoefficientPrior::bic);
  EXPECT_EQ(unit.g(), 20);
  EXPECT_EQ(benchmark.g(), 36);
  const double total = residual(data, Bits(6, 0));
  for (unsigned state = 0; state < 64; ++state) {
    Bits bits(6);
    for (Site i = 0; i < 6; ++i) bits[i] = state >> i & 1U;
    const auto k = static_cast<double>(std::count(bits.begin(), bits.end(), 1));
    const double rest = residual(data, bits) / total;
    EXPECT_NEAR(unit.energy(bits), -((19 - k) / 2 * std::log(21.0) - 9.5 * std::log(1 + 20 * rest)),
                1e-5);
    EXPECT_NEAR(benchmark.energy(bits),
                -((19 - k) / 2 * std::log(37.0) - 9.5 * std::log(1 + 36 * rest)), 1e-5);
    EXPECT_NEAR(bic.energy(bits), 10 * std::log(rest) + k / 2 * std::log(20.0), 1e-5);
    EXPECT_NEAR(unit.r_squared(bits), 1 - rest, 1e-6);
  }
}

// More columns than rows: from 9 columns on nothing is left of the response.
TEST(Regression, ChangesHoldPastTheNumberOfRows) {
  for (const CoefficientPrior prior :
       {CoefficientPrior::unit, CoefficientPrior::benchmark, CoefficientPrior::bic}) {
    const Regression energy(random_regression(10, 21, 6), prior);
    WalkedTable walked(energy, 3);
    for (const std::size_t size : {2, 5, 3, 12, 4, 0, 1}) {
      walked.walk(90, size);
      expect_changes(energy, walked, size > 5 ? 1e-3 : 1e-8);
    }
  }
}

TEST(Regression, RefusesDataThatCannotTellColumnsApart) {
  const RegressionData good = random_regression(12, 4, 7);
  const auto said = [&](auto&& spoil) {
    RegressionData data = good;
    spoil(data);
    return whole_of(refusal([&] { Regression made(std::move(data), CoefficientPrior::unit); }));
  };
  EXPECT_NE(said([](RegressionData& d) {
              std::fill_n(d.predictors.begin() + 12, 12, 3.5);
            }).find("column 'x1' is constant (3.5 in every row)"),
            std::string::npos);
  EXPECT_NE(said([](RegressionData& d) {
              std::fill_n(d.response.begin(), 12, 1.0);
            }).find("the response 'y' is constant"),
            std::string::npos);
  EXPECT_NE(said([](RegressionData& d) {
              for (int r = 0; r < 12; ++r) d.predictors[36 + r] = 4 - 2 * d.predictors[r];
            }).find("column 'x3' is a multiple of column 'x0'"),
            std::string::npos);
  EXPECT_NE(said([](RegressionData& d) {
              for (int r = 0; r < 12; ++r)
                d.predictors[24 + r] = d.predictors[r] - 3 * d.predictors[12 + r] + 1;
            }).find("column 'x2' is a linear combination"),
            std::string::npos);
  EXPECT_NE(said([](RegressionData& d) { d.names[2] = "x0"; }).find("two columns are named 'x0'"),
            std::string::npos);
  EXPECT_NE(said([](RegressionData& d) { d.predictors[13] = INFINITY; }).find("in row 2"),
            std::string::npos);
  EXPECT_NE(
      said([](RegressionData& d) { d.names.clear(), d.predictors.clear(); }).find("no predictors"),
      std::string::npos);
  EXPECT_NE(whole_of(refusal([] { prior_from("unitt"); })).find("unit'"), std::string::npos);
}

TEST(Hubo, EnergiesAndChangesAreThoseOfTheTerms) {
  for (const Convention convention : {Convention::binary, Convention::spin})
    for (const bool whole : {true, false}) {
      const Polynomial polynomial = random_polynomial(9, 30, 5, convention, whole, 8);
      const Hubo energy(polynomial);
      WalkedTable walked(energy, 4);
      for (const std::size_t size : {2, 7, 4, 9, 0, 5}) {
        walked.walk(40, size);
        double expected = polynomial.offset;
        for (const PolynomialTerm& term : polynomial.terms) {
          double product = term.value;
          for (const Site i : term.sites)
            product *= convention == Convention::spin ? 2.0 * walked.bits[i] - 1 : walked.bits[i];
          expected += product;
        }
        EXPECT_NEAR(energy.energy(walked.bits), expected, whole ? 0 : 1e-12);
        expect_changes(energy, walked, whole ? 0 : 1e-12);
        for (Site i = 0; i < 9; ++i)
          EXPECT_EQ(walked.table->changes()[i], energy.change(walked.bits, i)) << "a drift";
      }
      EXPECT_NO_THROW(check_energy(energy, "polynomial"));
    }
}

TEST(Hubo, AddsEqualTermsAndKeepsLowDegreesQuadratic) {
  const Model cubic =
      hubo("cubic", {4, Convention::binary, 1, {{{2, 0, 1}, 2}, {{0, 1, 2}, 3}, {{}, 4}}});
  EXPECT_EQ(cubic.kind(), "hubo");
  EXPECT_EQ(cubic.energy(Bits{1, 1, 1, 0}), 10);
  EXPECT_EQ(cubic.couplings(), 3U);
  const Model pairs = hubo("pairs", {3, Convention::spin, 1, {{{2, 0}, 2}, {{1}, 3}}});
  EXPECT_EQ(pairs.kind(), "quadratic");
  EXPECT_EQ(pairs.energy(Bits{1, 1, 0}), 2);
  EXPECT_NE(whole_of(refusal([] {
              hubo("h", {3, Convention::binary, 0, {{{1, 2, 1}, 2}}});
            })).find("holds site 1 twice"),
            std::string::npos);
  EXPECT_NE(whole_of(refusal([] {
              hubo("h", {3, Convention::binary, 0, {{{1, 2, 3}, 2}}});
            })).find("outside the 3 sites"),
            std::string::npos);
  EXPECT_NE(whole_of(refusal([] {
              hubo("h", {3, Convention::spin, 0, {{{0, 1, 2}, INFINITY}}});
            })).find("finite"),
            std::string::npos);
}

TEST(SubsetModels, HashesTellThemApart) {
  const std::vector<double> b = random_features(5, 4, 9);
  std::vector<double> other = b;
  other[7] += 1e-9;
  EXPECT_EQ(kdpp("a", {b, 4}).hash(), kdpp("b", {b, 4}).hash());
  EXPECT_NE(kdpp("a", {b, 4}).hash(), kdpp("a", {other, 4}).hash());
  const RegressionData data = random_regression(10, 4, 9);
  EXPECT_NE(regression("a", data, CoefficientPrior::unit).hash(),
            regression("a", data, CoefficientPrior::bic).hash());
}

}  // namespace
}  // namespace nhot::test
