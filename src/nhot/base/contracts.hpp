// Contracts: checked in debug and sanitizer builds, free in release builds. For what callers inside
// nhot must hold; what users hand in is checked always, with InputError.
#pragma once

#include "nhot/base/error.hpp"

namespace nhot::detail {
[[noreturn]] inline void contract_broken(const char* kind, const char* condition, const char* file,
                                         int line) {
  throw InternalError(std::string(kind) + " (" + condition + ") broken at " + file + ":" +
                      std::to_string(line));
}
}  // namespace nhot::detail

#ifdef NDEBUG
#define NHOT_EXPECTS(condition) static_cast<void>(0)
#define NHOT_ENSURES(condition) static_cast<void>(0)
#else
#define NHOT_EXPECTS(condition)       \
  ((condition) ? static_cast<void>(0) \
               : ::nhot::detail::contract_broken("precondition", #condition, __FILE__, __LINE__))
#define NHOT_ENSURES(condition)       \
  ((condition) ? static_cast<void>(0) \
               : ::nhot::detail::contract_broken("postcondition", #condition, __FILE__, __LINE__))
#endif
