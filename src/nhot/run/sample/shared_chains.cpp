#include "nhot/run/sample/shared_chains.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "nhot/run/sample/independent.hpp"
#include "nhot/run/start.hpp"
#include "nhot/trace/trace_fields.hpp"

namespace nhot {
namespace {

enum class ChainsCall : std::uint8_t { advance, draw, reset_counters, save, restore };

std::vector<ChainRange> deal_chains(const ChainFactory& factory, std::size_t chains,
                                    std::size_t ranks) {
  std::vector<ChainRange> ranges;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    ranges.push_back(factory.deal(chains, rank, ranks));
  return ranges;
}

/// Draw d of chain c into the columns of the block, its state into states[c][d].
void record_draws(TimedChains& chains, const DrawRecorder& recorder, std::uint64_t draws,
                  std::uint64_t first, std::uint64_t thin, Trace& block,
                  std::vector<std::vector<PackedBits>>& states) {
  chains.draw(draws, first, thin, [&](std::size_t c, std::uint64_t d) {
    const double rate = static_cast<double>(chains.accepted()[c]) / static_cast<double>(thin);
    chains.accepted()[c] = 0;
    recorder.record(block, c, d, chains[c], rate, states[c][d]);
  });
}

/// The chains of a worker.
class ChainsWork final : public RankWork {
 public:
  ChainsWork(const RankWorkSetup& setup, const FactoryRecipe& recipe, std::uint64_t seed,
             std::uint64_t threads, std::uint64_t chains, const std::optional<Bits>& start)
      : factory_(setup.factory(recipe)),
        recorder_(factory_.model(), setup.problem.observables),
        chains_(factory_, seed, starts_of(factory_.shell(), seed, chains, start), threads,
                factory_.deal(chains, setup.link.communicator().rank(),
                              setup.link.communicator().size())) {}

  Message run(const Message& command) override {
    Restoring restoring(command);
    ChainsCall call{};
    restoring(call);
    Saving reply;
    switch (call) {
      case ChainsCall::advance: {
        std::uint64_t moves = 0;
        restoring(chains_.accepted(), moves);
        chains_.advance(moves);
        break;
      }
      case ChainsCall::draw:
        draw(restoring, reply);
        break;
      case ChainsCall::reset_counters:
        chains_.reset_counters();
        break;
      case ChainsCall::save:
        return pack(chains_.save());
      case ChainsCall::restore: {
        std::vector<std::vector<std::byte>> archives;
        restoring(archives);
        chains_.restore(archives);
        break;
      }
    }
    tell_totals(reply);
    return reply.take();
  }

 private:
  void draw(Restoring& command, Saving& reply) {
    std::uint64_t draws = 0;
    std::uint64_t first = 0;
    std::uint64_t thin = 0;
    command(chains_.accepted(), draws, first, thin);
    Trace block = recorder_.make_block(chains_.size(), draws, factory_.beta(), thin);
    std::vector<std::vector<PackedBits>> states(chains_.size(), std::vector<PackedBits>(draws));
    record_draws(chains_, recorder_, draws, first, thin, block, states);
    reply(block, states);
  }

  void tell_totals(Saving& reply) {
    std::vector<ChainCounters> counters;
    for (std::size_t c = 0; c < chains_.size(); ++c) counters.push_back(chains_[c].counters());
    reply(counters, chains_.accepted(), chains_.seconds());
    chains_.reset_seconds();
  }

  ChainFactory factory_;
  DrawRecorder recorder_;
  TimedChains chains_;
};

}  // namespace

std::unique_ptr<RankWork> serve_chains(const RankWorkSetup& setup) {
  FactoryRecipe recipe;
  std::uint64_t seed = 0;
  std::uint64_t threads = 0;
  std::uint64_t chains = 0;
  std::optional<Bits> start;
  unpack(setup.arguments, recipe, seed, threads, chains, start);
  return std::make_unique<ChainsWork>(setup, recipe, seed, threads, chains, start);
}

SharedChains::SharedChains(const ChainFactory& factory, const RunPlan& plan,
                           const DrawRecorder& recorder, RankTeam* ranks)
    : recorder_(recorder),
      ranges_(deal_chains(factory, plan.chains, ranks ? ranks->size() : 1)),
      own_(factory, plan.seed, starts_of(factory.shell(), plan.seed, plan.chains, plan.start),
           threads_of_rank(plan.threads, ranks), ranges_.front()),
      counters_(plan.chains),
      accepted_(plan.chains, 0) {
  if (ranks && ranks->size() > 1)
    job_ = std::make_unique<RankJob>(
        *ranks, RankJobKind::chains, factory.model(),
        pack(FactoryRecipe(factory), plan.seed, threads_of_rank(plan.threads, ranks), plan.chains,
             plan.start));
  take_own();
  tell_others([&](std::size_t rank) {
    return pack(ChainsCall::advance, part_of(accepted_, rank), std::uint64_t{0});
  });
  hear_others([&](std::size_t rank, Restoring& reply) { take_from(rank, reply); });
}

template <class MakeCommand>
void SharedChains::tell_others(MakeCommand&& make_command) const {
  for (std::size_t rank = 1; rank < ranges_.size(); ++rank) job_->tell(rank, make_command(rank));
}

template <class Hear>
void SharedChains::hear_others(Hear&& hear) const {
  for (std::size_t rank = 1; rank < ranges_.size(); ++rank) {
    const Message reply = job_->reply(rank);
    Restoring restoring(reply);
    hear(rank, restoring);
  }
}

void SharedChains::give_accepted() {
  std::copy_n(accepted_.begin(), own_.size(), own_.accepted().begin());
}

void SharedChains::take_own() {
  for (std::size_t c = 0; c < own_.size(); ++c) counters_[c] = own_[c].counters();
  std::copy(own_.accepted().begin(), own_.accepted().end(), accepted_.begin());
}

void SharedChains::take_from(std::size_t rank, Restoring& reply) {
  std::vector<ChainCounters> counters;
  std::vector<std::uint64_t> accepted;
  TimedChains::Seconds seconds;
  reply(counters, accepted, seconds);
  const auto first = static_cast<std::ptrdiff_t>(ranges_[rank].first);
  std::copy(counters.begin(), counters.end(), counters_.begin() + first);
  std::copy(accepted.begin(), accepted.end(), accepted_.begin() + first);
  seconds_of_others_.cpu += seconds.cpu;
  seconds_of_others_.recording += seconds.recording;
}

void SharedChains::advance(std::uint64_t moves) {
  give_accepted();
  tell_others(
      [&](std::size_t rank) { return pack(ChainsCall::advance, part_of(accepted_, rank), moves); });
  own_.advance(moves);
  take_own();
  hear_others([&](std::size_t rank, Restoring& reply) { take_from(rank, reply); });
}

void SharedChains::draw(std::uint64_t draws, std::uint64_t first, std::uint64_t thin, Trace& block,
                        std::vector<std::vector<PackedBits>>& states) {
  give_accepted();
  tell_others([&](std::size_t rank) {
    return pack(ChainsCall::draw, part_of(accepted_, rank), draws, first, thin);
  });
  record_draws(own_, recorder_, draws, first, thin, block, states);
  take_own();
  hear_others([&](std::size_t rank, Restoring& reply) {
    Trace part;
    std::vector<std::vector<PackedBits>> part_states;
    reply(part, part_states);
    for (std::size_t k = 0; k < ranges_[rank].size(); ++k) {
      const std::size_t c = ranges_[rank].first + k;
      block.chains[c] = std::move(part.chains[k]);
      for (std::size_t o = 0; o < part.observables.size(); ++o)
        block.observables[o].series[c] = std::move(part.observables[o].series[k]);
      std::move(part_states[k].begin(), part_states[k].end(), states[c].begin());
    }
    take_from(rank, reply);
  });
}

TimedChains::Seconds SharedChains::seconds() const {
  TimedChains::Seconds all = own_.seconds();
  all.cpu += seconds_of_others_.cpu;
  all.recording += seconds_of_others_.recording;
  return all;
}

void SharedChains::reset_seconds() {
  own_.reset_seconds();
  seconds_of_others_ = {};
}

double SharedChains::best_energy() const {
  double best = std::numeric_limits<double>::infinity();
  for (const ChainCounters& counters : counters_) best = std::min(best, counters.best_energy);
  return best;
}

void SharedChains::reset_counters() {
  tell_others([](std::size_t) { return pack(ChainsCall::reset_counters); });
  own_.reset_counters();
  take_own();
  hear_others([&](std::size_t rank, Restoring& reply) { take_from(rank, reply); });
}

std::vector<std::vector<std::byte>> SharedChains::save() const {
  tell_others([](std::size_t) { return pack(ChainsCall::save); });
  std::vector<std::vector<std::byte>> archives = own_.save();
  hear_others([&](std::size_t, Restoring& reply) {
    std::vector<std::vector<std::byte>> part;
    reply(part);
    std::move(part.begin(), part.end(), std::back_inserter(archives));
  });
  return archives;
}

void SharedChains::restore(const std::vector<std::vector<std::byte>>& archives) {
  tell_others([&](std::size_t rank) { return pack(ChainsCall::restore, part_of(archives, rank)); });
  own_.restore(part_of(archives, 0));
  take_own();
  hear_others([&](std::size_t rank, Restoring& reply) { take_from(rank, reply); });
}

}  // namespace nhot
