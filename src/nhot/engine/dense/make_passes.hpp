// The passes of a SIMD path from its loop over a run.
#pragma once

#include "nhot/engine/dense/pass.hpp"

namespace nhot::dense {

/// No row of couplings: fields do not change.
struct NoRow {};

/// Totals of both sides from their lanes.
inline void sum_lanes(const SiteBlock& run) {
  for (unsigned side = 0; side < 2; ++side) {
    const double* t = run.lane_totals[side];
    run.totals[side] = (((t[0] + t[8]) + (t[4] + t[12])) + ((t[2] + t[10]) + (t[6] + t[14]))) +
                       (((t[1] + t[9]) + (t[5] + t[13])) + ((t[3] + t[11]) + (t[7] + t[15])));
  }
}

/// The passes of a path from Pass::run<bias, direct, subtract>(run, row, steps_per_unit).
template <class Pass>
struct MakePasses {
  template <Bias bias, bool subtract, class Row>
  static void by_directness(const SiteBlock& run, Row row, double steps_per_unit) {
    if (run.formula.direct)
      Pass::template run<bias, true, subtract>(run, row, steps_per_unit);
    else
      Pass::template run<bias, false, subtract>(run, row, steps_per_unit);
  }

  template <bool subtract, class Row>
  static void by_bias(const SiteBlock& run, Row row, double steps_per_unit) {
    switch (run.formula.bias) {
      case Bias::exp:
        by_directness<Bias::exp, subtract>(run, row, steps_per_unit);
        break;
      case Bias::logistic:
        by_directness<Bias::logistic, subtract>(run, row, steps_per_unit);
        break;
      case Bias::min:
        by_directness<Bias::min, subtract>(run, row, steps_per_unit);
        break;
    }
    sum_lanes(run);
  }

  static void evaluate(const SiteBlock& run) { by_bias<false>(run, NoRow{}, 0); }

  template <class Row>
  static void by_sign(const SiteBlock& run, Row row, const Change& change) {
    if (change.subtract)
      by_bias<true>(run, row, change.steps_per_unit);
    else
      by_bias<false>(run, row, change.steps_per_unit);
  }

  static void change_and_evaluate(const SiteBlock& run, const Change& change) {
    if (change.row.narrow != nullptr)
      by_sign(run, change.row.narrow, change);
    else
      by_sign(run, change.row.wide, change);
  }

  static constexpr Passes passes = {evaluate, change_and_evaluate};
};

/// Plain C++, for every machine.
Passes portable_passes();

}  // namespace nhot::dense
