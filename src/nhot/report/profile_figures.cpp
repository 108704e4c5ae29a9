#include "nhot/report/profile_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace nhot {
namespace {

constexpr std::size_t plot_lines = 12;
constexpr std::size_t label_width = 12;

std::string left_of(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

/// A dot per column, at the value there.
std::string plot(const std::string& title, const std::vector<double>& values, ShellBand band,
                 const Pen& pen) {
  const std::size_t room = pen.layout.width() - std::min(pen.layout.width(), label_width + 3);
  const std::size_t columns = std::min(values.size(), pen.layout.terminal() ? room : 72);
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(low <= high) || columns < 2) return "";
  const double step = (high > low ? high - low : 1) / static_cast<double>(plot_lines - 1);
  std::vector<std::vector<bool>> dots(plot_lines, std::vector<bool>(columns));
  for (std::size_t c = 0; c < columns; ++c) {
    const double value = values[c * (values.size() - 1) / (columns - 1)];
    if (std::isfinite(value))
      dots[static_cast<std::size_t>(std::lround((high - value) / step))][c] = true;
  }
  const std::string dot = pen.unicode ? "•" : "*";
  const std::string bar = pen.unicode ? " │" : " |";
  std::string text = title + "\n";
  for (std::size_t l = 0; l < plot_lines; ++l) {
    const bool end = l == 0 || l + 1 == plot_lines;
    std::string line = left_of(end ? significant(l == 0 ? high : low, 6) : "", label_width) + bar;
    for (std::size_t c = 0; c < columns; ++c) line += dots[l][c] ? dot : " ";
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  const std::string first = "n = " + std::to_string(band.first);
  const std::string last = std::to_string(band.last);
  return text + std::string(label_width + 2, ' ') + first +
         left_of(last, columns - std::min(columns, first.size())) + "\n";
}

}  // namespace

std::string profile_figures(const ProfileReport& report, const Pen& pen) {
  const bool has_free_energy = report.beta > 0;
  std::vector<double> curve;
  std::vector<double> shares;
  for (const ProfileRow& row : report.rows) {
    curve.push_back(has_free_energy ? row.free_energy.value : row.log_z.value);
    shares.push_back(row.log_share.value);
  }
  return plot(has_free_energy ? "F(n) = -log Z_n / beta" : "log Z_n", curve, report.band, pen) +
         "\n" + plot("log P(n) at mu " + significant(report.mu, 6), shares, report.band, pen);
}

}  // namespace nhot
