// Small k-DPPs, regressions and polynomials, and their energies by other means.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "nhot/model/hubo/hubo.hpp"
#include "nhot/model/kdpp/kdpp.hpp"
#include "nhot/model/regression/regression.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"

namespace nhot::test {

/// Uniform numbers in (-1, 1).
inline std::vector<double> random_numbers(std::size_t count, std::uint64_t seed) {
  Xoshiro256 stream = make_stream(seed, 0, 0, Purpose::test);
  std::vector<double> numbers(count);
  for (double& value : numbers) value = static_cast<double>(stream() >> 11) * 0x1p-52 - 1;
  return numbers;
}

/// B with items of different lengths.
inline std::vector<double> random_features(Site items, std::size_t features, std::uint64_t seed) {
  std::vector<double> values = random_numbers(items * features, seed);
  for (Site i = 0; i < items; ++i)
    for (std::size_t f = 0; f < features; ++f) values[i * features + f] *= 0.5 + i % 3;
  return values;
}

/// B B'.
inline std::vector<double> products(const std::vector<double>& b, Site items,
                                    std::size_t features) {
  std::vector<double> kernel(std::size_t{items} * items);
  for (Site i = 0; i < items; ++i)
    for (Site j = 0; j < items; ++j)
      for (std::size_t f = 0; f < features; ++f)
        kernel[i * items + j] += b[i * features + f] * b[j * features + f];
  return kernel;
}

/// Of columns that the response depends on in part.
inline RegressionData random_regression(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  RegressionData data;
  data.rows = rows;
  data.predictors = random_numbers(rows * columns, seed);
  data.response = random_numbers(rows, seed + 1000);
  for (std::size_t c = 0; c < columns; ++c) {
    data.names.push_back("x" + std::to_string(c));
    for (std::size_t r = 0; r < rows; ++r) {
      if (c > 0) data.predictors[c * rows + r] += 0.7 * data.predictors[(c - 1) * rows + r];
      if (c % 3 == 0) data.response[r] += 0.8 * data.predictors[c * rows + r];
    }
  }
  return data;
}

/// Terms of one to `degree` sites.
inline Polynomial random_polynomial(Site sites, std::size_t terms, std::size_t degree,
                                    Convention convention, bool whole, std::uint64_t seed) {
  RandomDraws draws(make_stream(seed, 0, 0, Purpose::test));
  Polynomial polynomial{sites, convention, 0.5, {}};
  for (std::size_t t = 0; t < terms; ++t) {
    PolynomialTerm term;
    for (std::size_t k = 0; k < 1 + t % degree; ++k) {
      const auto site = static_cast<Site>(draws.below(sites));
      if (std::find(term.sites.begin(), term.sites.end(), site) == term.sites.end())
        term.sites.push_back(site);
    }
    const double value = static_cast<double>(draws.below(11)) - 5;
    term.value = whole ? value : value * 0.137 + draws.uniform();
    polynomial.terms.push_back(std::move(term));
  }
  return polynomial;
}

/// A table after a random walk of flips, with the bits it stands at.
class WalkedTable {
 public:
  WalkedTable(const Energy& energy, std::uint64_t seed)
      : table(energy.make_table()),
        bits(energy.sites(), 0),
        draws_(make_stream(seed, 0, 0, Purpose::test)) {
    table->set(bits);
  }
  /// Flips, mostly towards `size` ones.
  void walk(int flips, std::size_t size) {
    for (int k = 0; k < flips; ++k) {
      const bool more =
          ones < size || ones == 0 || (ones == size && ones < bits.size() && draws_.below(2) == 0);
      Site i = 0;
      do i = static_cast<Site>(draws_.below(bits.size()));
      while (bits[i] == (more ? 1 : 0));
      bits[i] ^= 1;
      ones = more ? ones + 1 : ones - 1;
      table->flip(i);
    }
  }

  std::unique_ptr<ChangeTable> table;
  Bits bits;
  std::size_t ones = 0;

 private:
  RandomDraws draws_;
};

}  // namespace nhot::test
