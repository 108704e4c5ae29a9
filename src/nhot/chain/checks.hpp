// What a chain accepts from outside: start states and temperatures.
#pragma once

#include "nhot/base/types.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// InputError unless the start has one bit per site and lies on the shell; it says by how much the
/// start is off.
void check_start(const Shell& shell, const Bits& start);

/// InputError unless beta is finite and not negative.
void check_beta(double beta);

}  // namespace nhot
