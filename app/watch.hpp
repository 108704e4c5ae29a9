// A long run as a person sees it: a bar that moves, and Ctrl-C that ends it early.
#pragma once

#include <string>
#include <utility>

#include "nhot/run/sample/independent.hpp"
#include "progress.hpp"

namespace nhot::app {

/// What the bar calls the run: "sampling", and "moves" for what it counts, `per_count` for each
/// that the run reports.
struct WatchWords {
  std::string phase;
  std::string unit;
  double per_count = 1;
};

/// Hooks that move the bar and end the run after an interrupt. They refer to the bar.
RunHooks hooks_of(ProgressBar& bar, const WatchWords& words);

/// run(hooks), with a bar that is gone afterwards. An InterruptGuard must be alive.
template <class Run>
auto run_watched(bool quiet, const WatchWords& words, Run&& run) {
  ProgressBar bar(quiet);
  return std::forward<Run>(run)(hooks_of(bar, words));
}

}  // namespace nhot::app
