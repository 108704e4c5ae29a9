#include "nhot/model/describe.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "nhot/model/value_range.hpp"

namespace nhot {

std::uint64_t connected_components(const QuadraticModel& model) {
  std::vector<Site> root(model.sites());
  std::iota(root.begin(), root.end(), Site{0});
  const auto find = [&root](Site i) {
    for (; root[i] != i; i = root[i]) root[i] = root[root[i]];
    return i;
  };
  std::uint64_t components = model.sites();
  for (Site i = 0; i < model.sites(); ++i) {
    for (const Site j : model.row(i).sites) {
      const Site a = find(i);
      const Site b = find(j);
      if (a == b) continue;
      root[std::max(a, b)] = std::min(a, b);
      --components;
    }
  }
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
  char text[64];
  const auto result = std::to_chars(text, text + sizeof text, std::get<double>(fact.value()));
  return std::string(text, result.ptr);
}

}  // namespace nhot
