// Exact partition functions of shells, by ways that know nothing of models, shells or bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace nhot::test {

/// Logs of the elementary symmetric polynomials e_0, e_1, ... of exp(-beta h_i), by the usual
/// recursion on the log scale.
inline std::vector<double> log_symmetric(const std::vector<double>& fields, double beta) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  std::vector<double> logs(fields.size() + 1, none);
  logs[0] = 0;
  std::size_t taken = 0;
  for (const double h : fields) {
    ++taken;
    for (std::size_t k = taken; k > 0; --k) {
      const double added = logs[k - 1] - beta * h;
      const double high = std::max(logs[k], added);
      logs[k] = high + std::log(std::exp(logs[k] - high) + std::exp(added - high));
    }
  }
  return logs;
}

/// Logs of the sums over all states of a periodic L x L ferromagnet with 0, 1, ... spins up, from a
/// transfer matrix over rows with a polynomial in the number of spins up.
inline std::vector<double> log_transfer_matrix(int side, double beta) {
  const int rows = 1 << side;
  const int most = side * side;
  const auto spin = [](int row, int k) { return (row >> k & 1) ? 1 : -1; };
  std::vector<double> within(rows);
  std::vector<int> ups(rows, 0);
  for (int r = 0; r < rows; ++r) {
    int bonds = 0;
    for (int k = 0; k < side; ++k) {
      bonds += spin(r, k) * spin(r, (k + 1) % side);
      ups[r] += r >> k & 1;
    }
    within[r] = std::exp(beta * bonds);
  }
  std::vector<double> between(static_cast<std::size_t>(rows));  // by the rows' difference
  for (int d = 0; d < rows; ++d) {
    int unlike = 0;
    for (int k = 0; k < side; ++k) unlike += d >> k & 1;
    between[d] = std::exp(beta * (side - 2 * unlike));
  }
  // For every first row: the weight of ending in row r with m spins up so far. First rows that are
  // shifts of each other weigh the same. By m first, so that sums over rows run over neighbours.
  std::vector<double> totals(most + 1, 0.0);
  for (int first = 0; first < rows; ++first) {
    std::vector<int> shifts;
    for (int k = 0; k < side; ++k)
      shifts.push_back((first >> k | first << (side - k)) & (rows - 1));
    std::sort(shifts.begin(), shifts.end());
    if (first != shifts.front()) continue;
    const auto alike = std::unique(shifts.begin(), shifts.end()) - shifts.begin();
    std::vector<std::vector<double>> weight(most + 1, std::vector<double>(rows, 0.0));
    weight[ups[first]][first] = within[first];
    for (int step = 1; step < side; ++step) {
      std::vector<std::vector<double>> next(most + 1, std::vector<double>(rows, 0.0));
      for (int m = 0; m <= step * side; ++m)
        for (int r = 0; r < rows; ++r) {
          double sum = 0;
          for (int q = 0; q < rows; ++q) sum += weight[m][q] * between[q ^ r];
          if (sum > 0) next[m + ups[r]][r] = sum * within[r];
        }
      weight.swap(next);
    }
    for (int m = 0; m <= most; ++m)
      for (int r = 0; r < rows; ++r)
        totals[m] += static_cast<double>(alike) * weight[m][r] * between[r ^ first];
  }
  for (double& total : totals) total = std::log(total);
  return totals;
}

/// Of the 8 x 8 lattice at beta 0.44, computed once.
inline const std::vector<double>& log_z_of_8x8() {
  static const std::vector<double> logs = log_transfer_matrix(8, 0.44);
  return logs;
}

}  // namespace nhot::test
