// The groups of a shell, as reports tell of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nhot/base/facts.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// Of a grouped shell.
struct GroupsSummary {
  std::vector<std::uint64_t> sizes;  // by group
  std::vector<std::uint64_t> distances;
  std::uint64_t free = 0;  // sites
  bool single_state = false;
};

/// Nothing for one group of all sites.
std::optional<GroupsSummary> summary_of_groups(const Shell& shell);

/// "200 groups of 3 sites at distance 1, 4 free sites".
std::string to_text(const GroupsSummary& groups);
Facts facts_of(const GroupsSummary& groups);

/// "distance 10", or the groups.
std::string shell_text(std::uint64_t distance, const std::optional<GroupsSummary>& groups);

}  // namespace nhot
