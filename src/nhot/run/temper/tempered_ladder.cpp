#include "nhot/run/temper/tempered_ladder.hpp"

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
      start_(start ? *start : Bits{}),
      draws_(make_stream(seed, number, 0, Purpose::exchange)) {}

void TemperedLadder::make_replicas(std::size_t count) {
  for (std::size_t r = replicas_.size(); r < count; ++r) {
    replicas_.push_back(factory_.make(
        make_stream(seed_, number_, r, Purpose::moves),
        start_.empty() ? uniform_start(factory_.shell(), seed_, number_, r) : start_));
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
  mine.changed += after.changed - before.changed;
  mine.accepted_since_draw += after.accepted - before.accepted;
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

void TemperedLadder::save(ByteWriter& out) const {
  out.put(start_);
  out.put<std::uint64_t>(replicas_.size());
  for (const auto& replica : replicas_) replica->save(out);
  ladder_.save(out);
  out.put(draws_.engine().state());
  out.put(counters_);
}

void TemperedLadder::restore(ByteReader& in) {
  in.get(start_);
  if (!start_.empty()) check_start(factory_.shell(), start_);
  const auto replicas = in.get<std::uint64_t>();
  // One by one: a damaged number ends with the archive, not with the memory.
  for (std::uint64_t r = 0; r < replicas; ++r) {
    make_replicas(r + 1);
    replicas_[r]->restore(in);
  }
  ladder_ = ReplicaLadder::restored(in);
  if (rungs() == 0 || rungs() > replicas_.size()) ByteReader::damaged();
  const auto engine = in.get<Xoshiro256::State>();
  if (engine == Xoshiro256::State{}) ByteReader::damaged();
  draws_.set_engine(Xoshiro256(engine));
  in.get_sized(counters_, rungs());
  energies_.resize(rungs());
}

}  // namespace nhot
