// The exact checks of the library, under the names that tests use.
#pragma once

#include "nhot/exact/exact_case.hpp"
#include "nhot/exact/transition_matrix.hpp"
#include "support/enumerating_draws.hpp"
