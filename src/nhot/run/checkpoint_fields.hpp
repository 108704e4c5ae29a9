// The numbers of a checkpoint as a file holds them: key and value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

/// Reads values by name; InputError when one is missing or wrong.
class CheckpointFields {
 public:
  explicit CheckpointFields(const Metadata& metadata) : metadata_(metadata) {}

  std::uint64_t count(const std::string& key) const { return count(key, text(key)); }
  bool flag(const std::string& key) const { return count(key) != 0; }
  double real(const std::string& key) const {
    const auto value = parse_real(text(key));
    if (!value) fail(key);
    return *value;
  }
  std::vector<std::uint64_t> counts(const std::string& key) const {
    std::vector<std::uint64_t> values;
    const std::string& all = text(key);
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find(' ', at), all.size());
      values.push_back(count(key, all.substr(at, end - at)));
      at = end + 1;
    }
    return values;
  }

  /// For what a file need not say.
  const std::string* find(const std::string& key) const {
    for (const auto& [name, value] : metadata_)
      if (name == key) return &value;
    return nullptr;
  }

  [[noreturn]] static void fail(const std::string& key) {
    throw InputError("the checkpoint does not say its " + key,
                     "the file was not written by a run that can go on; repeat the run");
  }

 private:
  const std::string& text(const std::string& key) const {
    const std::string* found = find(key);
    if (!found) fail(key);
    return *found;
  }
  static std::uint64_t count(const std::string& key, const std::string& text) {
    const auto value = parse_integer(text);
    if (!value || *value < 0) fail(key);
    return static_cast<std::uint64_t>(*value);
  }

  const Metadata& metadata_;
};

}  // namespace nhot
