// The pages of drivers that keep no draws: annealing, log Z, the search for a move, and the choice
// of predictors.
#pragma once

#include "nhot/report/json.hpp"
#include "nhot/report/page_data.hpp"
#include "nhot/result/annealing_report.hpp"
#include "nhot/result/partition_report.hpp"
#include "nhot/result/selection.hpp"
#include "nhot/result/tuning_report.hpp"

namespace nhot {

Json annealing_page(const PageOrigin& origin, const AnnealingReport& report);
Json partition_page(const PageOrigin& origin, const PartitionReport& report);
Json tuning_page(const PageOrigin& origin, const std::string& model, const TuningReport& report);
Json selection_page(const PageOrigin& origin, const Selection& selection);

}  // namespace nhot
