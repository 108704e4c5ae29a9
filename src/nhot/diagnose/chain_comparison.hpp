// Do the chains visit the same states? All sites, all pairs of sites and all pairs of chains at
// once, beside what single observables say.
//
// The states kept of every chain are cut into batches of consecutive ones. If the chains sample one
// law and decorrelate within a batch, batches are independent and identically distributed, and the
// variance between half-chains is what the variance between their batches implies. Three tests:
//
//   sites       the means of all sites together, in the analysis of variance of batch_spread.hpp
//   covariance  the same for the covariances of all pairs of sites: sees chains that differ in a
//               pattern that wanders, such as stripes that lie in one direction
//   worst site  the site with the largest Fisher's F, Bonferroni-corrected: sees a few sites that
//               are stuck among many that are not
//
// and one in time: `pattern` is the projection of the states on the leading principal component of
// the batches' means, found from even states and evaluated on odd ones, so that it does not fit
// noise; slow modes of the chains are slow there.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nhot/base/packed_bits.hpp"
#include "nhot/diagnose/batch_spread.hpp"
#include "nhot/diagnose/summary.hpp"

namespace nhot {

struct ChainComparison {
  std::size_t chains = 0;
  std::size_t states = 0;  ///< per chain; 0: too few to compare
  GroupSpread sites;
  GroupSpread covariance;

  struct WorstSite {
    Site site = 0;
    double ratio = 0;        ///< as of GroupSpread
    double probability = 1;  ///< of a ratio this large at any of the sites
    double lowest = 0;       ///< mean of the half-chain where it is lowest
    double highest = 0;
  } worst_site;

  ObservableSummary site_pattern;        ///< times in states
  ObservableSummary covariance_pattern;  ///< the same for covariances
};

/// The fewest states per chain that say anything.
inline constexpr std::size_t fewest_compared_states = 16;

/// States of every chain, in order, evenly spaced in time. Costs at most about a tenth of a second
/// for any number of states, and one pass over all of them.
ChainComparison compare_chains(const std::vector<std::vector<PackedBits>>& states);

}  // namespace nhot
