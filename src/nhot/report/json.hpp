// Facts and numbers as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "nhot/base/facts.hpp"

namespace nhot {

using Json = nlohmann::ordered_json;

/// Keys in the order of the facts; numbers that are not finite print as null.
Json to_json(const Facts& facts);
Json to_json(const Fact& fact);

/// For pages, which stay small that way. Rounded to so many significant digits; null when not
/// finite.
Json rounded(double value, int digits = 5);
Json rounded(const std::vector<double>& values, int digits = 5);

}  // namespace nhot
