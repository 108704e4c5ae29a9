#include "nhot/run/band/learning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <optional>
#include <utility>
#include <vector>

#include "nhot/run/band/ratios.hpp"
#include "nhot/run/clock.hpp"

namespace nhot {
namespace {

constexpr double kept_of_old_rounds = 0.25;
constexpr double push_per_round = 3;  // of the log of a weight, when all shells are visited equally
constexpr double largest_guess = 700;  // exp() of it is a double

double free_ratio(double n, double sites) { return std::log((sites - n) / (n + 1)); }

/// A point of m: at n + 1/2 for the ratio of shells n and n + 1.
struct Point {
  double at;
  double m;
};

/// The log of w / (1 - w) for a mean weight w, which it is exactly when all weights are equal.
double log_odds(const ScaledSum& sum, double visits, double side_size) {
  const double log_weight = std::min(sum.log() - std::log(visits) - std::log(side_size), -1e-300);
  return std::clamp(log_weight - std::log(-std::expm1(log_weight)), -largest_guess, largest_guess);
}

/// m next to one shell, by the mean weights of its sides.
std::optional<Point> guess_at(const ShellTally& shell, double n, double sites) {
  const bool out = shell.outward.value > 0;
  const bool in = shell.inward.value > 0;
  if (!out && !in) return std::nullopt;
  const double from_out = out ? log_odds(shell.outward, shell.visits, sites - n) : 0;
  const double from_in = in ? -log_odds(shell.inward, shell.visits, n) : 0;
  return Point{n, out && in ? 0.5 * (from_out + from_in) : from_out + from_in};
}

std::vector<Point> points_of(const BandTally& tally, ShellBand band, double sites) {
  const std::vector<double> ratios = guessed_log_ratios(tally);
  const auto known = [&](std::size_t k) { return k < ratios.size() && std::isfinite(ratios[k]); };
  std::vector<Point> points;
  for (std::size_t k = 0; k < tally.size(); ++k) {
    const double n = static_cast<double>(band.first) + static_cast<double>(k);
    if (tally[k].visits > 0 && !known(k) && !(k > 0 && known(k - 1)))
      if (const auto guess = guess_at(tally[k], n, sites)) points.push_back(*guess);
    if (known(k)) points.push_back({n + 0.5, ratios[k] - free_ratio(n, sites)});
  }
  return points;
}

}  // namespace

BandWeights weights_from(const BandTally& tally, ShellBand band, Site sites) {
  const std::vector<Point> points = points_of(tally, band, sites);
  BandWeights weights;
  std::size_t next = 0;  // the first point at or beyond
  for (std::size_t k = 0; k + 1 < band.shells(); ++k) {
    const double n = static_cast<double>(band.first) + static_cast<double>(k);
    const double at = n + 0.5;
    while (next < points.size() && points[next].at < at) ++next;
    double m = 0;
    if (points.empty()) {
      m = 0;
    } else if (next == points.size()) {
      m = points.back().m;
    } else if (next == 0 || points[next].at == at) {
      m = points[next].m;
    } else {
      const Point& a = points[next - 1];
      const Point& b = points[next];
      m = a.m + (b.m - a.m) * (at - a.at) / (b.at - a.at);
    }
    weights.push_back(-(free_ratio(n, sites) + m));
  }
  return weights;
}

namespace {

constexpr double refining_share = 0.5;  // of the learning
constexpr std::uint64_t refining_rounds = 5;
constexpr double kept_of_old_ratios = 0.25;
constexpr double steps_of_first = 100;  // that weights from the rounds before are worth

/// Ratios of neighbouring shells by the steps under frozen weights, of round after round.
class Ratios {
 public:
  explicit Ratios(const BandWeights& weights) : steps_(weights.size(), steps_of_first) {
    for (const double weight : weights) ratios_.push_back(-weight);
  }

  void add(const BandTally& tally, const BandWeights& weights) {
    const std::vector<double> ratios = log_ratios(tally, weights);
    for (std::size_t k = 0; k < ratios.size(); ++k) {
      if (!std::isfinite(ratios[k])) continue;
      const double out = tally[k].steps_outward.steps;
      const double in = tally[k + 1].steps_inward.steps;
      const double steps = out * in / (out + in);
      const double before = kept_of_old_ratios * steps_[k];
      ratios_[k] = (before * ratios_[k] + steps * ratios[k]) / (before + steps);
      steps_[k] = before + steps;
    }
  }

  BandWeights weights() const {
    BandWeights weights;
    for (const double ratio : ratios_) weights.push_back(-ratio);
    return weights;
  }

 private:
  std::vector<double> ratios_;
  std::vector<double> steps_;  // what they rest on
};

/// How far the learning is, by its limit.
class Progress {
 public:
  using Tell = std::function<void(double, std::uint64_t)>;

  Progress(BandTeam& team, const LearningLimit& limit, const Tell& tell)
      : team_(team), limit_(limit), tell_(tell) {}

  std::uint64_t done() const { return done_; }
  /// True when this share of the limit is used up, or the team is stopped.
  bool is_over(double share) const {
    return team_.stopped() || (limit_.moves ? done_ >= moves(share)
                                            : wall_seconds() - begin_ >= share * limit_.seconds);
  }
  /// Moves that the share of the limit has.
  std::uint64_t moves(double share) const {
    if (!limit_.moves) return std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(share * static_cast<double>(*limit_.moves));
  }
  /// Of a round that is to take `length` moves: the rest up to that share, when it is too short for
  /// another round.
  std::uint64_t fitted(std::uint64_t length, double share) const {
    const std::uint64_t left = moves(share) - done_;
    return left < 3 * length ? left : length;
  }
  /// Moves the chains, piece by piece.
  void advance(std::uint64_t length, double share) {
    while (length > 0 && !is_over(share)) {
      const std::uint64_t now = std::min(length, team_.piece());
      if (!team_.advance(now)) return;
      length -= now;
      done_ += now;
      if (!tell_) continue;
      tell_(limit_.moves ? static_cast<double>(done_) / static_cast<double>(*limit_.moves)
                         : (wall_seconds() - begin_) / limit_.seconds,
            done_);
    }
  }

 private:
  BandTeam& team_;
  const LearningLimit& limit_;
  const Tell& tell_;
  double begin_ = wall_seconds();
  std::uint64_t done_ = 0;
};

/// The rest of the limit, in rounds under frozen weights: each twice as long as the one before,
/// with weights by the steps that were taken in those.
BandWeights refined(BandTeam& team, BandWeights weights, Progress& progress) {
  Ratios ratios(weights);
  std::uint64_t round = std::max<std::uint64_t>(1, progress.done() / ((1U << refining_rounds) - 1));
  while (!progress.is_over(1)) {
    team.set_weights(weights);
    team.fade_tallies(0);
    progress.advance(progress.fitted(round, 1), 1);
    round = 2 * round;
    ratios.add(pool(team.tallies()), weights);
    weights = ratios.weights();
  }
  team.set_weights(weights);
  return weights;
}

}  // namespace

LearningLimit learning_limit(std::optional<std::uint64_t> warmup,
                             std::optional<std::uint64_t> moves, std::optional<double> seconds) {
  constexpr double without = 1e300;
  if (warmup) return {warmup, without};
  if (moves) return {std::max<std::uint64_t>(1, *moves / 4), without};
  return {std::nullopt, 0.2 * *seconds};
}

BandWeights learn_weights(BandTeam& team, ShellBand band, Site sites, const LearningLimit& limit,
                          const std::function<void(double, std::uint64_t)>& tell) {
  constexpr double share = 1 - refining_share;
  Progress progress(team, limit, tell);
  BandWeights weights = weights_from(BandTally(band.shells()), band, sites);
  std::uint64_t round = sites + band.shells();
  if (limit.moves) round = std::clamp<std::uint64_t>(progress.moves(share) / 64, 1, round);
  team.confine_to_parts();
  while (!progress.is_over(share)) {
    const std::uint64_t length = progress.fitted(round, share);
    team.set_weights(
        weights, push_per_round * static_cast<double>(band.shells()) / static_cast<double>(length));
    progress.advance(length, share);
    round = 2 * round;
    weights = weights_from(pool(team.tallies()), band, sites);
    team.fade_tallies(kept_of_old_rounds);
  }
  team.release();
  return refined(team, std::move(weights), progress);
}

}  // namespace nhot
