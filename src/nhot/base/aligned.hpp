// Vectors that start at a cache line, for arrays that SIMD code walks through.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace nhot {

inline constexpr std::size_t cache_line = 64;

template <class T>
struct AlignedAllocator {
  using value_type = T;

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT: rebinding is implicit

  T* allocate(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{cache_line}));
  }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{cache_line}); }

  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace nhot
