// Columns of data made ready for regression: centred, of length 1, and found independent.
#pragma once

#include <vector>

#include "nhot/model/regression/regression.hpp"

namespace nhot {

struct ScaledColumns {
  std::vector<double> predictors;  // row after row: one number of every column
  std::vector<double> products;    // of every column with the response
};

/// InputError as Regression says.
ScaledColumns scale_columns(const RegressionData& data);

}  // namespace nhot
