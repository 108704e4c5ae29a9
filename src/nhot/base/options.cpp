#include "nhot/base/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

#include "nhot/base/error.hpp"
#include "nhot/base/nearest.hpp"

namespace nhot {
namespace {

constexpr std::int64_t largest_count = std::numeric_limits<std::int64_t>::max();

template <class T>
std::optional<T> parse_all(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A decimal number with an exponent or a point, such as 1e6 or 2.5e3, when it is whole and fits.
/// Works on the digits, so that nothing is rounded through a double.
std::optional<std::int64_t> whole_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t e = text.find_first_of("eE");
  std::int64_t exponent = 0;
  if (e != std::string_view::npos) {
    const auto parsed = parse_all<std::int32_t>(text.substr(e + 1));
    if (!parsed) return std::nullopt;
    exponent = *parsed;
    text = text.substr(0, e);
  }
  const std::size_t point = text.find('.');
  std::string digits(text.substr(0, point));
  if (point != std::string_view::npos) {
    digits += text.substr(point + 1);
    exponent -= static_cast<std::int64_t>(text.size() - point - 1);
  }
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return 0;
  for (; exponent < 0 && digits.back() == '0'; ++exponent) digits.pop_back();
  if (exponent < 0 || exponent > 18) return std::nullopt;
  digits.append(static_cast<std::size_t>(exponent), '0');
  return parse_all<std::int64_t>((negative ? "-" : "") + digits);
}

std::string range_text(const OptionSpec& spec) {
  const auto number = [&](double value) {
    return spec.type == OptionType::integer ? std::to_string(static_cast<long long>(value))
                                            : format_real(value);
  };
  const bool low = std::isfinite(spec.min);
  const bool high = std::isfinite(spec.max);
  if (low && high) return ", between " + number(spec.min) + " and " + number(spec.max);
  if (low) return ", at least " + number(spec.min);
  if (high) return ", at most " + number(spec.max);
  return "";
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (const auto value = parse_all<std::int64_t>(text)) return value;
  return whole_decimal(text);  // 1e6 is a natural way to write a count
}

std::optional<double> parse_real(std::string_view text) {
  const auto value = parse_all<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string format_real(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end};
}

bool is_scan(std::string_view text) {
  return text.find(',') != std::string_view::npos || text.find("..") != std::string_view::npos;
}

std::optional<std::pair<std::int64_t, std::int64_t>> parse_band(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto first = parse_integer(text.substr(0, dots));
  const auto last = parse_integer(text.substr(dots + 2));
  if (!first || !last) return std::nullopt;
  return std::pair{*first, *last};
}

std::vector<std::string> scan_values(OptionType type, std::string_view text) {
  const bool whole = type == OptionType::integer;
  const std::string form = whole ? "10,20,30 or 10..30/3" : "0.3,0.4,0.5 or 0.2..0.6/9";
  const auto number = [&](std::string_view part) {
    const auto real = parse_real(part);
    if (!real || (whole && !parse_integer(part)))
      throw InputError("'" + std::string(part) + "' is no " + (whole ? "whole " : "") + "number",
                       "give one number, or several as " + form);
    return *real;
  };
  std::vector<std::string> values;
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
    const std::size_t slash = text.find('/', dots);
    const auto points =
        slash == std::string_view::npos ? std::nullopt : parse_integer(text.substr(slash + 1));
    if (!points || *points < 2 || *points > 10'000)
      throw InputError("the range '" + std::string(text) + "' does not say its number of points",
                       "write it as " + std::string(whole ? "10..30/3" : "0.2..0.6/9") +
                           ": from..to/points, with 2 to 10000 points" +
                           (whole ? "; the band of all counts from 10 to 30, 10..30, is for sample "
                                    "and profile"
                                  : ""));
    const double from = number(text.substr(0, dots));
    const double to = number(text.substr(dots + 2, slash - dots - 2));
    if (!std::isfinite(to - from))
      throw InputError("the range '" + std::string(text) + "' is too wide for a computer's numbers",
                       "give ends whose difference is below 1.8e308");
    for (std::int64_t k = 0; k < *points; ++k) {
      const double value =
          from + (to - from) * static_cast<double>(k) / static_cast<double>(*points - 1);
      char short_text[32];  // twelve digits: 0.3, not 0.30000000000000004
      std::snprintf(short_text, sizeof short_text, "%.12g", value);
      values.push_back(whole ? std::to_string(std::llround(value))
                             : format_real(parse_real(short_text).value_or(value)));
    }
  } else {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      std::string_view part = text.substr(at, comma - at);
      while (part.starts_with(' ')) part.remove_prefix(1);
      while (part.ends_with(' ')) part.remove_suffix(1);
      number(part);
      values.emplace_back(whole ? std::to_string(*parse_integer(part)) : std::string(part));
      at = comma + 1;
    }
  }
  std::set<double> seen;
  for (const std::string& value : values)
    if (!seen.insert(parse_real(value).value()).second)
      throw InputError("'" + std::string(text) + "' has the value " + value + " twice",
                       whole ? "leave one out, or take fewer points" : "leave one out");
  return values;
}

std::string short_real(double value) {
  constexpr int digits = 8;
  char buffer[32];
  if (value == std::floor(value) && std::abs(value) < 1e15)
    std::snprintf(buffer, sizeof buffer, "%.0f", value + 0.0);
  else
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  const std::string exact = format_real(value);
  return exact.size() <= std::string_view(buffer).size() ? exact : buffer;
}

OptionValues::OptionValues(const OptionTable& table, std::string where)
    : table_(&table), where_(std::move(where)) {}

const OptionSpec& OptionValues::spec(std::string_view name) const {
  for (const OptionSpec& candidate : *table_)
    if (candidate.name == name) return candidate;
  std::vector<std::string> known;
  for (const OptionSpec& candidate : *table_) known.push_back(candidate.name);
  // "--" belongs to the name; a place such as "move im: " comes before the message.
  const bool place = where_.ends_with(' ');
  throw InputError(
      (place ? where_ : "") + "unknown option '" + (place ? "" : where_) + std::string(name) + "'",
      unknown_name_hint(name, known));
}

void OptionValues::check(const OptionSpec& spec, std::string_view value) const {
  const auto refuse = [&](const std::string& wanted) {
    throw InputError(where_ + spec.name + " is '" + std::string(value) + "'", "give " + wanted);
  };
  const bool is_word =
      std::find(spec.choices.begin(), spec.choices.end(), value) != spec.choices.end();
  if (spec.type == OptionType::choice) {
    if (!is_word)
      throw InputError(where_ + spec.name + " is '" + std::string(value) + "'",
                       unknown_name_hint(value, spec.choices));
    return;
  }
  if (is_word) return;
  if (spec.band)
    if (const auto ends = parse_band(value)) {
      OptionSpec single = spec;
      single.band = single.scanned = false;
      for (const std::int64_t end : {ends->first, ends->second}) check(single, std::to_string(end));
      if (ends->first >= ends->second)
        throw InputError(where_ + spec.name + " is '" + std::string(value) + "'",
                         "give a band from a smaller to a larger number, such as 10..40");
      return;
    }
  if (spec.scanned && is_scan(value)) {
    try {
      OptionSpec single = spec;
      single.scanned = false;
      for (const std::string& one : scan_values(spec.type, value)) check(single, one);
    } catch (const InputError& error) {
      const std::string what = error.what();
      throw InputError(what.starts_with(where_) ? what : where_ + spec.name + ": " + what,
                       error.hint());
    }
    return;
  }
  const bool several = is_scan(value) && parse_real(value.substr(0, value.find_first_of(",.")));
  std::string words = spec.band ? ", or a band of them such as 10..40"
                      : several ? ", one only: no scan over several is offered here"
                                : "";
  for (const std::string& word : spec.choices) words += ", or '" + word + "'";
  if (spec.type == OptionType::flag && value != "true" && value != "false") refuse("true or false");
  if (spec.type == OptionType::integer) {
    const auto number = parse_integer(value);
    if (!number || static_cast<double>(*number) < spec.min ||
        static_cast<double>(*number) > spec.max) {
      const bool too_large = !number && std::isinf(spec.max) &&
                             parse_real(value).value_or(0) >= static_cast<double>(largest_count);
      refuse("a whole number" + range_text(spec) + words +
             (too_large ? "; the largest is " + std::to_string(largest_count) : ""));
    }
  }
  if (spec.type == OptionType::real) {
    const auto number = parse_real(value);
    if (!number || *number < spec.min || *number > spec.max)
      refuse("a finite number" + range_text(spec) + words);
  }
}

void OptionValues::set(std::string_view name, std::string_view value) {
  const OptionSpec& declared = spec(name);
  check(declared, value);
  auto& list = values_[declared.name];
  if (!declared.repeatable) list.clear();
  list.emplace_back(value);
}

bool OptionValues::was_set(std::string_view name) const {
  return values_.find(name) != values_.end();
}

const std::string& OptionValues::text(std::string_view name) const {
  const auto found = values_.find(name);
  return found != values_.end() ? found->second.back() : spec(name).default_value;
}

std::int64_t OptionValues::integer(std::string_view name) const {
  const auto value = parse_integer(text(name));
  if (!value) throw InternalError("option '" + std::string(name) + "' has no number");
  return *value;
}

double OptionValues::real(std::string_view name) const {
  const auto value = parse_real(text(name));
  if (!value) throw InternalError("option '" + std::string(name) + "' has no number");
  return *value;
}

std::vector<std::string> OptionValues::list(std::string_view name) const {
  const auto found = values_.find(name);
  if (found != values_.end()) return found->second;
  const std::string& value = spec(name).default_value;
  return value.empty() ? std::vector<std::string>{} : std::vector<std::string>{value};
}

std::vector<std::pair<std::string, std::string>> OptionValues::resolved() const {
  std::vector<std::pair<std::string, std::string>> result;
  for (const OptionSpec& declared : *table_) {
    std::string joined;
    for (const std::string& value : list(declared.name))
      joined += (joined.empty() ? "" : "; ") + value;
    result.emplace_back(declared.name, joined);
  }
  return result;
}

}  // namespace nhot
