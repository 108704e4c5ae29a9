#include "nhot/engine/whole_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"

namespace nhot::test {
namespace {

TEST(SixteenSpans, FindsTheSpanAndWhatIsLeft) {
  RandomDraws draws(make_stream(1, 0, 0, Purpose::test));
  for (int trial = 0; trial < 300; ++trial) {
    std::array<std::int64_t, sixteen> v{};
    for (std::int64_t& length : v) length = static_cast<std::int64_t>(draws.below(3));
    v[draws.below(sixteen)] += 1;
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < sixteen; begin += v[k], ++k)
      for (std::int64_t inside = 0; inside < v[k]; ++inside) {
        std::int64_t target = begin + inside;
        ASSERT_EQ(find_in_sixteen(v.data(), target), k);
        ASSERT_EQ(target, inside);
      }
  }
}

// Counts of the largest size, with others between them that have another key.
TEST(SixteenSpans, FindsASiteAmongThoseOfItsKey) {
  RandomDraws draws(make_stream(2, 0, 0, Purpose::test));
  for (int trial = 0; trial < 1000; ++trial) {
    alignas(16) std::array<WeighedSite, sixteen> sites{};
    for (WeighedSite& site : sites) {
      site.field = draws.uniform();
      site.key = static_cast<std::uint32_t>(5 + draws.below(3));
      site.count = draws.below(4) == 0 ? 1U << 26 : static_cast<std::uint32_t>(draws.below(9));
    }
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < sixteen; ++k) {
      if (sites[k].key != 6 || sites[k].count == 0) continue;
      const std::int64_t end = begin + sites[k].count;
      for (const std::int64_t target : {begin, (begin + end) / 2, end - 1})
        ASSERT_EQ(find_in_sixteen(sites.data(), 6, target), k);
      begin = end;
    }
  }
}

/// Sums by a walk through all sites.
struct PlainSums {
  std::vector<WholeWeight> weights;
  std::vector<Side> sides;

  double total(Side side) const {
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (sides[i] == side) sum += weights[i].value();
    return sum;
  }
};

// Two levels, exactly full ones, and three and four of them; four sides; weights of all spans.
TEST(WholeSums, SumsAndSitesAreThoseOfTheWeights) {
  for (const Site sites : {Site{5}, Site{16}, Site{300}, Site{4096}, Site{70'001}}) {
    RandomDraws draws(make_stream(3, sites, 0, Purpose::test));
    const auto weight = [&] {
      const auto span = static_cast<std::uint32_t>(draws.below(WholeWeight::spans));
      return WholeWeight{static_cast<std::uint32_t>(1 + draws.below(1U << 26)), span};
    };
    WholeSums sums;
    PlainSums plain;
    sums.reset(sites, 4);
    for (Site i = 0; i < sites; ++i) {
      plain.weights.push_back(weight());
      plain.sides.push_back(static_cast<Side>(draws.below(4)));
      sums.insert(i, 0.5 * i, plain.sides[i], plain.weights[i]);
    }
    const WholeSums::Writer writer(sums);
    for (int change = 0; change < 3000; ++change) {
      const auto i = static_cast<Site>(draws.below(sites));
      plain.weights[i] = weight();
      if (change % 3 == 0) plain.sides[i] ^= 1U;
      writer.put(i, WholeSums::key_of(plain.sides[i], plain.weights[i].span),
                 plain.weights[i].count);
    }
    const WholeSums::Reader reader(sums);
    for (Side side = 0; side < 4; ++side) {
      const double total = reader.total(side, WholeWeight::unit);
      ASSERT_NEAR(total, plain.total(side), 1e-12 * total) << sites;
      if (total == 0) continue;
      // A target within the weight of a site finds it: spans one after the other.
      double begin = 0;
      for (std::uint32_t span = 0; span < WholeWeight::spans; ++span)
        for (Site i = 0; i < sites; ++i) {
          if (plain.sides[i] != side || plain.weights[i].span != span) continue;
          const double mine = plain.weights[i].value();
          if (span == 0 || i % 97 == 0) {
            ASSERT_EQ(reader.weight(i).value(), mine);
            // Far below the rounding of the running sum, later spans cannot be told apart.
            if (mine > 1e-12 * total) {
              ASSERT_EQ(reader.find(side, begin + mine / 2), i) << sites << " " << span;
            }
          }
          begin += mine;
        }
      const Site last = reader.find(side, total);
      ASSERT_EQ(plain.sides[last], side);
    }
    for (Site i = 0; i < sites; ++i) ASSERT_EQ(sums.field(i), 0.5 * i);
  }
}

// Within a cell and the rounding of its count of the formula; and what lies outside is said.
TEST(WholeWeights, AreNearTheFormula) {
  for (const Bias bias : {Bias::exp, Bias::logistic, Bias::min})
    for (const double gamma : {0.0, 1e-6, 0.7, 1e5})
      for (const Side kind : {agreeing(0), differing(0)}) {
        const WeightFunction function{bias, gamma};
        const WholeWeights lookup(kind, function);
        const WholeWeightTable& weights = WholeWeightTable::of(bias);
        for (double t = -70; t < 70; t += 0.013) {
          const double field = gamma > 0 ? t / gamma : t;
          const double dE = kind == agreeing(0) ? field : -field;
          const double log = function.log_weight(dE);
          const WholeWeight found = lookup(field);
          const double largest = 30 * std::log(2.0);  // of exp; a cell may lie across it
          if (bias == Bias::exp && std::abs(log - largest) < 1 / 32.0) continue;
          if (bias == Bias::exp && log > largest) {
            ASSERT_LT(found.count * weights.units()[found.span], 0) << "not marked";
            continue;
          }
          const double floor = std::log(weights.unit() * weights.least_total(1) / 64);
          const double expected = std::max(log, floor);
          const bool cut = std::abs(gamma * dE) >= 56;
          if (cut && log < -50) continue;
          ASSERT_NEAR(std::log(weights.unit() * found.value()), expected,
                      0.07 + (expected < floor + 3 ? 0.7 : 0))
              << static_cast<int>(bias) << " " << gamma << " " << t;
        }
        for (const double field : {-1e300, 1e300}) {
          const WholeWeight found = lookup(field);
          ASSERT_GT(found.count, 0U);
          ASSERT_LT(found.span, WholeWeight::spans);
        }
      }
}

}  // namespace
}  // namespace nhot::test
