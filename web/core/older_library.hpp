// Parts of C++20 that nhot uses and the C++ library of Debian's Emscripten (libc++ 13) has not got.
// Included before every file by web/CMakeLists.txt, and by nothing else.
#pragma once

#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

#ifndef _LIBCPP_VERSION
#error "made for the C++ library of Emscripten"
#endif

#if _LIBCPP_VERSION < 14000
namespace std {

template <class To, class From>
requires(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> &&
         is_trivially_copyable_v<From>) constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

/// The shortest text that reads back as the same number, as the standard has it.
inline to_chars_result to_chars(char* first, char* last, double value) {
  char text[32];
  int length = 0;
  for (int digits = 1; digits <= 17; ++digits) {
    length = snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, nullptr) == value) break;
  }
  if (last - first < length) return {last, errc::value_too_large};
  return {copy(text, text + length, first), errc{}};
}

inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const string text(first, last);  // strtod wants an end
  char* end = nullptr;
  const double read = strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, errc::invalid_argument};
  value = read;
  return {first + (end - text.c_str()), errc{}};
}

}  // namespace std
#endif
