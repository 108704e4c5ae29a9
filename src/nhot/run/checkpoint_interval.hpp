// How often the state of a run goes to a file.
#pragma once

#include <cstdlib>

#include "nhot/base/options.hpp"

namespace nhot {

/// Seconds between checkpoints, at least: one. The variable NHOT_CHECKPOINT_SECONDS sets it for
/// tests that kill runs of a fraction of a second.
inline double checkpoint_interval() {
  static const double seconds = [] {
    const char* const text = std::getenv("NHOT_CHECKPOINT_SECONDS");
    const auto value = text ? parse_real(text) : std::nullopt;
    return value && *value >= 0 ? *value : 1.0;
  }();
  return seconds;
}

/// Of the run's time, at most, that checkpoints may take.
inline double checkpoint_share() { return checkpoint_interval() < 1 ? 0.5 : 0.05; }

}  // namespace nhot
