#include "nhot/diagnose/chain_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "nhot/diagnose/chains_view.hpp"
#include "nhot/diagnose/f_distribution.hpp"
#include "nhot/diagnose/overlap_matrix.hpp"

namespace nhot {
namespace {

constexpr std::size_t most_overlapped = 1024;  // states of all chains in the overlap matrix
constexpr double most_words = 1 << 27;         // pairs of states times words of packed bits
constexpr std::size_t most_chains = 64;        // in the overlap matrix
constexpr double least_difference = 0.05;      // of a site's means between half-chains, to matter

/// How the states of a chain are divided: two halves of `batches` batches of `length` states.
struct Layout {
  std::size_t batches = 0;  // of a half
  std::size_t length = 0;   // states of a batch

  std::size_t states() const { return 2 * batches * length; }
};

Layout layout_for(std::size_t states) {
  const std::size_t batches = states >= 128 ? 8 : states >= 32 ? 4 : 2;
  return {batches, states / (2 * batches)};
}

/// As many states of a chain as the layout takes, evenly spaced up to the last.
std::vector<const PackedBits*> choose_states(const std::vector<PackedBits>& own,
                                             const Layout& layout) {
  const std::size_t stride = own.size() / layout.states();
  const std::size_t skipped = own.size() - stride * layout.states();
  std::vector<const PackedBits*> chosen;
  for (std::size_t s = 1; s <= layout.states(); ++s)
    chosen.push_back(&own[skipped + s * stride - 1]);
  return chosen;
}

/// Inner products of the batches' means of x - m and of (x - m)(x - m)'. A batch has `length`
/// states, of which those with use(k) count.
template <class Use>
std::array<BatchProducts, 2> products_of(const OverlapMatrix& overlaps, std::size_t length,
                                         Use&& use) {
  const std::size_t batches = overlaps.size() / length;
  std::array<BatchProducts, 2> products;
  for (BatchProducts& p : products) p = {batches, std::vector<double>(batches * batches, 0.0)};
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < length; ++k)
    if (use(k)) used.push_back(k);
  const auto pairs = static_cast<double>(used.size() * used.size());
  for (std::size_t a = 0; a < batches; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = 0;
      double squares = 0;
      for (const std::size_t s : used)
        for (const std::size_t t : used) {
          const double c = overlaps(a * length + s, b * length + t);
          sum += c;
          squares += c * c;
        }
      products[0].values[a * batches + b] = products[0].values[b * batches + a] = sum / pairs;
      products[1].values[a * batches + b] = products[1].values[b * batches + a] = squares / pairs;
    }
  return products;
}

/// The series of odd states along the leading direction of the even ones, for every chain.
ObservableSummary follow_pattern(const OverlapMatrix& overlaps, const Layout& layout,
                                 const BatchProducts& even, bool squared) {
  const std::vector<double> weights = leading_weights(even);
  const std::size_t of_chain = layout.states();
  std::vector<std::vector<double>> series(overlaps.size() / of_chain);
  for (std::size_t c = 0; c < series.size(); ++c)
    for (std::size_t t = c * of_chain; t < (c + 1) * of_chain; ++t) {
      if (t % layout.length % 2 == 0) continue;
      double sum = 0;
      for (std::size_t s = 0; s < overlaps.size(); ++s) {
        if (s % layout.length % 2 != 0) continue;
        const double c_st = overlaps(s, t);
        sum += weights[s / layout.length] * (squared ? c_st * c_st : c_st);
      }
      series[c].push_back(sum);
    }
  return summarise(ChainsView(series));
}

void compare_overlaps(const std::vector<std::vector<PackedBits>>& states,
                      ChainComparison& comparison) {
  const std::size_t sites = states.front().front().size();
  const std::size_t chains = std::min(states.size(), most_chains);
  const double words = static_cast<double>((sites + 63) / 64);
  const auto by_work = static_cast<std::size_t>(std::sqrt(2 * most_words / words));
  const std::size_t room = std::min(most_overlapped, by_work) / chains;
  const Layout layout =
      layout_for(std::min(comparison.states, std::max(room, fewest_compared_states)));
  std::vector<const PackedBits*> chosen;
  for (std::size_t k = 0; k < chains; ++k)
    for (const PackedBits* state : choose_states(states[k * states.size() / chains], layout))
      chosen.push_back(state);
  const OverlapMatrix overlaps(chosen);
  const auto all = products_of(overlaps, layout.length, [](std::size_t) { return true; });
  comparison.sites = group_spread(all[0], layout.batches);
  comparison.covariance = group_spread(all[1], layout.batches);
  if (layout.length < 2) return;
  const auto even = products_of(overlaps, layout.length, [](std::size_t k) { return k % 2 == 0; });
  comparison.site_pattern = follow_pattern(overlaps, layout, even[0], false);
  comparison.covariance_pattern = follow_pattern(overlaps, layout, even[1], true);
}

/// Fisher's F of one site: counts of ones, one per batch, batches of a half-chain together.
ChainComparison::WorstSite spread_of_site(std::span<const std::uint32_t> counts,
                                          const Layout& layout) {
  const std::size_t groups = counts.size() / layout.batches;
  const auto b = static_cast<double>(layout.batches);
  const auto length = static_cast<double>(layout.length);
  double mean = 0;
  double within = 0;
  ChainComparison::WorstSite found;
  found.lowest = 1;
  std::vector<double> means(groups);
  for (std::size_t g = 0; g < groups; ++g) {
    double sum = 0;
    double squares = 0;
    for (std::size_t k = 0; k < layout.batches; ++k) {
      const double x = counts[g * layout.batches + k] / length;
      sum += x;
      squares += x * x;
    }
    means[g] = sum / b;
    mean += means[g] / static_cast<double>(groups);
    within += squares - sum * sum / b;
    found.lowest = std::min(found.lowest, means[g]);
    found.highest = std::max(found.highest, means[g]);
  }
  double between = 0;
  for (const double m : means) between += (m - mean) * (m - mean);
  between /= static_cast<double>(groups - 1);
  if (!(std::sqrt(between) > least_difference)) return found;
  within /= static_cast<double>(groups) * (b - 1);
  found.ratio = within > 1e-12 ? b * between / within : std::numeric_limits<double>::infinity();
  return found;
}

void compare_sites(const std::vector<std::vector<PackedBits>>& states,
                   ChainComparison& comparison) {
  const std::size_t sites = states.front().front().size();
  const Layout layout = layout_for(comparison.states);
  const std::size_t batches = states.size() * 2 * layout.batches;
  std::vector<std::vector<const PackedBits*>> chosen;
  for (const std::vector<PackedBits>& own : states) chosen.push_back(choose_states(own, layout));
  constexpr std::size_t block = counted_sites;
  std::vector<std::uint32_t> counts(block * batches);
  std::vector<std::uint32_t> of_site(batches);
  for (std::size_t first = 0; first < sites; first += block) {
    const std::size_t size = std::min(block, sites - first);
    for (std::size_t b = 0; b < batches; ++b) {
      const std::span own(chosen[b / (2 * layout.batches)]);
      count_sites(own.subspan(b % (2 * layout.batches) * layout.length, layout.length), first, size,
                  counts.data() + b * block);
    }
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t b = 0; b < batches; ++b) of_site[b] = counts[b * block + i];
      ChainComparison::WorstSite found = spread_of_site(of_site, layout);
      found.site = static_cast<Site>(first + i);
      if (found.ratio > comparison.worst_site.ratio) comparison.worst_site = found;
    }
  }
  const auto groups = static_cast<double>(2 * states.size());
  const double tail = f_tail(comparison.worst_site.ratio, groups - 1,
                             groups * static_cast<double>(layout.batches - 1));
  comparison.worst_site.probability = std::min(1.0, tail * static_cast<double>(sites));
}

}  // namespace

ChainComparison compare_chains(const std::vector<std::vector<PackedBits>>& states) {
  ChainComparison comparison;
  comparison.chains = states.size();
  std::size_t count = states.empty() ? 0 : states.front().size();
  for (const std::vector<PackedBits>& own : states) count = std::min(count, own.size());
  if (count < fewest_compared_states) return comparison;
  comparison.states = count;
  compare_overlaps(states, comparison);
  compare_sites(states, comparison);
  return comparison;
}

}  // namespace nhot
