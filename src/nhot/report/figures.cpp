#include "nhot/report/figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "nhot/base/types.hpp"
#include "nhot/diagnose/autocovariance.hpp"
#include "nhot/diagnose/ess.hpp"
#include "nhot/trace/observables.hpp"

namespace nhot {
namespace {

// Means and spreads of columns that come one chain at a time; NaN entries are left out.
class BandBuilder {
 public:
  explicit BandBuilder(std::size_t size) : count_(size), mean_(size), squares_(size) {}

  void add(std::size_t k, double value) {
    if (std::isnan(value)) return;
    const double step = value - mean_[k];
    mean_[k] += step / ++count_[k];
    squares_[k] += step * (value - mean_[k]);
  }

  Band finish() const {
    Band band;
    for (std::size_t k = 0; k < mean_.size(); ++k) {
      band.mean.push_back(count_[k] > 0 ? mean_[k] : nan);
      band.sd.push_back(count_[k] > 1 ? std::sqrt(squares_[k] / (count_[k] - 1)) : nan);
    }
    return band;
  }

 private:
  std::vector<double> count_;
  std::vector<double> mean_;
  std::vector<double> squares_;
};

// A chain that never changed has rho 1 at every lag.
std::vector<double> rho_of(std::span<const double> chain) {
  std::vector<double> rho = autocorrelation(chain);
  if (!rho.empty() && std::isnan(rho.front())) std::fill(rho.begin(), rho.end(), 1.0);
  return rho;
}

double energy_at(const ContestantResult& result, std::size_t chain, std::size_t draw) {
  const std::vector<double>& warm = result.run.warmup.chains[chain].energy;
  return draw < warm.size() ? warm[draw]
                            : result.run.trace.chains[chain].energy[draw - warm.size()];
}

}  // namespace

std::vector<double> two_way_grid(double first, double last, std::size_t points) {
  std::vector<double> grid;
  if (!(first > 0) || !(last > first)) return {last};
  const std::size_t half = std::max<std::size_t>(2, points / 2);
  for (std::size_t k = 0; k < half; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(half - 1);
    grid.push_back(first + share * (last - first));
    grid.push_back(k + 1 == half ? last : first * std::pow(last / first, share));
  }
  std::sort(grid.begin(), grid.end());
  grid.erase(
      std::unique(grid.begin(), grid.end(), [&](double a, double b) { return b - a < 1e-6 * a; }),
      grid.end());
  return grid;
}

std::vector<double> energy_of_chain(const ContestantResult& result, std::size_t chain,
                                    const std::vector<double>& grid) {
  const std::size_t draws = result.warmup_draws() + result.run.trace.draws();
  std::vector<double> values;
  std::size_t next = 0;  // first draw after the time
  for (const double time : grid) {
    while (next < draws && result.draw_seconds(chain, next) <= time * (1 + 1e-12)) ++next;
    const double spacing =
        draws > 0 ? result.draw_seconds(chain, draws - 1) / static_cast<double>(draws) : 0;
    const bool over =
        next == draws && draws > 0 && time > result.draw_seconds(chain, draws - 1) + 2 * spacing;
    values.push_back(next == 0 || over ? nan : energy_at(result, chain, next - 1));
  }
  return values;
}

Band energy_against_time(const ContestantResult& result, const std::vector<double>& grid) {
  BandBuilder builder(grid.size());
  for (std::size_t c = 0; c < result.run.trace.chains.size(); ++c) {
    const std::vector<double> values = energy_of_chain(result, c, grid);
    for (std::size_t k = 0; k < grid.size(); ++k) builder.add(k, values[k]);
  }
  return builder.finish();
}

Band autocorrelation_against_time(const ContestantResult& result, const std::vector<double>& lags) {
  BandBuilder builder(lags.size());
  const RunResult& run = result.run;
  const double moves =
      static_cast<double>(run.moves) * static_cast<double>(run.trace.chains.size());
  const double spacing =
      moves > 0 ? run.cpu_seconds / moves * static_cast<double>(run.trace.thin) : 0;
  for (const ChainColumns& chain : run.trace.chains) {
    const std::vector<double> rho = rho_of(chain.energy);
    for (std::size_t k = 0; k < lags.size(); ++k) {
      const double place = spacing > 0 ? lags[k] / spacing : 0;
      const auto before = static_cast<std::size_t>(std::min(place, 1e15));
      if (2 * (before + 1) >= rho.size()) continue;
      const double part = place - static_cast<double>(before);
      builder.add(k, rho[before] + part * (rho[before + 1] - rho[before]));
    }
  }
  return builder.finish();
}

Band autocorrelation_band(const ChainsView& chains, std::size_t lags, std::size_t step) {
  BandBuilder builder(lags);
  for (const ChainsView::Chain chain : chains) {
    const std::vector<double> rho = rho_of(chain);
    for (std::size_t k = 0; k < lags && k * step < rho.size(); ++k) builder.add(k, rho[k * step]);
  }
  return builder.finish();
}

std::vector<std::vector<double>> rank_histograms(const ChainsView& chains, std::size_t bins) {
  struct Entry {
    double value;
    std::size_t chain;
  };
  std::vector<Entry> sorted;
  sorted.reserve(chains.size());
  for (std::size_t c = 0; c < chains.chains(); ++c)
    for (const double value : chains[c]) sorted.push_back({value, c});
  std::sort(sorted.begin(), sorted.end(),
            [](const Entry& a, const Entry& b) { return a.value < b.value; });
  std::vector<std::vector<double>> counts(chains.chains(), std::vector<double>(bins, 0.0));
  const double per_bin = static_cast<double>(sorted.size()) / static_cast<double>(bins);
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin;
    std::vector<double> own(chains.chains(), 0.0);
    for (; end < sorted.size() && sorted[end].value == sorted[begin].value; ++end)
      own[sorted[end].chain] += 1;
    // The group holds ranks begin .. end: its share of each bin is the overlap.
    const double low = static_cast<double>(begin);
    const double high = static_cast<double>(end);
    for (auto bin = static_cast<std::size_t>(low / per_bin); bin < bins; ++bin) {
      const double from = std::max(low, per_bin * static_cast<double>(bin));
      const double to = std::min(high, per_bin * static_cast<double>(bin + 1));
      if (to <= from) break;
      for (std::size_t c = 0; c < own.size(); ++c)
        counts[c][bin] += own[c] * (to - from) / (high - low);
    }
    begin = end;
  }
  return counts;
}

EssGrowth ess_growth(const ChainsView& chains, std::size_t points) {
  EssGrowth growth;
  for (std::size_t k = 1; k <= points; ++k) {
    const std::size_t draws = chains.draws() * k / points;
    if (draws < 4 || (!growth.draws.empty() && growth.draws.back() == draws)) continue;
    std::vector<ChainsView::Chain> begin;
    for (const ChainsView::Chain chain : chains) begin.push_back(chain.first(draws));
    const ChainsView view(std::move(begin));
    growth.draws.push_back(draws);
    growth.bulk.push_back(ess_bulk(view));
    growth.tail.push_back(ess_tail(view));
  }
  return growth;
}

std::vector<LengthRate> acceptance_by_length(const Trace& trace, std::size_t max_rows) {
  std::map<std::int32_t, LengthRate> by_length;
  for (const ChainColumns& chain : trace.chains)
    for (std::size_t d = 0; d < chain.draws(); ++d) {
      const std::int32_t length = chain.saw_length[d];
      LengthRate& rate =
          by_length.try_emplace(length, LengthRate{length, length, 0, 0}).first->second;
      ++rate.tried;
      rate.accepted += chain.accepted[d];
    }
  std::vector<LengthRate> rows;
  const std::size_t share = (by_length.size() + max_rows - 1) / std::max<std::size_t>(1, max_rows);
  std::size_t in_row = 0;
  for (const auto& [length, rate] : by_length) {
    if (in_row == 0) {
      rows.push_back(rate);
    } else {
      rows.back().last = rate.last;
      rows.back().tried += rate.tried;
      rows.back().accepted += rate.accepted;
    }
    in_row = (in_row + 1) % std::max<std::size_t>(1, share);
  }
  return rows;
}

namespace {

std::vector<double> density(const std::vector<double>& values, double low, double width,
                            std::size_t bins) {
  std::vector<double> result(values.empty() ? 0 : bins, 0.0);
  const double unit = 1 / (width * std::max<double>(1, static_cast<double>(values.size())));
  for (const double value : values) {
    const double place = std::clamp((value - low) / width, 0.0, static_cast<double>(bins) - 0.5);
    result[static_cast<std::size_t>(place)] += unit;
  }
  return result;
}

double mean_of(const std::vector<double>& values) {
  return values.empty() ? nan
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

}  // namespace

OverlapDensity overlap_density(const std::vector<std::vector<PackedBits>>& states,
                               std::size_t bins) {
  std::vector<double> between;
  std::vector<double> within;
  const std::size_t kept = states.empty() ? 0 : states.front().size();
  // A few ten thousand pairs make a smooth picture.
  const std::size_t pairs = states.size() * (states.size() - 1) / 2;
  const std::size_t step = std::max<std::size_t>(1, kept * pairs / 20000);
  for (std::size_t s = 0; s < kept; s += step)
    for (std::size_t a = 0; a < states.size(); ++a)
      for (std::size_t b = a + 1; b < states.size(); ++b)
        between.push_back(overlap(states[a][s], states[b][s]));
  for (const std::vector<PackedBits>& chain : states)
    for (std::size_t s = 0; s + kept / 2 < kept && kept >= 2; ++s)
      within.push_back(overlap(chain[s], chain[s + kept / 2]));

  OverlapDensity result;
  double low = 1;
  double high = -1;
  for (const auto* list : {&between, &within})
    for (const double value : *list) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (low > high) return result;
  if (high - low < 1e-9) high = low + 0.01;
  const double width = (high - low) / static_cast<double>(bins);
  for (std::size_t k = 0; k < bins; ++k)
    result.centre.push_back(low + (static_cast<double>(k) + 0.5) * width);
  result.between = density(between, low, width, bins);
  result.within = density(within, low, width, bins);
  result.between_mean = mean_of(between);
  result.within_mean = mean_of(within);
  return result;
}

ChainsView energies(const Trace& trace) {
  std::vector<ChainsView::Chain> list;
  for (const ChainColumns& chain : trace.chains) list.emplace_back(chain.energy);
  return ChainsView(std::move(list));
}

}  // namespace nhot
