// The record of a run in its file: what was found goes in as attributes, and is read back.
//
//     RunWriter writer("run.nc", attributes_of(chains), model, plan.chains, false);
//     RunHooks hooks;
//     write_to(writer, hooks);
//     const SampleResult result = sample(chains, plan, hooks);
//     writer.finish(results_of(result.report));
//     const RunReport report = report_of(read_run("run.nc"));
#pragma once

#include "nhot/io/run/run_reader.hpp"
#include "nhot/io/run/run_writer.hpp"
#include "nhot/result/run_report.hpp"
#include "nhot/run/sample/independent.hpp"
#include "nhot/run/temper/tempering.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

/// Attributes of a run that begins: what its record holds of model, shell, temperature and move.
Metadata attributes_of(const ChainFactory& factory);

/// Attributes of a run that has ended, under the names of the report's facts; "moves" and "seconds"
/// take the place of what was asked for.
Metadata results_of(const RunReport& report);

/// The record of a stored run. What an unfinished run does not have, such as times, is zero or NaN.
RunRecord record_from(const StoredRun& run);

/// The report of a stored run.
RunReport report_of(const StoredRun& run);

/// Draws and checkpoints of a run go to the writer, which must outlive it.
void write_to(RunWriter& writer, RunHooks& hooks);
void write_to(RunWriter& writer, TemperingHooks& hooks);

}  // namespace nhot
