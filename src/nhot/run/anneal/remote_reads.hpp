// Reads of a search on other ranks.
//
// Rank 0 deals out every batch, with the states that it reheats, and recombines what comes back: so
// all ranks exchange the best after every batch.
#pragma once

#include <cstdint>
#include <memory>

#include "nhot/run/anneal/reads.hpp"
#include "nhot/run/ranks/serve_ranks.hpp"

namespace nhot {

struct RemoteRead {
  std::uint64_t number = 0;
  bool whole = false;  // not ended early
  ReadRecord record;
};
template <class Archive>
void visit_fields(Archive& archive, RemoteRead& read) {
  archive(read.number, read.whole, read.record);
}

/// A command is (batch, numbers of reads, elite, lowest energy so far); its reply the reads.
std::unique_ptr<RankJob> begin_reads(RankTeam& ranks, const Model& model, const AnnealingPlan& plan,
                                     const CoolingSchedule& schedule);
std::unique_ptr<RankWork> serve_reads(const RankWorkSetup& setup);

}  // namespace nhot
