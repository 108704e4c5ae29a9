// Columns of text that line up.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nhot::app {

/// Columns that a text takes on a terminal.
std::size_t display_width(std::string_view text);

/// Rows of cells; the first column is set to the left, the others to the right. The first row is
/// the heading. On a terminal that is too narrow the table is broken into blocks of columns, each
/// with the first column, or, where that one is wide, into a list of headings and values per row.
/// In a pipe a row is a line, however long.
std::string align(const std::vector<std::vector<std::string>>& rows, const std::string& indent);

/// Text broken at spaces into lines of the page's width less that of `indent`, with which all
/// lines but the first begin.
std::string wrap(const std::string& text, const std::string& indent);

/// "key   value" lines with the values in one column; long values are wrapped.
std::string key_values(const std::vector<std::pair<std::string, std::string>>& lines);

/// 1234567 as "1,234,567".
std::string with_commas(unsigned long long value);

/// A number with enough decimals to show two digits of `resolution`, "-" for NaN.
std::string to_resolution(double value, double resolution);
/// A number with this many significant digits, without an exponent where it is short; "-" for NaN
/// and infinities.
std::string significant(double value, int digits);

}  // namespace nhot::app
