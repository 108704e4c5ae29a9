// Weights far outside the usual range: the law is kept, and walks are not rejected for want of
// range.
#include <gtest/gtest.h>

#include "exact/exact_check.hpp"
#include "exact/instances.hpp"

namespace nhot::test {
namespace {

/// Independent sites whose fields are all near `strength`, so that totals of one side are near
/// exp(strength) and those of the other near exp(-strength).
Model strong_fields(double strength) {
  return quadratic_instance(
      "strong", Convention::binary, 0,
      {strength, strength + 1, strength - 1, strength, strength + 2, strength - 2},
      {{0, 1, 1}, {2, 3, -1}});
}

TEST(Extremes, WalksThroughEnormousWeightsKeepTheLaw) {
  // Totals that overflow a ratio (400), that leave the trusted range (600), and that leave the
  // range of doubles (1000).
  for (const double strength : {400.0, -400.0, 600.0, 1000.0})
    for (const std::string_view kernel : {"grid", "real", "dense"})
      for (const Site distance : {Site{1}, Site{2}}) {
        const ExactCase with(strong_fields(strength), kernel, mixed_reference(6), distance, 1.0);
        for (const std::string& engine : engines_for(kernel))
          for (const char* walk : {"length=1,gamma=beta,bias=exp,order=up-down",
                                   "length=1,gamma=beta,bias=exp,order=down-up",
                                   "length=2,gamma=0.5beta,bias=exp,order=down-up",
                                   "length=1,gamma=beta,bias=logistic,order=random",
                                   "length=1,gamma=0.9beta/beta,bias=min,order=random"}) {
            const std::string move = std::string("im:") + walk + ",engine=" + engine;
            const TransitionMatrix matrix = with.matrix(move);
            const ExactErrors errors = errors_of(matrix, with.law());
            // Energies of 1000 carry roundings of 1e-13 into log alpha.
            EXPECT_LE(errors.worst(), 4e-12)
                << kernel << " " << strength << " n=" << distance << " " << move;
          }
      }
}

// Without a reference the sites all cost the same, so a balanced walk is nearly always accepted.
TEST(Extremes, EnormousWeightsDoNotStopTheWalk) {
  for (const double strength : {400.0, 600.0, 1000.0})
    for (const std::string& engine : engines_for("grid")) {
      const ExactCase with(strong_fields(strength), "grid", Bits(6, 0), 1, 1.0);
      const TransitionMatrix matrix =
          with.matrix("im:length=1,gamma=beta,bias=exp,order=up-down,engine=" + engine);
      for (std::size_t x = 0; x < matrix.size(); ++x)
        EXPECT_LT(matrix(x, x), 0.9999) << strength << " " << engine;
      EXPECT_TRUE(is_irreducible(matrix));
    }
}

}  // namespace
}  // namespace nhot::test
