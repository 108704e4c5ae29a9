// What a report says to people, in parts that are not yet laid out: text on a terminal and pages
// show the same words and digits.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nhot {

/// Rows of cells; the first row is the heading.
using TextRows = std::vector<std::vector<std::string>>;
/// Keys and values, a line each.
using TextLines = std::vector<std::pair<std::string, std::string>>;

}  // namespace nhot
