// A block of draws of every rung of every ladder.
#pragma once

#include <cstdint>
#include <vector>

#include "nhot/run/draw_recorder.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

/// Room for a fixed number of draws, made beforehand, so that rungs may be recorded from several
/// threads at once.
class RungRecorder {
 public:
  struct Shape {
    std::vector<double> betas;  // of the rungs
    std::size_t ladders = 1;
    std::uint64_t draws = 0;
    std::uint64_t thin = 1;                // moves between draws
    std::size_t target = 0;                // the rung whose states are kept
    std::vector<std::uint64_t> keep = {};  // draws whose states are kept
  };

  RungRecorder(const DrawRecorder& recorder, Shape shape);

  /// Draw d of a rung of ladder c; `rate` is the rung's acceptance.
  void record(std::size_t c, std::size_t rung, std::uint64_t d, const ChainView& chain,
              double rate);

  /// Adds the overlaps of ladders 2k and 2k + 1 at a rung; after all draws are recorded.
  void measure_overlaps(std::size_t rung);

  /// One trace per rung.
  const std::vector<Trace>& traces() const { return traces_; }

  /// True when the rung's next draws can be appended to a trace: it has the same columns.
  bool continues(const Trace& trace, std::size_t rung) const;

 private:
  const DrawRecorder& recorder_;
  Shape shape_;
  std::vector<Trace> traces_;
  std::vector<std::vector<std::vector<PackedBits>>> states_;  // [rung][ladder][draw], for overlaps
};

}  // namespace nhot
