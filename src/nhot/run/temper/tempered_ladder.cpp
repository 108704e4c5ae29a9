#include "nhot/run/temper/tempered_ladder.hpp"

#include <limits>

#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/start.hpp"
#include "nhot/run/sweep.hpp"

namespace nhot {
namespace {

constexpr std::uint64_t most_rungs = std::uint64_t{1} << 32;

}  // namespace

TemperedLadder::TemperedLadder(const ChainFactory& factory, const RungLaws& laws,
                               std::uint64_t seed, std::uint64_t number, const Bits* start,
                               ReplicaShare share, std::size_t shared_as, bool measures)
    : factory_(factory),
      laws_(laws),
      seed_(seed),
      number_(number),
      share_(share),
      shared_as_(shared_as),
      measures_(measures),
      start_(start ? *start : Bits{}),
      draws_(make_stream(seed, number, 0, Purpose::exchange)) {}

void TemperedLadder::make_replicas(std::size_t count) {
  for (std::size_t r = replicas_.size(); r < count; ++r)
    replicas_.push_back(has(r) ? make_replica(r) : nullptr);
}

std::unique_ptr<AnyChain> TemperedLadder::make_replica(std::size_t r) const {
  const Bits start = start_.empty() ? first_state(r) : start_;
  if (!laws_.of_weights())
    return factory_.make(make_stream(seed_, number_, r, Purpose::moves), start);
  // A number of its own for every chain of every place(): there are fewer rungs than that.
  const Xoshiro256 stream = make_stream(seed_, number_, r + most_rungs * placed_, Purpose::moves);
  return laws_.factory(r).make(stream, start);
}

/// Where replica r begins. The two ends that paths of an RBM can have, uniform states and
/// independent units, may lead to phases that do not meet: every other ladder begins at the end
/// that is not its own, so that R-hat sees both.
Bits TemperedLadder::first_state(std::size_t r) const {
  Bits start = uniform_start(factory_.shell(), seed_, number_, r);
  if (!laws_.free_units() || placed_ > 1) return start;
  if (laws_.of_weights() == (number_ % 2 == 1)) return start;
  const auto free =
      laws_.free_units()->make(make_stream(seed_, number_, r + most_rungs, Purpose::start), start);
  free->advance(16 * moves_per_sweep(*laws_.free_units(), seed_));
  return free->bits();
}

void TemperedLadder::place(std::vector<double> betas) {
  std::vector<Bits> states;
  for (const std::size_t source : sources(betas)) states.push_back(replicas_[source]->bits());
  place(std::move(betas), states);
}

std::vector<std::size_t> TemperedLadder::sources(const std::vector<double>& betas) const {
  const std::size_t before = rungs();
  std::vector<std::size_t> replicas;
  std::size_t nearest = 0;
  for (const double beta : betas) {
    if (before == 0) break;
    while (nearest + 1 < before &&
           std::abs(ladder_.beta(nearest + 1) - beta) <= std::abs(ladder_.beta(nearest) - beta))
      ++nearest;
    replicas.push_back(chain_of(nearest));
  }
  return replicas;
}

void TemperedLadder::place(std::vector<double> betas, const std::vector<Bits>& states) {
  if (laws_.of_weights()) {
    note_best(best_energy());
    ++placed_;
    replicas_.clear();
  }
  make_replicas(betas.size());
  for (std::size_t r = 0; r < states.size(); ++r)
    if (has(r)) replicas_[r]->set_bits(states[r]);
  ladder_ = ReplicaLadder(std::move(betas));
  counters_.assign(rungs(), {});
  changes_.assign(rungs(), {});
  energies_.resize(rungs());
}

void TemperedLadder::advance(std::size_t rung, std::uint64_t moves, bool measure) {
  if (!holds(rung)) return;
  AnyChain& chain = *replicas_[chain_of(rung)];
  const double begin = thread_cpu_seconds();
  if (!laws_.of_weights() && chain.beta() != ladder_.beta(rung)) chain.set_beta(ladder_.beta(rung));
  const ChainCounters before = chain.counters();
  PackedBits from;
  if (measure) chain.read(from);
  chain.advance(moves);
  if (measure) {
    PackedBits to;
    chain.read(to);
    changes_[rung].sites += count_different(from, to);
    ++changes_[rung].calls;
  }
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
  for (std::size_t r = 0; r < rungs(); ++r)
    if (has(r)) energies_[r] = energy(r);
  if (laws_.of_weights())
    exchange_states();
  else
    ladder_.exchange(energies_, draws_);
}

double TemperedLadder::energy(std::size_t replica) const {
  const std::size_t rung = ladder_.rung_of(replica);
  return laws_.exchanged_energy(*replicas_[chain_of(rung)], rung);
}

/// An exchange after which the chains of the rungs have the states of their new replicas.
void TemperedLadder::exchange_states() {
  std::vector<std::size_t> before;
  for (std::size_t k = 0; k < rungs(); ++k) before.push_back(ladder_.replica_at(k));
  ladder_.exchange(energies_, draws_);
  for (std::size_t k = 0; k + 1 < rungs(); ++k) {
    if (ladder_.replica_at(k) == before[k]) continue;
    const Bits bits = replicas_[k]->bits();
    replicas_[k]->set_bits(replicas_[k + 1]->bits());
    replicas_[k + 1]->set_bits(bits);
    ++k;  // exchanged with the next, which has no other exchange in the same round
  }
}

double TemperedLadder::best_energy() const {
  double best = best_elsewhere_;
  if (laws_.of_weights())  // other rungs have other energies
    return !replicas_.empty() && replicas_.back()
               ? std::min(best, replicas_.back()->counters().best_energy)
               : best;
  for (const auto& replica : replicas_)
    if (replica) best = std::min(best, replica->counters().best_energy);
  return best;
}

void TemperedLadder::add_counters(const std::vector<RungCounters>& counters) {
  for (std::size_t rung = 0; rung < rungs(); ++rung) {
    const RungCounters& more = counters[rung];
    RungCounters& mine = counters_[rung];
    mine.moves += more.moves;
    mine.accepted += more.accepted;
    mine.changed += more.changed;
    mine.steps += more.steps;
    mine.accepted_since_draw += more.accepted_since_draw;
    mine.cpu_seconds += more.cpu_seconds;
    mine.recording_seconds += more.recording_seconds;
  }
}

std::vector<TemperedLadder::RungCounters> TemperedLadder::take_counters() {
  return std::exchange(counters_, std::vector<RungCounters>(rungs()));
}

void TemperedLadder::add_changes(const std::vector<ChangedSites>& changes) {
  for (std::size_t rung = 0; rung < rungs(); ++rung) {
    changes_[rung].sites += changes[rung].sites;
    changes_[rung].calls += changes[rung].calls;
  }
}

std::vector<TemperedLadder::ChangedSites> TemperedLadder::take_changes() {
  return std::exchange(changes_, std::vector<ChangedSites>(rungs()));
}

void TemperedLadder::reset_counters() {
  counters_.assign(rungs(), {});
  changes_.assign(rungs(), {});
  ladder_.reset_statistics();
}

void TemperedLadder::save(ByteWriter& out,
                          const std::vector<std::vector<std::byte>>& elsewhere) const {
  out.put(start_);
  if (laws_.of_weights()) {
    out.put(placed_);
    out.put(best_energy());
  }
  out.put<std::uint64_t>(replicas_.size());
  for (std::size_t r = 0; r < replicas_.size(); ++r)
    if (replicas_[r])
      replicas_[r]->save(out);
    else
      for (const std::byte byte : elsewhere[r]) out.put(byte);
  save_exchanges(out);
  out.put(counters_);
  if (measures_) out.put(changes_);
}

void TemperedLadder::save_exchanges(ByteWriter& out) const {
  ladder_.save(out);
  out.put(draws_.engine().state());
}

void TemperedLadder::restore(ByteReader& in) {
  in.get(start_);
  if (!start_.empty()) check_start(factory_.shell(), start_);
  if (laws_.of_weights()) {
    in.get(placed_);
    note_best(in.get<double>());
  }
  const auto replicas = in.get<std::uint64_t>();
  if (laws_.of_weights() && replicas != laws_.betas().size()) ByteReader::damaged();
  // One by one: a damaged number ends with the archive, not with the memory.
  std::unique_ptr<AnyChain> stand_in;  // for replicas of other ranks
  for (std::uint64_t r = 0; r < replicas; ++r) {
    make_replicas(r + 1);
    if (replicas_[r]) {
      replicas_[r]->restore(in);
      continue;
    }
    if (!stand_in) stand_in = make_replica(r);
    if (laws_.of_weights()) stand_in = make_replica(r);
    stand_in->restore(in);
    if (!laws_.of_weights()) note_best(stand_in->counters().best_energy);
  }
  restore_exchanges(in);
  if (laws_.of_weights() && ladder_.betas() != laws_.betas()) ByteReader::damaged();
  in.get_sized(counters_, rungs());
  changes_.assign(rungs(), {});
  if (measures_) in.get_sized(changes_, rungs());
}

void TemperedLadder::restore_exchanges(ByteReader& in) {
  ladder_ = ReplicaLadder::restored(in);
  if (rungs() == 0 || rungs() > replicas_.size()) ByteReader::damaged();
  const auto engine = in.get<Xoshiro256::State>();
  if (engine == Xoshiro256::State{}) ByteReader::damaged();
  draws_.set_engine(Xoshiro256(engine));
  energies_.resize(rungs());
}

}  // namespace nhot
