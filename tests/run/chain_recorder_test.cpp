// A recorder that is full and halves keeps what a recorder with room would have kept.
#include "nhot/run/compare/chain_recorder.hpp"

#include <gtest/gtest.h>

#include "nhot/chain/factory.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

/// A chain on a small lattice that always makes the same moves.
class Recording : public ::testing::Test {
 protected:
  Recording()
      : factory_(ferromagnet({{4, 4}, true}), Shell(Bits(16, 0), 8), "swap", 0.4),
        observables_(observables_for(factory_.model())) {}

  std::unique_ptr<AnyChain> chain() const {
    Bits start(16, 0);
    for (std::size_t i = 0; i < 8; ++i) start[i] = 1;
    return factory_.make(make_stream(5, 0, 0, Purpose::test), start);
  }

  /// Makes moves until `moves` are done; the clock is the number of moves.
  void run(ChainRecorder& recorder, std::uint64_t moves) const {
    const auto chain = this->chain();
    while (chain->counters().moves + recorder.thin() <= moves) {
      const std::uint64_t before = chain->counters().accepted;
      chain->advance(recorder.thin());
      if (recorder.record_draw(*chain, before))
        recorder.record_state(*chain, static_cast<double>(chain->counters().moves), observables_);
    }
  }

  ChainFactory factory_;
  Observables observables_;
};

TEST_F(Recording, HalvingKeepsTheGrid) {
  for (const std::uint64_t stride : {1U, 2U, 8U})
    for (const std::size_t max_states : {4U, 5U, 64U}) {
      ChainRecorder full(1, 1, 1 << 20, 1 << 20, observables_.size());
      run(full, 1000);
      ChainRecorder small(1, stride, 50, max_states, observables_.size());
      run(small, 1000);
      EXPECT_LE(small.draws(), 51U);
      EXPECT_GE(small.draws(), 24U);
      EXPECT_LE(small.states().size(), max_states);
      ASSERT_GT(small.thin(), 1U);
      for (std::size_t d = 0; d < small.draws(); ++d)
        EXPECT_EQ(small.columns().energy[d], full.columns().energy[(d + 1) * small.thin() - 1]);
      ASSERT_EQ(small.states().size(), small.draws() / small.stride());
      for (std::size_t s = 0; s < small.states().size(); ++s) {
        const std::size_t move = (s + 1) * small.stride() * small.thin();
        EXPECT_EQ(small.states()[s], full.states()[move - 1]);
        EXPECT_EQ(small.stamps()[s].cpu_seconds, static_cast<double>(move));
        EXPECT_EQ(small.stamps()[s].accepted, full.stamps()[move - 1].accepted);
        EXPECT_EQ(small.observables()[0][s], full.observables()[0][move - 1]);
      }
    }
}

TEST_F(Recording, AcceptanceRatesAverageToTheTotal) {
  ChainRecorder small(1, 4, 64, 32, observables_.size());
  run(small, 512);
  double sum = 0;
  for (const double rate : small.columns().acceptance_rate) sum += rate;
  const auto chain = this->chain();
  chain->advance(small.draws() * small.thin());
  EXPECT_DOUBLE_EQ(sum * static_cast<double>(small.thin()),
                   static_cast<double>(chain->counters().accepted));
}

TEST_F(Recording, RecordersCanBeBroughtInStep) {
  ChainRecorder a(1, 1, 64, 32, observables_.size());
  ChainRecorder b(1, 1, 64, 32, observables_.size());
  run(a, 500);
  run(b, 60);
  ASSERT_GT(a.thin(), b.thin());
  b.bring_to(a.thin(), a.stride());
  EXPECT_EQ(b.thin(), a.thin());
  EXPECT_EQ(b.stride(), a.stride());
  for (std::size_t d = 0; d < b.draws(); ++d)
    EXPECT_EQ(b.columns().energy[d], a.columns().energy[d]);
  for (std::size_t s = 0; s < b.states().size(); ++s) EXPECT_EQ(b.states()[s], a.states()[s]);
}

}  // namespace
}  // namespace nhot
