// The version of nhot.
#pragma once

namespace nhot {

/// Such as "0.1.0".
const char* version();

}  // namespace nhot
