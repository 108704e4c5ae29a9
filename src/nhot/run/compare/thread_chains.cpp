#include "nhot/run/compare/thread_chains.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nhot/base/contracts.hpp"
#include "nhot/run/clock.hpp"

namespace nhot {

ThreadChains::ThreadChains(std::vector<ChainWithRecorder> members, std::uint64_t moves)
    : members_(std::move(members)), moves_(moves) {
  NHOT_EXPECTS(!members_.empty());
}

void ThreadChains::save(Saving& saving) const {
  saving(cpu_seconds_, recording_seconds_, wall_seconds_, seconds_per_draw_);
  for (const ChainWithRecorder& m : members_) {
    ByteWriter bytes;
    m.chain->save(bytes);
    saving(bytes.bytes());
    m.recorder->visit(saving);
  }
}

void ThreadChains::restore(Restoring& restoring) {
  restoring(cpu_seconds_, recording_seconds_, wall_seconds_, seconds_per_draw_);
  for (ChainWithRecorder& m : members_) {
    std::vector<std::byte> archive;
    restoring(archive);
    ByteReader bytes(archive);
    m.chain->restore(bytes);
    m.recorder->visit(restoring);
  }
}

void ThreadChains::run_to(double cpu_target, const Observables& observables) {
  while (cpu_seconds_ < cpu_target && !finished()) {
    const ChainRecorder& recorder = *members_.front().recorder;
    const std::uint64_t thin = recorder.thin();
    std::uint64_t draws = recorder.draws_to_state();
    if (moves_ > 0) draws = std::min(draws, (moves_ - done()) / thin);
    const double pace = (cpu_target - cpu_seconds_) / std::max(seconds_per_draw_, 1e-9);
    if (seconds_per_draw_ <= 0) draws = std::min<std::uint64_t>(draws, 1);
    if (pace < static_cast<double>(draws))
      draws = std::min(draws, static_cast<std::uint64_t>(std::max(1.0, std::ceil(pace))));
    if (run_block(draws, thin)) record_states(observables);
  }
}

/// `draws` draws of every chain on the clock; no draw: the moves that are left over at the end.
/// True when the last draw has a state.
bool ThreadChains::run_block(std::uint64_t draws, std::uint64_t thin) {
  bool with_state = false;
  const double wall_begin = nhot::wall_seconds();
  const double cpu_begin = thread_cpu_seconds();
  if (draws == 0) {
    const std::uint64_t rest = moves_ - done();
    for (ChainWithRecorder& m : members_) m.chain->advance(rest);
  } else if (members_.size() > 1 && members_.front().chain->interleaves()) {
    with_state = draw_in_turns(draws, thin);
  } else {
    for (ChainWithRecorder& m : members_)
      for (std::uint64_t d = 0; d < draws; ++d) {
        const std::uint64_t accepted = m.chain->counters().accepted;
        m.chain->advance(thin);
        with_state = m.recorder->record_draw(*m.chain, accepted);
      }
  }
  const auto share = static_cast<double>(members_.size());
  const double used = (thread_cpu_seconds() - cpu_begin) / share;
  cpu_seconds_ += used;
  wall_seconds_ += (nhot::wall_seconds() - wall_begin) / share;
  if (draws > 0) seconds_per_draw_ = used / static_cast<double>(draws);
  return with_state;
}

void ThreadChains::record_states(const Observables& observables) {
  const double wall_begin = nhot::wall_seconds();
  const double cpu_begin = thread_cpu_seconds();
  for (ChainWithRecorder& m : members_)
    m.recorder->record_state(*m.chain, cpu_seconds_, observables);
  const auto share = static_cast<double>(members_.size());
  const double used = (thread_cpu_seconds() - cpu_begin) / share;
  cpu_seconds_ += used;
  recording_seconds_ += used;
  wall_seconds_ += (nhot::wall_seconds() - wall_begin) / share;
}

bool ThreadChains::draw_in_turns(std::uint64_t draws, std::uint64_t thin) {
  std::vector<AnyChain*> team;
  for (const ChainWithRecorder& m : members_) team.push_back(m.chain.get());
  std::vector<std::uint64_t> accepted(team.size());
  bool with_state = false;
  for (std::uint64_t d = 0; d < draws; ++d) {
    for (std::size_t k = 0; k < team.size(); ++k) accepted[k] = team[k]->counters().accepted;
    team.front()->advance_together(team, thin);
    for (std::size_t k = 0; k < team.size(); ++k)
      with_state = members_[k].recorder->record_draw(*team[k], accepted[k]);
  }
  return with_state;
}

}  // namespace nhot
