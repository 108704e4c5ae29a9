#include "nhot/run/tune/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "nhot/base/contracts.hpp"
#include "nhot/run/tune/gaussian_process.hpp"

namespace nhot {
namespace {

constexpr double first_length = 1;
constexpr double later_length = 2;
constexpr double last_length = 6;
constexpr std::size_t kept_moves = 6;  // after the first round
constexpr std::size_t most_mixtures = 3;
constexpr std::size_t proposals = 4;      // of one round of optimisation
constexpr std::size_t most_variants = 4;  // of the best walk: biases and orders
constexpr std::size_t finalists = 3;      // besides swap and the default
constexpr double smallest_error = 0.03;   // clocks are no better

class Search {
 public:
  Search(const SearchSpace& space, MoveTrials& trials) : space_(space), trials_(trials) {}

  SearchResult run(bool thorough) {
    std::vector<Candidate> all;
    for (const std::string& move : space_.moves) all.push_back({move, std::nullopt});
    for (const WalkSetting& walk : space_.walks) all.push_back({walk.text(), walk});
    std::vector<Candidate> first = all;
    for (const std::string& move : space_.partial) first.push_back({move, std::nullopt});
    bool time = round("every move", first, first_length);
    if (thorough && time) time = round("the better ones", best(kept_moves), later_length);
    if (thorough && time)
      if (const auto next = varied(); !next.empty())
        time = round("as the best walk, but for one parameter", next, later_length);
    for (int k = 0; k < 2 && thorough && time; ++k)
      if (const auto next = proposed(); !next.empty())
        time = round("proposed by regression", next, later_length);
    const std::vector<Candidate> mixed = time ? mixtures() : std::vector<Candidate>();
    if (!mixed.empty()) time = round("mixtures", mixed, later_length);
    std::vector<Candidate> last = best(finalists);
    const auto add = [&](const Candidate& one) {
      if (std::none_of(last.begin(), last.end(),
                       [&](const Candidate& known) { return known.move == one.move; }))
        last.push_back(one);
    };
    // What mixtures are good for, slow modes, is seen in long trials only.
    if (const auto found = best_of(mixed)) add(*found);
    add(all.front());                                                     // swap
    if (space_.moves.size() < all.size()) add(all[space_.moves.size()]);  // the default walk
    const std::size_t begin = result_.trials.size();
    if (time) round("the best once more", last, last_length);
    for (const std::size_t k : ranking())
      if (!time || k >= begin) result_.last.push_back(k);
    for (std::size_t k = 0; k < result_.trials.size(); ++k)
      result_.standings.push_back(
          trials_.value(k).usable ? standing(k).value : std::numeric_limits<double>::quiet_NaN());
    draw_surface();
    return std::move(result_);
  }

 private:
  struct Candidate {
    std::string move;
    std::optional<WalkSetting> walk;
  };

  bool round(const std::string& purpose, std::vector<Candidate> moves, double length) {
    if (!anchors_.empty()) add_anchor(moves);
    std::vector<std::string> texts;
    for (const Candidate& one : moves) {
      texts.push_back(one.move);
      result_.trials.push_back({one.move, one.walk, result_.rounds.size(), length});
    }
    result_.rounds.push_back(purpose);
    const bool time = trials_.run(texts, length);
    anchors_.push_back(anchor());
    return time;
  }

  // Chains of different rounds start from different states, where all moves may be faster or
  // slower: moves of different rounds are compared through one that was in both.
  void add_anchor(std::vector<Candidate>& moves) const {
    const TrialEntry& anchor = result_.trials[anchors_.front()];
    if (std::none_of(moves.begin(), moves.end(),
                     [&](const Candidate& one) { return one.move == anchor.move; }))
      moves.push_back({anchor.move, anchor.walk});
  }
  /// Of the last round: the same move as in the first, where it is the fastest.
  std::size_t anchor() const {
    const std::size_t round = result_.rounds.size() - 1;
    std::size_t found = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < result_.trials.size(); ++k) {
      const TrialEntry& trial = result_.trials[k];
      if (trial.round != round || is_partial(trial.move)) continue;
      if (!anchors_.empty() && trial.move == result_.trials[anchors_.front()].move) return k;
      const TrialValue value = trials_.value(k);
      if (!anchors_.empty() || !value.usable || value.log_rate <= most) continue;
      most = value.log_rate;
      found = k;
    }
    return found;
  }

  /// Of a usable trial, against the anchor of its round; where that has come to nothing, against
  /// that of the first.
  LogRatio standing(std::size_t k) const {
    for (const std::size_t anchor : {anchors_[result_.trials[k].round], anchors_.front()})
      if (const TrialValue value = trials_.value(anchor); value.usable)
        return log_ratio(trials_.value(k), value);
    return {trials_.value(k).log_rate, trials_.value(k).error};
  }

  bool is_partial(const std::string& move) const {
    return std::find(space_.partial.begin(), space_.partial.end(), move) != space_.partial.end();
  }

  /// The latest trial of each usable move, the fastest first; an error counts against a move, so
  /// that luck does not win.
  std::vector<std::size_t> ranking() const {
    std::map<std::string, std::size_t> latest;
    for (std::size_t k = 0; k < result_.trials.size(); ++k)
      if (trials_.value(k).usable && !is_partial(result_.trials[k].move))
        latest[result_.trials[k].move] = k;
    std::vector<std::size_t> order;
    for (const auto& [move, k] : latest) order.push_back(k);
    std::map<std::size_t, double> standings;
    for (const std::size_t k : order) standings[k] = standing(k).value - standing(k).error;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return standings.at(a) > standings.at(b);
    });
    return order;
  }

  std::vector<Candidate> best(std::size_t number) const {
    std::vector<Candidate> result;
    for (const std::size_t k : ranking())
      if (result.size() < number)
        result.push_back({result_.trials[k].move, result_.trials[k].walk});
    return result;
  }

  std::optional<Candidate> best_of(const std::vector<Candidate>& some) const {
    for (const std::size_t k : ranking())
      for (const Candidate& one : some)
        if (one.move == result_.trials[k].move) return one;
    return std::nullopt;
  }

  /// The walks of the kind of `like` as regression sees them.
  std::vector<NoisyValue> known_like(const WalkSetting& like) const {
    std::vector<NoisyValue> known;
    for (std::size_t k = 0; k < result_.trials.size(); ++k) {
      const std::optional<WalkSetting>& walk = result_.trials[k].walk;
      const TrialValue value = trials_.value(k);
      if (walk && walk->kind == like.kind && value.usable)
        known.push_back(
            {walk->place(), standing(k).value, std::hypot(standing(k).error, smallest_error)});
    }
    return known;
  }

  /// None where walks are far behind.
  const WalkSetting* best_walk() const {
    const std::vector<std::size_t> order = ranking();
    for (const std::size_t k : order)
      if (result_.trials[k].walk)
        return standing(order.front()).value - standing(k).value < std::log(3.0)
                   ? &*result_.trials[k].walk
                   : nullptr;
    return nullptr;
  }

  /// The best walk with other biases, orders and engines.
  std::vector<Candidate> varied() const {
    const WalkSetting* const like = best_walk();
    if (!like) return {};
    std::vector<Candidate> result;
    for (const WalkSetting& walk : variants(*like)) result.push_back({walk.text(), walk});
    if (like->kind == "im")
      for (const std::string& engine : space_.engines)
        result.push_back({like->text() + ",engine=" + engine, std::nullopt});
    return result;
  }

  /// Much the same length and gamma.
  static bool near(const WalkSetting& a, const WalkSetting& b) {
    const std::vector<double> x = a.place();
    const std::vector<double> y = b.place();
    return std::abs(x[0] - y[0]) < 0.7 && std::abs(x[1] - y[1]) < 0.5;
  }

  /// Where the expected improvement is largest; each proposal counts as if it had been measured.
  std::vector<Candidate> proposed() const {
    const WalkSetting* const like = best_walk();
    if (!like) return {};
    std::vector<NoisyValue> known = known_like(*like);
    std::vector<WalkSetting> grid = walk_grid(*like, space_.longest);
    for (const WalkSetting& other : variants(*like))
      for (const WalkSetting& walk : walk_grid(other, space_.longest))
        if (near(walk, other)) grid.push_back(walk);
    std::vector<Candidate> result;
    for (std::size_t n = 0; n < proposals; ++n) {
      const GaussianProcess process(known);
      double goal = -1e300;
      for (const NoisyValue& value : known) goal = std::max(goal, process.at(value.place).mean);
      const WalkSetting* next = nullptr;
      double most = 0;
      for (const WalkSetting& walk : grid) {
        const double gain = expected_improvement(process.at(walk.place()), goal);
        if (gain <= most) continue;
        most = gain;
        next = &walk;
      }
      if (!next || most < 1e-3) break;
      result.push_back({next->text(), *next});
      known.push_back({next->place(), process.at(next->place()).mean, smallest_error});
    }
    return result;
  }

  /// The best trial of every kind of move, those that cannot stand alone included.
  std::vector<std::size_t> best_of_kinds() const {
    std::vector<std::size_t> found = ranking();
    for (std::size_t k = 0; k < result_.trials.size() && result_.trials[k].round == 0; ++k)
      if (is_partial(result_.trials[k].move) && !trials_.value(k).log_rates.empty())
        found.push_back(k);
    std::set<std::string> kinds;
    std::erase_if(found, [&](std::size_t k) {
      const std::string& move = result_.trials[k].move;
      return move.find('*') != std::string::npos || !(trials_.value(k).seconds_per_move > 0) ||
             !kinds.insert(move.substr(0, move.find(':'))).second;
    });
    return found;
  }

  /// Rates of moves that take turns add up, for every quantity: what two of them would give at the
  /// best share of the time, as if the standing of a mixture.
  struct Blend {
    std::size_t a = 0;
    std::size_t b = 0;
    double share = 0.5;  // of a
    double standing = -std::numeric_limits<double>::infinity();
  };
  Blend blend(std::size_t a, std::size_t b) const {
    const TrialValue of_a = trials_.value(a);
    const TrialValue of_b = trials_.value(b);
    const auto of_anchor = [&](std::size_t k) {
      return trials_.value(anchors_[result_.trials[k].round]).log_rate;
    };
    const double scale_a = of_anchor(a);
    const double scale_b = of_anchor(b);
    Blend best{a, b};
    for (const double share : {0.1, 0.25, 0.5, 0.75, 0.9}) {
      double slowest = std::numeric_limits<double>::infinity();
      for (std::size_t q = 0; q < of_a.log_rates.size(); ++q)
        slowest = std::min(slowest, std::log(share * std::exp(of_a.log_rates[q] - scale_a) +
                                             (1 - share) * std::exp(of_b.log_rates[q] - scale_b)));
      if (slowest <= best.standing) continue;
      best.standing = slowest;
      best.share = share;
    }
    return best;
  }

  /// Pairs of different kinds that promise most.
  std::vector<Candidate> mixtures() const {
    const std::vector<std::size_t> kinds = best_of_kinds();
    std::vector<Blend> blends;
    for (std::size_t a = 0; a < kinds.size(); ++a)
      for (std::size_t b = a + 1; b < kinds.size(); ++b)
        if (!is_partial(result_.trials[kinds[a]].move) ||
            !is_partial(result_.trials[kinds[b]].move))
          blends.push_back(blend(kinds[a], kinds[b]));
    std::stable_sort(blends.begin(), blends.end(),
                     [](const Blend& x, const Blend& y) { return x.standing > y.standing; });
    std::vector<Candidate> result;
    for (const Blend& one : blends)
      if (std::isfinite(one.standing) && result.size() < most_mixtures)
        result.push_back(
            {mixture_text(result_.trials[one.a].move, trials_.value(one.a).seconds_per_move,
                          result_.trials[one.b].move, trials_.value(one.b).seconds_per_move,
                          one.share),
             std::nullopt});
    return result;
  }

  void draw_surface() {
    const WalkSetting* like = nullptr;
    for (const std::size_t k : ranking())
      if (!like && result_.trials[k].walk) like = &*result_.trials[k].walk;
    if (!like) return;
    const GaussianProcess process(known_like(*like));
    for (const WalkSetting& walk : walk_grid(*like, space_.longest)) {
      const Prediction at = process.at(walk.place());
      result_.surface.push_back({walk, at.mean, at.error});
    }
  }

  const SearchSpace& space_;
  MoveTrials& trials_;
  SearchResult result_;
  std::vector<std::size_t> anchors_;  // by round: the trial of the move that is best in the first
};

}  // namespace

double search_length(const SearchSpace& space, bool thorough) {
  const auto first =
      static_cast<double>(space.moves.size() + space.walks.size() + space.partial.size());
  const double mixed = later_length * most_mixtures;
  const double last = last_length * (finalists + 4);
  const double anchors = later_length;  // one more trial in a round
  const auto varied = static_cast<double>(most_variants + space.engines.size());
  if (!thorough) return first * first_length + mixed + anchors + last;
  return first * first_length + later_length * (kept_moves + varied + 2 * proposals) + mixed +
         4 * anchors + last;
}

double search_trials(const SearchSpace& space, bool thorough) {
  const std::size_t first = space.moves.size() + space.walks.size() + space.partial.size();
  const std::size_t varied = most_variants + space.engines.size();
  const std::size_t middle = thorough ? kept_moves + varied + 2 * proposals + 4 : 0;
  return static_cast<double>(first + middle + most_mixtures + 1 + finalists + 4);
}

SearchResult search_moves(const SearchSpace& space, bool thorough, MoveTrials& trials) {
  return Search(space, trials).run(thorough);
}

LogRatio log_ratio(const TrialValue& a, const TrialValue& b) {
  NHOT_EXPECTS(a.without.size() == b.without.size());
  LogRatio result{a.log_rate - b.log_rate, 0};
  const auto chains = static_cast<double>(a.without.size());
  double mean = 0;
  for (std::size_t c = 0; c < a.without.size(); ++c) mean += (a.without[c] - b.without[c]) / chains;
  double sum = 0;
  for (std::size_t c = 0; c < a.without.size(); ++c) {
    const double rest = a.without[c] - b.without[c] - mean;
    sum += rest * rest;
  }
  result.error = std::sqrt(sum * (chains - 1) / chains);
  return result;
}

}  // namespace nhot
