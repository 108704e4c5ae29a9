// libFuzzer's two entry points. The first word of the command line names the parser:
//
//     fuzz NAME [libFuzzer's options] [folders of inputs]
//     fuzz --list
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fuzz/parser.hpp"
#include "nhot/base/error.hpp"

namespace nhot::fuzz {
namespace {

const Parse* chosen = nullptr;

int usage() {
  for (const auto& [name, parse] : parsers()) std::printf("%s\n", name.c_str());
  return EXIT_SUCCESS;
}

}  // namespace

void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "BUG: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

bool accepts(const std::function<void()>& parse) {
  try {
    parse();
    return true;
  } catch (const InputError& error) {
    require(*error.what() != '\0', "an error without a message");
    require(!error.hint().empty(), std::string("an error without a hint: ") + error.what());
    return false;
  }
}

}  // namespace nhot::fuzz

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  const std::string name = *count > 1 ? (*words)[1] : "--list";
  if (name == "--list") std::exit(nhot::fuzz::usage());
  const auto found = nhot::fuzz::parsers().find(name);
  if (found == nhot::fuzz::parsers().end()) {
    std::fprintf(stderr, "fuzz: no parser '%s'; fuzz --list shows them\n", name.c_str());
    std::exit(2);
  }
  nhot::fuzz::chosen = &found->second;
  // The rest is for libFuzzer.
  (*words)[1] = (*words)[0];
  ++*words;
  --*count;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  nhot::fuzz::accepts([&] { (*nhot::fuzz::chosen)(bytes); });
  return 0;
}
