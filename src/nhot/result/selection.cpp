#include "nhot/result/selection.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"

namespace nhot {
namespace {

std::vector<Inclusion> inclusions(const std::vector<std::string>& names,
                                  const std::vector<std::vector<PackedBits>>& states,
                                  std::uint64_t count) {
  const SiteMeans means = site_means(states);
  const auto n = static_cast<double>(count);
  std::vector<Inclusion> list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double guess = (means.mean[i] * n + 1) / (n + 2);
    const double least = std::sqrt(guess * (1 - guess) / (n + 2));
    const double error = std::isnan(means.error[i]) ? least : std::max(means.error[i], least);
    list.push_back({names[i], means.mean[i], error});
  }
  return list;
}

std::vector<FoundSubset> best_subsets(const Regression& model,
                                      const std::vector<std::vector<PackedBits>>& states,
                                      const FoundState& best_draw, std::uint64_t count) {
  std::map<Bits, std::uint64_t> seen;
  for (const auto& chain : states)
    for (const PackedBits& state : chain) ++seen[state.unpacked()];
  if (!best_draw.bits.empty()) seen.try_emplace(best_draw.bits, 0);
  std::vector<std::pair<double, const Bits*>> order;
  for (const auto& [bits, times] : seen) order.emplace_back(model.energy(bits), &bits);
  const std::size_t kept = std::min(most_subsets, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
      [](const std::pair<double, const Bits*>& a, const std::pair<double, const Bits*>& b) {
        return a.first != b.first ? a.first < b.first : *a.second > *b.second;
      });
  std::vector<FoundSubset> list;
  for (std::size_t k = 0; k < kept; ++k) {
    const auto& [energy, bits] = order[k];
    FoundSubset subset;
    for (Site i = 0; i < bits->size(); ++i)
      if ((*bits)[i]) subset.columns.push_back(i);
    subset.log_bayes_factor = -energy;
    subset.r_squared = model.r_squared(*bits);
    subset.ratio = std::exp(order[0].first - energy);
    subset.share =
        static_cast<double>(seen[*bits]) / static_cast<double>(std::max<std::uint64_t>(count, 1));
    list.push_back(std::move(subset));
  }
  return list;
}

}  // namespace

Selection select_predictors(const ChainFactory& factory, const std::string& response,
                            const RunPlan& plan, const RunHooks& hooks) {
  const auto* model = dynamic_cast<const Regression*>(factory.model().custom());
  if (!model || factory.beta() != 1)
    throw InputError("select is for regressions at beta 1",
                     "make the model from data with a response");
  if (factory.shell().distance() + std::uint64_t{2} > model->rows())
    throw InputError(
        std::to_string(factory.shell().distance()) + " predictors and an intercept " + "fit any " +
            std::to_string(model->rows()) + " rows exactly, or nearly",
        "give at most " + std::to_string(model->rows() - 2) + " predictors, or more rows");
  SampleResult result = sample(factory, plan, hooks);
  const std::vector<std::vector<PackedBits>>& states = result.run.trace.states;
  Selection selection;
  for (const auto& chain : states) selection.states += chain.size();
  selection.response = response;
  selection.names = model->names();
  selection.rows = model->rows();
  selection.prior = prior_names[static_cast<std::size_t>(model->prior())];
  selection.g = model->g();
  selection.inclusion = inclusions(model->names(), states, selection.states);
  selection.best = best_subsets(*model, states, result.report.best_state, selection.states);
  selection.run = std::move(result.report);
  return selection;
}

namespace {

std::vector<std::string> names_of(const Selection& selection, const FoundSubset& subset) {
  std::vector<std::string> names;
  for (const Site i : subset.columns) names.push_back(selection.names[i]);
  return names;
}

std::string prior_text(const Selection& selection) {
  if (selection.prior == "bic") return "bic: half the difference of BICs as log posterior";
  return selection.prior + ": Zellner's g-prior with g = " + short_real(selection.g);
}

}  // namespace

Facts facts_of(const Selection& selection) {
  Fact::List inclusion;
  for (const Inclusion& own : selection.inclusion)
    inclusion.emplace_back(
        Facts{{"name", own.name}, {"probability", own.probability}, {"error", own.error}});
  Fact::List best;
  for (const FoundSubset& subset : selection.best)
    best.emplace_back(Facts{{"predictors", names_of(selection, subset)},
                            {"log_bayes_factor", subset.log_bayes_factor},
                            {"r_squared", subset.r_squared},
                            {"ratio", subset.ratio},
                            {"share", subset.share}});
  Facts facts = {{"response", selection.response},
                 {"rows", selection.rows},
                 {"columns", selection.names.size()},
                 {"predictors", selection.run.run.distance},
                 {"prior", selection.prior}};
  if (selection.g > 0) facts.emplace_back("g", selection.g);
  append(facts, {{"inclusion", std::move(inclusion)},
                 {"best", std::move(best)},
                 {"states", selection.states},
                 {"converged", selection.run.verdict.converged},
                 {"run", facts_of(selection.run)}});
  return facts;
}

TextLines problem_lines(const Selection& selection) {
  const RunRecord& run = selection.run.run;
  return {
      {"data", run.model + ": " + with_commas(selection.rows) + " rows, " +
                   with_commas(selection.names.size()) + " predictors of " + selection.response},
      {"models", "exactly " + with_commas(run.distance) + " predictors and an intercept"},
      {"prior", prior_text(selection)},
      {"run", with_commas(run.chains) + (run.chains == 1 ? " chain of " : " chains of ") +
                  with_commas(run.moves) + " moves of " + run.move + ", " +
                  short_duration(run.seconds)}};
}

TextRows inclusion_rows(const Selection& selection, std::size_t most) {
  std::vector<std::size_t> order(selection.inclusion.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t i) { return selection.inclusion[i].probability; });
  TextRows rows = {{"predictor", "inclusion", "error"}};
  for (std::size_t k = 0; k < std::min(most, order.size()); ++k) {
    const Inclusion& own = selection.inclusion[order[k]];
    rows.push_back(
        {own.name, to_resolution(own.probability, own.error), significant(own.error, 2)});
  }
  return rows;
}

TextRows subset_rows(const Selection& selection) {
  TextRows rows = {{"best subsets", "share", "of the best", "log BF", "R^2"}};
  for (const FoundSubset& subset : selection.best) {
    std::string names;
    for (const std::string& name : names_of(selection, subset))
      names += (names.empty() ? "" : " ") + name;
    rows.push_back({names, significant(subset.share, 3), significant(subset.ratio, 3),
                    to_resolution(subset.log_bayes_factor, 0.1), significant(subset.r_squared, 4)});
  }
  return rows;
}

std::string to_text(const Selection& selection, const TextLayout& layout) {
  constexpr std::size_t most_rows = 40;
  std::string text = layout.key_values(problem_lines(selection));
  text += "\n" + layout.table(inclusion_rows(selection, most_rows));
  if (selection.inclusion.size() > most_rows)
    text += "  the " + std::to_string(most_rows) + " most probable of " +
            with_commas(selection.inclusion.size()) + " predictors\n";
  text += "\n" + layout.table(subset_rows(selection)) + "\n";
  text += layout.key_values({{"converged", selection.run.verdict.converged ? "yes" : "no"}});
  for (const std::string& reason : selection.run.verdict.reasons)
    text += "  - " + layout.wrap(reason, "    ") + "\n";
  return text + layout.notes(selection.run.notes);
}

}  // namespace nhot
