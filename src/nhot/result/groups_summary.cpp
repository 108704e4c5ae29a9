#include "nhot/result/groups_summary.hpp"

#include <algorithm>

#include "nhot/base/text_layout.hpp"

namespace nhot {
namespace {

// "3", or "3 to 8".
std::string range_text(const std::vector<std::uint64_t>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return with_commas(*low) + (*low == *high ? "" : " to " + with_commas(*high));
}

}  // namespace

std::optional<GroupsSummary> summary_of_groups(const Shell& shell) {
  if (!shell.grouped()) return std::nullopt;
  GroupsSummary summary;
  for (Group g = 0; g < shell.groups(); ++g) {
    summary.sizes.push_back(shell.group_size(g));
    summary.distances.push_back(shell.distance(g));
  }
  summary.free = shell.free_sites();
  summary.single_state = shell.single_state();
  return summary;
}

std::string to_text(const GroupsSummary& groups) {
  std::string text;
  const std::size_t count = groups.sizes.size();
  if (count > 0)
    text = with_commas(count) + (count == 1 ? " group of " : " groups of ") +
           range_text(groups.sizes) + " sites at distance " + range_text(groups.distances);
  if (groups.free > 0)
    text += (text.empty() ? "" : ", ") + with_commas(groups.free) +
            (groups.free == 1 ? " free site" : " free sites");
  return text;
}

Facts facts_of(const GroupsSummary& groups) {
  return {{"text", to_text(groups)},
          {"sizes", groups.sizes},
          {"distances", groups.distances},
          {"free", groups.free}};
}

std::string shell_text(std::uint64_t distance, const std::optional<GroupsSummary>& groups) {
  return groups ? to_text(*groups) : "distance " + with_commas(distance);
}

}  // namespace nhot
