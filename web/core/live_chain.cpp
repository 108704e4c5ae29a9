#include "live_chain.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "nhot/base/error.hpp"
#include "nhot/chain/checks.hpp"
#include "nhot/diagnose/autocovariance.hpp"
#include "nhot/diagnose/chains_view.hpp"
#include "nhot/diagnose/ess.hpp"
#include "nhot/diagnose/integrated_time.hpp"
#include "nhot/diagnose/mcse.hpp"
#include "nhot/diagnose/moments.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/start.hpp"
#include "nhot/trace/halving.hpp"

namespace nhot::web {
namespace {

/// Draws per tau below which no draw between others is given up.
constexpr double least_resolution = 8;
/// Draws that a window of Sokal's rule, five times tau, should leave many of.
constexpr std::size_t least_judged = 32;

std::shared_ptr<const Shell> shell_of(const Model& model, Site distance) {
  return std::make_shared<const Shell>(Bits(model.sites(), 0), distance);
}

/// Moves that make about one step per site.
std::uint64_t sweep(const AnyChain& chain, Site sites) {
  const ChainCounters& done = chain.counters();
  const double steps = static_cast<double>(done.steps) / static_cast<double>(done.moves);
  return static_cast<std::uint64_t>(std::max(1.0, std::round(sites / std::max(1.0, steps))));
}

}  // namespace

LiveChain::LiveChain(const Model& model, Site distance, double beta, const std::string& move,
                     std::uint64_t seed, const Bits* start)
    : setup_(model, shell_of(model, distance), move, beta) {
  const auto* kernel = std::get_if<std::shared_ptr<const IntegerKernel>>(&setup_.kernel());
  if (!kernel)
    throw InputError("the page samples models with whole couplings only",
                     "the command line samples any");
  const Shell shell(Bits(model.sites(), 0), distance);
  const Bits first = start ? *start : uniform_start(shell, seed, 0, 0);
  check_start(shell, first);
  const auto make = [&](Purpose purpose) {
    return setup_.make_with(*kernel, RandomDraws(make_stream(seed, 0, 0, purpose)), first);
  };
  // The steps of a move, from moves of a chain of its own.
  const auto trial = make(Purpose::tune);
  trial->advance(64);
  first_thin_ = sweep(*trial, model.sites());
  chain_ = make(Purpose::moves);
  clear();
}

void LiveChain::advance(std::uint64_t moves) {
  while (moves > 0) {
    const std::uint64_t now = std::min(moves, until_draw_);
    chain_->advance(now);
    moves -= now;
    until_draw_ -= now;
    if (until_draw_ == 0) keep_draw();
  }
}

void LiveChain::keep_draw() {
  energies_.push_back(chain_->energy());
  if (energies_.size() >= most_draws) {
    const LiveSummary& now = summary();
    if (now.tau_known == 0 || now.tau >= least_resolution) {
      keep_second(energies_);
      thin_ *= 2;
    } else {
      energies_.erase(energies_.begin(), energies_.begin() + most_draws / 2);
      older_gone_ = true;
    }
  }
  until_draw_ = thin_;
}

void LiveChain::set_beta(double beta) {
  chain_->set_beta(beta);
  clear();
}

void LiveChain::clear() {
  energies_.clear();
  older_gone_ = false;
  thin_ = until_draw_ = first_thin_;
  chain_->reset_counters();
}

const Bits& LiveChain::bits() { return bits_ = chain_->bits(); }

const LiveSummary& LiveChain::summary() {
  const ChainCounters& done = chain_->counters();
  summary_ = {};
  summary_.moves = static_cast<double>(done.moves);
  summary_.steps = static_cast<double>(done.steps);
  if (done.moves > 0)
    summary_.acceptance = static_cast<double>(done.accepted) / static_cast<double>(done.moves);
  summary_.energy = chain_->energy();
  summary_.lowest = done.best_energy;
  summary_.thin = static_cast<double>(thin_);
  summary_.draws = static_cast<double>(energies_.size());
  const std::size_t left_out = older_gone_ ? 0 : energies_.size() / 4;
  const std::span<const double> used = std::span(energies_).subspan(left_out);
  summary_.used = static_cast<double>(used.size());
  rho_.clear();
  if (used.size() < least_judged) return summary_;
  const ChainsView view(used.data(), 1, used.size());
  rho_ = nhot::autocorrelation(used);
  const IntegratedTime time = sokal_time(rho_);
  summary_.tau = time.tau;
  summary_.tau_known = time.closed ? 1 : 0;
  summary_.ess = ess_mean(view);
  summary_.mean = mean(used);
  summary_.error = mcse_mean(view, summary_.ess);
  return summary_;
}

}  // namespace nhot::web
