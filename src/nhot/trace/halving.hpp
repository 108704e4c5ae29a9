// Halving the draws kept, when there get to be too many of them.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace nhot {

/// Keeps every second value, the last of each pair.
template <class T>
void keep_second(std::vector<T>& values) {
  for (std::size_t k = 0; 2 * k + 1 < values.size(); ++k) values[k] = std::move(values[2 * k + 1]);
  values.resize(values.size() / 2);
}

}  // namespace nhot
