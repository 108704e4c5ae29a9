#include "nhot/base/text_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace nhot {
namespace {

constexpr std::size_t gap = 2;  // between columns
constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max() / 2;

template <class... Values>
std::string print(const char* pattern, Values... values) {
  std::array<char, 400> buffer{};
  std::snprintf(buffer.data(), buffer.size(), pattern, values...);
  return buffer.data();
}

using Row = std::vector<std::string>;

std::size_t table_width(const std::vector<std::size_t>& widths) {
  std::size_t width = 0;
  for (const std::size_t column : widths) width += (width == 0 ? 0 : gap) + column;
  return width;
}

/// The first column and columns [first, end).
std::string block(const std::vector<Row>& rows, const std::vector<std::size_t>& widths,
                  std::size_t first, std::size_t end, const std::string& indent) {
  std::string text;
  for (const Row& row : rows) {
    std::string line = indent;
    const auto space = [&](std::size_t k) {
      return std::string(widths[k] - display_width(row[k]), ' ');
    };
    if (!row.empty()) line += row[0] + space(0);
    for (std::size_t k = first; k < std::min(end, row.size()); ++k)
      line += std::string(gap, ' ') + space(k) + row[k];
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // not a UTF-8 continuation byte
  }));
}

/// Text broken at spaces into lines of at most `width`; lines after the first begin with `indent`.
std::string TextLayout::broken(const std::string& text, std::size_t width,
                               const std::string& indent) const {
  std::string result;
  std::size_t column = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = text.find(' ', at);
    if (end == std::string::npos) end = text.size();
    std::size_t size = end - at;
    // A word too long for a terminal, such as a move with its parameters, breaks after a comma.
    if (size > width && columns_) {
      const std::size_t used = column > 0 ? column + 1 : 0;
      for (const std::size_t room : {used < width ? width - used : 0, width}) {
        const std::size_t comma = room > 0 ? text.rfind(',', at + room - 1) : at;
        if (comma == std::string::npos || comma <= at) continue;
        size = comma + 1 - at;
        break;
      }
    }
    if (column > 0 && column + 1 + size > width) {
      result += "\n" + indent;
      column = 0;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += text.substr(at, size);
    column += size;
    at += size;
    if (at == end)
      ++at;
    else {
      result += "\n" + indent;
      column = 0;
    }
  }
  return result;
}

/// A paragraph per row: the first cell, then "heading value" for the others.
std::string TextLayout::as_entries(const std::vector<Row>& rows, const std::string& indent) const {
  std::string text;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    std::vector<std::pair<std::string, std::string>> lines;
    for (std::size_t k = 1; k < rows[r].size(); ++k)
      lines.emplace_back(indent + "  " + rows[0][k], rows[r][k]);
    text += indent + wrap(rows[r][0], indent + "  ") + "\n" + key_values(lines);
  }
  return text;
}

std::string TextLayout::table(const std::vector<Row>& rows, const std::string& indent) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k)
      widths[k] = std::max(widths[k], display_width(row[k]));
  }
  // In a pipe a row stays on its line, for programs that read it.
  const std::size_t room = columns_ ? width() - std::min(width(), indent.size()) : unlimited;
  if (widths.empty()) return {};
  const std::size_t widest =
      widths.size() < 2 ? 0 : *std::max_element(widths.begin() + 1, widths.end());
  if (table_width(widths) > room && widths[0] + gap + widest + room / 4 > room)
    return as_entries(rows, indent);
  std::string text;
  for (std::size_t first = 1; first == 1 || first < widths.size();) {
    std::size_t end = first;
    for (std::size_t width = widths[0]; end < widths.size(); ++end) {
      width += gap + widths[end];
      if (width > room && end > first) break;
    }
    if (first > 1) text += "\n";
    text += block(rows, widths, first, end, indent);
    first = std::max(end, first + 1);
  }
  return text;
}

std::string TextLayout::wrap(const std::string& text, const std::string& indent) const {
  return broken(text, width() - std::min(width() / 2, display_width(indent)), indent);
}

std::string TextLayout::notes(const std::vector<std::string>& notes) const {
  std::string text;
  for (const std::string& note : notes) text += "note: " + wrap(note, "      ") + "\n";
  return text;
}

std::string TextLayout::key_values(
    const std::vector<std::pair<std::string, std::string>>& lines) const {
  std::size_t keys = 0;
  for (const auto& [key, value] : lines) keys = std::max(keys, key.size());
  std::string text;
  for (const auto& [key, value] : lines)
    text += key + std::string(keys + 2 - key.size(), ' ') +
            wrap(value, std::string(keys + 2, ' ')) + "\n";
  return text;
}

std::string with_commas(unsigned long long value) {
  std::string digits = std::to_string(value);
  for (std::size_t k = digits.size(); k > 3; k -= 3) digits.insert(k - 3, ",");
  return digits;
}

std::string to_resolution(double value, double resolution) {
  if (std::isnan(value)) return "-";
  // Finer digits than that are rounding errors.
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

std::string short_number(double value) {
  constexpr std::array<const char*, 5> prefixes = {"", " k", " M", " G", " T"};
  std::size_t power = 0;
  while (value >= 999.5 && power + 1 < prefixes.size()) {
    value /= 1000;
    ++power;
  }
  const int decimals = power == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return print("%.*f%s", decimals, value, prefixes[power]);
}

std::string short_duration(double seconds) {
  if (!(seconds >= 0)) return "?";
  if (seconds < 59.5) return print(seconds < 9.95 ? "%.1f s" : "%.0f s", seconds);
  const long long whole = std::llround(std::min(seconds, 1e15));
  if (whole < 3600) return print("%lld min %02lld s", whole / 60, whole % 60);
  if (whole < 86400) return print("%lld h %02lld min", whole / 3600, whole / 60 % 60);
  return print("%lld d %02lld h", whole / 86400, whole / 3600 % 24);
}

}  // namespace nhot
