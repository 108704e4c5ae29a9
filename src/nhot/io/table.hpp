// Tables of numbers with names in the first line: data for regressions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nhot/model/regression/regression.hpp"

namespace nhot {

struct Table {
  std::string file;
  std::vector<std::string> names;
  std::size_t rows = 0;
  std::vector<double> values;  // row by row
  std::vector<std::string> notes;
};

/// Fields are separated by commas, semicolons or tabs where the first line has one, in this order,
/// and by spaces otherwise; names and numbers may stand in double quotes. Where every row has one
/// field more than there are names, the first is the row's label (as R writes it) and is passed
/// over. Errors name the file, the line and the column: a row of another length, text, a missing
/// value, two columns of one name.
Table read_table(const std::string& path);
/// The same from the text of a file.
Table parse_table(const std::string& file, std::string_view text);

/// One column as the response, all others as predictors. InputError when there is no such column.
RegressionData regression_data(const Table& table, const std::string& response);

}  // namespace nhot
