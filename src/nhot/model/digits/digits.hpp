// The RBM rbm:digits, trained on handwritten digits.
#pragma once

#include "nhot/model/rbm.hpp"

namespace nhot {

/// 784 visible units, an image of 28 x 28 pixels, and 500 hidden ones; all values are multiples of
/// 1/64. scripts/train_rbm.py made them.
RbmWeights digits_weights();

}  // namespace nhot
