#include "nhot/base/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace nhot {

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t rows = a.size() + 1;
  const std::size_t columns = b.size() + 1;
  std::vector<int> cost(rows * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return cost[i * columns + j]; };
  for (std::size_t i = 0; i < rows; ++i) at(i, 0) = static_cast<int>(i);
  for (std::size_t j = 0; j < columns; ++j) at(0, j) = static_cast<int>(j);
  for (std::size_t i = 1; i < rows; ++i) {
    for (std::size_t j = 1; j < columns; ++j) {
      const int replace = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return cost.back();
}

namespace {

std::string lower_case(std::string_view text) {
  std::string copy(text);
  for (char& c : copy) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return copy;
}

}  // namespace

std::string nearest_name(std::string_view typed, std::span<const std::string> known) {
  // Case is ignored.
  const std::string small = lower_case(typed);
  std::string best;
  int best_distance = 1 + static_cast<int>(std::max<std::size_t>(1, typed.size() / 3));
  for (const std::string& name : known) {
    const int distance = edit_distance(small, lower_case(name));
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  if (!best.empty() || typed.size() < 3) return best;
  // Otherwise: a prefix of exactly one name.
  for (const std::string& name : known) {
    if (!lower_case(name).starts_with(small)) continue;
    if (!best.empty() && best != name) return {};
    best = name;
  }
  return best;
}

std::string unknown_name_hint(std::string_view typed, std::span<const std::string> known) {
  std::string hint;
  if (const std::string near = nearest_name(typed, known); !near.empty())
    hint = "did you mean '" + near + "'? ";
  hint += "known: ";
  for (std::size_t k = 0; k < known.size(); ++k) hint += (k ? ", " : "") + known[k];
  return hint;
}

}  // namespace nhot
