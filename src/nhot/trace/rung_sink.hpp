// Where the draws of a tempering run go while it goes on.
#pragma once

#include <cstddef>
#include <vector>

#include "nhot/trace/trace.hpp"

namespace nhot {

/// Traces are those of the rungs, from hot to cold, all with the same number of draws. The target
/// is the rung at the wanted beta.
class RungSink {
 public:
  virtual ~RungSink() = default;

  /// Takes the next draws.
  virtual void append_rungs(const std::vector<Trace>& blocks, std::size_t target) = 0;
  /// The draws so far were thinned again: replaces all of them.
  virtual void replace_rungs(const std::vector<Trace>& wholes, std::size_t target) = 0;
};

}  // namespace nhot
