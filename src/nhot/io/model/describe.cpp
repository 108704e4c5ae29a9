#include "nhot/io/model/describe.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "nhot/base/compensated_sum.hpp"

namespace nhot {
namespace {

// Sums the lowest and the highest that single terms reach.
class BoundsSum {
 public:
  explicit BoundsSum(bool spin) : spin_(spin) {}
  void add_constant(double value) {
    low_.add(value);
    high_.add(value);
  }
  // A term takes +-value for spins, 0 or value for bits.
  void add_term(double value) {
    if (spin_ || value < 0) low_.add(spin_ ? -std::fabs(value) : value);
    if (spin_ || value > 0) high_.add(std::fabs(value));
  }
  EnergyBounds bounds() const { return {low_.value(), high_.value()}; }

 private:
  bool spin_;
  CompensatedSum low_;
  CompensatedSum high_;
};

// Smallest and largest of the values seen, and whether all are whole.
struct Range {
  double low = 0;
  double high = 0;
  bool whole = true;
  std::uint64_t count = 0;
  void add(double value) {
    low = count == 0 ? value : std::min(low, value);
    high = count == 0 ? value : std::max(high, value);
    whole = whole && value == std::floor(value);
    ++count;
  }
};

void add_range(Facts& facts, const std::string& name, const Range& range) {
  if (range.count == 0) return;
  facts.emplace_back(name + "_min", range.low);
  facts.emplace_back(name + "_max", range.high);
  facts.emplace_back(name + "_integer", range.whole);
}

void describe_quadratic(const QuadraticModel& model, Facts& facts) {
  Range couplings;
  Range linear;
  std::uint64_t fields = 0;
  std::size_t least = model.row(0).sites.size();
  std::size_t most = least;
  for (Site i = 0; i < model.sites(); ++i) {
    const QuadraticModel::Row row = model.row(i);
    least = std::min(least, row.sites.size());
    most = std::max(most, row.sites.size());
    for (std::size_t k = 0; k < row.sites.size(); ++k)
      if (row.sites[k] > i) couplings.add(row.values[k]);
    linear.add(model.linear()[i]);
    fields += model.linear()[i] != 0 ? 1 : 0;
  }
  facts.emplace_back("convention",
                     std::string(model.convention() == Convention::spin ? "spin" : "binary"));
  facts.emplace_back("offset", model.offset());
  facts.emplace_back("fields", fields);
  if (fields > 0) add_range(facts, "field", linear);
  add_range(facts, "coupling", couplings);
  facts.emplace_back("degree_min", std::uint64_t{least});
  facts.emplace_back("degree_max", std::uint64_t{most});
  facts.emplace_back("degree_mean", 2.0 * static_cast<double>(model.couplings()) / model.sites());
  facts.emplace_back("components", connected_components(model));
  const EnergyBounds bounds = energy_bounds(model);
  facts.emplace_back("energy_low", bounds.low);
  facts.emplace_back("energy_high", bounds.high);
}

void describe_rbm(const Rbm& rbm, Facts& facts) {
  const RbmWeights& w = rbm.weights();
  facts.emplace_back("visible", std::uint64_t{w.visible});
  facts.emplace_back("hidden", std::uint64_t{w.hidden});
  facts.emplace_back("convention", std::string("binary"));
  Range weights, hidden, visible;
  BoundsSum bounds(false);
  for (const double value : w.weights) {
    weights.add(value);
    bounds.add_term(-value);
  }
  for (const double value : w.hidden_bias) {
    hidden.add(value);
    bounds.add_term(-value);
  }
  for (const double value : w.visible_bias) {
    visible.add(value);
    bounds.add_term(-value);
  }
  add_range(facts, "weight", weights);
  add_range(facts, "hidden_bias", hidden);
  add_range(facts, "visible_bias", visible);
  facts.emplace_back("energy_low", bounds.bounds().low);
  facts.emplace_back("energy_high", bounds.bounds().high);
}

}  // namespace

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
  if (model.rbm())
    describe_rbm(*model.rbm(), facts);
  else if (model.quadratic())
    describe_quadratic(*model.quadratic(), facts);
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
