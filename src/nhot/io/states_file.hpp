// States for other programs: comma-separated values, NumPy's .npy, or plain text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nhot/base/packed_bits.hpp"
#include "nhot/model/site_names.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

/// One row of the file.
struct StateRow {
  std::uint64_t chain = 0;  // or the place in a list of best states
  std::uint64_t draw = 0;
  double energy = 0;
  const PackedBits* state = nullptr;
};

/// The kept states of a trace, chain by chain.
std::vector<StateRow> state_rows(const Trace& trace);

/// By the extension: .csv has the columns chain, draw, energy, and x0, x1, ... or the names of the
/// sites; .npy an array (state, site) of uint8; .txt a line of 0 and 1 per state. InputError for
/// another extension, or when the file exists, unless `force`. Written whole or not at all.
void write_states(const std::vector<StateRow>& rows, const SiteNames& names,
                  const std::string& path, bool force);

/// The errors that writing there would meet now: to be called before long work.
void check_states_file(const std::string& path, bool force);

}  // namespace nhot
