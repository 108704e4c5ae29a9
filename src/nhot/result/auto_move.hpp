// The move of a run: the one that was named or, for "auto", one that a short search has found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nhot/base/options.hpp"
#include "nhot/result/tuning_report.hpp"
#include "nhot/run/logz/partition.hpp"
#include "nhot/run/sample/independent.hpp"
#include "nhot/run/temper/tempering.hpp"

namespace nhot {

struct ChosenMove {
  std::string move;
  std::optional<TuningReport> tuning;  // of a search
};

/// As long as another kind of run, as far as a search for its move is concerned. Of populations
/// nobody knows how long they take: a search of half a second.
RunPlan run_like(const TemperingPlan& plan);
RunPlan run_like(const PartitionPlan& plan);

/// A tenth of a run by the clock; of one by moves, a tenth of what they cost by nominal figures if
/// they are those of the untuned move. Ten seconds at most.
double tuning_seconds(const Model& model, const Shell& shell, double beta, const RunPlan& run);

/// Searches when `text` is "auto". The run that follows owes nothing to the search but the move:
/// given as text, it repeats the run to the bit.
ChosenMove choose_move(const Model& model, const Shell& shell, double beta, const std::string& text,
                       const TuningPlan& plan, const TuningHooks& hooks = {});
/// By law_options(), threads and seed, for a run of that length. Where nobody asked for a search,
/// there is none before short runs, nor where the energy is code of the user's, whose cost is not
/// known.
ChosenMove choose_move(const Model& model, const Shell& shell, double beta,
                       const OptionValues& values, const RunPlan& run, const TuningHooks& hooks);

/// What a search has found, for the report of the run that it was for; nothing without one.
Facts search_facts(const ChosenMove& chosen);
/// Before the notes of the run.
void add_search_notes(const ChosenMove& chosen, std::vector<std::string>& notes);
template <class Report>
void add_search(const ChosenMove& chosen, Report& report) {
  report.tuning = search_facts(chosen);
  add_search_notes(chosen, report.notes);
}

}  // namespace nhot
