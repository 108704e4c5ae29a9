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

// Lists that users write with commas; all others have spaces.
constexpr std::array<std::string_view, 1> comma_keys = {"betas"};

constexpr std::int64_t largest_exact = std::int64_t{1} << 53;  // whole numbers that doubles hold

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

template <class T>
std::string joined(const std::vector<T>& list, char separator) {
  std::string all;
  for (const T number : list) {
    if (!all.empty()) all += separator;
    all += print(number);
  }
  return all;
}

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

char separator_of(std::string_view key) { return holds(comma_keys, key) ? ',' : ' '; }

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// A 64-bit integer or a double when the whole text is one.
std::optional<NcAttribute> to_number(const std::string& text) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return infinity;
  if (text == "-inf") return -infinity;
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  if (first >= text.size() || !(is_digit(text[first]) || text[first] == '.')) return std::nullopt;
  if (text[first] == '0' && first + 1 < text.size() && is_digit(text[first + 1]))
    return std::nullopt;
  if (const auto integer = parse<std::int64_t>(text); integer && text != "-0") return *integer;
  if (const auto natural = parse<std::uint64_t>(text)) return *natural;
  if (const auto real = parse<double>(text)) return *real;
  return std::nullopt;
}

}  // namespace

NcAttribute attribute_from_text(std::string_view key, const std::string& text) {
  if (holds(text_keys, key)) return text;
  if (text == "true" || text == "false") return text == "true";
  const std::vector<std::string> words = split(text, separator_of(key));
  if (words.size() == 1) return to_number(text).value_or(text);
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  for (const std::string& word : words) {
    const auto number = to_number(word);
    if (!number) return text;
    if (const auto* integer = std::get_if<std::int64_t>(&*number)) {
      integers.push_back(*integer);
      reals.push_back(static_cast<double>(*integer));
    } else if (const auto* real = std::get_if<double>(&*number)) {
      reals.push_back(*real);
    }
  }
  if (integers.size() == words.size()) return integers;
  const auto exact = [](std::int64_t value) {
    return value >= -largest_exact && value <= largest_exact;
  };
  if (reals.size() == words.size() && std::all_of(integers.begin(), integers.end(), exact))
    return reals;
  return text;  // numbers that no common type holds
}

std::string text_from_attribute(const NcAttribute& value, std::string_view key) {
  struct Printer {
    char separator;

    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(bool truth) const { return truth ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return print(number); }
    std::string operator()(std::uint64_t number) const { return print(number); }
    std::string operator()(double number) const { return print(number); }
    std::string operator()(const std::vector<std::int64_t>& list) const {
      return joined(list, separator);
    }
    std::string operator()(const std::vector<double>& list) const {
      return joined(list, separator);
    }
  };
  return std::visit(Printer{separator_of(key)}, value);
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
