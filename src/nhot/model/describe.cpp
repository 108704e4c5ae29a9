#include "nhot/model/describe.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "nhot/model/value_range.hpp"

namespace nhot {

namespace {

/// Calls joined(i, j) for every coupling between two components; true makes them one.
template <class Joined>
void join_couplings(const ModelData& model, Joined&& joined) {
  std::vector<Site> parent(model.sites());
  std::iota(parent.begin(), parent.end(), Site{0});
  const auto root = [&](Site i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  model.visit_pairs([&](Site i, Site j) {
    const Site a = root(i);
    const Site b = root(j);
    if (a == b || !joined(i, j)) return;
    parent[a] = b;
  });
}

}  // namespace

std::size_t connected_components(const ModelData& model) {
  std::size_t components = model.sites();
  join_couplings(model, [&](Site, Site) {
    --components;
    return true;
  });
  return components;
}

std::vector<std::size_t> connected_components(const ModelData& model, const Shell& shell) {
  std::vector<std::size_t> components;
  for (Group g = 0; g < shell.groups(); ++g) components.push_back(shell.group_size(g));
  join_couplings(model, [&](Site i, Site j) {
    const Group group = shell.group_of(i);
    if (group != shell.group_of(j)) return false;
    if (group < shell.groups()) --components[group];
    return true;
  });
  return components;
}

EnergyBounds energy_bounds(const QuadraticModel& model) {
  BoundsSum sum(model.convention() == Convention::spin);
  sum.add_constant(model.offset());
  for (Site i = 0; i < model.sites(); ++i) {
    sum.add_term(model.linear()[i]);
    const QuadraticModel::Row row = model.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k)
      if (row.sites[k] > i) sum.add_term(row.values[k]);
  }
  return sum.bounds();
}

Facts describe(const Model& model) {
  Facts facts;
  facts.emplace_back("model", model.name());
  facts.emplace_back("kind", model.kind());
  facts.emplace_back("sites", std::uint64_t{model.sites()});
  facts.emplace_back("couplings", std::uint64_t{model.couplings()});
  model.data().describe(facts);
  if (!model.lattice().sides.empty()) {
    std::string sides;
    for (const Site side : model.lattice().sides) {
      if (!sides.empty()) sides += 'x';
      sides += std::to_string(side);
    }
    facts.emplace_back("lattice", sides);
    facts.emplace_back("periodic", model.lattice().periodic);
  }
  facts.emplace_back("rounding", model.fixed_point().rounding());
  facts.emplace_back("hash", model.hash());
  return facts;
}

std::string to_text(const Fact& fact) {
  if (const auto* text = std::get_if<std::string>(&fact.value())) return *text;
  if (const auto* flag = std::get_if<bool>(&fact.value())) return *flag ? "yes" : "no";
  if (const auto* count = std::get_if<std::uint64_t>(&fact.value())) return std::to_string(*count);
  if (const auto* number = std::get_if<std::int64_t>(&fact.value())) return std::to_string(*number);
  char text[64];
  const auto result = std::to_chars(text, text + sizeof text, std::get<double>(fact.value()));
  return std::string(text, result.ptr);
}

}  // namespace nhot
