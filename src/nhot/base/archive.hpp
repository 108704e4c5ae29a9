// Saving and restoring values of many kinds, named once for both directions.
//
//     template <class Archive>
//     void visit_fields(Archive& archive, Position& p) { archive(p.round, p.betas, p.name); }
//
//     Saving saving;                 Restoring restoring(bytes);
//     saving(position);              restoring(position);
//     bytes = saving.take();
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/packed_bits.hpp"

namespace nhot {

/// Numbers, texts, lists of them, and whatever has visit_fields(archive, value).
class Saving {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }
  std::vector<std::byte> take() { return bytes_.take(); }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_trivially_copyable_v<T>)
      bytes_.put(value);
    else
      visit_fields(*this, const_cast<T&>(value));  // an archive that saves changes nothing
  }
  void put(const std::string& text) { bytes_.put(std::vector<char>(text.begin(), text.end())); }
  void put(const std::vector<bool>& flags) {
    bytes_.put(std::vector<std::uint8_t>(flags.begin(), flags.end()));
  }
  void put(const PackedBits& bits) {
    bytes_.put<std::uint64_t>(bits.size());
    bytes_.put(std::vector<std::uint64_t>(bits.data(), bits.data() + bits.words()));
  }
  template <class T>
  void put(const std::vector<T>& values) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      bytes_.put(values);
    } else {
      bytes_.put<std::uint64_t>(values.size());
      for (const T& value : values) put(value);
    }
  }
  template <class T>
  void put(const std::optional<T>& value) {
    bytes_.put<std::uint8_t>(value.has_value());
    if (value) put(*value);
  }

  ByteWriter bytes_;
};

/// Reads what a Saving wrote. A short or foreign archive is an InputError; no more memory is taken
/// than the archive is long, up to a factor.
class Restoring {
 public:
  explicit Restoring(const std::vector<std::byte>& bytes) : bytes_(bytes) {}

  template <class... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }
  bool at_end() const { return bytes_.at_end(); }

 private:
  template <class T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = bytes_.get<std::uint8_t>() != 0;
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      bytes_.get(value);
    } else {
      visit_fields(*this, value);
    }
  }
  void get(std::string& text) {
    std::vector<char> letters;
    bytes_.get(letters);
    text.assign(letters.begin(), letters.end());
  }
  void get(std::vector<bool>& flags) {
    std::vector<std::uint8_t> values;
    bytes_.get(values);
    flags.assign(values.begin(), values.end());
  }
  void get(PackedBits& bits) {
    const auto size = bytes_.get<std::uint64_t>();
    std::vector<std::uint64_t> words;
    bytes_.get(words);
    if (words.size() != size / 64 + (size % 64 > 0)) ByteReader::damaged();
    Bits unpacked(size);
    for (std::size_t i = 0; i < size; ++i)
      unpacked[i] = static_cast<Bit>(words[i / 64] >> (i % 64) & 1U);
    bits.assign(unpacked);
  }
  template <class T>
  void get(std::vector<T>& values) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      bytes_.get(values);
    } else {
      // One by one: a size that was damaged meets the end of the archive, not that of the memory.
      values.clear();
      for (auto left = bytes_.get<std::uint64_t>(); left > 0; --left) get(values.emplace_back());
    }
  }
  template <class T>
  void get(std::optional<T>& value) {
    value.reset();
    if (bytes_.get<std::uint8_t>() != 0) get(value.emplace());
  }

  ByteReader bytes_;
};

}  // namespace nhot
