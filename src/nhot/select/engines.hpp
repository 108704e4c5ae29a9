// Every engine.
#pragma once

#include "nhot/select/classes.hpp"
#include "nhot/select/dense.hpp"
#include "nhot/select/linear.hpp"
#include "nhot/select/thinned.hpp"
#include "nhot/select/tree.hpp"
