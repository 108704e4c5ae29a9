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

/// Acceptance probabilities of the steps in one direction, whether they were accepted or not.
struct StepTally {
  double steps = 0;
  double acceptance = 0;  // sum of alpha

  void add(double alpha) {
    steps += 1;
    acceptance += alpha;
  }
  void add(const StepTally& other) {
    steps += other.steps;
    acceptance += other.acceptance;
  }
  void fade(double share) {
    steps *= share;
    acceptance *= share;
  }
};

/// Of the steps that began on one shell. While the weights v_n of the shells are frozen, the chain
/// is in balance: as many steps lead from shell n to n + 1 as back. So
///
///     v_{n+1} Z_{n+1} / (v_n Z_n) = E_n[alpha of a step outward] / E_{n+1}[alpha of one inward],
///
/// Bennett's ratio over the pairs of neighbouring states by their flow. No rare state weighs more
/// than others, as alpha is at most 1.
///
/// With w_i = 1 / (1 + exp(beta dE_i)), W_out the sum of w over the agreeing sites and W_in over
/// the differing ones, there is also Z_{n+1} / Z_n = E_n[W_out] / E_{n+1}[W_in], as flipping i from
/// x on shell n to y gives w_i(x) exp(-beta E(x)) = w_i(y) exp(-beta E(y)). It holds while the
/// weights are being learned, too, and is sharp after few visits; but where all dE are far from 0
/// states that are never met may make up most of a mean. So it serves to learn weights, and nothing
/// else.
struct ShellTally {
  double visits = 0;
  ScaledSum outward;  // W_out; nothing on the last shell of the band
  ScaledSum inward;   // W_in; nothing on the first
  StepTally steps_outward;
  StepTally steps_inward;

  /// Keeps this share, and nothing when it is less than a visit.
  void fade(double share) {
    visits *= share;
    outward.fade(share);
    inward.fade(share);
    steps_outward.fade(share);
    steps_inward.fade(share);
    if (visits < 1) *this = {};
  }
};

/// By shell, from the first of the band on.
using BandTally = std::vector<ShellTally>;

}  // namespace nhot
