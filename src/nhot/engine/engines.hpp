// Every engine.
#pragma once

#include "nhot/engine/classes.hpp"
#include "nhot/engine/compact.hpp"
#include "nhot/engine/dense/dense.hpp"
#include "nhot/engine/group_trees.hpp"
#include "nhot/engine/linear.hpp"
#include "nhot/engine/sums.hpp"
#include "nhot/engine/thinned.hpp"
#include "nhot/engine/tree.hpp"
