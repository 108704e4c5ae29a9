#include "text_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace nhot::app {
namespace {

constexpr std::size_t page_width = 100;

std::string print(const char* pattern, int precision, double value) {
  std::array<char, 400> buffer{};
  std::snprintf(buffer.data(), buffer.size(), pattern, precision, value);
  return buffer.data();
}

}  // namespace

std::string align(const std::vector<std::vector<std::string>>& rows, const std::string& indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = indent;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string space(widths[k] - row[k].size(), ' ');
      line += k == 0 ? row[k] + space : "  " + space + row[k];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string wrap(const std::string& text, std::size_t width, const std::string& indent) {
  std::string result;
  std::size_t column = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = text.find(' ', at);
    if (end == std::string::npos) end = text.size();
    const std::size_t size = end - at;
    if (column > 0 && column + 1 + size > width) {
      result += "\n" + indent;
      column = 0;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += text.substr(at, size);
    column += size;
    at = end + 1;
  }
  return result;
}

std::string key_values(const std::vector<std::pair<std::string, std::string>>& lines) {
  std::size_t width = 0;
  for (const auto& [key, value] : lines) width = std::max(width, key.size());
  std::string text;
  for (const auto& [key, value] : lines)
    text += key + std::string(width + 2 - key.size(), ' ') +
            wrap(value, page_width - width - 2, std::string(width + 2, ' ')) + "\n";
  return text;
}

std::string with_commas(unsigned long long value) {
  std::string digits = std::to_string(value);
  for (std::size_t k = digits.size(); k > 3; k -= 3) digits.insert(k - 3, ",");
  return digits;
}

std::string to_resolution(double value, double resolution) {
  if (std::isnan(value)) return "-";
  // Below that the digits are rounding.
  if (resolution < 1e-9 * std::abs(value)) resolution = 0;
  if (!(resolution > 0) || !std::isfinite(resolution)) return significant(value, 6);
  const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(resolution))), 0, 12);
  if (std::abs(value) >= 1e12) return significant(value, 8);
  return print("%.*f", decimals, value);
}

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size < 1e-4 || size >= 1e9) return print("%.*g", digits, value);
  const int decimals =
      std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(size))), 0, 12);
  return print("%.*f", decimals, value);
}

}  // namespace nhot::app
