// Sizes that a text asks for.
#pragma once

#include <charconv>
#include <string_view>

namespace nhot::fuzz {

/// True when a whole number of the text lies in a range. A model as large as its file says is no
/// bug, only slow: the sizes that are left are small, or beyond what any model may have.
inline bool has_number_between(std::string_view text, std::uint64_t least, std::uint64_t most) {
  for (std::size_t at = 0; at < text.size();) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (error == std::errc() && number >= least && number <= most) return true;
    at = std::max<std::size_t>(at + 1, static_cast<std::size_t>(end - text.data()));
  }
  return false;
}

}  // namespace nhot::fuzz
