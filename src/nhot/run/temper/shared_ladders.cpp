#include "nhot/run/temper/shared_ladders.hpp"

#include <exception>
#include <utility>

#include "nhot/run/clock.hpp"
#include "nhot/run/draw_recorder.hpp"

namespace nhot {

template <class Archive>
void visit_fields(Archive& archive, RungRecorder::Shape& shape) {
  archive(shape.betas, shape.ladders, shape.draws, shape.thin, shape.target, shape.keep);
}

namespace {

enum class LaddersCall : std::uint8_t { states, place, run, reset_counters, save, restore };

// Of a plan, what a team is made from.
template <class Archive>
void visit_team(Archive& archive, TemperingPlan& plan) {
  archive(plan.chains, plan.threads, plan.seed, plan.start, plan.betas, plan.most_rungs,
          plan.isocluster, plan.finds_hottest, plan.path);
}

TemperingPlan plan_of_rank(const TemperingPlan& plan, const RankTeam* ranks) {
  TemperingPlan own = plan;
  own.threads = threads_of_rank(plan.threads, ranks);
  return own;
}

/// The replicas of a worker.
class LaddersWork final : public RankWork {
 public:
  LaddersWork(const RankWorkSetup& setup, const FactoryRecipe& recipe, const TemperingPlan& plan)
      : factory_(setup.factory(recipe)),
        recorder_(factory_.model(), setup.problem.observables),
        team_(factory_, plan, &setup.link.communicator()) {}

  Message run(const Message& command) override {
    Restoring restoring(command);
    LaddersCall call{};
    restoring(call);
    Saving reply;
    switch (call) {
      case LaddersCall::states:
        return pack(team_.states());
      case LaddersCall::place: {
        std::vector<double> betas;
        std::vector<std::vector<Bits>> states;
        restoring(betas, states);
        team_.place(betas, states);
        break;
      }
      case LaddersCall::run:
        advance(restoring, reply);
        break;
      case LaddersCall::reset_counters:
        team_.reset_counters();
        break;
      case LaddersCall::save:
        return pack(team_.replica_archives());
      case LaddersCall::restore: {
        std::vector<std::vector<std::byte>> archives;
        restoring(archives);
        team_.restore(archives);
        Saving counted;  // rank 0 has these counts from the same archives
        team_.save_progress(counted);
        break;
      }
    }
    return reply.take();
  }

 private:
  void advance(Restoring& command, Saving& reply) {
    std::uint64_t rounds = 0;
    std::uint64_t sweep = 0;
    std::uint64_t first = 0;
    std::uint64_t thin = 0;
    bool measure = false;
    RungRecorder::Shape shape;
    command(rounds, sweep, first, thin, measure, shape);
    std::optional<RungRecorder> block;
    if (shape.draws > 0) block.emplace(recorder_, std::move(shape));
    try {
      team_.run(rounds, sweep, {first, thin, block ? &*block : nullptr, measure});
    } catch (const OtherRankFailed&) {
      return;  // nobody reads the reply
    }
    if (block) block->save(reply);
    team_.save_progress(reply);
  }

  ChainFactory factory_;
  DrawRecorder recorder_;
  LadderTeam team_;
};

}  // namespace

std::unique_ptr<RankWork> serve_ladders(const RankWorkSetup& setup) {
  FactoryRecipe recipe;
  TemperingPlan plan;
  Restoring restoring(setup.arguments);
  restoring(recipe);
  visit_team(restoring, plan);
  return std::make_unique<LaddersWork>(setup, recipe, plan);
}

SharedLadders::SharedLadders(const ChainFactory& factory, const TemperingPlan& plan,
                             RankTeam* ranks)
    : own_(factory, plan_of_rank(plan, ranks), ranks ? &ranks->communicator() : nullptr) {
  if (!ranks || ranks->size() == 1) return;
  Saving arguments;
  arguments(FactoryRecipe(factory));
  TemperingPlan of_rank = plan_of_rank(plan, ranks);
  visit_team(arguments, of_rank);
  job_ = std::make_unique<RankJob>(*ranks, RankJobKind::ladders, factory.model(), arguments.take());
}

template <class Hear>
void SharedLadders::hear_others(Hear&& hear) {
  for (std::size_t rank = 1; rank < job_->ranks(); ++rank) {
    const Message reply = job_->reply(rank);
    Restoring restoring(reply);
    hear(restoring);
  }
}

void SharedLadders::place(const std::vector<double>& betas) {
  if (!job_) return own_.place(betas);
  std::vector<std::vector<Bits>> taken(own_.parts());
  if (std::exchange(placed_, true)) {
    std::vector<std::vector<Bits>> states = own_.states();
    job_->tell_all(pack(LaddersCall::states));
    hear_others([&](Restoring& reply) {
      std::vector<std::vector<Bits>> some;
      reply(some);
      for (std::size_t p = 0; p < states.size(); ++p)
        for (std::size_t r = 0; r < states[p].size(); ++r)
          if (!some[p][r].empty()) states[p][r] = std::move(some[p][r]);
    });
    for (std::size_t p = 0; p < states.size(); ++p)
      for (const std::size_t source : own_.part(p).sources(betas))
        taken[p].push_back(states[p][source]);
  }
  for (std::size_t rank = 1; rank < job_->ranks(); ++rank) {
    std::vector<std::vector<Bits>> of_rank = taken;
    for (std::size_t p = 0; p < of_rank.size(); ++p)
      for (std::size_t r = 0; r < of_rank[p].size(); ++r)
        if (own_.rank_of(p, r) != rank) of_rank[p][r].clear();
    job_->tell(rank, pack(LaddersCall::place, betas, of_rank));
  }
  own_.place(betas, taken);
  hear_others([](Restoring&) {});
}

void SharedLadders::run(std::uint64_t rounds, std::uint64_t sweep, const DrawSchedule& draws) {
  if (rounds == 0) return;
  const double begin = wall_seconds();
  if (job_)
    job_->tell_all(pack(LaddersCall::run, rounds, sweep, draws.first, draws.thin,
                        draws.measure_changes,
                        draws.block ? draws.block->shape() : RungRecorder::Shape{}));
  std::exception_ptr failure;
  try {
    own_.run(rounds, sweep, draws);
  } catch (const OtherRankFailed&) {  // its reply says why
    failure = std::current_exception();
  }
  if (job_)
    hear_others([&](Restoring& reply) {
      if (failure) return;
      if (draws.block) draws.block->merge(reply);
      own_.merge_progress(reply);
    });
  if (failure) std::rethrow_exception(failure);
  if (draws.block) draws.block->measure_rates();
  seconds_per_round_ = (wall_seconds() - begin) / static_cast<double>(rounds);
}

void SharedLadders::reset_counters() {
  own_.reset_counters();
  if (!job_) return;
  job_->tell_all(pack(LaddersCall::reset_counters));
  hear_others([](Restoring&) {});
}

std::vector<std::vector<std::byte>> SharedLadders::save() {
  if (!job_) return own_.save();
  job_->tell_all(pack(LaddersCall::save));
  std::vector<std::vector<std::vector<std::byte>>> all(own_.parts());
  for (std::size_t p = 0; p < all.size(); ++p) all[p].resize(own_.part(p).replicas());
  hear_others([&](Restoring& reply) {
    std::vector<std::vector<std::vector<std::byte>>> some;
    reply(some);
    for (std::size_t p = 0; p < all.size(); ++p)
      for (std::size_t r = 0; r < all[p].size(); ++r)
        if (!some[p][r].empty()) all[p][r] = std::move(some[p][r]);
  });
  return own_.save(all);
}

void SharedLadders::restore(const std::vector<std::vector<std::byte>>& archives) {
  if (job_) job_->tell_all(pack(LaddersCall::restore, archives));
  own_.restore(archives);
  placed_ = true;
  if (job_) hear_others([](Restoring&) {});
}

}  // namespace nhot
