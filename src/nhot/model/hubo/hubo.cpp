#include "nhot/model/hubo/hubo.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/model/hubo/hubo_table.hpp"
#include "nhot/model/value_range.hpp"

namespace nhot {
namespace {

std::string shown(const PolynomialTerm& term) {
  std::string text = "the term of sites";
  for (std::size_t k = 0; k < std::min<std::size_t>(term.sites.size(), 8); ++k)
    text += " " + std::to_string(term.sites[k]);
  return text + (term.sites.size() > 8 ? " ..." : "");
}

void check(const Polynomial& polynomial) {
  if (polynomial.sites == 0)
    throw InputError("the polynomial has no variables", "give at least one");
  double total = std::abs(polynomial.offset);
  for (const PolynomialTerm& term : polynomial.terms) {
    for (std::size_t k = 0; k < term.sites.size(); ++k) {
      if (term.sites[k] >= polynomial.sites)
        throw InputError(shown(term) + " is outside the " + std::to_string(polynomial.sites) +
                             " sites of the polynomial",
                         "number the sites from 0");
      if (k > 0 && term.sites[k] == term.sites[k - 1])
        throw InputError(shown(term) + " holds site " + std::to_string(term.sites[k]) + " twice",
                         polynomial.convention == Convention::spin ? "s s = 1: leave both out"
                                                                   : "x x = x: give it once");
    }
    if (!std::isfinite(term.value))
      throw InputError(shown(term) + " has the value " + format_real(term.value),
                       "give finite numbers");
    total += std::abs(term.value);
  }
  if (!(total < 1e307))
    throw InputError("the values of the terms add up to " + format_real(total),
                     "scale the polynomial down to less than 1e307");
}

}  // namespace

Hubo::Hubo(Polynomial polynomial) : polynomial_(std::move(polynomial)) {
  for (PolynomialTerm& term : polynomial_.terms) std::ranges::sort(term.sites);
  check(polynomial_);
  add_equal_terms();

  of_site_.resize(sites());
  touched_.resize(sites());
  std::vector<double> bounds(sites(), 0.0);
  FixedPointFacts facts;
  const double jump = polynomial_.convention == Convention::spin ? 2 : 1;
  for (std::uint32_t t = 0; t < polynomial_.terms.size(); ++t) {
    const PolynomialTerm& term = polynomial_.terms[t];
    facts.add(term.value);
    degree_ = std::max(degree_, term.sites.size());
    for (const Site i : term.sites) {
      of_site_[i].push_back(t);
      bounds[i] += jump * std::abs(term.value);
      for (const Site j : term.sites)
        if (j != i) touched_[i].push_back(j);
    }
  }
  for (const double bound : bounds) {
    facts.add_field(2 * bound);
    largest_change_ = std::max(largest_change_, bound);
  }
  for (std::vector<Site>& list : touched_) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  fixed_point_ = facts.choose();
  for (const PolynomialTerm& term : polynomial_.terms)
    step_values_.push_back(fixed_point_.rounded(term.value));
}

void Hubo::add_equal_terms() {
  std::vector<PolynomialTerm>& terms = polynomial_.terms;
  std::ranges::sort(terms, {}, &PolynomialTerm::sites);
  std::vector<PolynomialTerm> kept;
  for (PolynomialTerm& term : terms) {
    if (term.sites.empty())
      polynomial_.offset += term.value;
    else if (!kept.empty() && kept.back().sites == term.sites)
      kept.back().value += term.value;
    else
      kept.push_back(std::move(term));
  }
  std::erase_if(kept, [](const PolynomialTerm& term) { return term.value == 0; });
  terms = std::move(kept);
}

double Hubo::energy(std::span<const Bit> bits) const {
  const bool spin = polynomial_.convention == Convention::spin;
  std::int64_t units = 0;
  for (const PolynomialTerm& term : polynomial_.terms) {
    const auto zeros = std::ranges::count_if(term.sites, [&](Site i) { return !bits[i]; });
    const std::int64_t own = fixed_point_.units(term.value);
    if (spin)
      units += zeros % 2 == 0 ? own : -own;
    else if (zeros == 0)
      units += own;
  }
  return polynomial_.offset + fixed_point_.unit() * static_cast<double>(units);
}

double Hubo::change(std::span<const Bit> bits, Site i) const {
  const bool spin = polynomial_.convention == Convention::spin;
  double sum = 0;  // of the terms of i at x_i = 1, or s_i as it is
  for (const std::uint32_t t : of_site_[i]) {
    std::size_t zeros = 0;
    for (const Site j : polynomial_.terms[t].sites) zeros += !bits[j] && (spin || j != i);
    if (spin)
      sum += zeros % 2 == 0 ? step_values_[t] : -step_values_[t];
    else if (zeros == 0)
      sum += step_values_[t];
  }
  if (spin) return -2 * sum;
  return bits[i] ? -sum : sum;
}

std::unique_ptr<ChangeTable> Hubo::make_table() const { return std::make_unique<HuboTable>(*this); }

void Hubo::add_to(Digest& digest) const {
  digest.add(std::uint64_t{6});
  digest.add(std::uint64_t{polynomial_.sites});
  digest.add(std::uint64_t{polynomial_.convention == Convention::spin});
  digest.add(polynomial_.offset);
  for (const PolynomialTerm& term : polynomial_.terms) {
    digest.add(std::uint64_t{term.sites.size()});
    for (const Site i : term.sites) digest.add(std::uint64_t{i});
    digest.add(term.value);
  }
}

void Hubo::describe(Facts& facts) const {
  const bool spin = polynomial_.convention == Convention::spin;
  facts.emplace_back("convention", std::string(spin ? "spin" : "binary"));
  facts.emplace_back("degree", std::uint64_t{degree_});
  facts.emplace_back("terms", std::uint64_t{polynomial_.terms.size()});
  ValueRange values;
  BoundsSum bounds(spin);
  bounds.add_constant(polynomial_.offset);
  for (const PolynomialTerm& term : polynomial_.terms) {
    values.add(term.value);
    bounds.add_term(term.value);
  }
  add_range(facts, "value", values);
  facts.emplace_back("energy_low", bounds.bounds().low);
  facts.emplace_back("energy_high", bounds.bounds().high);
}

Model hubo(std::string name, Polynomial polynomial) {
  const auto high = std::ranges::any_of(
      polynomial.terms, [](const PolynomialTerm& term) { return term.sites.size() > 2; });
  auto energy = std::make_shared<const Hubo>(std::move(polynomial));
  if (high) return {std::move(name), std::move(energy)};
  QuadraticTerms terms;
  terms.sites = energy->sites();
  terms.convention = energy->polynomial().convention;
  terms.offset = energy->polynomial().offset;
  terms.linear.assign(terms.sites, 0.0);
  for (const PolynomialTerm& term : energy->polynomial().terms) {
    if (term.sites.size() == 1)
      terms.linear[term.sites[0]] = term.value;
    else
      terms.couplings.push_back({term.sites[0], term.sites[1], term.value});
  }
  return {std::move(name), QuadraticModel(std::move(terms))};
}

}  // namespace nhot
