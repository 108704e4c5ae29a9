// A run of chains as a text and as JSON. `sample`, `compare` and `temper` share it.
#pragma once

#include <string>
#include <vector>

#include "json.hpp"
#include "nhot/diagnose/witness_comparison.hpp"
#include "nhot/result/run_report.hpp"

namespace nhot::app {

/// The object of the command line contract; numbers without meaning are null.
Json to_json(const RunReport& report);
Json to_json(const ObservableReport& observable);
Json to_json(const WitnessComparison& witness);

/// Facts, table, verdict and notes for a person.
std::string to_text(const RunReport& report);
/// The table of observables alone.
std::string observable_table(const std::vector<ObservableReport>& observables);

}  // namespace nhot::app
