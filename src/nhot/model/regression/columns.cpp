#include "nhot/model/regression/columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

/// Share of its variance that a column must have for itself.
constexpr double own_share = 1e-6;
/// Multiplications that a check of all columns together may take: about two seconds.
constexpr double most_work = 4e9;

[[noreturn]] void refuse_constant(const std::string& what, double value) {
  throw InputError(what + " is constant (" + format_real(value) + " in every row)",
                   "leave it out: a constant explains nothing beside the intercept");
}

/// Centres and scales; `what` for messages.
void scale(std::span<double> column, const std::string& what) {
  const double first = column[0];
  double largest = 0;
  for (std::size_t r = 0; r < column.size(); ++r) {
    if (!(std::abs(column[r]) <= 1e150))
      throw InputError(what + " is " + format_real(column[r]) + " in row " + std::to_string(r + 1),
                       "give finite numbers, at most 1e150");
    largest = std::max(largest, std::abs(column[r]));
  }
  double mean = 0;
  for (const double value : column) mean += value / static_cast<double>(column.size());
  double spread = 0;
  for (double& value : column) {
    value -= mean;
    spread = std::max(spread, std::abs(value));
  }
  if (!(spread > 1e-12 * largest)) refuse_constant(what, first);
  double square = 0;
  for (double& value : column) {
    value /= spread;
    square += value * value;
  }
  for (double& value : column) value /= std::sqrt(square);
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t r = 0; r < a.size(); ++r) sum += a[r] * b[r];
  return sum;
}

class Independence {
 public:
  Independence(const RegressionData& data, std::span<const double> columns)
      : data_(data), columns_(columns) {}

  void check() const {
    const double rows = static_cast<double>(data_.rows);
    const double count = static_cast<double>(data_.names.size());
    check_pairs();
    if (count <= rows - 1 && rows * count * count <= most_work) check_all();
  }

 private:
  std::span<const double> column(std::size_t i) const {
    return columns_.subspan(i * data_.rows, data_.rows);
  }

  /// Columns that are equal but for sign have equal inner products with any vector, but for sign.
  void check_pairs() const {
    std::vector<double> probe(data_.rows);
    Xoshiro256 stream = make_stream(1, 0, 0, Purpose::start);
    for (double& value : probe) value = static_cast<double>(stream() >> 11) * 0x1p-53 - 0.5;
    const std::size_t count = data_.names.size();
    std::vector<double> shadows(count);
    for (std::size_t i = 0; i < count; ++i) shadows[i] = std::abs(dot(probe, column(i)));
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return shadows[i]; });
    // Unit vectors whose squared distance is below own_share have shadows within its root.
    const double reach = std::sqrt(own_share * dot(probe, probe));
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a + 1; b < count && shadows[order[b]] - shadows[order[a]] <= reach;
           ++b) {
        const double product = dot(column(order[a]), column(order[b]));
        if (1 - product * product > own_share) continue;
        const auto [first, second] = std::minmax(order[a], order[b]);
        throw InputError("column '" + data_.names[second] + "' is a multiple of column '" +
                             data_.names[first] + "'",
                         "leave one of them out: no data can tell them apart");
      }
  }

  /// Modified Gram-Schmidt, column by column.
  void check_all() const {
    std::vector<double> rest(columns_.begin(), columns_.end());
    const auto own = [&](std::size_t i) {
      return std::span<double>(rest).subspan(i * data_.rows, data_.rows);
    };
    for (std::size_t i = 0; i < data_.names.size(); ++i) {
      const double square = dot(own(i), own(i));
      if (!(square > own_share))
        throw InputError(
            "column '" + data_.names[i] + "' is a linear combination of columns before it",
            "leave it out, or one of those it is made of: no data can tell them apart");
      for (double& value : own(i)) value /= std::sqrt(square);
      for (std::size_t j = i + 1; j < data_.names.size(); ++j) {
        const double part = dot(own(i), own(j));
        for (std::size_t r = 0; r < data_.rows; ++r) own(j)[r] -= part * own(i)[r];
      }
    }
  }

  const RegressionData& data_;
  std::span<const double> columns_;
};

void check_shape(const RegressionData& data) {
  const std::size_t count = data.names.size();
  if (count == 0)
    throw InputError("there are no predictors", "give at least one column beside the response");
  if (data.rows < 3)
    throw InputError("there are " + std::to_string(data.rows) + " rows of data",
                     "a regression needs at least 3");
  if (data.response.size() != data.rows || data.predictors.size() != data.rows * count)
    throw InputError("the predictors have " + std::to_string(data.predictors.size()) +
                         " numbers and the response " + std::to_string(data.response.size()) +
                         ", where " + std::to_string(data.rows) + " rows of " +
                         std::to_string(count) + " columns were said",
                     "give one row of predictors for every number of the response");
  std::set<std::string> seen;
  for (const std::string& name : data.names)
    if (!seen.insert(name).second)
      throw InputError("two columns are named '" + name + "'", "give every column its own name");
}

}  // namespace

ScaledColumns scale_columns(const RegressionData& data) {
  check_shape(data);
  const std::size_t count = data.names.size();
  std::vector<double> response = data.response;
  scale(response, "the response '" + data.response_name + "'");
  std::vector<double> columns = data.predictors;
  for (std::size_t i = 0; i < count; ++i)
    scale(std::span<double>(columns).subspan(i * data.rows, data.rows),
          "column '" + data.names[i] + "'");
  Independence(data, columns).check();
  ScaledColumns scaled;
  scaled.predictors.resize(columns.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto own = std::span<const double>(columns).subspan(i * data.rows, data.rows);
    for (std::size_t r = 0; r < data.rows; ++r) scaled.predictors[r * count + i] = own[r];
    scaled.products.push_back(dot(own, response));
  }
  return scaled;
}

}  // namespace nhot
