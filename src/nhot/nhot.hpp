// The library in one include; files are in nhot/io/.
//
//   const nhot::Model model = nhot::model_from_spec("ferromagnet:16x16");
//   const nhot::Shell shell(nhot::Bits(model.sites(), 0), 128);    // 128 ones
//   const nhot::ChainFactory chains(model, shell, "im:length=1..10", 0.35);
//   nhot::RunPlan plan;
//   plan.moves = 100'000;
//   const nhot::SampleResult result = nhot::sample(chains, plan);
//   // result.report.verdict.converged, result.report.observables[0].summary.mean,
//   // result.run.trace.chains[0].energy, ...
#pragma once

#include "nhot/base/error.hpp"
#include "nhot/base/facts.hpp"
#include "nhot/base/text_layout.hpp"
#include "nhot/base/version.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/diagnose/summary.hpp"
#include "nhot/diagnose/verdict.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/model/model.hpp"
#include "nhot/move/own_move.hpp"
#include "nhot/result/annealing_report.hpp"
#include "nhot/result/auto_move.hpp"
#include "nhot/result/compare.hpp"
#include "nhot/result/partition_report.hpp"
#include "nhot/result/reproduce.hpp"
#include "nhot/result/run_report.hpp"
#include "nhot/result/sample.hpp"
#include "nhot/result/temper.hpp"
#include "nhot/result/tuning_report.hpp"
#include "nhot/run/anneal/annealing.hpp"
#include "nhot/run/compare/comparison.hpp"
#include "nhot/run/logz/partition.hpp"
#include "nhot/run/sample/independent.hpp"
#include "nhot/run/sample/witness.hpp"
#include "nhot/run/temper/tempering.hpp"
#include "nhot/shell/shell.hpp"
#include "nhot/trace/observables.hpp"
#include "nhot/trace/trace.hpp"
