// Numbers as JSON for a page: rounded, so that pages stay small, and null where they mean nothing.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace nhot {

using Json = nlohmann::ordered_json;

/// Rounded to so many significant digits; null when not finite.
Json rounded(double value, int digits = 5);
Json rounded(const std::vector<double>& values, int digits = 5);

}  // namespace nhot
