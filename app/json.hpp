// The JSON of --json output: keys stay in the order in which they are written.
#pragma once

#include <nlohmann/json.hpp>

namespace nhot::app {

using Json = nlohmann::ordered_json;

}  // namespace nhot::app
