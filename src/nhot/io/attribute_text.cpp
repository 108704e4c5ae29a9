#include "nhot/io/attribute_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace nhot {
namespace {

constexpr std::array<std::string_view, 7> text_keys = {"model",
                                                       "model_hash",
                                                       "move",
                                                       "engine",
                                                       "created_at",
                                                       "inference_library",
                                                       "inference_library_version"};

template <class T>
std::optional<T> parse(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <class T>
std::string print(T value) {
  std::array<char, 64> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

}  // namespace

NcAttribute attribute_from_text(std::string_view key, const std::string& text) {
  if (std::find(text_keys.begin(), text_keys.end(), key) != text_keys.end()) return text;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return infinity;
  if (text == "-inf") return -infinity;
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  if (first >= text.size() || !(is_digit(text[first]) || text[first] == '.')) return text;
  if (text[first] == '0' && first + 1 < text.size() && is_digit(text[first + 1])) return text;
  if (const auto integer = parse<std::int64_t>(text); integer && text != "-0") return *integer;
  if (const auto natural = parse<std::uint64_t>(text)) return *natural;
  if (const auto real = parse<double>(text)) return *real;
  return text;
}

std::string text_from_attribute(const NcAttribute& value) {
  struct Printer {
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(std::int64_t number) const { return print(number); }
    std::string operator()(std::uint64_t number) const { return print(number); }
    std::string operator()(double number) const { return print(number); }
    std::string operator()(const std::vector<std::int64_t>& numbers) const {
      std::string all;
      for (const std::int64_t number : numbers) {
        if (!all.empty()) all += ' ';
        all += print(number);
      }
      return all;
    }
  };
  return std::visit(Printer{}, value);
}

std::string attribute_key(std::string_view key) {
  std::string name;
  if (key.empty() || key[0] == '-' || key[0] == '.' || key[0] == '+') name += '_';
  for (const char c : key) {
    const bool allowed = is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         c == '_' || c == '-' || c == '.' || c == '+';
    name += allowed ? c : '_';
  }
  return name;
}

}  // namespace nhot
