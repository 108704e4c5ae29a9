// A block of draws of every rung of every ladder.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nhot/base/archive.hpp"
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

  /// Draw d of a rung of ladder c.
  void record(std::size_t c, std::size_t rung, std::uint64_t d, const ChainView& chain);
  /// Moves accepted there since the draw before, all or some of them.
  void add_accepted(std::size_t c, std::size_t rung, std::uint64_t d, std::uint64_t moves) {
    accepted_[index(c, rung, d)] += moves;
  }
  /// From what was accepted, the rates; after all draws.
  void measure_rates();

  /// What was recorded on this rank; and on another one, by an archive of it.
  void save(Saving& saving) const;
  void merge(Restoring& restoring);

  /// Adds the overlaps of ladders 2k and 2k + 1 at a rung; after all draws are recorded.
  void measure_overlaps(std::size_t rung);

  const Shape& shape() const { return shape_; }
  /// One trace per rung.
  const std::vector<Trace>& traces() const { return traces_; }

  /// True when the rung's next draws can be appended to a trace: it has the same columns.
  bool continues(const Trace& trace, std::size_t rung) const;

 private:
  struct Row {
    double energy = 0;
    std::int32_t saw_length = 0;
    std::int32_t hamming_move = 0;
    std::uint64_t accepted = 0;
  };

  std::size_t index(std::size_t c, std::size_t rung, std::uint64_t d) const {
    return (rung * shape_.ladders + c) * shape_.draws + d;
  }
  struct Place {
    std::size_t c;
    std::size_t rung;
    std::uint64_t d;
  };
  Place place_of(std::size_t index) const {
    const std::size_t series = index / shape_.draws;
    return {series % shape_.ladders, series / shape_.ladders, index % shape_.draws};
  }
  /// Where the state of a draw is kept for the trace; none: it is not.
  std::optional<std::size_t> kept_as(std::size_t rung, std::uint64_t d) const;
  bool needs_state(std::size_t rung, std::uint64_t d) const {
    return !states_.empty() || kept_as(rung, d);
  }
  const PackedBits& state(std::size_t c, std::size_t rung, std::uint64_t d) const;
  void put_state(std::size_t c, std::size_t rung, std::uint64_t d, PackedBits state);

  const DrawRecorder& recorder_;
  Shape shape_;
  std::vector<Trace> traces_;
  std::vector<std::vector<std::vector<PackedBits>>> states_;  // [rung][ladder][draw], for overlaps
  std::vector<std::uint64_t> accepted_;                       // by index()
  std::vector<std::uint8_t> recorded_;                        // 1: on this rank; by index()
};

}  // namespace nhot
