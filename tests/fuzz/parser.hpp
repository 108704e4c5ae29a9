// What the fuzzer may hand its bytes to.
//
// A parser takes bytes from anywhere. It may refuse them with an InputError; another exception, a
// crash, an answer that contradicts itself, much time or much memory is a bug.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace nhot::fuzz {

using Parse = std::function<void(std::string_view bytes)>;

/// By name. A new parser is a file with a line such as
///
///     const Parser coo("coo", [](std::string_view bytes) { ... });
inline std::map<std::string, Parse>& parsers() {
  static std::map<std::string, Parse> known;
  return known;
}

struct Parser {
  Parser(std::string name, Parse parse) { parsers().emplace(std::move(name), std::move(parse)); }
};

/// Ends the program, as a crash does: the fuzzer keeps the bytes.
void require(bool holds, std::string_view what);

/// Runs parse(): true when it went through, false when it was refused with an InputError that says
/// what is wrong and what to try.
bool accepts(const std::function<void()>& parse);

}  // namespace nhot::fuzz
