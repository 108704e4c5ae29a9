#include "nhot/base/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/base/nearest.hpp"

namespace nhot {
namespace {

constexpr double largest_count = 9e15;  // whole numbers up to here are doubles

std::string range_text(const OptionSpec& spec) {
  const auto number = [&](double value) {
    return spec.type == OptionType::integer ? std::to_string(static_cast<long long>(value))
                                            : format_real(value);
  };
  const bool low = std::isfinite(spec.min);
  const bool high = std::isfinite(spec.max);
  if (low && high) return "between " + number(spec.min) + " and " + number(spec.max);
  if (low) return "at least " + number(spec.min);
  if (high) return "at most " + number(spec.max);
  return "any number";
}

template <class T>
std::optional<T> parse_all(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (const auto value = parse_all<std::int64_t>(text)) return value;
  // 1e6 is a natural way to write a count.
  const auto real = parse_real(text);
  if (real && std::abs(*real) < largest_count && *real == std::floor(*real))
    return static_cast<std::int64_t>(*real);
  return std::nullopt;
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

OptionValues::OptionValues(const OptionTable& table, std::string where)
    : table_(&table), where_(std::move(where)) {}

const OptionSpec& OptionValues::spec(std::string_view name) const {
  for (const OptionSpec& candidate : *table_)
    if (candidate.name == name) return candidate;
  std::vector<std::string> known;
  for (const OptionSpec& candidate : *table_) known.push_back(candidate.name);
  throw InputError("unknown option '" + where_ + std::string(name) + "'",
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
  std::string words;
  for (const std::string& word : spec.choices) words += ", or '" + word + "'";
  if (spec.type == OptionType::flag && value != "true" && value != "false") refuse("true or false");
  if (spec.type == OptionType::integer) {
    const auto number = parse_integer(value);
    if (!number || static_cast<double>(*number) < spec.min ||
        static_cast<double>(*number) > spec.max)
      refuse("a whole number, " + range_text(spec) + words +
             (parse_real(value).value_or(0) >= largest_count ? "; the largest is 9e15" : ""));
  }
  if (spec.type == OptionType::real) {
    const auto number = parse_real(value);
    if (!number || *number < spec.min || *number > spec.max)
      refuse("a finite number, " + range_text(spec) + words);
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
