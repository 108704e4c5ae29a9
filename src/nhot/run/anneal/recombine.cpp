#include "nhot/run/anneal/recombine.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

namespace nhot {
namespace {

constexpr std::size_t max_table = 20'000'000;

/// A connected set of sites on which two states differ. On a grouped shell the differing sites of a
/// group are in one part.
struct Part {
  std::vector<Site> sites;
  double cost = 0;  // of flipping all of it
  long shift = 0;   // of the distance; on a grouped shell, total_shift()
};

/// By how much a part shifts the distances of the groups, in absolute values.
long total_shift(const Shell& shell, const Bits& a, const Part& part) {
  std::map<Group, long> shifts;
  for (const Site i : part.sites)
    shifts[shell.group_of(i)] += a[i] == shell.reference()[i] ? 1 : -1;
  long sum = 0;
  for (const auto& [group, shift] : shifts)
    if (group < shell.groups()) sum += std::abs(shift);
  return sum;
}

std::vector<Part> parts_between(const QuadraticModel& model, const Shell& shell, const Bits& a,
                                const Bits& b, const std::vector<double>& costs) {
  const double scale = model.convention() == Convention::spin ? 4.0 : 1.0;
  std::vector<char> open(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) open[i] = a[i] != b[i];
  std::vector<char> joined(shell.groups() + std::size_t{1}, 0);  // groups whose sites are in a part
  std::vector<Part> parts;
  for (Site seed = 0; seed < model.sites(); ++seed) {
    if (!open[seed]) continue;
    Part part;
    part.sites.push_back(seed);
    open[seed] = 0;
    const auto add = [&](Site j) {
      if (!open[j]) return;
      open[j] = 0;
      part.sites.push_back(j);
    };
    for (std::size_t k = 0; k < part.sites.size(); ++k) {
      const Site i = part.sites[k];
      part.cost += costs[i];
      part.shift += a[i] == shell.reference()[i] ? 1 : -1;
      if (const Group group = shell.group_of(i); shell.grouped() && !joined[group]) {
        joined[group] = group < shell.groups();
        if (joined[group])
          for (const Site j : shell.members(group)) add(j);
      }
      const QuadraticModel::Row row = model.row(i);
      for (std::size_t e = 0; e < row.sites.size(); ++e) {
        const Site j = row.sites[e];
        if (a[j] == b[j]) continue;
        // Each coupling inside is met from both ends: half of the correction each time.
        part.cost += 0.5 * scale * row.values[e] * (a[i] == a[j] ? 1.0 : -1.0);
        add(j);
      }
    }
    if (shell.grouped()) part.shift = total_shift(shell, a, part);
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Chooses parts whose shifts add up to zero with the least sum of costs.
std::vector<const Part*> cheapest_choice(const std::vector<const Part*>& parts) {
  long span = 0;  // a choice that returns to zero never needs to leave by more than half of all
  for (const Part* part : parts) span += std::abs(part->shift);
  span = span / 2 + 1;
  const auto width = static_cast<std::size_t>(2 * span + 1);
  if (parts.size() * width > max_table) return {};
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<double> least(width, never);
  std::vector<double> next;
  std::vector<char> taken(parts.size() * width, 0);
  const auto origin = static_cast<std::size_t>(span);
  least[origin] = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    next = least;
    const long shift = parts[k]->shift;
    for (std::size_t s = 0; s < width; ++s) {
      const long from = static_cast<long>(s) - shift;
      if (from < 0 || from >= static_cast<long>(width)) continue;
      const double cost = least[static_cast<std::size_t>(from)] + parts[k]->cost;
      if (!(cost < next[s])) continue;
      next[s] = cost;
      taken[k * width + s] = 1;
    }
    least.swap(next);
  }
  std::vector<const Part*> chosen;
  auto s = static_cast<long>(origin);
  for (std::size_t k = parts.size(); k > 0; --k) {
    if (!taken[(k - 1) * width + static_cast<std::size_t>(s)]) continue;
    chosen.push_back(parts[k - 1]);
    s -= parts[k - 1]->shift;
  }
  return chosen;
}

}  // namespace

double recombine(const Model& model, const Shell& shell, Bits& a, const Bits& b) {
  if (!model.quadratic()) return 0;
  const std::vector<double> costs = model.data().flip_costs(a);
  const std::vector<Part> parts = parts_between(*model.quadratic(), shell, a, b, costs);
  double scale = 0;
  for (const double cost : costs) scale = std::max(scale, std::abs(cost));
  std::vector<const Part*> chosen;
  std::vector<const Part*> shifting;
  for (const Part& part : parts) {
    if (part.shift != 0)
      shifting.push_back(&part);
    else if (part.cost < 0)
      chosen.push_back(&part);
  }
  // On a grouped shell a part that shifts comes of a state b off the shell: it has no counterpart.
  if (!shell.grouped())
    for (const Part* part : cheapest_choice(shifting)) chosen.push_back(part);
  double gain = 0;
  for (const Part* part : chosen) gain += part->cost;
  if (!(gain < -1e-12 * scale)) return 0;  // rounding is no improvement
  for (const Part* part : chosen)
    for (const Site i : part->sites) a[i] ^= 1;
  return gain;
}

}  // namespace nhot
