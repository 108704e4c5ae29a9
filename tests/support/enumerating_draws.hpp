// Draws that walk every branch, under the names that tests use.
#pragma once

#include "nhot/exact/enumerating_draws.hpp"

namespace nhot::test {
using namespace nhot::exact;  // NOLINT(google-build-using-namespace)
}  // namespace nhot::test
