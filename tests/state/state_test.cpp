// The one door: bits, fields, energy and caches change together and come back together.
#include "nhot/state/state.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/kernels.hpp"

namespace nhot::test {
namespace {

template <class State>
std::vector<double> fields_of(const State& state) {
  std::vector<double> fields;
  for (Site i = 0; i < state.sites(); ++i) fields.push_back(static_cast<double>(state.field(i)));
  return fields;
}

template <class Pairing>
class States : public testing::Test {
 protected:
  using Kernel = typename Pairing::Kernel;
  using Subject = typename Pairing::State;

  Model model_ = Pairing::model();
  Bits reference_ = random_bits(model_.sites(), 22);
  std::shared_ptr<const Shell> shell_ =
      std::make_shared<const Shell>(reference_, model_.sites() / 2);
  std::shared_ptr<const Kernel> kernel_ = make_kernel<Kernel>(model_, reference_);
  RandomDraws random_{make_stream(32, 0, 0, Purpose::test)};

  Subject make() {
    WeightSet weight_set;
    weight_set.add(differing(0), {Bias::logistic, 0.6});
    weight_set.add(agreeing(0), {Bias::logistic, 0.6});
    return Subject(kernel_, shell_, shell_->draw_uniform(random_), weight_set, true);
  }
};

TYPED_TEST_SUITE(States, AllPairings);

TYPED_TEST(States, DeltasAreDifferencesOfEnergies) {
  const auto state = this->make();
  const double energy = this->model_.energy(state.bits());
  EXPECT_EQ(state.energy(), energy);
  const Site sites = this->model_.sites();
  for (Site i = 0; i < sites; i += 3) {
    Bits flipped = state.bits();
    flipped[i] ^= 1;
    EXPECT_NEAR(state.delta_energy(i), this->model_.energy(flipped) - energy, 1e-11);
    if (state.configuration().u[i] == 0) continue;
    for (Site j = 0; j < sites; ++j) {
      if (state.configuration().u[j] == 1) continue;
      Bits both = flipped;
      both[j] ^= 1;
      EXPECT_NEAR(state.to_energy(state.delta_unlike(i, j)), this->model_.energy(both) - energy,
                  1e-11);
    }
  }
}

TYPED_TEST(States, RollbackRestoresEverything) {
  auto state = this->make();
  for (int walk = 0; walk < 50; ++walk) {
    const Bits bits = state.bits();
    const auto fields = fields_of(state);
    const double energy = state.energy();
    const double totals[] = {state.total(0, 0).log(), state.total(1, 0).log()};
    state.begin_walk();
    for (int k = 0; k < 6; ++k)
      state.flip(static_cast<Site>(this->random_.below(this->model_.sites())));
    Bits walked = bits;
    for (const Site i : state.path()) walked[i] ^= 1;
    EXPECT_EQ(state.bits(), walked);
    EXPECT_NEAR(state.walk_gain(), this->model_.energy(walked) - this->model_.energy(bits), 1e-10);
    state.rollback();
    EXPECT_EQ(state.bits(), bits);
    EXPECT_EQ(state.energy(), energy);
    EXPECT_TRUE(state.path().empty());
    EXPECT_EQ(fields_of(state), fields);
    for (const Side side : {agreeing(0), differing(0)})
      EXPECT_NEAR(state.total(side, 0).log(), totals[side], 1e-12);
    // The lists hold the sites of their side.
    for (const Side side : {agreeing(0), differing(0)})
      for (Site k = 0; k < state.lists().size(side); ++k)
        EXPECT_EQ(state.configuration().side(state.lists().at(side, k)), side);
    // Somewhere else for the next walk.
    const Site i = state.lists().at(differing(0), 0);
    const Site j = state.lists().at(agreeing(0), 0);
    state.exchange(i, j);
  }
}

// A walk of steps, whose fields may stay behind, ends where flips would have led; and both ways,
// and a walk that is taken back, leave what a new state has.
TYPED_TEST(States, WalksLeaveWhatANewStateHas) {
  auto state = this->make();
  const auto expect_new = [&] {
    auto fresh = this->make();
    fresh.set_bits(state.bits());
    const double bound = 1e-9;
    for (Site i = 0; i < state.sites(); ++i) ASSERT_EQ(state.field(i), fresh.field(i));
    ASSERT_EQ(state.energy(), fresh.energy());
    for (const Side side : {agreeing(0), differing(0)}) {
      // Rounded weights depend on the state alone: they are the same to the bit.
      if (TypeParam::State::rounded_weights)
        ASSERT_EQ(state.total(side, 0).value, fresh.total(side, 0).value);
      else
        ASSERT_NEAR(state.total(side, 0).log(), fresh.total(side, 0).log(), bound);
    }
  };
  for (int walk = 0; walk < 60; ++walk) {
    const Bits before = state.bits();
    const double energy = state.energy();
    state.begin_walk();
    // Long ones too, in which the fields catch up on the way; sites may be flipped back.
    const std::uint64_t length = std::min<std::uint64_t>(
        1 + this->random_.below(walk % 3 == 0 ? 50 : 6), state.lists().size(differing(0)));
    for (const Side side : {differing(0), agreeing(0)})
      for (std::uint64_t s = 0; s < length; ++s) {
        const auto k = static_cast<Site>(this->random_.below(state.lists().size(side)));
        state.step(state.lists().at(side, k));
      }
    EXPECT_EQ(state.energy(), this->model_.energy(state.bits()));
    EXPECT_NEAR(state.walk_gain(), state.energy() - energy, 1e-9);
    if (walk % 2 == 0) {
      state.commit();
    } else {
      state.rollback();
      EXPECT_EQ(state.bits(), before);
      EXPECT_EQ(state.energy(), energy);
    }
    expect_new();
  }
}

// After a million flips fields and energy are those computed from the bits, to the bit.
TYPED_TEST(States, AMillionFlipsDoNotDrift) {
  auto state = this->make();
  for (int k = 0; k < 500'000; ++k) {
    const auto d = static_cast<Site>(this->random_.below(state.lists().size(differing(0))));
    const auto a = static_cast<Site>(this->random_.below(state.lists().size(agreeing(0))));
    state.exchange(state.lists().at(differing(0), d), state.lists().at(agreeing(0), a));
    state.refresh_if_due();
  }
  std::vector<typename TypeParam::Kernel::Field> fields;
  this->kernel_->compute_fields(state.configuration().u, fields);
  for (Site i = 0; i < state.sites(); ++i) EXPECT_EQ(state.field(i), fields[i]);
  EXPECT_EQ(state.energy(), this->model_.energy(state.bits()));
}

TYPED_TEST(States, SavedAndRestoredAreTheSame) {
  auto state = this->make();
  for (int k = 0; k < 200; ++k)
    state.exchange(state.lists().at(differing(0), 1), state.lists().at(agreeing(0), 2));
  ByteWriter out;
  state.save(out);
  auto other = this->make();
  ByteReader in(out.bytes());
  other.restore(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(other.bits(), state.bits());
  EXPECT_EQ(fields_of(other), fields_of(state));
  EXPECT_EQ(other.energy(), state.energy());
  for (const Side side : {agreeing(0), differing(0)}) {
    EXPECT_EQ(other.total(side, 0).value, state.total(side, 0).value);
    for (Site k = 0; k < state.lists().size(side); ++k)
      EXPECT_EQ(other.lists().at(side, k), state.lists().at(side, k));
  }
  ByteWriter again;
  other.save(again);
  EXPECT_EQ(again.bytes(), out.bytes());
}

}  // namespace
}  // namespace nhot::test
