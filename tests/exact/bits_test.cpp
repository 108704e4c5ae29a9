// Engine bits of swap, exactly: whatever two sites a move takes, every replica keeps pi_n, and two
// replicas keep the product of pi_n, over all outcomes of the coins. As the sites are chosen
// without a look at the states, that holds for every way to choose them; a uniform choice is
// irreducible for the pair of replicas too, so the product is the only law that it keeps.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <type_traits>

#include "exact/instances.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/chain/replicas/data.hpp"
#include "nhot/random/draws.hpp"
#include "support/exact.hpp"

namespace nhot::test {
namespace {

typedef std::uint64_t Native __attribute__((vector_size(16)));
#include "nhot/chain/replicas/loop.inl"

/// Coins whose outcomes are enumerated. Every replica must be of exactly one level.
class EnumeratedCoins {
 public:
  enum class Error { none, two_percent, shared };

  EnumeratedCoins(BranchScript& script, double beta, double unit, Error error)
      : draws_(script), beta_(beta), unit_(unit), error_(error) {}

  template <std::size_t Room, class Levels>
  void operator()(const Word (&level)[Room], Levels levels, const Word& among, Word& heads) {
    heads = 0;
    bool first = true;
    bool shared = false;
    for (unsigned replica = 0; replica < 2; ++replica) {
      if (((among >> replica) & 1) == 0) continue;
      unsigned found = 0;
      unsigned number = 0;
      for (unsigned l = 0; l < Room; ++l)
        if ((level[l] >> replica) & 1) {
          number = l;
          ++found;
        }
      if (found != 1 || number >= levels) throw DrawError("a replica is not of one level");
      double p = 1 / (1 + std::exp(beta_ * unit_ * number));
      if (error_ == Error::two_percent && number == 1) p *= 1.02;
      const bool outcome = error_ == Error::shared && !first ? shared : draws_.accept(p);
      if (outcome) heads |= Word{1} << replica;
      shared = outcome;
      first = false;
    }
  }

  /// The pair of sites is element 0; all others have nothing to decide.
  template <std::size_t Room, class Levels>
  void operator()(const Wide (&level)[Room], Levels levels, const Wide& among, Wide& heads) {
    Word words[Room];
    for (std::size_t l = 0; l < Room; ++l) words[l] = level[l].part[0][0];
    for (std::size_t k = 1; k < 8; ++k)
      if (among.part[k / 2][k % 2] != 0) throw DrawError("a pair of a site with itself is unlike");
    Word first = 0;
    (*this)(words, levels, among.part[0][0], first);
    heads = Wide{};
    heads.part[0][0] = first;
  }

 private:
  EnumeratingDraws draws_;
  double beta_;
  double unit_;
  Error error_;
};

using PlantedError = EnumeratedCoins::Error;

/// Two replicas of a small model.
class Replicas {
 public:
  Replicas(const ExactCase& with, PlantedError error = PlantedError::none)
      : with_(with),
        kernel_(with.model().shared_quadratic(), with.shell()->reference(),
                find_grid(*with.model().quadratic(), with.shell()->reference(), 1 << 20)),
        model_(kernel_, *with.shell()),
        terms_(model_.terms()),
        u_(terms_.sites),
        coins_(script_, with.beta(), model_.unit(), error) {}

  const ReplicaTerms& terms() const { return terms_; }
  const ReplicaModel& model() const { return model_; }

  /// The matrix of a move on sites i and j of `number` replicas, 1 or 2; states of two replicas are
  /// numbered row * size + row.
  TransitionMatrix matrix(Site i, Site j, unsigned number) {
    return matrix(number, [&] { exchange(i, j); });
  }
  /// The matrix of a move on sites chosen uniformly.
  TransitionMatrix uniform_matrix(unsigned number) {
    EnumeratingDraws draws(script_);
    return matrix(number, [&] {
      const auto [i, j] = draw_sites(draws, terms_.sites);
      exchange(i, j);
    });
  }

 private:
  template <class Move>
  TransitionMatrix matrix(unsigned number, Move&& move) {
    const StateIndex& states = with_.states();
    const std::size_t size = number == 1 ? states.size() : states.size() * states.size();
    TransitionMatrix result(size);
    for (std::size_t from = 0; from < size; ++from)
      for_each_branch(script_, [&] {
        const std::size_t a = number == 1 ? from : from / states.size();
        const std::size_t b = number == 1 ? from : from % states.size();
        set(0, states[a]);
        set(1, number == 1 ? with_.shell()->reference() : states[b]);  // all alike: never moves
        move();
        const std::size_t to = number == 1
                                   ? states.row(get(0))
                                   : states.row(get(0)) * states.size() + states.row(get(1));
        result(from, to) += script_.probability();
      });
    return result;
  }

  void set(unsigned replica, const Bits& bits) {
    const Bits u = with_.shell()->relative(bits);
    const Word mask = Word{1} << replica;
    for (Site i = 0; i < terms_.sites; ++i) u_[i] = u[i] ? u_[i] | mask : u_[i] & ~mask;
  }
  Bits get(unsigned replica) const {
    Bits u(terms_.sites);
    for (Site i = 0; i < terms_.sites; ++i) u[i] = (u_[i] >> replica) & 1;
    return with_.shell()->relative(u);
  }

  void exchange(Site i, Site j) {
    bool coupled = false;
    for (std::uint32_t k = terms_.row_begin[i]; k < terms_.row_begin[i + 1]; ++k)
      coupled = coupled || terms_.couplings[k].site == j;
    if (terms_.degree == 4 && terms_.one_sign && !coupled)
      in_batch<UnitCouplings<4, true>>(i, j);
    else if (terms_.degree == 4 && !coupled)
      in_batch<UnitCouplings<4, false>>(i, j);
    else if (terms_.degree == 6 && terms_.one_sign && !coupled)
      in_batch<UnitCouplings<6, true>>(i, j);
    else if (terms_.degree == 6 && !coupled)
      in_batch<UnitCouplings<6, false>>(i, j);
    else
      alone(i, j);
  }

  void alone(Site i, Site j) {
    Word unlike = 0;
    Word accepted = 0;
    if (terms_.levels < 8)
      exchange_pair<3>(terms_, u_.data(), i, j, coins_, unlike, accepted);
    else
      exchange_pair<6>(terms_, u_.data(), i, j, coins_, unlike, accepted);
  }

  template <class Kind>
  void in_batch(Site i, Site j) {
    Site other = 0;
    while (other == i || other == j) ++other;
    PairBatch batch;
    batch.i.fill(other);
    batch.j.fill(other);
    batch.i[0] = i;
    batch.j[0] = j;
    BatchWords<Kind> words(terms_, u_.data(), batch);
    Wide unlike;
    Wide accepted;
    words.decide(coins_, unlike, accepted);
    words.make(accepted);
    words.write(u_.data(), batch);
  }

  const ExactCase& with_;
  IntegerKernel kernel_;
  ReplicaModel model_;
  ReplicaTerms terms_;
  std::vector<Word> u_;
  BranchScript script_;
  EnumeratedCoins coins_;
};

std::vector<double> product_law(const std::vector<double>& law) {
  std::vector<double> result;
  for (const double p : law)
    for (const double q : law) result.push_back(p * q);
  return result;
}

/// Ten sites on a ring, coupled to the three next ones either way.
Model ring_of_six(bool one_sign) {
  std::vector<Coupling> couplings;
  for (Site i = 0; i < 10; ++i)
    for (Site d = 1; d <= 3; ++d)
      couplings.push_back({i, (i + d) % 10, one_sign || (i * d) % 3 != 1 ? 1.0 : -1.0});
  return quadratic_instance("ring-of-six", Convention::spin, 0.5, std::vector<double>(10, 0.0),
                            std::move(couplings));
}

struct BitsInstance {
  std::string name;
  Model model;
  unsigned degree;  // of the loop that must be met; 0: the general one
};

std::vector<BitsInstance> bits_instances() {
  std::vector<BitsInstance> list = {
      {"ferromagnet:3x3", model_from_spec("ferromagnet:3x3"), 4},
      {"spin-glass:3x3", model_from_spec("spin-glass:3x3,seed=3"), 4},
      {"open", model_from_spec("ferromagnet:2x4,open"), 0},
      {"ring-of-six", ring_of_six(true), 6},
      {"glass-of-six", ring_of_six(false), 6},
  };
  for (const Instance& instance : exact_instances())
    if (instance.kernel == "integer" && instance.only != "im")
      list.push_back({instance.name, instance.model, 0});
  return list;
}

TEST(ExactBits, EveryReplicaAndEveryPairOfReplicasKeepTheirLaw) {
  std::size_t checked = 0;
  double worst = 0;
  for (const BitsInstance& instance : bits_instances()) {
    const Site sites = instance.model.sites();
    struct Where {
      Bits reference;
      Site distance;
      double beta;
    };
    const std::vector<Where> places = {
        {mixed_reference(sites), 2, 0.7}, {Bits(sites, 0), 2, 0.0},
        {mixed_reference(sites), 1, 6.0}, {Bits(sites, 1), sites - 1, 0.3},
        {mixed_reference(sites), 0, 0.7}, {Bits(sites, 0), sites, 0.7}};
    for (const Where& place : places) {
      const ExactCase with(instance.model, "integer", place.reference, place.distance, place.beta);
      Replicas replicas(with);
      EXPECT_EQ(replicas.terms().degree, instance.degree) << instance.name;
      const std::vector<double> product = product_law(with.law());
      const auto check = [&](const TransitionMatrix& matrix, const std::vector<double>& law) {
        const ExactErrors errors = errors_of(matrix, law);
        ++checked;
        worst = std::max(worst, errors.worst());
        EXPECT_TRUE(errors.passed()) << instance.name << " n=" << place.distance
                                     << " beta=" << place.beta << ": " << errors.stationarity;
        EXPECT_LE(detailed_balance_error(matrix, law), exact_tolerance) << instance.name;
      };
      for (Site i = 0; i < sites; ++i)
        for (Site j = 0; j < sites; ++j) {
          if (i == j) continue;
          check(replicas.matrix(i, j, 1), with.law());
          if (with.states().size() <= 30) check(replicas.matrix(i, j, 2), product);
        }
      const TransitionMatrix both = replicas.uniform_matrix(2);
      check(both, product);
      EXPECT_TRUE(is_irreducible(both)) << instance.name << " beta=" << place.beta;
    }
  }
  std::printf("exact suite, engine bits: %zu matrices checked, worst error %.1e\n", checked, worst);
  EXPECT_GT(checked, 1000u);
}

/// A larger shell, for one replica: levels that small ones do not reach.
TEST(ExactBits, OneReplicaOnAShellHalfFull) {
  for (const BitsInstance& instance : bits_instances()) {
    const Site sites = instance.model.sites();
    const ExactCase with(instance.model, "integer", mixed_reference(sites), sites / 2, 0.4);
    Replicas replicas(with);
    const ExactErrors errors = errors_of(replicas.uniform_matrix(1), with.law());
    EXPECT_TRUE(errors.passed()) << instance.name << ": " << errors.worst();
  }
}

TEST(ExactBits, PlantedErrorsAreCaught) {
  const ExactCase with(ring_model(), "integer", mixed_reference(6), 2, 0.7);
  const std::vector<double> product = product_law(with.law());
  EXPECT_TRUE(errors_of(Replicas(with).uniform_matrix(2), product).passed());

  Replicas wrong(with, PlantedError::two_percent);
  EXPECT_GT(errors_of(wrong.uniform_matrix(1), with.law()).stationarity, 1e-5);

  // One coin for both replicas: each is right on its own, but they are not independent.
  Replicas shared(with, PlantedError::shared);
  EXPECT_TRUE(errors_of(shared.uniform_matrix(1), with.law()).passed());
  EXPECT_GT(errors_of(shared.uniform_matrix(2), product).stationarity, 1e-5);
}

}  // namespace
}  // namespace nhot::test
