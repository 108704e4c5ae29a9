#include "nhot/io/model/line_reader.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/model/quadratic.hpp"

namespace nhot {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\f\v");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\f\v") - begin + 1);
}

// What follows "=" or ":", when the text begins with one.
std::optional<std::string_view> value_after_key(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('=') && !text.starts_with(':')) return {};
  return trim(text.substr(1));
}

// Numbers outside the range of double: those too small round to zero or a subnormal, those too
// large come out infinite.
double out_of_range_value(std::string_view field) {
  return std::strtod(std::string(field).c_str(), nullptr);
}

}  // namespace

LineReader::LineReader(std::string file, std::string_view text)
    : file_(std::move(file)), rest_(text) {
  if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
}

bool LineReader::next() {
  while (!rest_.empty()) {
    const void* end = std::memchr(rest_.data(), '\n', rest_.size());
    const std::size_t length =
        end ? static_cast<std::size_t>(static_cast<const char*>(end) - rest_.data()) : rest_.size();
    line_ = trim(rest_.substr(0, length));
    rest_.remove_prefix(end ? length + 1 : length);
    ++number_;
    if (!line_.empty()) return true;
  }
  line_ = {};
  return false;
}

Site LineReader::site(std::string_view field, Site first, std::uint64_t sites) const {
  std::uint64_t index = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), index);
  if (end != field.data() + field.size() ||
      (error != std::errc() && error != std::errc::result_out_of_range))
    fail("site " + quoted(field) + " is not a whole number",
         "sites are numbered from " + std::to_string(first));
  if (error == std::errc::result_out_of_range || (index >= first && index - first >= sites))
    fail(
        "site " + quoted(field) + " is out of range: there are " + std::to_string(sites) + " sites",
        "sites are numbered from " + std::to_string(first) + " to " +
            std::to_string(first + sites - 1));
  if (index < first)
    fail("site " + quoted(field) + " is out of range",
         "sites of this format are numbered from " + std::to_string(first));
  return static_cast<Site>(index - first);
}

std::uint64_t LineReader::count(std::string_view field, const char* what,
                                std::uint64_t most) const {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (end != field.data() + field.size() ||
      (error != std::errc() && error != std::errc::result_out_of_range))
    fail("the " + std::string(what) + " " + quoted(field) + " is not a whole number",
         "it must be a whole number, 0 or more");
  if (error != std::errc() || number > most)
    fail("the " + std::string(what) + " " + quoted(field) + " is too large",
         "at most " + std::to_string(most));
  return number;
}

double LineReader::value(std::string_view field) const {
  std::string_view digits = field;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-' && digits[1] != '+')
    digits.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (end != digits.data() + digits.size() || error == std::errc::invalid_argument)
    fail(quoted(field) + " is not a number", "write numbers as 1, -0.5 or 2.5e-3");
  if (error == std::errc::result_out_of_range) number = out_of_range_value(digits);
  if (!std::isfinite(number))
    fail("value " + quoted(field) + " is " + (std::isnan(number) ? "not a number" : "infinite"),
         "values must be finite and below 1e307");
  return number;
}

void LineReader::fail(const std::string& problem, const std::string& hint) const {
  throw InputError(file_ + ":" + std::to_string(number_) + ": " + problem, hint);
}

void LineReader::fail_file(const std::string& problem, const std::string& hint) const {
  throw InputError(file_ + ": " + problem, hint);
}

std::string quoted(std::string_view field) {
  std::string text = "'";
  for (const char c : field.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (field.size() > 40 ? "...'" : "'");
}

std::string in_small_letters(std::string_view text) {
  std::string copy(text);
  for (char& c : copy) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return copy;
}

std::optional<std::string_view> comment_value(std::string_view comment, std::string_view key) {
  comment = trim(comment);
  if (in_small_letters(comment.substr(0, key.size())) != key) return {};
  const auto value = value_after_key(comment.substr(key.size()));
  if (!value || value->empty() || value->find_first_of(" \t") != std::string_view::npos) return {};
  return value;
}

std::optional<std::string_view> value_within_comment(std::string_view comment,
                                                     std::string_view key) {
  const std::string small = in_small_letters(comment);
  for (std::size_t at = small.find(key); at != std::string::npos; at = small.find(key, at + 1)) {
    auto value = value_after_key(comment.substr(at + key.size()));
    if (!value) continue;
    *value = value->substr(0, value->find_first_of(" \t,;"));
    if (!value->empty()) return value;
  }
  return {};
}

}  // namespace nhot
