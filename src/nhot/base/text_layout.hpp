// Columns of text that line up, and numbers as people read them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nhot {

/// Columns that a text takes on a terminal.
std::size_t display_width(std::string_view text);

/// How text is laid out: for a terminal of so many columns, or for a pipe or a file, where a row of
/// a table is a line, however long, and other text is wrapped at 100 columns.
class TextLayout {
 public:
  TextLayout() = default;
  explicit TextLayout(std::optional<std::size_t> columns) : columns_(columns) {}

  bool terminal() const { return columns_.has_value(); }
  /// What text is wrapped at.
  std::size_t width() const { return std::max<std::size_t>(40, columns_.value_or(100)); }

  /// Rows of cells; the first column is set to the left, the others to the right. The first row is
  /// the heading. On a terminal that is too narrow the table is broken into blocks of columns, each
  /// with the first column, or, where that one is wide, into a list of headings and values per row.
  std::string table(const std::vector<std::vector<std::string>>& rows,
                    const std::string& indent = "") const;

  /// Text broken at spaces into lines of the width less that of `indent`, with which all lines but
  /// the first begin.
  std::string wrap(const std::string& text, const std::string& indent) const;

  /// "key   value" lines with the values in one column; long values are wrapped.
  std::string key_values(const std::vector<std::pair<std::string, std::string>>& lines) const;

  /// "note: ..." for each.
  std::string notes(const std::vector<std::string>& notes) const;

 private:
  std::string broken(const std::string& text, std::size_t width, const std::string& indent) const;
  std::string as_entries(const std::vector<std::vector<std::string>>& rows,
                         const std::string& indent) const;

  std::optional<std::size_t> columns_;
};

/// 1234567 as "1,234,567".
std::string with_commas(unsigned long long value);

/// A number with enough decimals to show two digits of `resolution`, "-" for NaN.
std::string to_resolution(double value, double resolution);
/// A number with this many significant digits, without an exponent where it is short; "-" for NaN
/// and infinities.
std::string significant(double value, int digits);

/// "850", "12.3 k", "4.56 M": three digits and a prefix.
std::string short_number(double value);
/// "4.2 s", "3 min 05 s", "2 h 07 min".
std::string short_duration(double seconds);

}  // namespace nhot
