#include "nhot/run/tempered_ladder.hpp"

#include <limits>

#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/start.hpp"

namespace nhot {

TemperedLadder::TemperedLadder(const ChainFactory& factory, std::uint64_t seed,
                               std::uint64_t number, const Bits* start)
    : factory_(factory),
      seed_(seed),
      number_(number),
      start_(start),
      draws_(make_stream(seed, number, 0, Purpose::exchange)) {}

void TemperedLadder::make_replicas(std::size_t count) {
  for (std::size_t r = replicas_.size(); r < count; ++r) {
    replicas_.push_back(
        factory_.make(make_stream(seed_, number_, r, Purpose::moves),
                      start_ ? *start_ : uniform_start(factory_.shell(), seed_, number_, r)));
  }
}

void TemperedLadder::place(std::vector<double> betas) {
  const std::size_t before = rungs();
  std::vector<Bits> states;
  std::size_t nearest = 0;
  for (const double beta : betas) {
    if (before == 0) break;
    while (nearest + 1 < before &&
           std::abs(ladder_.beta(nearest + 1) - beta) <= std::abs(ladder_.beta(nearest) - beta))
      ++nearest;
    states.push_back(at(nearest).bits());
  }
  make_replicas(betas.size());
  for (std::size_t r = 0; r < states.size(); ++r) replicas_[r]->set_bits(states[r]);
  ladder_ = ReplicaLadder(std::move(betas));
  counters_.assign(rungs(), {});
  energies_.resize(rungs());
}

void TemperedLadder::advance(std::size_t rung, std::uint64_t moves) {
  AnyChain& chain = *replicas_[ladder_.replica_at(rung)];
  const double begin = thread_cpu_seconds();
  if (chain.beta() != ladder_.beta(rung)) chain.set_beta(ladder_.beta(rung));
  const ChainCounters before = chain.counters();
  chain.advance(moves);
  const ChainCounters& after = chain.counters();
  RungCounters& mine = counters_[rung];
  mine.moves += after.moves - before.moves;
  mine.accepted += after.accepted - before.accepted;
  mine.steps += after.steps - before.steps;
  mine.cpu_seconds += thread_cpu_seconds() - begin;
}

void TemperedLadder::exchange() {
  for (std::size_t r = 0; r < rungs(); ++r) energies_[r] = replicas_[r]->energy();
  ladder_.exchange(energies_, draws_);
}

double TemperedLadder::best_energy() const {
  double best = std::numeric_limits<double>::infinity();
  for (const auto& replica : replicas_) best = std::min(best, replica->counters().best_energy);
  return best;
}

void TemperedLadder::reset_counters() {
  counters_.assign(rungs(), {});
  ladder_.reset_statistics();
}

}  // namespace nhot
