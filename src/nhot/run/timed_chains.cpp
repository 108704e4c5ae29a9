#include "nhot/run/timed_chains.hpp"

#include <algorithm>
#include <limits>

#include "nhot/base/bytes.hpp"
#include "nhot/base/contracts.hpp"

namespace nhot {

TimedChains::TimedChains(const ChainFactory& factory, std::uint64_t seed,
                         const std::vector<Bits>& starts, std::uint64_t threads)
    : groups_(factory.make_groups(seed, starts, threads_for(threads, starts.size()))),
      cpu_(groups_.size(), 0.0),
      accepted_(starts.size(), 0),
      team_(threads_for(threads, groups_.size())) {
  for (const auto& group : groups_) {
    first_.push_back(chains_.size());
    for (std::size_t k = 0; k < group->size(); ++k) chains_.push_back(&group->chain(k));
  }
}

void TimedChains::advance(std::uint64_t moves) {
  team_.run(groups_.size(), [&](std::size_t g) { timed_advance(g, moves); });
}

void TimedChains::draw(std::uint64_t draws, std::uint64_t first, std::uint64_t thin,
                       const Visit& visit) {
  team_.run(groups_.size(), [&](std::size_t g) {
    for (std::uint64_t d = 0; d < draws; ++d) {
      timed_advance(g, d == 0 ? first : thin);
      groups_[g]->note_draw();
      for (std::size_t c = first_[g]; c < first_[g] + groups_[g]->size(); ++c) visit(c, d);
    }
  });
}

void TimedChains::timed_advance(std::size_t g, std::uint64_t moves) {
  const std::size_t end = first_[g] + groups_[g]->size();
  for (std::size_t c = first_[g]; c < end; ++c) accepted_[c] -= chains_[c]->counters().accepted;
  const double begin = thread_cpu_seconds();
  groups_[g]->advance(moves);
  cpu_[g] += std::max(0.0, thread_cpu_seconds() - begin - clock_cost_);
  for (std::size_t c = first_[g]; c < end; ++c) accepted_[c] += chains_[c]->counters().accepted;
}

double TimedChains::cpu_seconds() const {
  double seconds = 0;
  for (const double part : cpu_) seconds += part;
  return seconds;
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
