// Columns of text that line up.
#pragma once

#include <string>
#include <vector>

namespace nhot::app {

/// Rows of cells; the first column is set to the left, the others to the right. The first row is
/// the heading.
std::string align(const std::vector<std::vector<std::string>>& rows, const std::string& indent);

/// Text broken at spaces into lines of at most `width`; lines after the first begin with `indent`.
std::string wrap(const std::string& text, std::size_t width, const std::string& indent);

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
