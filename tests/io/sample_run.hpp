// Traces made up for the tests of run files: every number tells where it belongs.
#pragma once

#include <gtest/gtest.h>

#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "nhot/trace/trace.hpp"

namespace nhot::testing {

/// Draws begin ... begin + count - 1 of a made-up run. Every fifth draw keeps its state.
inline Trace made_up_draws(std::uint64_t begin, std::uint64_t count, std::size_t chains = 3,
                           Site sites = 36) {
  Trace trace;
  trace.beta = 0.4;
  trace.thin = 7;
  trace.chains.resize(chains);
  trace.states.resize(chains);
  ObservableColumn mode{"slowest_mode", "a made-up mode", {}, false};
  ObservableColumn overlap{"overlap", "a made-up overlap", {}, true};
  for (std::size_t c = 0; c < chains; ++c) {
    std::vector<double> modes;
    for (std::uint64_t d = begin; d < begin + count; ++d) {
      const double x = static_cast<double>(d) + 0.1 * static_cast<double>(c);
      trace.chains[c].energy.push_back(-x / 3);
      trace.chains[c].accepted.push_back((d + c) % 3 == 0);
      trace.chains[c].acceptance_rate.push_back(1 / (1 + x));
      trace.chains[c].saw_length.push_back(static_cast<std::int32_t>(d % 91 + 100 * c));
      trace.chains[c].hamming_move.push_back(static_cast<std::int32_t>(2 * (d % 45)));
      modes.push_back(x * 1e-300);
      if (d % 5 != 4) continue;
      Bits bits(sites);
      for (Site i = 0; i < sites; ++i) bits[i] = (i * (d + 1) + c) % 7 < 3;
      trace.states[c].push_back(bits);
      if (c == 0) trace.state_draws.push_back(d - begin);
    }
    mode.series.push_back(modes);
    if (c % 2 == 1) overlap.series.push_back(modes);
  }
  trace.observables = {mode};
  if (chains > 1) trace.observables.push_back(overlap);
  return trace;
}

inline void expect_equal(const Trace& a, const Trace& b) {
  EXPECT_EQ(a.beta, b.beta);
  EXPECT_EQ(a.thin, b.thin);
  ASSERT_EQ(a.chains.size(), b.chains.size());
  for (std::size_t c = 0; c < a.chains.size(); ++c) {
    EXPECT_EQ(a.chains[c].energy, b.chains[c].energy);
    EXPECT_EQ(a.chains[c].accepted, b.chains[c].accepted);
    EXPECT_EQ(a.chains[c].acceptance_rate, b.chains[c].acceptance_rate);
    EXPECT_EQ(a.chains[c].saw_length, b.chains[c].saw_length);
    EXPECT_EQ(a.chains[c].hamming_move, b.chains[c].hamming_move);
  }
  ASSERT_EQ(a.observables.size(), b.observables.size());
  for (std::size_t k = 0; k < a.observables.size(); ++k) {
    EXPECT_EQ(a.observables[k].name, b.observables[k].name);
    EXPECT_EQ(a.observables[k].help, b.observables[k].help);
    EXPECT_EQ(a.observables[k].per_pair, b.observables[k].per_pair);
    EXPECT_EQ(a.observables[k].series, b.observables[k].series);
  }
  EXPECT_EQ(a.state_draws, b.state_draws);
  EXPECT_EQ(a.states, b.states);
}

/// A folder of its own for each test, gone afterwards.
class ScratchFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "nhot-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path at(const std::string& name) const { return folder_ / name; }
  std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace nhot::testing
