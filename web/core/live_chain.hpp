// One chain of the page: draws its energy as it goes, and what is known of them so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/chain/any_chain.hpp"
#include "nhot/chain/setup.hpp"
#include "nhot/model/model.hpp"

namespace nhot::web {

/// What the draws since clear() say of the energy, by the estimators of diagnose/.
struct LiveSummary {
  double moves = 0;
  double acceptance = nan;
  double steps = 0;
  double energy = 0;     // now
  double lowest = 0;     // since clear()
  double thin = 1;       // moves between draws
  double draws = 0;      // kept
  double used = 0;       // of them, after what is left out as warm-up
  double mean = nan;     // of the used draws, as is the rest
  double error = nan;    // of the mean
  double tau = nan;      // integrated autocorrelation time, in draws
  double tau_known = 0;  // 0: the draws are too few for it
  double ess = nan;
};

/// Samples pi_n(x) ~ exp(-beta E(x)) by one move, as chain 0 of `nhot sample` with this seed does.
///
/// Keeps at most `most_draws` draws of the energy. When there are more, every second one goes while
/// the autocorrelation is resolved well enough, and the older half otherwise: so the draws always
/// resolve tau, and their number stays bounded. The first quarter is left out as warm-up, until the
/// older half has gone.
class LiveChain {
 public:
  static constexpr std::size_t most_draws = 32'768;

  /// Starts where chain 0 of `seed` starts, or at `start` where it is given. InputError when the
  /// move does not fit the model, or the model's couplings are not on an integer grid.
  LiveChain(const Model& model, Site distance, double beta, const std::string& move,
            std::uint64_t seed, const Bits* start = nullptr);

  void advance(std::uint64_t moves);
  /// Changes the temperature and begins with new draws, from the present state.
  void set_beta(double beta);
  /// Forgets all draws.
  void clear();

  const Bits& bits();
  const std::vector<double>& energies() const { return energies_; }
  /// Of the used draws; rho_0 = 1. Computed by summary().
  const std::vector<double>& autocorrelation() const { return rho_; }
  const LiveSummary& summary();
  /// The move with every parameter.
  const std::string& move() const { return setup_.move(); }

 private:
  void keep_draw();

  ChainSetup setup_;
  std::unique_ptr<AnyChain> chain_;
  std::uint64_t first_thin_ = 1;
  std::uint64_t thin_ = 1;
  std::uint64_t until_draw_ = 1;
  std::vector<double> energies_;
  bool older_gone_ = false;
  std::vector<double> rho_;
  Bits bits_;
  LiveSummary summary_;
};

}  // namespace nhot::web
