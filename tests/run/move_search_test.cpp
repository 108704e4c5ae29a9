// The search on objectives whose best move is known, with noise.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "nhot/move/registry.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/tune/search.hpp"

namespace nhot {
namespace {

/// The log of the true rate, of a walk by its mean length and gamma, of others by their name.
using Objective = std::function<double(const std::string& kind, double length, double gamma)>;

/// Noise falls with the length of a trial; rounds differ by a factor that all trials of one share.
class SyntheticTrials final : public MoveTrials {
 public:
  /// Walks with bias min gain `extra`, and with order down-up as much again.
  SyntheticTrials(Objective objective, double noise, std::uint64_t seed, double extra = 0)
      : objective_(std::move(objective)),
        noise_(noise),
        extra_(extra),
        random_(make_stream(seed, 0, 0, Purpose::test)) {}

  double truth(const std::string& move) const {
    // A mixture is as good as the mean of its parts.
    double sum = 0;
    const std::vector<MoveText> parts = parse_moves(move);
    for (const MoveText& part : parts) {
      double length = 1;
      double gamma = 1;
      if (part.kind->name == "im" || part.kind->name == "path") {
        const std::string range = part.values.text("length");
        const std::size_t dots = range.find("..");
        const double last = std::stod(range.substr(dots == range.npos ? 0 : dots + 2));
        length = dots == range.npos ? last : 0.5 * (1 + last);
        const std::string text = part.values.text("gamma");
        gamma = text == "beta" || text == "auto" ? 1 : std::stod(text);
      }
      if (part.kind->name == "im")
        sum += extra_ *
               ((part.values.text("bias") == "min") + (part.values.text("order") == "down-up"));
      sum += objective_(part.kind->name, length, gamma) / static_cast<double>(parts.size());
    }
    return sum;
  }

  bool run(const std::vector<std::string>& moves, double length) override {
    const double common = normal();
    for (const std::string& move : moves) {
      TrialValue value;
      value.usable = true;
      value.seconds_per_move = 1;
      const double error = noise_ / std::sqrt(length);
      double mean = 0;
      std::vector<double> of_chain;
      for (int c = 0; c < 8; ++c) {
        of_chain.push_back(truth(move) + common + std::sqrt(8.0) * error * normal());
        mean += of_chain.back() / 8;
      }
      value.log_rate = mean;
      value.log_rates = {mean};
      for (const double one : of_chain) value.without.push_back((8 * mean - one) / 7);
      value.error = error;
      values_.push_back(value);
      spent += length;
    }
    return true;
  }
  TrialValue value(std::size_t k) const override { return values_[k]; }

  double spent = 0;

 private:
  double normal() {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(random_() >> 11) * 0x1p-53;
    return sum;
  }

  Objective objective_;
  double noise_;
  double extra_;
  Xoshiro256 random_;
  std::vector<TrialValue> values_;
};

SearchSpace space() {
  SearchSpace space;
  space.moves = {"swap", "kawasaki"};
  for (const Site last : {10, 3, 40, 120}) space.walks.push_back({"im", {1, last}});
  for (const Site length : {1, 4, 12, 36, 108}) space.walks.push_back({"im", {length, length}});
  space.walks.push_back({"im", {1, 10}, Bias::logistic, 0.7});
  space.longest = 400;
  return space;
}

/// Share of searches that end within 10% of the best walk of the grid.
double share_found(const Objective& objective, double noise) {
  constexpr int searches = 100;
  int found = 0;
  const SearchSpace all = space();
  double best = -1e300;
  SyntheticTrials judge(objective, 0, 0);
  for (const WalkSetting& walk : walk_grid({"im", {1, 10}}, all.longest))
    best = std::max(best, judge.truth(walk.text()));
  for (const std::string& move : all.moves) best = std::max(best, judge.truth(move));
  for (std::uint64_t seed = 1; seed <= searches; ++seed) {
    SyntheticTrials trials(objective, noise, seed);
    const SearchResult result = search_moves(all, true, trials);
    EXPECT_LE(trials.spent, search_length(all, true));
    if (trials.truth(result.trials[result.last.front()].move) > best - std::log(1 / 0.9)) ++found;
  }
  return found / static_cast<double>(searches);
}

/// A ridge in length, at some gamma, and moves without parameters far behind or ahead.
Objective ridge(double length, double gamma, double others) {
  return [=](const std::string& kind, double at, double g) {
    if (kind != "im") return others;
    const double x = std::log(at / length);
    const double y = std::log(g / gamma);
    return -0.25 * x * x - 6 * y * y;
  };
}

TEST(MoveSearch, FindsTheBestWalkWithoutNoise) {
  EXPECT_GE(share_found(ridge(6, 1, -3), 0), 0.99);
  EXPECT_GE(share_found(ridge(25, 0.8, -3), 0), 0.99);
  EXPECT_GE(share_found(ridge(2, 1.2, -3), 0), 0.99);
  EXPECT_GE(share_found(ridge(80, 1, -3), 0), 0.99);
}

TEST(MoveSearch, FindsTheBestWalkDespiteNoise) {
  // Ten per cent in the first round, four in the last.
  for (const auto& [length, gamma] : {std::pair{6.0, 1.0}, {25.0, 0.8}, {80.0, 1.0}}) {
    const double share = share_found(ridge(length, gamma, -3), 0.1);
    EXPECT_GE(share, 0.9) << length;
    std::printf("best walk %g, gamma %g: found in %g of the searches\n", length, gamma, share);
  }
}

TEST(MoveSearch, FindsBiasAndOrder) {
  // The first round has neither of both; each is worth a third.
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SyntheticTrials trials(ridge(12, 1, -3), 0.1, seed, 0.3);
    const SearchResult result = search_moves(space(), true, trials);
    const std::string& move = result.trials[result.last.front()].move;
    if (move.find("bias=min") != std::string::npos && move.find("down-up") != std::string::npos)
      ++found;
  }
  std::printf("bias and order found in %d of 50 searches\n", found);
  EXPECT_GE(found, 45);
}

TEST(MoveSearch, FindsThatNoWalkIsBest) { EXPECT_GE(share_found(ridge(6, 1, 0.5), 0.1), 0.98); }

TEST(MoveSearch, KnowsItsErrors) {
  // Of two moves that are equal, the difference is within two standard errors as often as it should
  // be: errors from eight chains are themselves uncertain.
  int outside = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SyntheticTrials trials(ridge(6, 1, 0), 0.1, seed);
    trials.run({"swap", "kawasaki"}, 1);
    const LogRatio gain = log_ratio(trials.value(0), trials.value(1));
    if (std::abs(gain.value) > 2 * gain.error) ++outside;
  }
  EXPECT_LE(outside, 50);  // 8.6% of a t distribution with 7 degrees of freedom
  EXPECT_GE(outside, 15);
}

/// Two quantities, each of which some move is slow at; rates of a mixture add up by shares of the
/// time.
class TwoQuantities final : public MoveTrials {
 public:
  explicit TwoQuantities(std::uint64_t seed) : random_(make_stream(seed, 0, 0, Purpose::test)) {}

  static std::pair<double, double> truth(const std::string& move) {
    std::pair<double, double> sum;
    double seconds = 0;
    for (const MoveText& part : parse_moves(move)) {
      const std::string& kind = part.kind->name;
      const auto [first, second] = kind == "im"     ? std::pair{10.0, 0.2}
                                   : kind == "swap" ? std::pair{4.0, 0.5}
                                                    : std::pair{0.0, 8.0};
      const double time = part.weight * cost(kind);
      sum.first += time * first;
      sum.second += time * second;
      seconds += time;
    }
    return {sum.first / seconds, sum.second / seconds};
  }
  static double rate(const std::string& move) {
    return std::min(truth(move).first, truth(move).second);
  }

  bool run(const std::vector<std::string>& moves, double length) override {
    for (const std::string& move : moves) {
      const auto [first, second] = truth(move);
      const double noise =
          0.1 / std::sqrt(length) * (static_cast<double>(random_() >> 11) * 0x1p-52 - 1);
      TrialValue value;
      value.seconds_per_move = 0;
      for (const MoveText& part : parse_moves(move))
        value.seconds_per_move += part.weight * cost(part.kind->name);
      value.log_rates = {std::log(first) + noise, std::log(second) + noise};
      value.log_rate = std::min(value.log_rates[0], value.log_rates[1]);
      value.usable = std::isfinite(value.log_rate);
      value.without.assign(8, value.log_rate);
      value.error = 0.06 / std::sqrt(length);
      values_.push_back(value);
    }
    return true;
  }
  TrialValue value(std::size_t k) const override { return values_[k]; }

 private:
  static double cost(const std::string& kind) {
    return kind == "im" ? 1 : kind == "swap" ? 0.1 : 5;
  }

  Xoshiro256 random_;
  std::vector<TrialValue> values_;
};

TEST(MoveSearch, MixesMovesThatAreGoodForDifferentThings) {
  // The best of both: im for a share x of the time, where 10 x = 0.2 x + 8 (1 - x).
  const double best = 10 * 8 / 17.8;
  SearchSpace all = space();
  all.moves = {"swap"};
  all.partial = {"cluster"};  // leaves the first quantity as it is
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    TwoQuantities trials(seed);
    const SearchResult result = search_moves(all, true, trials);
    ASSERT_FALSE(result.last.empty());
    if (TwoQuantities::rate(result.trials[result.last.front()].move) > 0.85 * best) ++found;
  }
  EXPECT_GE(found, 48);
}

TEST(MoveSearch, SaysNothingWhereNothingMoves) {
  class Stuck final : public MoveTrials {
   public:
    bool run(const std::vector<std::string>& moves, double) override {
      count_ += moves.size();
      return true;
    }
    TrialValue value(std::size_t k) const override {
      EXPECT_LT(k, count_);
      return {};
    }

   private:
    std::size_t count_ = 0;
  };
  Stuck trials;
  const SearchResult result = search_moves(space(), true, trials);
  EXPECT_TRUE(result.last.empty());
  EXPECT_TRUE(result.surface.empty());
}

}  // namespace
}  // namespace nhot
