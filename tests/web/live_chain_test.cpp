// The chain of the live page, built for this machine: the page itself is tested by test_live.py.
#include "web/core/live_chain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/start.hpp"

namespace nhot {
namespace {

using web::LiveChain;
using web::LiveSummary;

/// The energies that a chain of the library has after every `thin` moves.
std::vector<double> energies_of(const Model& model, Site n, double beta, const std::string& move,
                                std::uint64_t seed, std::uint64_t thin, std::size_t draws) {
  const Shell shell(Bits(model.sites(), 0), n);
  const ChainFactory factory(model, shell, move, beta);
  const auto chain =
      factory.make(make_stream(seed, 0, 0, Purpose::moves), uniform_start(shell, seed, 0, 0));
  std::vector<double> energies(draws);
  for (double& energy : energies) {
    chain->advance(thin);
    energy = chain->energy();
  }
  return energies;
}

TEST(LiveChain, DrawsWhatTheLibraryDrawsHoweverCallsDivideTheMoves) {
  const Model model = model_from_spec("spin-glass:6x6,seed=3");
  for (const std::string move : {"swap", "im:length=3", "im:length=1..4"}) {
    LiveChain chain(model, 15, 0.8, move, 5);
    for (const std::uint64_t moves : {1, 7, 500, 0, 92, 1400}) chain.advance(moves);
    const auto thin = static_cast<std::uint64_t>(chain.summary().thin);
    EXPECT_EQ(chain.energies().size(), 2000 / thin);
    EXPECT_EQ(chain.energies(), energies_of(model, 15, 0.8, move, 5, thin, 2000 / thin));
  }
}

TEST(LiveChain, ForgetsTheOlderHalfWhereDrawsAreNearlyIndependent) {
  const Model model = model_from_spec("ferromagnet:4x4");
  LiveChain chain(model, 8, 0.05, "swap", 1);
  const double thin = chain.summary().thin;
  const std::uint64_t draws = 2 * LiveChain::most_draws;
  chain.advance(draws * static_cast<std::uint64_t>(thin));
  const LiveSummary& summary = chain.summary();
  EXPECT_EQ(summary.thin, thin);
  EXPECT_EQ(summary.draws, LiveChain::most_draws / 2.0);
  EXPECT_EQ(summary.used, summary.draws);  // there is no warm-up in them
  const auto all = energies_of(model, 8, 0.05, "swap", 1, static_cast<std::uint64_t>(thin), draws);
  EXPECT_EQ(chain.energies(),
            std::vector<double>(all.end() - LiveChain::most_draws / 2, all.end()));
}

TEST(LiveChain, KeepsEverySecondDrawWhereTheyAreCorrelated) {
  const Model model = model_from_spec("ferromagnet:12x12");
  LiveChain chain(model, 72, 0.6, "swap", 1);
  const double thin = chain.summary().thin;
  chain.advance(3 * LiveChain::most_draws * static_cast<std::uint64_t>(thin) / 2);
  const LiveSummary& summary = chain.summary();
  EXPECT_EQ(summary.thin, 2 * thin);
  EXPECT_EQ(summary.draws, 3 * LiveChain::most_draws / 4.0);
  EXPECT_GT(summary.tau, 4);
  EXPECT_EQ(chain.energies(),
            energies_of(model, 72, 0.6, "swap", 1, static_cast<std::uint64_t>(2 * thin),
                        3 * LiveChain::most_draws / 4));
}

TEST(LiveChain, HasTheMeanOfTheLawWithinItsError) {
  const Model model = model_from_spec("spin-glass:4x3,seed=2");
  const double beta = 0.4;
  double weights = 0;
  double energies = 0;
  for (const Bits& bits : enumerate(Shell(Bits(12, 0), 5))) {
    const double energy = model.energy(bits);
    weights += std::exp(-beta * energy);
    energies += energy * std::exp(-beta * energy);
  }
  for (const std::string move : {"swap", "im:length=2"}) {
    LiveChain chain(model, 5, beta, move, 1);
    chain.advance(100'000);
    const LiveSummary& summary = chain.summary();
    EXPECT_EQ(summary.moves, 100'000);
    EXPECT_EQ(summary.tau_known, 1);
    EXPECT_LT(summary.error, 0.1);
    EXPECT_LT(std::abs(summary.mean - energies / weights), 4.5 * summary.error);
    EXPECT_EQ(chain.autocorrelation().size(), summary.used);
    // A law that is 10% colder would be seen.
    chain.set_beta(1.1 * beta);
    EXPECT_TRUE(chain.energies().empty());
    chain.advance(100'000);
    EXPECT_GT(std::abs(chain.summary().mean - energies / weights), 4.5 * chain.summary().error);
  }
}

TEST(LiveChain, SaysNothingOfFewDraws) {
  LiveChain chain(model_from_spec("ferromagnet:4x4"), 8, 0.4, "swap", 1);
  chain.advance(160);
  EXPECT_EQ(chain.summary().draws, 10);
  EXPECT_EQ(chain.summary().tau_known, 0);
  EXPECT_TRUE(std::isnan(chain.summary().mean));
  EXPECT_TRUE(chain.autocorrelation().empty());
}

TEST(LiveChain, GoesOnFromAGivenState) {
  const Model model = model_from_spec("ferromagnet:4x4");
  const Bits start = {1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  LiveChain chain(model, 3, 0.4, "im:length=1", 1, &start);
  EXPECT_EQ(chain.bits(), start);
  EXPECT_THROW(LiveChain(model, 4, 0.4, "swap", 1, &start), InputError);
}

TEST(LiveChain, RefusesWhatItsKernelDoesNotDo) {
  EXPECT_THROW(LiveChain(model_from_spec("spin-glass:4x4,couplings=gaussian"), 8, 1, "swap", 1),
               InputError);
  EXPECT_THROW(LiveChain(model_from_spec("ferromagnet:4x4"), 3, 1, "im:length=4", 1), InputError);
}

}  // namespace
}  // namespace nhot
