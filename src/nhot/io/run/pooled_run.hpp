// Several stored runs of one law, taken together as one.
#pragma once

#include <string>
#include <vector>

#include "nhot/io/run/run_reader.hpp"
#include "nhot/result/run_report.hpp"

namespace nhot {

struct PooledRun {
  RunRecord record;  // counts and times are sums over the runs, moves the mean per chain
  Trace trace;       // the chains of all runs; as long as the shortest, thinned as the coarsest
  std::vector<std::string> notes;
};

/// Runs of the same model, shell and beta. InputError, with both paths, when they differ in one of
/// these, record different observables, are thinned so that they cannot be brought to one
/// distance, or hold the same draws.
PooledRun pool(std::vector<StoredRun> runs, const std::vector<std::string>& paths);

}  // namespace nhot
