// What is known when log Z_n of a band of shells has been estimated: free energies, and the law of
// n at a chemical potential.
#pragma once

#include <string>
#include <vector>

#include "nhot/base/facts.hpp"
#include "nhot/base/text_layout.hpp"
#include "nhot/chain/band/factory.hpp"
#include "nhot/run/band/profile.hpp"

namespace nhot {

/// One shell of a profile.
struct ProfileRow {
  std::uint64_t distance = 0;
  LogEstimate log_z;
  LogEstimate free_energy;  // -log_z / beta; NaN at beta = 0
  LogEstimate log_share;    // log of P(n) ~ Z_n exp(beta mu n) on the band
  double visits = 0;        // share of the moves
};

struct ProfileReport {
  Model model;
  ShellBand band;
  double beta = 0;
  double mu = 0;
  std::string engine;
  std::uint64_t chains = 0;
  std::uint64_t seed = 0;
  std::string anchor;  // what log Z is measured from
  std::vector<ProfileRow> rows;
  LogEstimate mean_distance;  // of the law of n
  std::optional<LogEstimate> closing;
  ProfileResult result;
  std::vector<std::string> notes;
};

/// Errors are the jackknife's over chains, whatever is computed from log Z.
ProfileReport make_report(const BandFactory& factory, const BandPlan& plan, double mu,
                          ProfileResult result);

Facts facts_of(const ProfileReport& report);
/// At most `most_rows` shells, evenly spaced; those of the facts are all.
std::string to_text(const ProfileReport& report, const TextLayout& layout,
                    std::size_t most_rows = 25);

}  // namespace nhot
