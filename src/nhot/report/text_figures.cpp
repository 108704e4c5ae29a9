#include "nhot/report/text_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

#include "nhot/report/figures.hpp"

namespace nhot {
namespace {

constexpr std::size_t what_width = 17;
constexpr std::size_t whose_width = 12;
constexpr std::size_t picture_begin = 2 + what_width + whose_width;
constexpr std::size_t drawn_chains = 8;
constexpr std::size_t drawn_bins = 20;
constexpr double rank_top = 16.0 / 9;  // an even share falls into the middle of a level

std::string pad(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

/// Cells of a picture: 60, or what a narrow terminal has left.
std::size_t picture_width(const Pen& pen) {
  const std::size_t room = pen.layout.width() - std::min(pen.layout.width(), picture_begin);
  return pen.layout.terminal() ? std::clamp<std::size_t>(room, 8, 60) : 60;
}

// One line: what it is, whose it is, the picture, and a remark.
std::string line(const Pen& pen, const std::string& what, const std::string& whose,
                 const std::string& picture, const std::string& remark) {
  std::string text = "  " + pad(what, what_width) + pad(whose, whose_width) + picture;
  if (remark.empty()) return text + "\n";
  // A remark that does not fit beside the picture stands below it.
  const bool fits = !pen.layout.terminal() ||
                    display_width(text) + 2 + display_width(remark) <= pen.layout.width();
  const std::string indent(what_width + 2, ' ');
  return text + (fits ? "  " + remark : "\n" + indent + pen.layout.wrap(remark, indent)) + "\n";
}

// Means over equal stretches.
std::vector<double> stretches(std::span<const double> values, std::size_t count) {
  std::vector<double> means;
  count = std::min(count, values.size());
  for (std::size_t k = 0; k < count; ++k) {
    const auto part = values.subspan(values.size() * k / count,
                                     values.size() * (k + 1) / count - values.size() * k / count);
    means.push_back(std::accumulate(part.begin(), part.end(), 0.0) /
                    static_cast<double>(part.size()));
  }
  return means;
}

std::string owner(bool per_pair, std::size_t k) {
  return per_pair ? "chains " + std::to_string(2 * k + 1) + "," + std::to_string(2 * k + 2)
                  : "chain " + std::to_string(k + 1);
}

std::string trace_lines(const ChainsView& chains, bool per_pair, const Pen& pen) {
  const std::size_t columns = picture_width(pen);
  std::vector<std::vector<double>> rows;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t c = 0; c < std::min(drawn_chains, chains.chains()); ++c) {
    rows.push_back(stretches(chains[c], columns));
    for (const double value : rows.back()) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  std::string text;
  for (std::size_t c = 0; c < rows.size(); ++c)
    text += line(pen, c == 0 ? "trace" : "", owner(per_pair, c),
                 sparkline(rows[c], low, high, pen.unicode),
                 c == 0 ? significant(low, 5) + " to " + significant(high, 5) : "");
  if (chains.chains() > rows.size())
    text += line(pen, "", "", "",
                 "and " + std::to_string(chains.chains() - rows.size()) + " chains more");
  return text;
}

std::string rank_lines(const ChainsView& chains, bool per_pair, const Pen& pen) {
  if (chains.chains() < 2) return "";
  const double even = static_cast<double>(chains.draws()) / static_cast<double>(drawn_bins);
  std::string text;
  const auto histograms = rank_histograms(chains, drawn_bins);
  for (std::size_t c = 0; c < std::min(drawn_chains, histograms.size()); ++c) {
    std::vector<double> shares;
    for (const double count : histograms[c]) shares.push_back(count / even);
    text += line(
        pen, c == 0 ? "ranks" : "", owner(per_pair, c), sparkline(shares, 0, rank_top, pen.unicode),
        c == 0 ? "flat, " + sparkline({1.0}, 0, rank_top, pen.unicode) + ", where chains agree"
               : "");
  }
  return text;
}

std::string observable_figures(const ObservableReport& observable, const ChainsView& chains,
                               bool per_pair, double thin, const Pen& pen) {
  std::string text = observable.name + "\n";
  text += trace_lines(chains, per_pair, pen) + rank_lines(chains, per_pair, pen);

  const std::size_t columns = picture_width(pen);
  const double tau = observable.summary.tau;
  if (std::isfinite(tau) && chains.draws() >= 8) {
    const std::size_t reach = std::clamp<std::size_t>(static_cast<std::size_t>(4 * tau), columns,
                                                      std::max(columns, chains.draws() / 2));
    const std::size_t step = reach / columns;
    const Band band = autocorrelation_band(chains, std::min(columns, chains.draws() / step), step);
    text += line(pen, "autocorrelation", "1 to 0", sparkline(band.mean, 0, 1, pen.unicode),
                 "lags to " +
                     significant(thin * static_cast<double>(step * (band.mean.size() - 1)), 3) +
                     " moves");
  }
  const EssGrowth growth = ess_growth(chains, drawn_bins);
  if (!growth.bulk.empty()) {
    const double top = *std::max_element(growth.bulk.begin(), growth.bulk.end());
    text += line(pen, "effective draws", "bulk", sparkline(growth.bulk, 0, top, pen.unicode),
                 "to " + significant(growth.bulk.back(), 4) + "; a straight rise where chains mix");
  }
  return text;
}

std::string length_lines(const Trace& trace, const Pen& pen) {
  const std::vector<LengthRate> rates = acceptance_by_length(trace, picture_width(pen));
  if (rates.size() < 2) return "";
  std::vector<double> shares;
  for (const LengthRate& rate : rates)
    shares.push_back(static_cast<double>(rate.accepted) / static_cast<double>(rate.tried));
  return "acceptance by walk length\n" +
         line(pen,
              "lengths " + std::to_string(rates.front().first) + " to " +
                  std::to_string(rates.back().last),
              "0 to 1", sparkline(shares, 0, 1, pen.unicode),
              significant(shares.front(), 3) + " to " + significant(shares.back(), 3));
}

}  // namespace

std::string sparkline(const std::vector<double>& values, double low, double high, bool unicode) {
  constexpr std::array<std::string_view, 8> blocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array<std::string_view, 8> plain = {"_", ".", "-", "~", "=", "+", "*", "#"};
  const auto& levels = unicode ? blocks : plain;
  std::string text;
  for (const double value : values) {
    if (std::isnan(value)) {
      text += ' ';
      continue;
    }
    const double share = high > low ? (value - low) / (high - low) : 0.5;
    const double level = std::floor(share * static_cast<double>(levels.size()));
    text += levels[static_cast<std::size_t>(
        std::clamp(level, 0.0, static_cast<double>(levels.size() - 1)))];
  }
  return text;
}

std::string text_figures(const RunReport& report, const Trace& trace, const Pen& pen) {
  if (trace.draws() < 8) return "";
  const auto thin = static_cast<double>(trace.thin);
  std::string text =
      observable_figures(report.observables.front(), energies(trace), false, thin, pen);
  for (std::size_t k = 0; k < trace.observables.size(); ++k) {
    const ObservableColumn& column = trace.observables[k];
    text += observable_figures(report.observables[k + 1], ChainsView(column.series),
                               column.per_pair, thin, pen);
  }
  return text + length_lines(trace, pen);
}

}  // namespace nhot
