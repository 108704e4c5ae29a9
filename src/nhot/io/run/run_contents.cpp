#include "nhot/io/run/run_contents.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nhot {

std::vector<std::array<Site, 2>> drawn_graph(const Model& model) {
  std::vector<std::array<Site, 2>> graph;
  const QuadraticModel* quadratic = model.quadratic();
  if (!quadratic || !model.lattice().sides.empty() || model.sites() > max_drawn_sites) return graph;
  std::vector<std::pair<double, std::array<Site, 2>>> found;
  for (Site i = 0; i < model.sites(); ++i) {
    const QuadraticModel::Row row = quadratic->row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k)
      if (row.sites[k] > i) found.push_back({std::abs(row.values[k]), {i, row.sites[k]}});
  }
  // Stable: which of equal couplings are drawn does not depend on the library's sort.
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  found.resize(std::min(found.size(), max_drawn_couplings));
  for (const auto& [strength, ends] : found) graph.push_back(ends);
  std::sort(graph.begin(), graph.end());
  return graph;
}

std::optional<std::string> find_value(const Metadata& metadata, std::string_view key) {
  for (const auto& [name, value] : metadata)
    if (name == key) return value;
  return std::nullopt;
}

}  // namespace nhot
