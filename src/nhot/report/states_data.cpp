#include "nhot/report/states_data.hpp"

#include <algorithm>
#include <cmath>

#include "nhot/base/options.hpp"
#include "nhot/base/text_layout.hpp"
#include "nhot/report/graph_layout.hpp"
#include "nhot/report/pictures.hpp"

namespace nhot {
namespace {

constexpr std::size_t state_bytes = 600'000;  // of base64 in a page
constexpr std::size_t stored_filters = 64;
constexpr std::size_t pictured_states = 40;
constexpr std::size_t pictured_chains = 4;
constexpr Site most_pictured = 4'000'000;  // a state of so many is all that a page can carry
constexpr double graph_grid = 1000;        // places are whole numbers up to this

Json graph_json(Site sites, const std::vector<std::array<Site, 2>>& graph, const SiteNames& names) {
  Json places = Json::array();
  for (const auto& [x, y] : force_layout(sites, graph)) {
    places.push_back(std::lround(graph_grid * x));
    places.push_back(std::lround(graph_grid * y));
  }
  Json edges = Json::array();
  for (const auto& [a, b] : graph) {
    edges.push_back(a);
    edges.push_back(b);
  }
  Json json = {{"kind", "graph"}, {"sites", sites}, {"places", places}, {"edges", edges}};
  for (std::size_t i = 0; i < names.size(); ++i) json["names"].push_back(names[i]);
  return json;
}

Json layout_of(Json shaped, Site sites, const std::vector<std::array<Site, 2>>& graph,
               const SiteNames& names) {
  if (sites > most_pictured) return nullptr;
  if (!shaped.is_null()) return shaped;
  if (!graph.empty()) return graph_json(sites, graph, names);
  return {{"kind", "sites"}, {"sides", {sites}}};
}

/// How many states of so many sites a page carries, for each of `chains`.
std::size_t room_for(Site sites, std::size_t chains) {
  return std::max<std::size_t>(
      1, state_bytes / std::max<std::size_t>(1, chains * (sites / 6 + std::size_t{4})));
}

}  // namespace

Json picture_layout(const RunFacts& facts) {
  return layout_of(site_layout(facts.lattice, facts.rbm_visible, facts.rbm_hidden), facts.sites,
                   facts.graph, facts.names);
}

Json picture_layout(const Model& model) {
  return layout_of(site_layout(model), model.sites(), drawn_graph(model), model.names());
}

Json run_picture(const StoredRun& run, const RunReport& report) {
  const Json layout = picture_layout(static_cast<const RunFacts&>(run));
  if (layout.is_null()) return nullptr;
  Json json = {{"layout", layout}};
  const Trace& trace = run.trace;
  const std::size_t kept = trace.state_draws.size();
  const std::size_t chains = std::min(pictured_chains, trace.states.size());
  const std::size_t shown = std::min({kept, room_for(run.sites, chains), pictured_states});
  Json draws = Json::array();
  Json columns = Json::array();
  for (std::size_t c = 0; c < chains; ++c) columns.push_back(Json::array());
  for (std::size_t k = 0; k < shown; ++k) {
    const std::size_t s = (k + 1) * kept / shown - 1;  // the last one is always shown
    draws.push_back((trace.state_draws[s] + 1) * trace.thin);
    for (std::size_t c = 0; c < chains; ++c) columns[c].push_back(packed_bits(trace.states[c][s]));
  }
  json["moves"] = draws;
  json["chains"] = columns;
  if (!report.best_state.bits.empty()) {
    json["best"] = packed_bits(PackedBits(report.best_state.bits));
    json["best_energy"] = short_real(report.best_state.energy);
  }
  if (!report.site_means.mean.empty()) json["means"] = packed_means(report.site_means.mean);
  if (!run.filters.empty()) {
    auto filters = run.filters;
    filters.resize(std::min(filters.size(), stored_filters));
    json["filters"] = packed_filters(filters);
  }
  return json;
}

Json states_picture(const Model& model, const std::vector<FoundState>& states) {
  const Json layout = picture_layout(model);
  if (layout.is_null() || states.empty()) return nullptr;
  Json labels = Json::array();
  Json list = Json::array();
  const std::size_t shown = std::min(states.size(), room_for(model.sites(), 1));
  for (std::size_t k = 0; k < shown; ++k) {
    labels.push_back("state " + std::to_string(k + 1) + ", energy " + short_real(states[k].energy));
    list.push_back(packed_bits(PackedBits(states[k].bits)));
  }
  return {{"layout", layout}, {"labels", labels}, {"states", list}};
}

std::string packed_means(const std::vector<double>& means) {
  std::vector<std::uint8_t> bytes;
  for (const double mean : means)
    bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * std::clamp(mean, 0.0, 1.0))));
  return base64(bytes);
}

}  // namespace nhot
