#include "nhot/run/anneal/remote_reads.hpp"

#include <utility>
#include <vector>

#include "nhot/run/thread_team.hpp"

namespace nhot {
namespace {

// Of a plan, what reads are made from.
template <class Archive>
void visit_reads(Archive& archive, AnnealingPlan& plan) {
  archive(plan.move, plan.threads, plan.seed, plan.seconds, plan.target, plan.keep, plan.population,
          plan.start);
}

/// The reads of a worker.
class ReadsWork final : public RankWork {
 public:
  ReadsWork(const RankWorkSetup& setup, AnnealingPlan plan, std::vector<double> knots)
      : plan_(std::move(plan)),
        hooks_(stopping(setup.link)),
        search_(setup.problem.model, plan_, hooks_),
        good_{BestStates(0), {}},
        reads_(setup.problem.model, setup.problem.shell, plan_, search_, good_, true),
        team_(threads_for(plan_.threads, ~std::uint64_t{0})) {
    reads_.cool_along(CoolingSchedule(std::move(knots)));
  }

  Message run(const Message& command) override {
    ReadBatch batch;
    std::vector<std::uint64_t> numbers;
    std::vector<FoundState> elite;
    double best = 0;
    unpack(command, batch, numbers, elite, good_.recent, best);
    good_.elite = BestStates(elite.size());
    for (const FoundState& state : elite) good_.elite.offer(state.energy, state.bits);
    search_.know(best);
    std::vector<RemoteRead> reads(numbers.size());
    team_.run(reads.size(), [&](std::size_t k) {
      reads[k].number = numbers[k];
      if (search_.over()) return;
      reads[k].record = reads_.make(numbers[k], batch, [](double) {});
      reads[k].whole = !search_.over();
    });
    return pack(reads);
  }

 private:
  static RunHooks stopping(RankLink& link) {
    RunHooks hooks;
    hooks.stop = [&link] { return link.stop_asked(); };
    return hooks;
  }

  AnnealingPlan plan_;
  RunHooks hooks_;
  Search search_;
  GoodStates good_;
  ReadMaker reads_;
  ThreadTeam team_;
};

}  // namespace

std::unique_ptr<RankJob> begin_reads(RankTeam& ranks, const Model& model, const AnnealingPlan& plan,
                                     const CoolingSchedule& schedule) {
  AnnealingPlan of_rank = plan;
  of_rank.threads = threads_of_rank(plan.threads, &ranks);
  Saving arguments;
  visit_reads(arguments, of_rank);
  arguments(schedule.knots());
  return std::make_unique<RankJob>(ranks, RankJobKind::reads, model, arguments.take());
}

std::unique_ptr<RankWork> serve_reads(const RankWorkSetup& setup) {
  AnnealingPlan plan;
  std::vector<double> knots;
  Restoring restoring(setup.arguments);
  visit_reads(restoring, plan);
  restoring(knots);
  return std::make_unique<ReadsWork>(setup, std::move(plan), std::move(knots));
}

}  // namespace nhot
