#include "nhot/model/sparse_kernel.hpp"

#include <gtest/gtest.h>

#include "nhot/model/generators.hpp"
#include "nhot/model/model.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

/// Rows, couplings and fields are those of the model in the frame of the reference, in whichever
/// way the kernel keeps them.
template <class Number>
void expect_rows_of(const Model& model, const Bits& reference, Grid grid) {
  const QuadraticModel& quadratic = *model.quadratic();
  const SparseKernel<Number> kernel(model.shared_quadratic(), reference, grid);
  ASSERT_EQ(kernel.sites(), model.sites());
  const std::vector<std::int64_t> linear = framed_linear(quadratic, reference);
  const double unit = quadratic.fixed_point().unit();
  Bits u(model.sites());
  Xoshiro256 engine = make_stream(1, 0, 0, Purpose::test);
  for (Bit& bit : u) bit = engine() % 2;
  std::vector<Number> fields;
  kernel.compute_fields(u, fields);
  for (Site i = 0; i < model.sites(); ++i) {
    const QuadraticModel::Row row = quadratic.row(i);
    ASSERT_EQ(kernel.degree(i), row.sites.size());
    double field = unit * static_cast<double>(linear[i]);
    for (std::size_t k = 0; k < row.sites.size(); ++k) {
      const Site j = row.sites[k];
      const double q = unit * static_cast<double>(framed_coupling(quadratic, reference[i],
                                                                  reference[j], row.values[k]));
      ASSERT_EQ(kernel.neighbour(i, k), j);
      ASSERT_EQ(kernel.quantum() * double(kernel.neighbour_coupling(i, k)), q);
      ASSERT_EQ(kernel.quantum() * double(kernel.coupling(i, j)), q);
      field += u[j] * q;
    }
    std::size_t visited = 0;
    kernel.visit_row(i, [&](Site j, Number coupling) {
      ASSERT_LT(visited, row.sites.size());
      ASSERT_EQ(j, row.sites[visited]);
      ASSERT_EQ(coupling, kernel.neighbour_coupling(i, visited));
      ++visited;
    });
    ASSERT_EQ(visited, row.sites.size());
    const auto stranger = static_cast<Site>(engine() % model.sites());
    if (std::find(row.sites.begin(), row.sites.end(), stranger) == row.sites.end()) {
      ASSERT_EQ(kernel.coupling(i, stranger), Number{0});
    }
    ASSERT_NEAR(kernel.quantum() * double(fields[i]), field, 1e-12);
  }
  // A flip shifts the fields of the neighbours and reports every one of them.
  const auto i = static_cast<Site>(engine() % model.sites());
  u[i] ^= 1;
  std::size_t reported = 0;
  kernel.apply_flip(i, u[i], fields, [&](Site j, Number shift) {
    EXPECT_EQ(std::abs(shift), std::abs(kernel.coupling(i, j)));
    ++reported;
  });
  EXPECT_EQ(reported, kernel.degree(i));
  std::vector<Number> fresh;
  kernel.compute_fields(u, fresh);
  EXPECT_EQ(fields, fresh);
}

void expect_rows(const Model& model) {
  Xoshiro256 engine = make_stream(2, 0, 0, Purpose::test);
  Bits zeros(model.sites(), 0);
  Bits mixed(model.sites());
  for (Bit& bit : mixed) bit = engine() % 2;
  for (const Bits& reference : {zeros, mixed}) {
    const Grid grid = find_grid(*model.quadratic(), reference, 1'000'000);
    if (grid.useful()) expect_rows_of<std::int32_t>(model, reference, grid);
    expect_rows_of<double>(model, reference, Grid{});
  }
}

/// Rows that repeat: a lattice has one pattern inside and others at its edges. Few of four are kept
/// so, and many of any length.
TEST(SparseKernel, KeepsTheRowsOfLattices) {
  for (const char* spec : {"ferromagnet:20x30", "ferromagnet:20x30,open", "ferromagnet:20x20x20",
                           "spin-glass:100x100,seed=3"})
    expect_rows(model_from_spec(spec));
}

/// Rows of their own: too many different ones, or few enough for the caches, or real couplings.
TEST(SparseKernel, KeepsRowsThatDoNotRepeat) {
  for (const char* spec :
       {"ferromagnet:8", "ferromagnet:6x7x8", "ferromagnet:6x7x8,open", "spin-glass:40x40,seed=3",
        "spin-glass:5x5x5,seed=3", "spin-glass:5x5,seed=3,couplings=gaussian",
        "spin-glass:5x5x5,seed=3,couplings=gaussian", "spin-glass:9,seed=3,couplings=gaussian",
        "field:30"})
    expect_rows(model_from_spec(spec));
}

/// Long rows, couplings out of a byte, and sites without neighbours.
TEST(SparseKernel, KeepsAnyRows) {
  Xoshiro256 engine = make_stream(3, 0, 0, Purpose::test);
  for (const int largest : {1, 100, 100'000}) {
    QuadraticTerms terms;
    terms.sites = 60;
    terms.convention = Convention::binary;
    for (int k = 0; k < 400; ++k)
      terms.couplings.push_back({static_cast<Site>(engine() % 50), static_cast<Site>(engine() % 50),
                                 double(int(engine() % (2 * unsigned(largest) + 1)) - largest)});
    expect_rows(Model("graph", QuadraticModel(terms)));
  }
}

TEST(RowOffset, PointsForwardsOrBackwardsOrSaysThatItMayBeEither) {
  // Among few sites a distance modulo 16 points one way: 13 is three back.
  EXPECT_EQ(row_offset(3, 16, 8), 3U);
  EXPECT_EQ(row_offset(13, 16, 8), static_cast<Site>(-3));
  EXPECT_EQ(row_offset(8, 16, 8), 8U);  // of no pair of sites
  // Among twelve, 4 forwards is 12 backwards, and out of reach; 6 may be 10 backwards.
  EXPECT_EQ(row_offset(4, 16, 12), 4U);
  EXPECT_EQ(row_offset(12, 16, 12), static_cast<Site>(-4));
  EXPECT_FALSE(row_offset(6, 16, 12).has_value());
  EXPECT_FALSE(row_offset(5, 16, 12).has_value());
  EXPECT_FALSE(row_offset(11, 16, 12).has_value());
}

}  // namespace
}  // namespace nhot
