#include "nhot/base/option_words.hpp"

#include <algorithm>

namespace nhot {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || c == '-';
  });
}

}  // namespace

std::string spell_options(std::string_view text, OptionSpelling spelling) {
  std::string spelled;
  while (true) {
    const std::size_t open = text.find('{');
    const std::size_t close = open == text.npos ? text.npos : text.find('}', open);
    if (close == text.npos) return spelled += text;
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    const std::size_t space = inside.find(' ');
    const std::string_view name = inside.substr(0, space);
    const std::string_view value = space == inside.npos ? "" : inside.substr(space + 1);
    spelled += text.substr(0, open);
    spelled +=
        is_name(name) ? spelling(name, value) : std::string(text.substr(open, close - open + 1));
    text.remove_prefix(close + 1);
  }
}

}  // namespace nhot
