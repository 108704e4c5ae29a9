// What files of runs and checkpoints have in common.
#pragma once

#include <bit>
#include <string>

#include "nhot/base/error.hpp"

namespace nhot {

/// Of chain states, which are kept as the machine has them.
inline constexpr const char* byte_order =
    std::endian::native == std::endian::little ? "little-endian" : "big-endian";

[[noreturn]] inline void fail_damaged(const std::string& name, const std::string& cause) {
  throw InputError(name + " is damaged or cut short (" + cause + ")",
                   "copy it again from where it was written, or repeat the run");
}

}  // namespace nhot
