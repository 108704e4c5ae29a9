// The best distinct states among those that a run has kept.
#pragma once

#include <cstddef>
#include <vector>

#include "nhot/model/site_names.hpp"
#include "nhot/result/text_parts.hpp"
#include "nhot/run/best_states.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

struct KeptState {
  FoundState found;
  double share = 0;  // of the kept states
};

/// At most so many, best first. `best` joins them, unless it has no bits: the best draw of a run
/// need not be among the kept ones.
std::vector<KeptState> best_kept_states(const Trace& trace, const FoundState& best,
                                        std::size_t most);

/// A row for each; the sites that are 1 only where they say something.
TextRows state_rows(const std::vector<KeptState>& states, const SiteNames& names, bool lists_sites);

}  // namespace nhot
