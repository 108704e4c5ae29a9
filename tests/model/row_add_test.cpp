// Rows added to fields, path by path: to the bit what one row after the other gives, for every
// number of rows and every size.
#include "nhot/model/row_add.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "nhot/model/coupling_rows.hpp"
#include "nhot/random/stream.hpp"
#include "support/simd_paths.hpp"

namespace nhot::test {
namespace {

class RowAdd : public OnSimdPath {
 protected:
  /// Numbers of sizes so different that the order of additions shows.
  double number() {
    const double size = std::ldexp(1.0, static_cast<int>(engine_() % 40) - 20);
    return size * (static_cast<double>(engine_() % 1001) - 500);
  }

  /// Rows of this size, some with minus, added at an offset where nothing is aligned.
  template <class Element, class Add>
  void expect_sums(std::size_t size, std::size_t count, Add add) {
    constexpr std::size_t offset = 3;
    const std::size_t stride = size + 5;
    std::vector<Element> elements(offset + 7 * stride);
    for (Element& element : elements) element = static_cast<Element>(number());
    const RowMatrix<Element> matrix = {elements.data() + offset, stride, size};
    std::vector<SignedPlace> list;
    for (std::size_t k = 0; k < count; ++k)
      list.push_back({static_cast<Site>(engine_() % 7), engine_() % 2 == 0 ? 1.0 : -1.0});
    std::vector<double> fields;
    for (std::size_t j = 0; j < size + 2 * offset; ++j) fields.push_back(number());
    std::vector<double> expected = fields;
    for (const SignedPlace& r : list)
      for (std::size_t j = 0; j < size; ++j) {
        const auto value = static_cast<double>(elements[offset + r.place * stride + j]);
        double& field = expected[offset + j];
        field = r.sign > 0 ? field + value : field - value;
      }
    add(fields.data() + offset, matrix, list);
    ASSERT_EQ(fields, expected) << size << " fields, " << count << " rows";
  }

  Xoshiro256 engine_ = make_stream(1, 0, 0, Purpose::test);
};

INSTANTIATE_TEST_SUITE_P(Paths, RowAdd, testing::ValuesIn(all_simd_paths), path_name);

TEST_P(RowAdd, ManyRowsAreOneAfterTheOther) {
  const RowAdders adders = row_adders(GetParam());
  for (std::size_t size = 0; size < 36; ++size)
    for (std::size_t count = 0; count < 10; ++count) {
      expect_sums<float>(size, count, adders.narrow);
      expect_sums<double>(size, count, adders.wide);
    }
}

TEST_P(RowAdd, MatricesAddManyOfTheirRows) {
  for (const bool narrow : {true, false}) {
    constexpr std::size_t rows = 11;
    constexpr std::size_t columns = 21;
    CouplingRows matrix(rows, columns, narrow);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        matrix.set(i, j, static_cast<double>(static_cast<float>(number())));
    std::vector<SignedPlace> places;
    for (int k = 0; k < 100; ++k)
      places.push_back({static_cast<Site>(engine_() % rows), engine_() % 3 == 0 ? -1.0 : 1.0});
    std::vector<double> together(columns, 1.0);
    std::vector<double> single = together;
    matrix.add(places, together.data());
    for (const SignedPlace& place : places) matrix.add(place, single.data());
    EXPECT_EQ(together, single);
    double first = 1.0;
    for (const SignedPlace& place : places) first += place.sign * matrix(place.place, 0);
    EXPECT_EQ(together[0], first);
  }
}

}  // namespace
}  // namespace nhot::test
