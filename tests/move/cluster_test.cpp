#include "nhot/move/cluster.hpp"

#include <gtest/gtest.h>

#include "move/small_models.hpp"
#include "nhot/base/error.hpp"
#include "nhot/model/generators.hpp"

namespace nhot::test {
namespace {

/// A lattice with one coupling per axis, the same field everywhere, in either convention.
Model lattice(std::vector<Site> sides, bool periodic, std::vector<double> along, double field,
              Convention convention = Convention::spin) {
  const Model bonds = ferromagnet({sides, periodic});
  QuadraticTerms terms = bonds.quadratic()->terms();
  terms.convention = convention;
  terms.linear.assign(terms.sites, field);
  for (Coupling& c : terms.couplings) {
    // The axis along which the two sites differ.
    Site stride = terms.sites;
    for (std::size_t d = 0; d < sides.size(); ++d) {
      stride /= sides[d];
      if (c.i / stride % sides[d] != c.j / stride % sides[d]) c.value = along[d];
    }
  }
  return Model("lattice", QuadraticModel(std::move(terms)), {sides, periodic});
}

void expect_exact(const Model& model, const Bits& reference, Site distance, double beta,
                  const std::string& move = "cluster", bool irreducible = true) {
  const ExactErrors errors = exact_errors(model, make_shell(reference, distance), move, beta);
  EXPECT_LT(errors.worst(), 1e-13) << model.name() << " " << move << " beta " << beta;
  EXPECT_EQ(errors.irreducible, irreducible) << model.name() << " " << move;
}

TEST(ClusterMove, KeepsTheLawOfPeriodicFerromagnets) {
  for (const char* spec : {"ferromagnet:6", "ferromagnet:7", "ferromagnet:3x2", "ferromagnet:2x4",
                           "ferromagnet:2x2x2", "ferromagnet:1x5", "ferromagnet:2"}) {
    const Model model = model_from_spec(spec);
    for (Site n = 0; n <= model.sites(); ++n)
      for (const double beta : {0.0, 0.44, 1.3}) {
        expect_exact(model, Bits(model.sites(), 0), n, beta);
        expect_exact(model, Bits(model.sites(), 1), n, beta);
      }
  }
  expect_exact(model_from_spec("ferromagnet:3x3"), Bits(9, 0), 4, 0.4);
  expect_exact(model_from_spec("ferromagnet:3x3"), Bits(9, 0), 3, 0.7);
}

TEST(ClusterMove, KeepsTheLawForCouplingsOfAnySignAndSize) {
  for (const Convention convention : {Convention::spin, Convention::binary}) {
    // Antiferromagnets, frustrated on odd sides; couplings that differ by axis; fields; a side
    // without bonds.
    expect_exact(lattice({2, 4}, true, {1, 1}, 0, convention), Bits(8, 0), 4, 0.5);
    expect_exact(lattice({5}, true, {1}, 0.5, convention), Bits(5, 0), 2, 0.9);
    expect_exact(lattice({3, 2}, true, {0.3, -1.7}, 0.2, convention), Bits(6, 1), 3, 0.8);
    expect_exact(lattice({2, 3}, true, {-0.37, 0.61}, 0, convention), Bits(6, 0), 2, 1.1);
    expect_exact(lattice({2, 2, 2}, true, {-0.4, 0.3, 0}, -1, convention), Bits(8, 0), 3, 1.0);
  }
}

// Sites that reach beyond their nearest neighbours: both sites of a pair can be coupled to one.
TEST(ClusterMove, KeepsTheLawForLongBonds) {
  for (const Site sides : {6u, 7u, 8u}) {
    QuadraticTerms terms;
    terms.sites = sides;
    const double along[] = {0, -0.8, 0.5, 0.3};
    for (Site i = 0; i < sides; ++i)
      for (Site d = 1; d <= 3; ++d)
        if (2 * d != sides || i < sides / 2)
          terms.couplings.push_back({i, (i + d) % sides, along[d]});
    const Model model("ring", QuadraticModel(std::move(terms)), {{sides}, true});
    for (Site n = 1; n < sides; ++n) expect_exact(model, Bits(sides, 0), n, 0.7);
    expect_exact(model, Bits(sides, 0), 3, 0.7, "0.5*cluster + 0.5*im:length=1,engine=dense");
    expect_exact(model, Bits(sides, 0), 3, 0.7, "0.5*cluster + 0.5*im:length=1,engine=tree");
  }
}

TEST(ClusterMove, KeepsTheLawOfOpenLattices) {
  for (const char* spec : {"ferromagnet:5,open", "ferromagnet:2x3,open", "ferromagnet:3x3,open",
                           "ferromagnet:1x4,open"}) {
    const Model model = model_from_spec(spec);
    expect_exact(model, Bits(model.sites(), 0), model.sites() / 2, 0.4, "cluster", false);
    expect_exact(model, Bits(model.sites(), 1), 2, 0.6, "cluster", false);
    expect_exact(model, Bits(model.sites(), 0), 2, 0.6, "0.5*cluster + 0.5*swap", true);
  }
  // Here all sites are images of one another.
  expect_exact(model_from_spec("ferromagnet:2x2x2,open"), Bits(8, 0), 4, 0.4);
  expect_exact(lattice({2, 4}, false, {-0.6, 0.9}, 0.4), Bits(8, 0), 4, 0.5, "cluster", false);
}

// Seen from the reference, a lattice whose couplings are those of a ferromagnet with the spins of
// the reference turned over is that ferromagnet.
TEST(ClusterMove, LooksAtTheModelFromTheReference) {
  const Bits reference = {0, 1, 1, 0, 0, 0, 1, 0};
  const Model plain = model_from_spec("ferromagnet:2x4");
  QuadraticTerms terms = plain.quadratic()->terms();
  for (Coupling& c : terms.couplings)
    if (reference[c.i] != reference[c.j]) c.value = -c.value;
  const Model turned("turned", QuadraticModel(std::move(terms)), plain.lattice());
  expect_exact(turned, reference, 4, 0.5);
  EXPECT_THROW(ChainSetup(turned, make_shell(Bits(8, 0), 4), "cluster", 0.5), InputError);
}

// The mirrored pairs are what makes the move rejection-free; a planted asymmetry is seen.
TEST(ClusterMove, ABondThatBreaksTheSymmetryWouldBeSeen) {
  const Model plain = model_from_spec("ferromagnet:2x4");
  QuadraticTerms terms = plain.quadratic()->terms();
  terms.couplings[3].value *= 1.02;
  const Model bent("bent", QuadraticModel(std::move(terms)), plain.lattice());
  const auto shell = make_shell(Bits(8, 0), 4);
  const StateIndex states(*shell);
  const TransitionMatrix p = transition_matrix(ChainSetup(plain, shell, "cluster", 0.5), states);
  EXPECT_GT(stationarity_error(p, boltzmann_law(bent, states, 0.5)), 1e-6);
}

TEST(ClusterMove, ReportsItsSize) {
  const Model model = model_from_spec("ferromagnet:12x12");
  const auto shell = make_shell(Bits(144, 0), 60);
  Bits start(144, 0);
  std::fill(start.begin(), start.begin() + 60, Bit{1});
  const auto chain = ChainSetup(model, shell, "cluster", 0.5)
                         .make(RandomDraws(make_stream(3, 0, 0, Purpose::test)), start);
  for (int m = 0; m < 200; ++m) {
    const Bits before = chain->bits();
    const std::uint64_t steps = chain->counters().steps;
    chain->advance(1);
    const Bits after = chain->bits();
    std::uint32_t changed = 0;
    for (std::size_t i = 0; i < 144; ++i) changed += before[i] != after[i];
    EXPECT_EQ(chain->last_move().hamming, changed);
    EXPECT_EQ(2 * chain->last_move().length, changed);
    EXPECT_EQ(chain->counters().steps - steps, changed);
    EXPECT_TRUE(shell->contains(after));
    EXPECT_EQ(chain->energy(), model.energy(after));
  }
  EXPECT_EQ(chain->counters().accepted, 200u);
}

std::string refusal_of_cluster(const Model& model, Bits reference, Site distance) {
  try {
    ChainSetup(model, make_shell(std::move(reference), distance), "cluster", 1.0);
  } catch (const InputError& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "";
}

void expect_refusal(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(ClusterMove, RefusesWithTheReason) {
  const Bits zeros(9, 0);
  expect_refusal(refusal_of_cluster(small_rbm(5, 4, 1), zeros, 4), "not a lattice of known shape");
  expect_refusal(refusal_of_cluster(dense_spins(9, 1), zeros, 4), "not a lattice of known shape");
  expect_refusal(refusal_of_cluster(model_from_spec("field:9"), zeros, 4),
                 "not a lattice of known shape");
  expect_refusal(refusal_of_cluster(model_from_spec("spin-glass:3x3,seed=1"), zeros, 4),
                 "lie in the same direction, so a reflection changes the energy");
  expect_refusal(refusal_of_cluster(model_from_spec("spin-glass:3x3,seed=1,open"), zeros, 4),
                 "so no reflection of the open lattice keeps the energy");
  const Model ferro = model_from_spec("ferromagnet:3x3");
  expect_refusal(refusal_of_cluster(ferro, {0, 1, 0, 0, 0, 0, 0, 0, 0}, 4),
                 "the reference is not the same on all sites");
  expect_refusal(
      refusal_of_cluster(model_from_spec("ferromagnet:3x3,open"), {1, 1, 0, 0, 0, 0, 0, 0, 0}, 4),
      "the reference is not a mirror image of itself");
  // On an open lattice one mirror is enough.
  EXPECT_EQ(
      refusal_of_cluster(model_from_spec("ferromagnet:3x3,open"), {0, 1, 0, 0, 0, 0, 0, 0, 0}, 4),
      "");

  QuadraticTerms terms = ferro.quadratic()->terms();
  terms.linear[5] = 0.25;
  const Model field("field", QuadraticModel(terms), ferro.lattice());
  expect_refusal(refusal_of_cluster(field, zeros, 4), "the fields of sites 0 and 5 differ");
  terms.linear[5] = 0;
  terms.couplings.pop_back();
  const Model hole("hole", QuadraticModel(terms), ferro.lattice());
  expect_refusal(refusal_of_cluster(hole, zeros, 4), "neighbours");
}

}  // namespace
}  // namespace nhot::test
