#include "nhot/run/band/band_team.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/start.hpp"

namespace nhot {
namespace {

/// Long beside a rebuild; of energies given as code, whose cost is not known, short.
std::uint64_t piece_for(const Model& model) {
  if (model.custom()) return 1024;
  return std::max<std::uint64_t>(std::uint64_t{1} << 14, 16 * std::uint64_t{model.sites()});
}

/// The middles of `chains` equal parts of the band.
Site start_shell(ShellBand band, std::size_t chain, std::size_t chains) {
  const double part = (static_cast<double>(chain) + 0.5) / static_cast<double>(chains);
  const auto offset = static_cast<Site>(part * static_cast<double>(band.shells()));
  return std::min(band.last, band.first + offset);
}

}  // namespace

BandTeam::BandTeam(const BandFactory& factory, const BandPlan& plan, std::function<bool()> stop)
    : band_(factory.band()),
      piece_(piece_for(factory.model())),
      stop_(std::move(stop)),
      cpu_seconds_(plan.chains, 0),
      team_(threads_for(plan.threads, plan.chains)) {
  for (std::size_t k = 0; k < plan.chains; ++k) {
    const Shell shell = factory.shell(start_shell(factory.band(), k, plan.chains));
    chains_.push_back(factory.make(make_stream(plan.seed, 0, k, Purpose::moves),
                                   uniform_start(shell, plan.seed, 0, k)));
    chains_.back()->set_outward(k % 2 == 0);
  }
}

bool BandTeam::for_each_chain(const std::function<void(std::size_t)>& work) {
  team_.run(chains_.size(), [&](std::size_t k) {
    {
      const std::lock_guard lock(stop_mutex_);
      if (!stopped_ && stop_ && stop_()) stopped_ = true;
    }
    if (stopped_) return;
    const double begin = thread_cpu_seconds();
    work(k);
    cpu_seconds_[k] += thread_cpu_seconds() - begin;
  });
  return !stopped_;
}

bool BandTeam::advance(std::uint64_t moves) {
  return for_each_chain([&](std::size_t k) {
    chains_[k]->rebuild();
    chains_[k]->advance(moves);
  });
}

void BandTeam::set_weights(const BandWeights& weights, double push) {
  for (const auto& chain : chains_) chain->set_weights(weights, push);
}

void BandTeam::confine_to_parts() {
  const auto reach = static_cast<Site>(band_.shells() / chains_.size() + 1);
  for (const auto& chain : chains_) {
    const Site n = chain->distance();
    chain->confine({n - std::min(reach, n - band_.first), n + std::min(reach, band_.last - n)});
  }
}

void BandTeam::release() {
  for (const auto& chain : chains_) chain->confine(band_);
}

void BandTeam::fade_tallies(double share) {
  for (const auto& chain : chains_) chain->fade_tally(share);
}

void BandTeam::reset() {
  for (const auto& chain : chains_) {
    chain->fade_tally(0);
    chain->reset_counters();
  }
  std::fill(cpu_seconds_.begin(), cpu_seconds_.end(), 0.0);
}

std::vector<BandTally> BandTeam::tallies() const {
  std::vector<BandTally> all;
  for (const auto& chain : chains_) all.push_back(chain->tally());
  return all;
}

double BandTeam::round_trips() const {
  double crossings = 0;
  for (const auto& chain : chains_) crossings += static_cast<double>(chain->crossings());
  return crossings / 2;
}

double BandTeam::acceptance() const {
  double accepted = 0;
  double moves = 0;
  for (const auto& chain : chains_) {
    accepted += static_cast<double>(chain->counters().accepted);
    moves += static_cast<double>(chain->counters().moves);
  }
  return moves > 0 ? accepted / moves : 0;
}

double BandTeam::cpu_seconds() const {
  double all = 0;
  for (const double seconds : cpu_seconds_) all += seconds;
  return all;
}

void BandTeam::save(Saving& saving) const {
  saving(cpu_seconds_);
  for (const auto& chain : chains_) {
    ByteWriter bytes;
    chain->save(bytes);
    saving(bytes.take());
  }
}

void BandTeam::restore(Restoring& restoring) {
  std::vector<double> seconds;
  restoring(seconds);
  if (seconds.size() != chains_.size()) ByteReader::damaged();
  cpu_seconds_ = seconds;
  for (const auto& chain : chains_) {
    std::vector<std::byte> bytes;
    restoring(bytes);
    ByteReader in(bytes);
    chain->restore(in);
  }
}

}  // namespace nhot
