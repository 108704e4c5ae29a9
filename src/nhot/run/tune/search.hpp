// The search for the move of the most effective draws per second, apart from how moves are
// measured: rounds of trials of growing length for the better half, Bayesian optimisation of the
// best walk, mixtures, and a last round for those that are left.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "nhot/run/tune/settings.hpp"

namespace nhot {

/// Of the observable that forgets slowest. Logs, for errors are relative.
struct TrialValue {
  bool usable = false;            // false: nothing moved, or the move was refused
  double log_rate = 0;            // of effective draws per second, as seen within a trial's length
  double error = 0;               // standard error of log_rate
  std::vector<double> log_rates;  // of every quantity; -inf where it does not move
  std::vector<double> without;    // log_rate without the k-th chain, for errors of differences
  std::string slowest;            // observable
  double ess_per_second = std::numeric_limits<double>::quiet_NaN();  // NaN: not known
  double seconds_per_move = 0;
  double acceptance = 0;
};

/// The door through which a search measures.
class MoveTrials {
 public:
  virtual ~MoveTrials() = default;
  /// Tries the moves side by side, each for `length` units of time. False: no time is left.
  virtual bool run(const std::vector<std::string>& moves, double length) = 0;
  /// The k-th move that was run, by all that is known now.
  virtual TrialValue value(std::size_t k) const = 0;
};

/// One row of the log of a search.
struct TrialEntry {
  std::string move;
  std::optional<WalkSetting> walk;  // a place in the space that is searched
  std::size_t round = 0;
  double length = 0;  // units of time
};

/// What regression says of the walks when the search has ended.
struct SurfacePoint {
  WalkSetting walk;
  double standing = 0;  // as of the trials
  double error = 0;
};

struct SearchResult {
  std::vector<TrialEntry> trials;   // the k-th is the k-th of MoveTrials
  std::vector<std::string> rounds;  // what each was for
  std::vector<std::size_t> last;    // trials that are judged by: the best first
  std::vector<double> standings;    // of the trials: log rates that can be compared; NaN: none
  std::vector<SurfacePoint> surface;
};

/// What a whole search takes at most: units of time, and trials.
double search_length(const SearchSpace& space, bool thorough);
double search_trials(const SearchSpace& space, bool thorough);

/// At least one move of the space is usable, or `last` is empty.
SearchResult search_moves(const SearchSpace& space, bool thorough, MoveTrials& trials);

/// log_rate(a) - log_rate(b) and its standard error, from the chains both have in common. Both are
/// usable.
struct LogRatio {
  double value = 0;
  double error = 0;
};
LogRatio log_ratio(const TrialValue& a, const TrialValue& b);

}  // namespace nhot
