#include "nhot/model/hubo/hubo_table.hpp"

#include "nhot/model/hubo/hubo.hpp"

namespace nhot {

HuboTable::HuboTable(const Hubo& energy)
    : energy_(energy), spin_(energy.polynomial().convention == Convention::spin) {}

void HuboTable::set(std::span<const Bit> bits) {
  bits_.assign(bits.begin(), bits.end());
  zeros_.clear();
  for (const PolynomialTerm& term : energy_.polynomial().terms) {
    std::uint32_t zeros = 0;
    for (const Site i : term.sites) zeros += bits_[i] ? 0 : 1;
    zeros_.push_back(zeros);
  }
  changes_.resize(bits.size());
  energy_.changes(bits_, changes_);
}

void HuboTable::flip(Site i) {
  if (spin_)
    flip_spin(i);
  else
    flip_binary(i);
}

/// A term is a slope of x_j where all its other variables are 1.
void HuboTable::flip_binary(Site i) {
  const bool up = !bits_[i];
  bits_[i] ^= 1;
  changes_[i] = -changes_[i];
  for (const std::uint32_t t : energy_.terms_of(i)) {
    const std::uint32_t others = up ? --zeros_[t] : zeros_[t]++;  // zeros besides site i
    if (others > 1) continue;
    const double value = up ? energy_.step_value(t) : -energy_.step_value(t);
    for (const Site j : energy_.polynomial().terms[t].sites)
      if (j != i && (others == 0 || !bits_[j])) add_slope(j, value);
  }
}

/// dE_j = -2 sum of the terms that hold j, and those of i change sign.
void HuboTable::flip_spin(Site i) {
  bits_[i] ^= 1;
  for (const std::uint32_t t : energy_.terms_of(i)) {
    bits_[i] ? --zeros_[t] : ++zeros_[t];
    const double now = zeros_[t] % 2 == 0 ? energy_.step_value(t) : -energy_.step_value(t);
    for (const Site j : energy_.polynomial().terms[t].sites) changes_[j] -= 4 * now;
  }
}

double HuboTable::value_with(std::uint32_t term, Site i, Bit at_i, Site j, Bit at_j) const {
  const std::uint32_t zeros = zeros_[term] + bits_[i] - at_i + bits_[j] - at_j;
  const double value = energy_.step_value(term);
  if (spin_) return zeros % 2 == 0 ? value : -value;
  return zeros == 0 ? value : 0;
}

double HuboTable::pair_change(Site i, Site j) const {
  double sum = changes_[i] + changes_[j];
  const Bit a = bits_[i];
  const Bit b = bits_[j];
  const auto& own = energy_.terms_of(i);
  const auto& other = energy_.terms_of(j);
  for (std::size_t k = 0, l = 0; k < own.size() && l < other.size();) {
    if (own[k] < other[l]) {
      ++k;
    } else if (own[k] > other[l]) {
      ++l;
    } else {  // a term that holds both: what the two flips do together beyond each alone
      sum += value_with(own[k], i, a ^ 1, j, b ^ 1) - value_with(own[k], i, a ^ 1, j, b) -
             value_with(own[k], i, a, j, b ^ 1) + value_with(own[k], i, a, j, b);
      ++k, ++l;
    }
  }
  return sum;
}

}  // namespace nhot
