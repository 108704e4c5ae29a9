#include "nhot/report/graph_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace nhot {
namespace {

using Place = std::array<double, 2>;

constexpr double pair_budget = 1.5e8;  // repulsions computed in all

/// Each point a golden angle further round: an even disc with neighbours about one apart.
std::vector<Place> spiral(std::size_t count) {
  std::vector<Place> places(count);
  const double turn = std::numbers::pi * (3 - std::sqrt(5.0));
  for (std::size_t i = 0; i < count; ++i) {
    const double radius = 0.6 * std::sqrt(static_cast<double>(i) + 0.5);
    const double angle = turn * static_cast<double>(i);
    places[i] = {radius * std::cos(angle), radius * std::sin(angle)};
  }
  return places;
}

void repel(const std::vector<Place>& places, std::vector<Place>& forces) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    Place own = {0, 0};
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      const double x = places[i][0] - places[j][0];
      const double y = places[i][1] - places[j][1];
      const double inverse = 1 / (x * x + y * y + 1e-6);
      own[0] += x * inverse;
      own[1] += y * inverse;
      forces[j][0] -= x * inverse;
      forces[j][1] -= y * inverse;
    }
    forces[i][0] += own[0];
    forces[i][1] += own[1];
  }
}

/// Whether there is a path between any two vertices.
bool connected(std::size_t vertices, const std::vector<std::array<Site, 2>>& edges) {
  std::vector<std::size_t> parent(vertices);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::size_t parts = vertices;
  for (const auto& [a, b] : edges) {
    const std::size_t from = root(a);
    const std::size_t to = root(b);
    if (from == to) continue;
    parent[from] = to;
    --parts;
  }
  return parts <= 1;
}

/// The longer side becomes 1.
void fit(std::vector<Place>& places) {
  Place low = places.front();
  Place high = low;
  for (const Place& place : places)
    for (std::size_t d = 0; d < 2; ++d) {
      low[d] = std::min(low[d], place[d]);
      high[d] = std::max(high[d], place[d]);
    }
  const double size = std::max({high[0] - low[0], high[1] - low[1], 1e-9});
  for (Place& place : places)
    for (std::size_t d = 0; d < 2; ++d) place[d] = 0.5 + (place[d] - (low[d] + high[d]) / 2) / size;
}

}  // namespace

std::vector<Place> force_layout(Site vertices, const std::vector<std::array<Site, 2>>& edges) {
  std::vector<Place> places = spiral(vertices);
  if (vertices == 0) return places;
  const auto count = static_cast<double>(vertices);
  const int iterations =
      static_cast<int>(std::clamp(2 * pair_budget / (count * count), 60.0, 400.0));
  // Parts without a connection drift apart until gravity holds them; one part holds itself.
  const double gravity = connected(vertices, edges) ? 0.05 : 0.8;
  // Of dense graphs, weaker edges: their vertices would fall into one another.
  const double degree = 2 * static_cast<double>(edges.size()) / count;
  const double strength = std::min(1.0, 2 / std::max(degree, 1e-9));
  std::vector<Place> forces(vertices);
  for (int step = 0; step < iterations; ++step) {
    std::fill(forces.begin(), forces.end(), Place{0, 0});
    repel(places, forces);
    for (const auto& [a, b] : edges) {
      const double x = places[a][0] - places[b][0];
      const double y = places[a][1] - places[b][1];
      const double pull = strength * std::sqrt(x * x + y * y);
      forces[a][0] -= pull * x;
      forces[a][1] -= pull * y;
      forces[b][0] += pull * x;
      forces[b][1] += pull * y;
    }
    // No step is longer than the temperature, which falls to zero.
    const double temperature =
        0.12 * std::sqrt(count) * (1 - static_cast<double>(step) / iterations);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double x = forces[i][0] - gravity * places[i][0];
      const double y = forces[i][1] - gravity * places[i][1];
      const double length = std::sqrt(x * x + y * y);
      const double scale = length > temperature ? temperature / length : 1;
      places[i][0] += x * scale;
      places[i][1] += y * scale;
    }
  }
  fit(places);
  return places;
}

}  // namespace nhot
