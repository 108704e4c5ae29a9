// Do populations that were cooled from beta = 0 tell the same as the chains?
//
// Chains that all sit in one valley agree with each other. Independent populations, cooled from the
// uniform law and weighted by their estimates of Z, find valleys by their size at high temperature
// and weigh them by Z, so that they disagree with such chains: in the mean energy, in the means of
// the sites, or in the covariances of pairs of sites.
//
// Each is tested by a multiplier bootstrap of the difference D of the two means: populations and
// half-chains are independent, and sums of their deviations with random factors (normal, over the
// root of a chi-square for the small number of populations) have the law of D if there is no
// difference. That holds in any dimension: one for the energy, many for the sites.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nhot/base/packed_bits.hpp"
#include "nhot/diagnose/chains_view.hpp"

namespace nhot {

/// One population: members of equal weight.
struct WitnessPopulation {
  double log_weight = 0;  ///< log of its estimate of Z
  double energy = 0;      ///< mean over the members
  std::vector<PackedBits> states;
};

struct WitnessComparison {
  std::size_t populations = 0;  ///< 0: there is no witness
  std::size_t members = 0;
  double effective = 0;  ///< number of populations, 1 / sum of w^2
  double energy = 0;     ///< of the populations, with its standard error
  double energy_error = 0;
  double chains_energy = 0;
  double chains_energy_error = 0;
  double energy_probability = 1;      ///< of so large a difference by chance
  double sites_probability = 1;       ///< the same of the means of all sites together
  double covariance_probability = 1;  ///< and of the covariances of pairs
  struct {
    Site site = 0;
    double chains = 0;  ///< means
    double populations = 0;
    double probability = 1;  ///< of so large a difference at any site
  } worst_site;
};

/// With fewer effective populations the witness is undecided.
inline constexpr double fewest_effective_populations = 4;

/// `states` and `energies` of the chains.
WitnessComparison compare_with_witness(const std::vector<std::vector<PackedBits>>& states,
                                       const ChainsView& energies,
                                       const std::vector<WitnessPopulation>& witness);

/// What the verdict takes from a witness, and a run file keeps of it.
struct WitnessFinding {
  bool agrees = false;
  std::string sentence;  ///< empty: there was no witness
};

/// Disagreement: any of the p-values below `probability`, or an undecided witness.
WitnessFinding judge_witness(const WitnessComparison& comparison, double probability = 0.001);

}  // namespace nhot
