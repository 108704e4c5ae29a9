// The driver of `select`: the posterior over models with exactly k predictors, by chains.
//
//     const Model model = regression("crime", data, CoefficientPrior::unit);
//     const Selection found = select_predictors(ChainFactory(model, shell, "im", 1), plan);
//     // found.inclusion[0].probability, found.best[0].columns, found.run.verdict.converged
#pragma once

#include <string>
#include <vector>

#include "nhot/base/facts.hpp"
#include "nhot/base/text_layout.hpp"
#include "nhot/model/regression/regression.hpp"
#include "nhot/result/sample.hpp"
#include "nhot/result/text_parts.hpp"

namespace nhot {

/// How often a predictor is in the model, with a standard error: by batch means over the kept
/// states (see SiteMeans), and at least that of (count + 1) / (states + 2) over independent states,
/// so that a predictor which was always or never there has an error, too.
struct Inclusion {
  std::string name;
  double probability = 0;
  double error = 0;
};

struct FoundSubset {
  std::vector<Site> columns;
  double log_bayes_factor = 0;  // against no predictors; of bic, half the difference
  double r_squared = 0;
  double ratio = 0;  // posterior of this subset / that of the best
  double share = 0;  // of the kept states
};

struct Selection {
  RunReport run;
  std::string response;
  std::vector<std::string> names;  // of the predictors
  std::size_t rows = 0;
  std::string prior;
  double g = 0;                      // 0: bic
  std::uint64_t states = 0;          // kept, over all chains
  std::vector<Inclusion> inclusion;  // in the order of the columns
  std::vector<FoundSubset> best;     // at most `most_subsets`, best first
};

inline constexpr std::size_t most_subsets = 10;

/// The factory's model is a regression() and its beta 1; InputError otherwise. The shell says how
/// many predictors. A posterior over several numbers of predictors will be another driver over the
/// same model: its energies hold what a predictor costs.
Selection select_predictors(const ChainFactory& factory, const std::string& response,
                            const RunPlan& plan, const RunHooks& hooks = {});

Facts facts_of(const Selection& selection);
/// The parts of the text: what was run; the predictors by probability, at most so many; the best
/// subsets.
TextLines problem_lines(const Selection& selection);
TextRows inclusion_rows(const Selection& selection, std::size_t most);
TextRows subset_rows(const Selection& selection);
/// Predictors with the highest probabilities first, at most 40 of them.
std::string to_text(const Selection& selection, const TextLayout& layout);

}  // namespace nhot
