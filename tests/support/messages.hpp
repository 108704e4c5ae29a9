// What an InputError says, for tests of messages.
#pragma once

#include <optional>
#include <string>

#include "nhot/base/error.hpp"

namespace nhot::test {

/// The InputError that a call throws; nothing when it throws none. Other exceptions pass through.
template <class Call>
std::optional<InputError> refusal(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error;
  }
  return std::nullopt;
}

inline std::string message_of(const std::optional<InputError>& error) {
  return error ? error->what() : "(not refused)";
}
inline std::string hint_of(const std::optional<InputError>& error) {
  return error ? error->hint() : "(not refused)";
}
/// Message and hint together, for searching.
inline std::string whole_of(const std::optional<InputError>& error) {
  return message_of(error) + " | " + hint_of(error);
}

}  // namespace nhot::test
