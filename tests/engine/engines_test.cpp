// Every engine against `linear`, on states reached by random flips and taken-back walks.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/kernels.hpp"
#include "support/draw_doubles.hpp"
#include "support/enumerating_draws.hpp"

namespace nhot::test {
namespace {

/// Probability of each site under an engine's selection, which is the same in one part or in two.
template <class State>
std::vector<double> selection_law(const State& state, Side side, unsigned entry) {
  std::vector<double> law(state.sites(), 0.0);
  std::vector<double> chosen(state.sites(), 0.0);
  const ScaledWeight total = state.total(side, entry);
  BranchScript script;
  EnumeratingDraws draws(script);
  for_each_branch(script, [&] {
    const Site site = state.select(draws, side, entry, total);
    law.at(site) += script.probability();
  });
  BranchScript other_script;
  EnumeratingDraws other_draws(other_script);
  for_each_branch(other_script, [&] {
    ScaledWeight found;
    const Site site = state.choose(other_draws, side, entry, found);
    chosen.at(site) += other_script.probability();
    EXPECT_EQ(found.value, total.value);
    EXPECT_EQ(found.log_scale, total.log_scale);
  });
  EXPECT_EQ(chosen, law);
  return law;
}

template <class Pairing>
class Engines : public testing::Test {
 protected:
  using Kernel = typename Pairing::Kernel;
  using Subject = typename Pairing::State;
  using Oracle = State<Kernel, LinearEngine>;

  Model model_ = Pairing::model();
  Bits reference_ = random_bits(model_.sites(), 21);
  std::shared_ptr<const Shell> shell_ =
      std::make_shared<const Shell>(reference_, model_.sites() / 3);
  std::shared_ptr<const Kernel> kernel_ = make_kernel<Kernel>(model_, reference_);
  RandomDraws random_{make_stream(31, 0, 0, Purpose::test)};

  /// How far log weights may be from the formula: engines that select by rounded weights say so
  /// (dense_pass.hpp), for a field of quantum 2^-29 of the bound at most; `sums` by half a cell, by
  /// half a count of 16, and by a 64th of the total at its floor (whole_weights.hpp).
  double rounding(double gamma) const {
    if constexpr (std::is_same_v<typename Subject::Engine, SumsEngine<Kernel>>) {
      return 1 / 32.0 + 1 / 32.0 + 1 / 64.0;
    } else if constexpr (Subject::rounded_weights) {
      const double t = 1.3 * gamma * kernel_->field_bound();
      return 8.2e-5 + 2.5e-7 * t + 0x1p-29 * t * (model_.sites() + 1);
    }
    return 0;
  }

  static WeightSet weight_set(double gamma) {
    WeightSet result;
    result.add(differing(0), {Bias::logistic, gamma});
    result.add(differing(0), {Bias::exp, 0.4 * gamma});
    result.add(agreeing(0), {Bias::min, 1.3 * gamma});
    return result;
  }

  void expect_totals(const Subject& subject, const Oracle& oracle, double gamma) const {
    for (const Side side : {agreeing(0), differing(0)})
      for (unsigned entry = 0; entry < weight_set(1).size(side); ++entry) {
        const ScaledWeight expected = oracle.total(side, entry);
        const ScaledWeight found = subject.total(side, entry);
        if (expected.value == 0) continue;  // an empty side is never asked for
        const double scale = 1 + std::abs(expected.log_scale);
        ASSERT_NEAR(found.log(), expected.log(), 1e-12 * scale + rounding(gamma))
            << side << " " << entry;
      }
  }

  void expect_selection(const Subject& subject, const Oracle& oracle, double gamma) const {
    for (const Side side : {agreeing(0), differing(0)})
      for (unsigned entry = 0; entry < weight_set(1).size(side); ++entry) {
        const std::vector<double> expected = selection_law(oracle, side, entry);
        const std::vector<double> found = selection_law(subject, side, entry);
        for (std::size_t i = 0; i < expected.size(); ++i)
          ASSERT_NEAR(found[i], expected[i], 1e-12 + 2 * rounding(gamma)) << "site " << i;
        if constexpr (Subject::rounded_weights) expect_stated_weights(subject, side, entry, found);
      }
  }

  /// What is selected is what weight() and total() say, exactly.
  static void expect_stated_weights(const Subject& subject, Side side, unsigned entry,
                                    const std::vector<double>& law) {
    const ScaledWeight total = subject.total(side, entry);
    for (Site i = 0; i < law.size(); ++i) {
      if (subject.configuration().side(i) != side) {
        ASSERT_EQ(law[i], 0) << "site " << i;
        continue;
      }
      const ScaledWeight weight = subject.weight(side, entry, i);
      const double stated =
          weight.value / total.value * std::exp(weight.log_scale - total.log_scale);
      ASSERT_NEAR(law[i], stated, 2e-15) << "site " << i;
    }
    // A choice hands the weight of its site over, to the bit.
    RandomDraws draws(make_stream(32, side, entry, Purpose::test));
    for (int k = 0; k < 20; ++k) {
      ScaledWeight allowed;
      ScaledWeight taken;
      const Site i = subject.choose(draws, side, entry, allowed, taken);
      const ScaledWeight weight = subject.weight(side, entry, i);
      ASSERT_EQ(allowed.value, total.value);
      ASSERT_EQ(taken.value, weight.value) << "site " << i;
      ASSERT_EQ(taken.log_scale, weight.log_scale) << "site " << i;
    }
  }

  /// A uniform site of a side.
  Site site_of(const Subject& state, Side side) {
    for (;;) {
      const auto i = static_cast<Site>(random_.below(state.configuration().sites()));
      if (state.configuration().side(i) == side) return i;
    }
  }

  /// Walks with both states; every second one is taken back.
  template <class Check>
  void wander(Subject& subject, Oracle& oracle, int walks, Check&& check) {
    for (int w = 0; w < walks; ++w) {
      subject.begin_walk();
      oracle.begin_walk();
      const auto length = 1 + random_.below(4);
      for (const Side side : {differing(0), agreeing(0)})
        for (std::uint64_t s = 0; s < length; ++s) {
          const Site i = site_of(subject, side);
          subject.flip(i);
          oracle.flip(i);
          check(subject, oracle);
        }
      if (w % 2 == 0) {
        subject.rollback();
        oracle.rollback();
        check(subject, oracle);
      }
    }
  }
};

TYPED_TEST_SUITE(Engines, AllPairings);

TYPED_TEST(Engines, TotalsEqualThoseOfLinear) {
  const Bits start = this->shell_->draw_uniform(this->random_);
  for (const double gamma : {0.0, 0.7, 5.0, 200.0}) {
    typename TestFixture::Subject subject(this->kernel_, this->shell_, start,
                                          this->weight_set(gamma), true);
    typename TestFixture::Oracle oracle(this->kernel_, this->shell_, start, this->weight_set(gamma),
                                        true);
    this->wander(subject, oracle, 60, [&](auto& a, auto& b) { this->expect_totals(a, b, gamma); });
  }
}

TYPED_TEST(Engines, SelectAsLinearDoes) {
  const Bits start = this->shell_->draw_uniform(this->random_);
  for (const double gamma : {0.0, 0.7, 5.0}) {
    typename TestFixture::Subject subject(this->kernel_, this->shell_, start,
                                          this->weight_set(gamma), false);
    typename TestFixture::Oracle oracle(this->kernel_, this->shell_, start, this->weight_set(gamma),
                                        false);
    this->expect_selection(subject, oracle, gamma);
    for (int k = 0; k < 4; ++k) {
      this->wander(subject, oracle, 5, [](auto&, auto&) {});
      this->expect_selection(subject, oracle, gamma);
    }
  }
}

TYPED_TEST(Engines, FollowAChangeOfPaletteAndOfBits) {
  const Bits start = this->shell_->draw_uniform(this->random_);
  typename TestFixture::Subject subject(this->kernel_, this->shell_, start, this->weight_set(0.5),
                                        true);
  typename TestFixture::Oracle oracle(this->kernel_, this->shell_, start, this->weight_set(0.5),
                                      true);
  const auto check = [&](auto& a, auto& b) { this->expect_totals(a, b, 0.5); };
  const auto check_later = [&](auto& a, auto& b) { this->expect_totals(a, b, 1.7); };
  this->wander(subject, oracle, 3, check);
  subject.set_weights(this->weight_set(1.7));
  oracle.set_weights(this->weight_set(1.7));
  check_later(subject, oracle);
  const Bits other = this->shell_->draw_uniform(this->random_);
  subject.set_bits(other);
  oracle.set_bits(other);
  check_later(subject, oracle);
  this->wander(subject, oracle, 3, check_later);
}

// The smallest and the largest draw, with weights that span everything from 1 to underflow: always
// a site of the side, of positive weight.
TYPED_TEST(Engines, ExtremeDrawsSelectSitesThatCanBeSelected) {
  const Bits start = this->shell_->draw_uniform(this->random_);
  for (const double gamma : {0.0, 1.0, 50.0, 1e3, 1e6}) {
    typename TestFixture::Subject state(this->kernel_, this->shell_, start, this->weight_set(gamma),
                                        false);
    for (const Side side : {agreeing(0), differing(0)}) {
      const ScaledWeight total = state.total(side, 0);
      for (const double draw : {0.0, 0x1p-53, 0.5, 1 - 0x1p-53, 1.0}) {
        // The second number of a pair is for engines that keep or drop a candidate.
        std::vector<double> script;
        for (Site k = 0; k < state.configuration().sites(); ++k) {
          script.push_back(draw);
          script.push_back(0);
          script.push_back(double(k) / state.configuration().sites());
          script.push_back(0);
        }
        ScriptedDraws draws(script);
        const Site site = state.select(draws, side, 0, total);
        ASSERT_LT(site, state.configuration().sites());
        EXPECT_EQ(state.configuration().side(site), side);
        const WeightFunction w = this->weight_set(gamma)(side, 0);
        const double log_weight = w.log_weight(state.delta_energy(site));
        if constexpr (TestFixture::Subject::rounded_weights)  // which are cut instead
          EXPECT_GT(state.weight(side, 0, site).value, 0);
        else
          EXPECT_GE(log_weight, total.log() - 746) << "a weight that underflows to zero";
      }
    }
  }
}

TYPED_TEST(Engines, ASideOfOneSite) {
  const auto one = std::make_shared<const Shell>(this->reference_, 1);
  const Bits start = one->draw_uniform(this->random_);
  for (const double gamma : {0.0, 1.0, 1e6}) {
    typename TestFixture::Subject state(this->kernel_, one, start, this->weight_set(gamma), false);
    const std::vector<double> law = selection_law(state, differing(0), 0);
    for (Site i = 0; i < state.configuration().sites(); ++i)
      EXPECT_EQ(law[i], state.configuration().u[i] ? 1.0 : 0.0);
    // Flipping it leaves the side empty and fills it again.
    state.begin_walk();
    for (Site i = 0; i < state.configuration().sites(); ++i)
      if (state.configuration().u[i]) {
        state.flip(i);
        break;
      }
    const std::vector<double> other = selection_law(state, agreeing(0), 0);
    double sum = 0;
    for (const double p : other) sum += p;
    EXPECT_NEAR(sum, 1, 1e-12);
    state.rollback();
    EXPECT_EQ(selection_law(state, differing(0), 0), law);
  }
}

}  // namespace
}  // namespace nhot::test
