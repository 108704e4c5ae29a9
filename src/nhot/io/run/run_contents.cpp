#include "nhot/io/run/run_contents.hpp"

namespace nhot {

std::optional<std::string> find_value(const Metadata& metadata, std::string_view key) {
  for (const auto& [name, value] : metadata)
    if (name == key) return value;
  return std::nullopt;
}

}  // namespace nhot
