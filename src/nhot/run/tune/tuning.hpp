// The search for the best move, on chains of the model itself.
//
// Chains are warmed up, then moves are tried side by side in short slices from the same states; the
// states at the end of the best one are where the next round begins. A move is worth the effective
// draws per second of the quantity that its chains forget slowest: energy, an observable of the
// model, the overlap of two chains, or the sites taken together.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nhot/model/model.hpp"
#include "nhot/run/tune/search.hpp"
#include "nhot/shell/shell.hpp"
#include "nhot/trace/observables.hpp"

namespace nhot {

class StateStore;

enum class TuneObjective {
  time,  // CPU seconds, as measured: two searches may end differently
  count  // moves, at costs measured once (move_cost.hpp): the same on every machine
};

struct TuningPlan {
  double seconds = 10;  // of the whole search; with count: nominal ones
  std::uint64_t chains = 8;
  std::uint64_t threads = 0;  // 0: one per core, at most one per chain
  std::uint64_t seed = 1;
  TuneObjective objective = TuneObjective::time;
  std::optional<Bits> start;  // default: uniform on the shell
  Observables observables;    // of the caller's own, beside those of the model
};

struct TuningProgress {
  double fraction = 0;
  double seconds = 0;
  std::uint64_t trials = 0;
};

struct TuningHooks {
  std::function<void(const TuningProgress&)> progress;
  std::function<bool()> stop;
  StateStore* store = nullptr;  // what each round of trials has told
};

struct TuningResult {
  std::string
      move;  // as --move has it, with every parameter; untuned_move where nothing could be told
  SearchResult search;
  std::vector<TrialValue> values;    // of search.trials
  std::vector<std::string> trapped;  // quantities whose chains did not mix during the search
  std::vector<std::string> unseen;   // quantities that change more slowly than trials are long
  double seconds = 0;                // wall clock
  bool interrupted = false;

  /// The chosen one's; NaN where nothing could be told.
  double ess_per_second() const;
  /// Of the chosen move over another of the last round, by its text; nothing when it was not there.
  std::optional<LogRatio> gain_over(const std::string& move) const;
  /// Moves of the last round that are not slower by more than two standard errors.
  std::vector<std::string> ties() const;
};

/// Where no walk is named: the move that was the default before there was a search.
inline constexpr const char* untuned_move = "im";

TuningResult run_tuning(const Model& model, const Shell& shell, double beta, const TuningPlan& plan,
                        const TuningHooks& hooks = {});

}  // namespace nhot
