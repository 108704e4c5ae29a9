// Tempering runs that cannot go on: other plans, damaged checkpoints.
#include <gtest/gtest.h>

#include <memory>

#include "nhot/base/bytes.hpp"
#include "nhot/base/error.hpp"
#include "nhot/run/temper/exchange.hpp"
#include "run/tempering_runs.hpp"

namespace nhot::tempering_resume {
namespace {

TEST(TemperingResume, RefusesOtherPlans) {
  const ChainFactory factory = make_factory();
  const TemperingPlan plan = make_plan(140, false, false);
  const TemperingResult part = run_tempering(factory, plan);
  const auto refused = [&](auto change) {
    TemperingPlan other = plan;
    change(other);
    EXPECT_THROW(go_on(factory, other, part, 10), InputError);
  };
  refused([](TemperingPlan& p) { p.chains = 2; });
  refused([](TemperingPlan& p) { p.isocluster = true; });
  refused([](TemperingPlan& p) { p.betas = {0, 0.2, 0.5}; });
  refused([](TemperingPlan& p) { p.betas = {0, 0.2, 0.36, 0.5}; });
  TemperingPlan longer = plan;
  longer.moves = 10;
  auto lacking = stopped(part);
  lacking->rungs[1].cut(lacking->rungs[1].draws() - 1);
  longer.resume = lacking;
  EXPECT_THROW(run_tempering(factory, longer), InputError);
  lacking = stopped(part);
  lacking->rungs.pop_back();
  longer.resume = lacking;
  EXPECT_THROW(run_tempering(factory, longer), InputError);
  const auto refused_draws = [&](auto change) {
    auto other = stopped(part);
    change(other->rungs[1]);
    longer.resume = other;
    EXPECT_THROW(run_tempering(factory, longer), InputError);
  };
  refused_draws([](Trace& trace) { trace.thin *= 2; });
  refused_draws([](Trace& trace) { trace.beta = 0.3; });
  refused_draws([](Trace& trace) { trace.observables.pop_back(); });
  refused_draws([](Trace& trace) { trace.observables.front().name = "another"; });
  refused_draws([](Trace& trace) { trace.observables.back().series.clear(); });
  // The same archive is welcome where it belongs.
  EXPECT_EQ(go_on(factory, plan, part, 10).moves, 154U);
}

TEST(TemperingResume, RefusesAPlacedLadderOfOtherEnds) {
  const ChainFactory factory = make_factory();
  TemperingPlan plan = make_plan(70, true, false);
  plan.finds_hottest = false;
  const TemperingResult part = run_tempering(factory, plan);
  plan.hottest = 0.1;
  EXPECT_THROW(go_on(factory, plan, part, 10), InputError);
  plan.hottest = 0;
  plan.rungs = part.rungs.size() + 1;
  EXPECT_THROW(go_on(factory, plan, part, 10), InputError);
  plan.rungs = part.rungs.size();
  EXPECT_GT(go_on(factory, plan, part, 10).moves, 70U);
}

TEST(TemperingResume, RefusesArchivesThatAreCutShortOrTooLong) {
  const ChainFactory factory = make_factory();
  TemperingPlan plan = make_plan(70, false, true);
  const auto run = stopped(run_tempering(factory, plan));
  plan.moves = 7;
  const std::size_t size = run->checkpoint.ladders[1].size();
  const auto with_size = [&](std::size_t length) {
    auto other = std::make_shared<StoppedTempering>(*run);
    other->checkpoint.ladders[1].resize(length);
    plan.resume = other;
    return plan;
  };
  for (std::size_t length = 0; length < size; length += 1 + length / 40)
    EXPECT_THROW(run_tempering(factory, with_size(length)), InputError) << length;
  EXPECT_THROW(run_tempering(factory, with_size(size - 1)), InputError);
  EXPECT_THROW(run_tempering(factory, with_size(size + 1)), InputError);
  EXPECT_EQ(run_tempering(factory, with_size(size)).moves, 77U);
}

TEST(TemperingCheckpoint, RefusesWhatIsNotOne) {
  const TemperingResult result = run_tempering(make_factory(), make_plan(140, true, false));
  const Metadata metadata = to_metadata(result.checkpoint);
  EXPECT_EQ(to_metadata(tempering_checkpoint_from(metadata, {})), metadata);
  for (std::size_t k = 0; k < metadata.size(); ++k) {
    Metadata cut = metadata;
    cut.erase(cut.begin() + static_cast<std::ptrdiff_t>(k));
    EXPECT_THROW(tempering_checkpoint_from(cut, {}), InputError) << metadata[k].first;
    Metadata wrong = metadata;
    wrong[k].second = "-x";
    EXPECT_THROW(tempering_checkpoint_from(wrong, {}), InputError) << metadata[k].first;
  }
  const auto refused = [&](const char* key, const char* value) {
    Metadata wrong = metadata;
    for (auto& [name, text] : wrong)
      if (name == key) text = value;
    EXPECT_THROW(tempering_checkpoint_from(wrong, {}), InputError) << key;
  };
  refused("sweep", "0");
  refused("thin", "0");
  refused("since_draw", "5");
  refused("draws", "1000000000000");
  refused("warming", "1");
  refused("stage_moving", "1");  // of a stage that is over
}

TEST(ReplicaLadder, IsRestoredOrRefused) {
  ReplicaLadder ladder({0, 0.3, 0.7, 1.5, 2});
  RandomDraws draws(make_stream(1, 0, 0, Purpose::test));
  const std::vector<double> energies = {-1, 0.5, 2, -3, 1};
  for (int k = 0; k < 41; ++k) ladder.exchange(energies, draws);
  ByteWriter out;
  ladder.save(out);
  const std::vector<std::byte> bytes = out.bytes();
  {
    ByteReader in(bytes);
    ReplicaLadder copy = ReplicaLadder::restored(in);
    EXPECT_TRUE(in.at_end());
    RandomDraws same = draws;
    for (int k = 0; k < 40; ++k) {
      ladder.exchange(energies, draws);
      copy.exchange(energies, same);
    }
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(copy.replica_at(k), ladder.replica_at(k));
      EXPECT_EQ(copy.rung_of(k), ladder.rung_of(k));
      EXPECT_EQ(copy.trips().trips(k), ladder.trips().trips(k));
    }
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(copy.tried(k), ladder.tried(k));
      EXPECT_EQ(copy.swapped(k), ladder.swapped(k));
      EXPECT_EQ(copy.rejection_sum(k), ladder.rejection_sum(k));
    }
  }
  // Every byte in every way: refused, or a ladder that works.
  std::size_t refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const unsigned flip : {0x01U, 0x40U, 0x80U, 0xffU}) {
      std::vector<std::byte> damaged = bytes;
      damaged[at] ^= std::byte{static_cast<unsigned char>(flip)};
      ByteReader in(damaged);
      try {
        ReplicaLadder other = ReplicaLadder::restored(in);
        const std::vector<double> some(other.rungs(), 1.0);
        other.exchange(some, draws);
        for (std::size_t k = 0; k < other.rungs(); ++k)
          ASSERT_EQ(other.rung_of(other.replica_at(k)), k);
      } catch (const InputError&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, 4 * 5 * 8U);  // who is on which rung, at least
}

}  // namespace
}  // namespace nhot::tempering_resume
