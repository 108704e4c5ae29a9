// A source of draws that walks every branch of whatever draws from it, with exact probabilities.
//
// A branch is replayed from its start: the script remembers the choices made so far, answers them
// again in the same order, and extends the path by the first outcome of every new draw. next()
// then moves on to the neighbouring branch, depth first, until all have been seen:
//
//     BranchScript script;
//     EnumeratingDraws draws(script);
//     for_each_branch(script, [&] {
//       const auto result = f(draws);
//       mass[result] += script.probability();
//     });
//
// The code under test must draw the same way each time it is started; the script checks that.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nhot/random/draws.hpp"

namespace nhot::exact {

/// Something the code under test may not do with a source of draws.
class DrawError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// A cache of boundaries between the outcomes of locates, as fractions of the total: branches meet
/// the same states again. A guessed boundary that find confirms costs a few calls of find instead
/// of the fifty of a bisection.
using KnownSteps = std::unordered_map<std::uint64_t, std::vector<double>>;

/// The choices along one path, each with all its outcomes. Shared by the copies of a source.
class BranchScript {
 public:
  struct Outcome {
    std::uint64_t value;
    double probability;
  };

  /// From here on a new draw takes a random outcome, by its probability, instead of the first.
  void wander(RandomDraws chance) { chance_ = chance; }

  /// Forgets everything: the next run starts a new enumeration.
  void reset() {
    depth_ = 0;
    position_ = 0;
  }

  /// Back to the start of the present branch.
  void rewind() { position_ = 0; }

  /// To the next branch; false when there is none.
  bool next() {
    if (position_ != depth_)
      throw DrawError("a replayed branch ended after " + std::to_string(position_) + " of " +
                      std::to_string(depth_) + " draws");
    position_ = 0;
    for (; depth_ > 0; --depth_)
      if (++choices_[depth_ - 1].current < choices_[depth_ - 1].outcomes.size()) return true;
    return false;
  }

  /// Product of the probabilities of the choices since the last rewind.
  double probability() const {
    double product = 1;
    for (std::size_t k = 0; k < position_; ++k) {
      const Choice& choice = choices_[k];
      product *= choice.outcomes[choice.current].probability;
    }
    return product;
  }

  KnownSteps& known_steps() { return known_steps_; }

  std::size_t draws() const { return position_; }
  /// Those of one kind: 'b' below, 'a' accept, 'l' locate, 't' thin.
  std::size_t draws(char kind) const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < position_; ++k) count += choices_[k].kind == kind;
    return count;
  }

  /// The value of the next choice. `kind` and `size` identify the draw; fill(outcomes) lists its
  /// outcomes when it is met for the first time.
  template <class Fill>
  std::uint64_t choose(char kind, double size, Fill&& fill) {
    if (position_ < depth_) {
      const Choice& known = choices_[position_];
      if (known.kind != kind || known.size != size)
        throw DrawError(std::string("draw ") + std::to_string(position_) +
                        " of a replayed branch is another one: " + known.kind + " of " +
                        std::to_string(known.size) + " became " + kind + " of " +
                        std::to_string(size));
    } else {
      if (choices_.size() == position_) choices_.emplace_back();
      Choice& fresh = choices_[position_];
      fresh.kind = kind;
      fresh.size = size;
      fresh.current = 0;
      fresh.outcomes.clear();
      fill(fresh.outcomes);
      if (fresh.outcomes.empty()) throw DrawError("a draw without outcomes");
      if (chance_) fresh.current = one_by_chance(fresh.outcomes);
      ++depth_;
    }
    const Choice& choice = choices_[position_++];
    return choice.outcomes[choice.current].value;
  }

 private:
  struct Choice {
    char kind = ' ';
    double size = 0;
    std::vector<Outcome> outcomes;
    std::size_t current = 0;
  };

  std::size_t one_by_chance(const std::vector<Outcome>& outcomes) {
    return chance_->locate(1.0, [&](double target) {
      std::size_t k = 0;
      for (; k + 1 < outcomes.size() && target >= outcomes[k].probability; ++k)
        target -= outcomes[k].probability;
      return k;
    });
  }

  std::optional<RandomDraws> chance_;
  KnownSteps known_steps_;
  std::vector<Choice> choices_;  // the first depth_ are the present path; the rest is spare memory
  std::size_t depth_ = 0;
  std::size_t position_ = 0;
};

/// The outcomes of find(t) for t uniform on [0, total), in order, with their probabilities, by
/// bisection of find itself. Accurate to a few ulps of the total. Throws when an outcome is not one
/// interval.
template <class Find>
void measure_steps(double total, Find&& find, std::vector<BranchScript::Outcome>& outcomes,
                   KnownSteps& known) {
  if (!(total > 0) || !std::isfinite(total))
    throw DrawError("locate in a total of " + std::to_string(total));
  const auto at = [&](double t) { return static_cast<std::uint64_t>(find(t)); };
  const double finest = total * 0x1p-54;
  const double top = std::nextafter(total, 0.0);

  // Evenly spaced probes, to notice an outcome of two intervals. Their values and the total are
  // the key to the cache.
  constexpr int probes = 8;
  double places[probes + 1];
  std::uint64_t values[probes + 1];
  std::uint64_t like = std::bit_cast<std::uint32_t>(static_cast<float>(total));
  for (int k = 0; k <= probes; ++k) {
    places[k] = k == probes ? top : total * k / probes;
    values[k] = at(places[k]);
    like = (like ^ values[k]) * 0x9e3779b97f4a7c15U;
    like ^= like >> 32;
  }
  std::vector<double>& guesses = known[like];

  // Ends of the pieces between `low` (value a) and `high` (value b), each to the nearest double.
  std::size_t guess = 0;
  const auto split = [&](const auto& self, double low, std::uint64_t a, double high,
                         std::uint64_t b) -> void {
    if (a == b) return;
    const double middle = low + (high - low) / 2;
    if (high - low <= finest || middle <= low || middle >= high) {
      outcomes.back().probability = middle;  // the end of the piece, for now
      outcomes.push_back({b, 0});
      return;
    }
    const double around = total * 0x1p-51;
    while (guess < guesses.size() && guesses[guess] * total <= low + around) ++guess;
    if (guess < guesses.size() && guesses[guess] * total < high - around) {
      const double before = guesses[guess] * total - around;
      const double after = guesses[guess] * total + around;
      const std::uint64_t x = at(before);
      const std::uint64_t y = at(after);
      ++guess;
      self(self, low, a, before, x);
      self(self, before, x, after, y);
      self(self, after, y, high, b);
      return;
    }
    const std::uint64_t m = at(middle);
    self(self, low, a, middle, m);
    self(self, middle, m, high, b);
  };
  outcomes.push_back({values[0], 0});
  for (int k = 0; k < probes; ++k) split(split, places[k], values[k], places[k + 1], values[k + 1]);
  outcomes.back().probability = total;
  guesses.clear();
  double begin = 0;
  for (BranchScript::Outcome& outcome : outcomes) {
    const double end = outcome.probability;
    if (end < total) guesses.push_back(end / total);
    outcome.probability = (end - begin) / total;
    begin = end;
  }
  for (std::size_t k = 0; k < outcomes.size(); ++k)
    for (std::size_t l = 0; l < k; ++l)
      if (outcomes[k].value == outcomes[l].value)
        throw DrawError("outcome " + std::to_string(outcomes[k].value) +
                        " of locate lies in two separate pieces");
  // find(total), which rounding may ask for, must be the last outcome, or one too narrow to be met.
  const std::uint64_t end = at(total);
  for (std::size_t k = 0; k + 1 < outcomes.size(); ++k)
    if (outcomes[k].value == end)
      throw DrawError("locate answers the end of its interval by outcome " + std::to_string(end) +
                      ", which lies before others");
}

template <class Find>
void measure_steps(double total, Find&& find, std::vector<BranchScript::Outcome>& outcomes) {
  KnownSteps nothing;
  measure_steps(total, find, outcomes, nothing);
}

/// A handle on a script; copies walk the same path.
class EnumeratingDraws {
 public:
  explicit EnumeratingDraws(BranchScript& script) : script_(&script) {}

  std::uint64_t below(std::uint64_t n) {
    if (n == 0) throw DrawError("below(0)");
    return script_->choose('b', static_cast<double>(n), [n](auto& outcomes) {
      const double share = 1.0 / static_cast<double>(n);
      for (std::uint64_t i = 0; i < n; ++i) outcomes.push_back({i, share});
    });
  }

  bool accept(double p) {
    if (std::isnan(p)) throw DrawError("accept(NaN)");
    const double yes = p >= 1 ? 1.0 : p > 0 ? p : 0.0;
    return script_->choose('a', yes, [yes](auto& outcomes) {
      if (yes > 0) outcomes.push_back({1, yes});
      if (yes < 1) outcomes.push_back({0, 1 - yes});
    }) != 0;
  }

  template <class Find>
  auto locate(double total, Find&& find) {
    using Result = std::decay_t<decltype(find(total))>;
    return static_cast<Result>(script_->choose('l', total, [&](auto& outcomes) {
      measure_steps(total, find, outcomes, script_->known_steps());
    }));
  }

  /// Rejection sampling as one draw: i with probability keep(i) / sum of keep.
  template <class Keep>
  std::uint64_t thin(std::uint64_t n, Keep&& keep) {
    if (n == 0) throw DrawError("thin(0)");
    return script_->choose('t', static_cast<double>(n), [&](auto& outcomes) {
      double total = 0;
      for (std::uint64_t i = 0; i < n; ++i) {
        const double kept = keep(i);
        if (!(kept >= 0 && kept <= 1))
          throw DrawError("thin keeps with probability " + std::to_string(kept));
        if (kept == 0) continue;
        outcomes.push_back({i, kept});
        total += kept;
      }
      for (auto& outcome : outcomes) outcome.probability /= total;
    });
  }

 private:
  BranchScript* script_;
};

static_assert(DrawSource<EnumeratingDraws>);

/// Calls run() once per branch; script.probability() after the run is that of its branch.
template <class Run>
void for_each_branch(BranchScript& script, Run&& run) {
  script.reset();
  do {
    script.rewind();
    run();
  } while (script.next());
}

}  // namespace nhot::exact
