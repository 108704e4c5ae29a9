// Where draws go while a run goes on.
#pragma once

#include "nhot/trace/trace.hpp"

namespace nhot {

class TraceSink {
 public:
  virtual ~TraceSink() = default;

  /// Takes the next draws of a phase.
  virtual void append_warmup(const Trace& block) = 0;
  virtual void append(const Trace& block) = 0;
  /// The draws so far were thinned again: replaces everything sampled so far.
  virtual void replace(const Trace& whole) = 0;
};

}  // namespace nhot
