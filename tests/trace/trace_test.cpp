// Columns of draws: joined, thinned and cut.
#include "nhot/trace/trace.hpp"

#include <gtest/gtest.h>

namespace nhot {
namespace {

/// Draw d of chain c has energy 100 c + d and acceptance d / 8; states are kept where asked.
/// A state that holds a number.
Bits state_of(std::uint64_t number) {
  Bits bits(16);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<Bit>(number >> i & 1U);
  return bits;
}

Trace make_trace(std::size_t first, std::size_t draws,
                 const std::vector<std::uint64_t>& state_draws) {
  Trace trace;
  trace.thin = 3;
  trace.chains.resize(2);
  trace.states.resize(2);
  trace.observables = {{"x", "", {{}, {}}, false}, {"overlap", "", {{}}, true}};
  trace.state_draws = state_draws;
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t d = first; d < first + draws; ++d) {
      trace.chains[c].energy.push_back(static_cast<double>(100 * c + d));
      trace.chains[c].accepted.push_back(d % 3 == 0);
      trace.chains[c].acceptance_rate.push_back(static_cast<double>(d) / 8);
      trace.chains[c].saw_length.push_back(static_cast<std::int32_t>(d));
      trace.chains[c].hamming_move.push_back(static_cast<std::int32_t>(2 * d));
      trace.observables[0].series[c].push_back(static_cast<double>(c + 2 * d));
      if (c == 0) trace.observables[1].series[0].push_back(static_cast<double>(d));
    }
    for (const std::uint64_t d : state_draws)
      trace.states[c].emplace_back(state_of(100 * c + first + d));
  }
  return trace;
}

/// Every state is that of its draw: it holds the energy.
void expect_states_fit(const Trace& trace) {
  for (std::size_t c = 0; c < 2; ++c) {
    ASSERT_EQ(trace.states[c].size(), trace.state_draws.size());
    for (std::size_t s = 0; s < trace.state_draws.size(); ++s) {
      const double energy = trace.chains[c].energy[trace.state_draws[s]];
      EXPECT_EQ(trace.states[c][s].unpacked(), state_of(static_cast<std::uint64_t>(energy)));
    }
  }
}

TEST(Trace, AppendJoins) {
  Trace trace;
  trace.append(make_trace(0, 4, {1, 3}));
  trace.append(make_trace(4, 3, {0, 1}));
  EXPECT_EQ(trace.draws(), 7U);
  EXPECT_EQ(trace.chains[1].energy, (std::vector<double>{100, 101, 102, 103, 104, 105, 106}));
  EXPECT_EQ(trace.observables[1].series[0], (std::vector<double>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(trace.state_draws, (std::vector<std::uint64_t>{1, 3, 4, 5}));
  expect_states_fit(trace);
}

TEST(Trace, HalveKeepsTheSecondOfEachPair) {
  for (const std::size_t draws : {6U, 7U}) {
    Trace trace = make_trace(0, draws, {1, 2, 3, 5, draws - 1});
    trace.halve();
    EXPECT_EQ(trace.thin, 6U);
    EXPECT_EQ(trace.chains[0].energy, (std::vector<double>{1, 3, 5}));
    EXPECT_EQ(trace.chains[0].acceptance_rate, (std::vector<double>{0.0625, 0.3125, 0.5625}));
    EXPECT_EQ(trace.observables[0].series[1], (std::vector<double>{3, 7, 11}));
    // The first states stay where they are, those of dropped draws go.
    EXPECT_EQ(trace.state_draws[0], 0U);
    EXPECT_EQ(trace.state_draws[1], 1U);
    EXPECT_EQ(trace.state_draws[2], 2U);
    expect_states_fit(trace);
  }
}

TEST(Trace, CutDropsTheEnd) {
  Trace trace = make_trace(0, 6, {1, 3, 4});
  trace.cut(4);
  EXPECT_EQ(trace.draws(), 4U);
  EXPECT_EQ(trace.chains[1].hamming_move, (std::vector<std::int32_t>{0, 2, 4, 6}));
  EXPECT_EQ(trace.observables[1].series[0].size(), 4U);
  EXPECT_EQ(trace.state_draws, (std::vector<std::uint64_t>{1, 3}));
  expect_states_fit(trace);
  trace.cut(0);
  EXPECT_EQ(trace.draws(), 0U);
  EXPECT_TRUE(trace.state_draws.empty());
}

}  // namespace
}  // namespace nhot
