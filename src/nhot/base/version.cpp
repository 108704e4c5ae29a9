#include "nhot/base/version.hpp"

namespace nhot {

const char* version() { return NHOT_VERSION; }

}  // namespace nhot
