// Whether bytes are as they were written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "nhot/model/digest.hpp"

namespace nhot {

/// With their number. Depends on the byte order, as the bytes do.
inline void add_bytes(Digest& digest, const void* data, std::size_t size) {
  const char* const bytes = static_cast<const char*>(data);
  for (std::size_t at = 0; at < size; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + at, std::min<std::size_t>(8, size - at));
    digest.add(word);
  }
  digest.add(std::uint64_t{size});
}

inline std::string checksum_of(const std::vector<std::vector<std::byte>>& lists) {
  Digest digest;
  for (const auto& bytes : lists) add_bytes(digest, bytes.data(), bytes.size());
  return "sum-" + digest.hex();  // never a number
}

}  // namespace nhot
