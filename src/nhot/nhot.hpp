// The library in one include; files are in nhot/io/.
//
//   const nhot::Model model = nhot::model_from_spec("ferromagnet:16x16");
//   const nhot::Shell shell(nhot::Bits(model.sites(), 0), 128);    // 128 ones
//   const nhot::ChainFactory chains(model, shell, "im:length=1..10", 0.35);
//   nhot::RunPlan plan;
//   plan.moves = 100'000;
//   const nhot::RunResult run = nhot::run_independent(chains, plan);
//   const nhot::RunReport report = nhot::make_report(nhot::record_of(chains, plan, run),
//   run.trace);
//   // report.verdict.converged, report.observables[0].summary.mean, ...
#pragma once

#include "nhot/base/error.hpp"
#include "nhot/base/version.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/diagnose/summary.hpp"
#include "nhot/diagnose/verdict.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/model/model.hpp"
#include "nhot/move/own_move.hpp"
#include "nhot/result/run_report.hpp"
#include "nhot/run/annealing.hpp"
#include "nhot/run/comparison.hpp"
#include "nhot/run/independent.hpp"
#include "nhot/run/partition.hpp"
#include "nhot/run/tempering.hpp"
#include "nhot/run/witness.hpp"
#include "nhot/shell/shell.hpp"
#include "nhot/trace/observables.hpp"
#include "nhot/trace/trace.hpp"
