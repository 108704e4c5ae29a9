// From which temperature to which, and how fast in between.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "nhot/model/model.hpp"
#include "nhot/run/walker.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

enum class Cooling {
  geometric,  // beta grows by equal factors
  linear,     // beta grows by equal steps
  adaptive,   // slow where the energy fluctuates: half of the time in proportion to its standard
              // deviation, half of it linear
};

/// beta as a function of progress from 0 to 1, through knots at equal progress.
class CoolingSchedule {
 public:
  explicit CoolingSchedule(std::vector<double> knots);

  double at(double progress) const;
  double hottest() const { return knots_.front(); }
  double coldest() const { return knots_.back(); }
  const std::vector<double>& knots() const { return knots_; }

 private:
  std::vector<double> knots_;
};

/// Hot end: beta times the standard deviation of the flip costs of a side, in uniform states, is 1.
/// Cold end: a walker cooled quickly from there takes almost no step up any more. Either end can be
/// given and is then kept as it is; InputError where beta times an energy overflows. Deterministic:
/// the walker's own stream and the stream (seed, 0, 0, tune) fix the answer, unless `stop` ends the
/// search for the cold end.
CoolingSchedule plan_cooling(const Model& model, const Shell& shell, Walker& walker,
                             Cooling cooling, std::optional<double> hottest,
                             std::optional<double> coldest, std::uint64_t seed,
                             const std::function<bool()>& stop);

}  // namespace nhot
