// What a chain over a band of shells has seen of each shell: enough for the ratios of neighbouring
// partition functions.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "nhot/base/inline.hpp"
#include "nhot/state/weight.hpp"

namespace nhot {

/// A sum of positive terms of any size: value * exp(log_scale), on the scale of the largest term.
struct ScaledSum {
  double value = 0;
  double log_scale = 0;

  NHOT_ALWAYS_INLINE void add(const ScaledWeight& term) {
    if (term.log_scale == log_scale) [[likely]]
      value += term.value;
    else
      add_scaled(term);
  }
  /// Keeps this share of what was added.
  void fade(double share) { value *= share; }
  /// Minus infinity of an empty sum.
  double log() const { return std::log(value) + log_scale; }

 private:
  void add_scaled(const ScaledWeight& term) {
    if (value == 0) {
      value = term.value;
      log_scale = term.log_scale;
    } else if (term.log_scale > log_scale) {
      value = value * std::exp(log_scale - term.log_scale) + term.value;
      log_scale = term.log_scale;
    } else {
      value += term.value * std::exp(term.log_scale - log_scale);
    }
  }
};

/// Of the steps that began on one shell. With w_i = 1 / (1 + exp(beta dE_i)), W_out the sum of w
/// over the agreeing sites and W_in over the differing ones,
///
///     Z_{n+1} / Z_n = E_n[W_out] / E_{n+1}[W_in],
///
/// Bennett's ratio over all pairs of neighbouring states: flipping i from x on shell n to y gives
/// w_i(x) exp(-beta E(x)) = w_i(y) exp(-beta E(y)).
struct ShellTally {
  double visits = 0;
  ScaledSum outward;  // W_out; nothing on the last shell of the band
  ScaledSum inward;   // W_in; nothing on the first

  /// Keeps this share, and nothing when it is less than a visit.
  void fade(double share) {
    visits *= share;
    outward.fade(share);
    inward.fade(share);
    if (visits < 1) *this = {};
  }
};

/// By shell, from the first of the band on.
using BandTally = std::vector<ShellTally>;

}  // namespace nhot
