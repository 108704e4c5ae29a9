// Large arrays on large pages, where the system has them.
#pragma once

#include <cstddef>

namespace nhot {

/// Asks for large (huge) pages for memory that has not been written yet; less than two such pages
/// are left alone. Saves TLB misses in random access to arrays beyond the caches. The system may
/// decline, which changes nothing but speed.
void prefer_large_pages(void* memory, std::size_t bytes);

/// Reserves n elements on large pages; to be called before the vector grows to that size.
template <class Vector>
void reserve_large(Vector& vector, std::size_t n) {
  vector.reserve(n);
  prefer_large_pages(vector.data(), n * sizeof(typename Vector::value_type));
}

}  // namespace nhot
