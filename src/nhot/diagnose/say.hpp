// Sentences with figures in them.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>

namespace nhot {

/// printf into a string; sentences here are short.
[[gnu::format(printf, 1, 2)]] inline std::string say(const char* format, ...) {
  char text[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

}  // namespace nhot
