// The posterior over models of several sizes, from one run over the band of their sizes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/result/selection.hpp"
#include "nhot/run/band/profile.hpp"

namespace nhot {
namespace {

/// How many kept states of a chain have a size, and how many of those a predictor.
struct SizeCounts {
  std::vector<double> states;               // by size, from the first of the band on
  std::vector<std::vector<double>> inside;  // [size][predictor]

  SizeCounts(std::size_t sizes, std::size_t predictors)
      : states(sizes, 0), inside(sizes, std::vector<double>(predictors, 0)) {}

  void add(const SizeCounts& other, double sign) {
    for (std::size_t k = 0; k < states.size(); ++k) {
      states[k] += sign * other.states[k];
      for (std::size_t i = 0; i < inside[k].size(); ++i) inside[k][i] += sign * other.inside[k][i];
    }
  }
};

SizeCounts count_states(const std::vector<PackedBits>& states, ShellBand band, std::size_t sites) {
  SizeCounts counts(band.shells(), sites);
  for (const PackedBits& state : states) {
    const Bits bits = state.unpacked();
    const auto ones = static_cast<std::size_t>(std::count(bits.begin(), bits.end(), Bit{1}));
    const std::size_t k = ones - band.first;
    ++counts.states[k];
    for (std::size_t i = 0; i < sites; ++i) counts.inside[k][i] += bits[i];
  }
  return counts;
}

/// P(k) ~ prior(k) Z_k.
std::vector<double> size_law(const std::vector<double>& log_z, const BandFactory& factory,
                             SizePrior prior) {
  std::vector<double> law;
  for (std::size_t k = 0; k < log_z.size(); ++k)
    law.push_back(log_z[k] -
                  (prior == SizePrior::sizes
                       ? factory.shell(factory.band().first + static_cast<Site>(k)).log_states()
                       : 0.0));
  const double largest = *std::max_element(law.begin(), law.end());
  double total = 0;
  for (double& p : law) total += p = std::exp(p - largest);
  for (double& p : law) p /= total;
  return law;
}

/// Sizes of which no state was kept have no say; their probability is small.
std::vector<double> inclusion_of(const std::vector<double>& law, const SizeCounts& counts) {
  std::vector<double> inclusion(counts.inside.front().size(), 0);
  double covered = 0;
  for (std::size_t k = 0; k < law.size(); ++k) {
    if (counts.states[k] == 0) continue;
    covered += law[k];
    for (std::size_t i = 0; i < inclusion.size(); ++i)
      inclusion[i] += law[k] * counts.inside[k][i] / counts.states[k];
  }
  for (double& p : inclusion) p /= covered;
  return inclusion;
}

/// The error over chains, and at least that of (p n + 1) / (n + 2) over n independent states: a
/// predictor that was always or never there has an error, too.
double error_of(double probability, const std::vector<double>& without, double states) {
  const double guess = (probability * states + 1) / (states + 2);
  const double least = std::sqrt(guess * (1 - guess) / (states + 2));
  return std::max(least, error_over_chains(without));
}

std::vector<FoundSubset> best_of_all_sizes(const Regression& model, const Trace& trace,
                                           const std::vector<double>& law,
                                           const BandFactory& factory, SizePrior prior) {
  const ShellBand band = factory.band();
  std::map<Bits, double> seen;
  std::vector<double> states(band.shells(), 0);
  const auto size_of = [&](const Bits& bits) {
    return static_cast<std::size_t>(std::count(bits.begin(), bits.end(), Bit{1})) - band.first;
  };
  for (const auto& chain : trace.states)
    for (const PackedBits& state : chain) {
      const Bits bits = state.unpacked();
      ++seen[bits];
      ++states[size_of(bits)];
    }
  std::vector<std::pair<double, const Bits*>> order;  // by minus the log posterior
  for (const auto& [bits, times] : seen) {
    const Site n = band.first + static_cast<Site>(size_of(bits));
    order.emplace_back(
        model.energy(bits) + (prior == SizePrior::sizes ? factory.shell(n).log_states() : 0.0),
        &bits);
  }
  std::sort(order.begin(), order.end(),
            [](const std::pair<double, const Bits*>& a, const std::pair<double, const Bits*>& b) {
              if (a.first != b.first) return a.first < b.first;
              return *a.second > *b.second;
            });
  std::vector<FoundSubset> list;
  for (std::size_t k = 0; k < std::min(most_subsets, order.size()); ++k) {
    const auto& [cost, bits] = order[k];
    FoundSubset subset = describe_subset(model, *bits);
    const std::size_t size = size_of(*bits);
    subset.ratio = std::exp(order[0].first - cost);
    subset.share = law[size] * seen[*bits] / states[size];
    list.push_back(std::move(subset));
  }
  return list;
}

}  // namespace

Selection select_over_sizes(const BandFactory& factory, const std::string& response,
                            SizePrior size_prior, const RunPlan& plan, const RunHooks& hooks) {
  const ShellBand band = factory.band();
  const Regression& model = regression_of(factory.model(), factory.beta(), band.last);
  if (plan.chains < 3)
    throw InputError("a posterior over several sizes from " + std::to_string(plan.chains) +
                         " chains has no error bars",
                     "give {chains 16}, three at least");
  const BandRun run = run_band(factory, plan, hooks);
  const Trace& trace = run.run.trace;
  Selection selection = describe_regression(model, response);
  selection.size_prior = size_prior_names[static_cast<std::size_t>(size_prior)];
  selection.run = report_on_band(factory, plan, run);
  const BandEstimate estimate = estimate_band(run.tallies, run.weights, known_ends(factory));
  const auto is_unknown = [](double value) { return std::isnan(value); };
  for (const auto& chain : trace.states) selection.states += chain.size();
  if (selection.states == 0 ||
      std::any_of(estimate.log_z.begin(), estimate.log_z.end(), is_unknown)) {
    selection.run.verdict = {false, {"Some numbers of predictors were not visited: run longer."}};
    return selection;
  }
  std::vector<SizeCounts> counts;
  SizeCounts all(band.shells(), factory.model().sites());
  for (const auto& chain : trace.states) {
    counts.push_back(count_states(chain, band, factory.model().sites()));
    all.add(counts.back(), 1);
  }
  const std::vector<double> law = size_law(estimate.log_z, factory, size_prior);
  const std::vector<double> inclusion = inclusion_of(law, all);
  std::vector<std::vector<double>> laws;
  std::vector<std::vector<double>> inclusions;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    all.add(counts[c], -1);
    laws.push_back(size_law(estimate.without[c], factory, size_prior));
    inclusions.push_back(inclusion_of(laws.back(), all));
    all.add(counts[c], 1);
  }
  const auto column = [](const std::vector<std::vector<double>>& rows, std::size_t k) {
    std::vector<double> values;
    for (const auto& row : rows) values.push_back(row[k]);
    return values;
  };
  for (std::size_t k = 0; k < law.size(); ++k)
    selection.sizes.push_back(
        {std::uint64_t{band.first} + k, law[k], error_over_chains(column(laws, k))});
  const auto states = static_cast<double>(selection.states);
  for (std::size_t i = 0; i < inclusion.size(); ++i)
    selection.inclusion.push_back(
        {model.names()[i], inclusion[i], error_of(inclusion[i], column(inclusions, i), states)});
  selection.best = best_of_all_sizes(model, trace, law, factory, size_prior);
  return selection;
}

}  // namespace nhot
