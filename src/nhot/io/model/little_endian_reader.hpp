// Numbers in the bytes of a binary file, little-endian, with the place in every error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "nhot/base/error.hpp"

namespace nhot {

/// Walks the bytes of a file. Nothing is copied: they must outlive the reader.
class LittleEndianReader {
 public:
  LittleEndianReader(std::string file, std::string_view bytes)
      : file_(std::move(file)), bytes_(bytes) {}

  const std::string& file() const { return file_; }
  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  void seek(std::size_t place) {
    if (place > bytes_.size()) fail_short();
    at_ = place;
  }
  std::string_view take(std::size_t count) {
    if (count > left()) fail_short();
    const std::string_view part = bytes_.substr(at_, count);
    at_ += count;
    return part;
  }
  /// An unsigned or signed integer or a float of this type.
  template <class T>
  T number() {
    using Raw = std::conditional_t<
        sizeof(T) == 1, std::uint8_t,
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
    const std::string_view part = take(sizeof(T));
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < sizeof(T); ++k)
      bits |= std::uint64_t{static_cast<unsigned char>(part[k])} << (8 * k);
    const auto narrow = static_cast<Raw>(bits);
    T value;
    std::memcpy(&value, &narrow, sizeof value);
    return value;
  }
  /// A number of a type by its NumPy name without the byte order ("f8", "i4", "u1", "b1").
  double number_of(std::string_view type) {
    if (type == "f8") return number<double>();
    if (type == "f4") return static_cast<double>(number<float>());
    if (type == "i8") return static_cast<double>(number<std::int64_t>());
    if (type == "i4") return number<std::int32_t>();
    if (type == "i2") return number<std::int16_t>();
    if (type == "i1") return number<std::int8_t>();
    if (type == "u8") return static_cast<double>(number<std::uint64_t>());
    if (type == "u4") return number<std::uint32_t>();
    if (type == "u2") return number<std::uint16_t>();
    if (type == "u1" || type == "b1") return number<std::uint8_t>();
    fail("numbers of type '" + std::string(type) + "' cannot be read", "store float64");
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& hint) const {
    throw InputError(file_ + ": " + problem, hint);
  }
  [[noreturn]] void fail_short() const { fail("the file is cut short", "get the file again"); }

 private:
  std::string file_;
  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace nhot
