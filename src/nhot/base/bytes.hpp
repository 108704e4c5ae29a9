// A flat byte archive for the state of a chain: values are read in the order they were written, to
// the bit. Integers and doubles are in this machine's representation; the file format around it
// records that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "nhot/base/error.hpp"

namespace nhot {

class ByteWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { append(&value, sizeof value); }

  template <class T, class Allocator>
  requires std::is_trivially_copyable_v<T>
  void put(const std::vector<T, Allocator>& values) {
    put<std::uint64_t>(values.size());
    append(values.data(), values.size() * sizeof(T));
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) {
    if (size == 0) return;
    const std::size_t old = bytes_.size();
    bytes_.resize(old + size);
    std::memcpy(bytes_.data() + old, data, size);
  }

  std::vector<std::byte> bytes_;
};

/// Reads what a ByteWriter wrote; a short or foreign archive is an InputError, never a crash.
class ByteReader {
 public:
  explicit ByteReader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get(T& value) { take(&value, sizeof value); }

  template <class T>
  requires std::is_trivially_copyable_v<T> T get() {
    T value;
    get(value);
    return value;
  }

  /// A vector of any size that the archive can hold.
  template <class T, class Allocator>
  requires std::is_trivially_copyable_v<T>
  void get(std::vector<T, Allocator>& values) {
    const auto size = get<std::uint64_t>();
    if (size > (bytes_.size() - position_) / sizeof(T)) fail();
    values.resize(size);
    take(values.data(), size * sizeof(T));
  }

  /// A vector whose size is known; another size means a state of another chain.
  template <class T, class Allocator>
  void get_sized(std::vector<T, Allocator>& values, std::size_t size) {
    std::vector<T, Allocator> fresh;  // on failure `values` is unchanged
    get(fresh);
    if (fresh.size() != size) fail();
    values = std::move(fresh);
  }

  bool at_end() const { return position_ == bytes_.size(); }

  /// For values that no chain can have saved.
  [[noreturn]] static void damaged() {
    throw InputError("the saved chain state is damaged",
                     "resume from an earlier checkpoint, or start again");
  }

 private:
  [[noreturn]] static void fail() {
    throw InputError("the saved chain state does not fit this chain",
                     "resume with the model, move and distance of the run that saved it");
  }

  void take(void* data, std::size_t size) {
    if (size > bytes_.size() - position_) fail();
    if (size == 0) return;
    std::memcpy(data, bytes_.data() + position_, size);
    position_ += size;
  }

  const std::vector<std::byte>& bytes_;
  std::size_t position_ = 0;
};

}  // namespace nhot
