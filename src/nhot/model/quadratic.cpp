#include "nhot/model/quadratic.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "nhot/base/compensated_sum.hpp"
#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"

namespace nhot {
namespace {

const char* not_finite(double value) { return std::isnan(value) ? "not a number" : "infinite"; }

void check_linear(const QuadraticTerms& terms) {
  if (!terms.linear.empty() && terms.linear.size() != terms.sites)
    throw InputError("the model has " + std::to_string(terms.sites) + " sites but " +
                         std::to_string(terms.linear.size()) + " linear values",
                     "give one linear value per site, or none");
  for (std::size_t i = 0; i < terms.linear.size(); ++i)
    if (!std::isfinite(terms.linear[i]))
      throw InputError(
          "the linear value of site " + std::to_string(i) + " is " + not_finite(terms.linear[i]),
          "linear values must be finite numbers");
}

void check_couplings(const QuadraticTerms& terms) {
  for (const Coupling& c : terms.couplings) {
    if (c.i >= terms.sites || c.j >= terms.sites)
      throw InputError("the coupling of sites " + std::to_string(c.i) + " and " +
                           std::to_string(c.j) + " is out of range: the model has " +
                           std::to_string(terms.sites) + " sites",
                       "sites are numbered from 0 to " + std::to_string(terms.sites - 1));
    if (!std::isfinite(c.value))
      throw InputError("the coupling of sites " + std::to_string(c.i) + " and " +
                           std::to_string(c.j) + " is " + not_finite(c.value),
                       "couplings must be finite numbers");
  }
}

// No partial sum of the energy, in either convention, can overflow below this bound.
void check_overflow(const QuadraticTerms& terms) {
  constexpr double bound = std::numeric_limits<double>::max() / 16;
  double total = std::fabs(terms.offset);
  for (const double h : terms.linear) total += std::fabs(h);
  for (const Coupling& c : terms.couplings) total += std::fabs(c.value);
  if (!(total < bound))
    throw InputError(
        "the energy can overflow: the absolute values of the terms sum to 1e307 or more",
        "scale the model down");
}

void check(const QuadraticTerms& terms) {
  if (terms.sites == 0) throw InputError("the model has no sites", "give it at least one");
  if (terms.sites > max_sites)
    throw InputError("the model has " + std::to_string(terms.sites) + " sites",
                     "the largest model has " + std::to_string(max_sites) + " sites");
  if (!std::isfinite(terms.offset))
    throw InputError(std::string("the offset of the model is ") + not_finite(terms.offset),
                     "the offset must be a finite number");
  if (terms.couplings.size() > max_couplings)
    throw InputError("the model has " + std::to_string(terms.couplings.size()) + " couplings",
                     "the largest model has " + std::to_string(max_couplings));
  check_linear(terms);
  check_couplings(terms);
  check_overflow(terms);
}

// Compressed rows of a symmetric matrix.
struct Rows {
  std::vector<std::uint32_t> begin;
  std::vector<Site> columns;
  std::vector<double> values;
};

// Both directions of every coupling between two different sites, in the order given.
Rows gather(Site sites, const std::vector<Coupling>& couplings) {
  Rows rows;
  rows.begin.assign(std::size_t{sites} + 1, 0);
  for (const Coupling& c : couplings) {
    if (c.i == c.j) continue;
    ++rows.begin[c.i + std::size_t{1}];
    ++rows.begin[c.j + std::size_t{1}];
  }
  for (std::size_t i = 0; i < sites; ++i) rows.begin[i + 1] += rows.begin[i];
  rows.columns.resize(rows.begin[sites]);
  rows.values.resize(rows.begin[sites]);
  std::vector<std::uint32_t> next(rows.begin.begin(), rows.begin.end() - 1);
  for (const Coupling& c : couplings) {
    if (c.i == c.j) continue;
    const std::size_t at_i = next[c.i]++;
    rows.columns[at_i] = c.j;
    rows.values[at_i] = c.value;
    const std::size_t at_j = next[c.j]++;
    rows.columns[at_j] = c.i;
    rows.values[at_j] = c.value;
  }
  return rows;
}

// Sorts every row in linear time: a symmetric matrix is its own transpose, and transposing row by
// row writes every new row in increasing order. Duplicates keep the order in which they were given,
// the same in both directions, so that both directions sum to the same bits.
Rows transpose(Rows rows) {
  Rows sorted;
  sorted.columns.resize(rows.columns.size());
  sorted.values.resize(rows.values.size());
  std::vector<std::uint32_t> next(rows.begin.begin(), rows.begin.end() - 1);
  for (std::size_t i = 0; i + 1 < rows.begin.size(); ++i) {
    for (std::size_t k = rows.begin[i]; k < rows.begin[i + 1]; ++k) {
      const std::size_t at = next[rows.columns[k]]++;
      sorted.columns[at] = static_cast<Site>(i);
      sorted.values[at] = rows.values[k];
    }
  }
  sorted.begin = std::move(rows.begin);
  return sorted;
}

// Sums duplicates in sorted rows and drops sums of zero, in place. Returns how many entries were
// merged into an earlier one, over both directions.
std::size_t merge(Rows& rows) {
  std::size_t merged = 0;
  std::size_t out = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i + 1 < rows.begin.size(); ++i) {
    const std::size_t end = rows.begin[i + 1];
    for (std::size_t k = begin; k < end;) {
      const Site column = rows.columns[k];
      double value = rows.values[k++];
      if (k < end && rows.columns[k] == column) {
        CompensatedSum sum;
        sum.add(value);
        for (; k < end && rows.columns[k] == column; ++k, ++merged) sum.add(rows.values[k]);
        value = sum.value();
      }
      if (value == 0) continue;
      rows.columns[out] = column;
      rows.values[out++] = value;
    }
    begin = end;
    rows.begin[i + 1] = static_cast<std::uint32_t>(out);
  }
  if (out < rows.columns.size()) {
    rows.columns.resize(out);
    rows.columns.shrink_to_fit();
    rows.values.resize(out);
    rows.values.shrink_to_fit();
  }
  return merged;
}

// Adds self-couplings to the offset (spins: v^2 = 1) or to the linear terms (bits: v^2 = v).
void fold_diagonal(QuadraticTerms& terms) {
  CompensatedSum offset;
  offset.add(terms.offset);
  std::vector<CompensatedSum> linear;
  for (const Coupling& c : terms.couplings) {
    if (c.i != c.j) continue;
    if (terms.convention == Convention::spin) {
      offset.add(c.value);
      continue;
    }
    if (linear.empty()) {
      linear.resize(terms.sites);
      for (Site i = 0; i < terms.sites; ++i) linear[i].add(terms.linear[i]);
    }
    linear[c.i].add(c.value);
  }
  terms.offset = offset.value();
  for (std::size_t i = 0; i < linear.size(); ++i) terms.linear[i] = linear[i].value();
}

// |F_i| <= scale * sum of the |terms| of site i: flipping a spin changes each by twice its value.
FixedPoint choose_fixed_point(const QuadraticModel& model) {
  const double scale = model.convention() == Convention::spin ? 2.0 : 1.0;
  FixedPointFacts facts;
  for (Site i = 0; i < model.sites(); ++i) {
    double sum = std::abs(model.linear()[i]);
    facts.add(model.linear()[i]);
    const QuadraticModel::Row row = model.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k) {
      sum += std::abs(row.values[k]);
      if (row.sites[k] < i) facts.add(row.values[k]);
    }
    facts.add_field(scale * sum);
  }
  return facts.choose();
}

}  // namespace

QuadraticModel::QuadraticModel(QuadraticTerms terms) {
  check(terms);
  if (terms.linear.empty()) terms.linear.assign(terms.sites, 0.0);
  fold_diagonal(terms);
  sites_ = terms.sites;
  convention_ = terms.convention;
  // Adding 0 turns -0 into +0, so that equal models have equal bits.
  offset_ = terms.offset + 0.0;
  for (double& h : terms.linear) h += 0.0;
  linear_ = PackedNumbers(std::move(terms.linear));
  Rows rows = gather(sites_, terms.couplings);
  std::vector<Coupling>().swap(terms.couplings);
  rows = transpose(std::move(rows));
  merged_ = merge(rows) / 2;
  row_begin_ = std::move(rows.begin);
  columns_ = std::move(rows.columns);
  values_ = PackedNumbers(std::move(rows.values));
  fixed_point_ = choose_fixed_point(*this);
}

std::int64_t QuadraticModel::energy_units(std::span<const Bit> bits) const {
  NHOT_EXPECTS(bits.size() == sites_);
  const bool spin = convention_ == Convention::spin;
  std::int64_t sum = 0;
  for (Site i = 0; i < sites_; ++i) {
    if (!spin && !bits[i]) continue;
    const bool up = bits[i] != 0;
    const std::int64_t linear = fixed_point_.units(linear_[i]);
    sum += up ? linear : -linear;
    const Row neighbours = row(i);
    for (std::size_t k = 0; k < neighbours.sites.size() && neighbours.sites[k] < i; ++k) {
      const bool alike = up == (bits[neighbours.sites[k]] != 0);
      if (!alike && !spin) continue;
      const std::int64_t value = fixed_point_.units(neighbours.values[k]);
      sum += alike ? value : -value;
    }
  }
  return sum;
}

QuadraticTerms QuadraticModel::terms() const {
  QuadraticTerms terms;
  terms.sites = sites_;
  terms.convention = convention_;
  terms.offset = offset_;
  terms.linear.assign(linear().begin(), linear().end());
  terms.couplings.reserve(couplings());
  for (Site i = 0; i < sites_; ++i) {
    const Row neighbours = row(i);
    for (std::size_t k = 0; k < neighbours.sites.size(); ++k)
      if (neighbours.sites[k] > i)
        terms.couplings.push_back({i, neighbours.sites[k], neighbours.values[k]});
  }
  return terms;
}

QuadraticTerms convert(const QuadraticModel& model, Convention wanted, std::size_t* rounded) {
  if (rounded) *rounded = 0;
  QuadraticTerms terms = model.terms();
  if (model.convention() == wanted) return terms;
  const auto settle = [rounded](const CompensatedSum& sum) {
    if (rounded && !sum.exact()) ++*rounded;
    return sum.value() + 0.0;
  };
  // With x = (s + 1) / 2:  a x = a/2 s + a/2,    q x x' = q/4 (s s' + s + s' + 1).
  // With s = 2 x - 1:      h s = 2h x - h,       q s s' = 4q x x' - 2q x - 2q x' + q.
  const bool to_spin = wanted == Convention::spin;
  const double linear_scale = to_spin ? 0.5 : 2.0;
  const double pair_scale = to_spin ? 0.25 : 4.0;
  const double pair_to_linear = to_spin ? 0.25 : -2.0;
  const double linear_to_offset = to_spin ? 0.5 : -1.0;
  const double pair_to_offset = to_spin ? 0.25 : 1.0;
  CompensatedSum offset;
  offset.add(model.offset());
  for (Site i = 0; i < model.sites(); ++i) {
    CompensatedSum linear;
    linear.add(linear_scale * model.linear()[i]);
    offset.add(linear_to_offset * model.linear()[i]);
    for (const double q : model.row(i).values) linear.add(pair_to_linear * q);
    terms.linear[i] = settle(linear);
  }
  for (Coupling& c : terms.couplings) {
    offset.add(pair_to_offset * c.value);
    const double scaled = pair_scale * c.value;
    if (rounded && scaled / pair_scale != c.value) ++*rounded;
    c.value = scaled;
  }
  terms.offset = settle(offset);
  terms.convention = wanted;
  return terms;
}

}  // namespace nhot
