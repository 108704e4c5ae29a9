#include "nhot/run/timed_chains.hpp"

#include <algorithm>
#include <limits>

#include "nhot/base/bytes.hpp"
#include "nhot/base/contracts.hpp"

namespace nhot {

TimedChains::TimedChains(const ChainFactory& factory, std::uint64_t seed,
                         const std::vector<Bits>& starts, std::uint64_t threads, ChainRange own)
    : groups_(factory.make_groups(seed, starts, threads_for(threads, own.size()), own)),
      seconds_(groups_.size()),
      accepted_(own.size(), 0),
      team_(threads_for(threads, groups_.size())) {
  for (const auto& group : groups_) {
    first_.push_back(chains_.size());
    for (std::size_t k = 0; k < group->size(); ++k) chains_.push_back(&group->chain(k));
  }
}

void TimedChains::advance(std::uint64_t moves) {
  team_.run(groups_.size(), [&](std::size_t g) {
    const double begin = thread_cpu_seconds();
    advance_group(g, moves);
    seconds_[g].cpu += thread_cpu_seconds() - begin;
  });
}

void TimedChains::draw(std::uint64_t draws, std::uint64_t first, std::uint64_t thin,
                       const Visit& visit) {
  team_.run(groups_.size(), [&](std::size_t g) {
    // The CPU clock is slow to read: it times the whole, the wall clock the share of recording.
    const double cpu_begin = thread_cpu_seconds();
    const double begin = wall_seconds();
    double recording = 0;
    for (std::uint64_t d = 0; d < draws; ++d) {
      advance_group(g, d == 0 ? first : thin);
      const double moved = wall_seconds();
      groups_[g]->note_draw();
      for (std::size_t c = first_[g]; c < first_[g] + groups_[g]->size(); ++c) visit(c, d);
      recording += wall_seconds() - moved;
    }
    const double wall = wall_seconds() - begin;
    const double cpu = thread_cpu_seconds() - cpu_begin;
    seconds_[g].cpu += cpu;
    seconds_[g].recording += wall > 0 ? cpu * std::min(1.0, recording / wall) : 0;
  });
}

void TimedChains::advance_group(std::size_t g, std::uint64_t moves) {
  const std::size_t end = first_[g] + groups_[g]->size();
  for (std::size_t c = first_[g]; c < end; ++c) accepted_[c] -= chains_[c]->counters().accepted;
  groups_[g]->advance(moves);
  for (std::size_t c = first_[g]; c < end; ++c) accepted_[c] += chains_[c]->counters().accepted;
}

void TimedChains::record(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<double> cpu(count);
  team_.run(count, [&](std::size_t k) {
    const double begin = thread_cpu_seconds();
    work(k);
    cpu[k] = thread_cpu_seconds() - begin;
  });
  for (const double seconds : cpu) {
    seconds_.front().cpu += seconds;
    seconds_.front().recording += seconds;
  }
}

TimedChains::Seconds TimedChains::seconds() const {
  Seconds all;
  for (const Seconds& part : seconds_) {
    all.cpu += part.cpu;
    all.recording += part.recording;
  }
  return all;
}

double TimedChains::best_energy() const {
  double best = std::numeric_limits<double>::infinity();
  for (const ChainView* chain : chains_) best = std::min(best, chain->counters().best_energy);
  return best;
}

void TimedChains::reset_counters() {
  for (ChainView* chain : chains_) chain->reset_counters();
}

std::vector<std::vector<std::byte>> TimedChains::save() const {
  std::vector<std::vector<std::byte>> archives;
  for (const ChainView* chain : chains_) {
    ByteWriter bytes;
    chain->save(bytes);
    archives.push_back(bytes.take());
  }
  return archives;
}

void TimedChains::restore(const std::vector<std::vector<std::byte>>& archives) {
  NHOT_EXPECTS(archives.size() == chains_.size());
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    ByteReader bytes(archives[c]);
    chains_[c]->restore(bytes);
  }
}

}  // namespace nhot
