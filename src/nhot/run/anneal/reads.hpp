// One read of a search for the lowest energy: a function of its number and of the best states when
// its batch began, so that any thread and any rank can make it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "nhot/run/anneal/annealing.hpp"
#include "nhot/run/anneal/cooling.hpp"
#include "nhot/run/anneal/search.hpp"
#include "nhot/run/population.hpp"
#include "nhot/run/visited_states.hpp"
#include "nhot/run/walker_source.hpp"

namespace nhot {

enum class ReadKind : std::uint8_t {
  anew,    // cools from a random state
  again,   // reheats a good state
  blocks,  // cools the blocks on which good states agree
};

/// Reads that run side by side and are recombined together.
struct ReadBatch {
  std::uint64_t reads = 0;
  std::uint64_t sweeps = 0;
  ReadKind kind = ReadKind::anew;
};
template <class Archive>
void visit_fields(Archive& archive, ReadBatch& batch) {
  archive(batch.reads, batch.sweeps, batch.kind);
}

/// What reads build on: the best states so far, and the newest ends of reads that began anew, which
/// are less good but know nothing of each other.
struct GoodStates {
  BestStates elite;
  std::vector<Bits> recent;
};

/// What a read leaves.
struct ReadRecord {
  Bits end;
  std::vector<Bits> offers;  // to the search; only where they are kept
  double sweeps = 0;
};
template <class Archive>
void visit_fields(Archive& archive, ReadRecord& record) {
  archive(record.end, record.offers, record.sweeps);
}

class ReadMaker {
 public:
  /// `good`: when the batch began. With `keep_offers` records tell all that was
  /// offered to the search.
  ReadMaker(const Model& model, const Shell& shell, const AnnealingPlan& plan, Search& search,
            const GoodStates& good, bool keep_offers);

  /// Before the first read.
  void cool_along(CoolingSchedule schedule);

  const WalkerSource& walkers() const { return walkers_; }
  const CoolingSchedule& schedule() const { return *schedule_; }
  bool has_populations() const { return populations_.has_value(); }
  /// Whether reads of ReadKind::blocks are worth having.
  bool can_merge() const;
  /// With every parameter.
  const std::string& move() const { return populations_ ? populations_->move() : walkers_.move(); }
  /// With more than one state to keep, every state on the way counts; the best one alone is kept by
  /// the walk itself.
  bool keeps_many() const { return plan_.keep > 1; }
  Bits start_of(std::uint64_t number) const;

  /// Read `number`; calls tell(sweeps done) now and then, and ends early when the search is over.
  using Tell = std::function<void(double)>;
  ReadRecord make(std::uint64_t number, const ReadBatch& batch, const Tell& tell);

 private:
  /// Where a read begins.
  struct Opening {
    Bits bits;
    double progress = 0;  // of the schedule
  };

  Opening opening(std::uint64_t number, const ReadBatch& batch) const;
  void cool(std::uint64_t number, const Opening& opening, std::uint64_t sweeps, const Tell& tell,
            ReadRecord& record);
  void cool_blocks(std::uint64_t number, std::uint64_t sweeps, const Tell& tell,
                   ReadRecord& record);
  void cool_population(std::uint64_t number, const Tell& tell, ReadRecord& record);
  void advance_and_record(Population& population, VisitedStates& visited) const;
  void descend(Bits& bits, VisitedStates& visited, ReadRecord& record);
  void hand_in(VisitedStates& visited, ReadRecord& record);
  void offer(const Bits& bits, ReadRecord& record);
  std::function<bool()> overdue();

  const Model& model_;
  const Shell& shell_;
  const AnnealingPlan& plan_;
  Search& search_;
  const GoodStates& good_;
  bool keep_offers_;
  WalkerSource walkers_;
  std::optional<CoolingSchedule> schedule_;
  std::optional<ChainFactory> populations_;
  std::uint64_t moves_per_sweep_ = 1;
};

}  // namespace nhot
