// An energy given as code, in the frame of a reference: fields are asked for, not summed up.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/model/energy.hpp"

namespace nhot {

/// Fields, beside the model's own bits, which the code wants to see. A field is an answer of
/// change(), asked for again when a site is flipped that touches it: a function of the state as far
/// as change() is one of what touches the site.
struct CustomFields : std::vector<double> {
  mutable Bits bits;  // flipped and flipped back where a pair is tried
};

class CustomKernel {
 public:
  using Field = double;
  using Fields = CustomFields;
  static constexpr bool exact = false;
  /// A pair of flips costs more than the two fields and a coupling know.
  static constexpr bool pairwise = false;

  CustomKernel(std::shared_ptr<const Energy> energy, Bits reference)
      : energy_(std::move(energy)), reference_(std::move(reference)) {}

  Site sites() const { return static_cast<Site>(reference_.size()); }
  double quantum() const { return 1.0; }

  /// That of the model, for a configuration with these fields.
  double energy(const Fields& fields) const { return energy_->energy(fields.bits); }

  void compute_fields(const Bits& u, Fields& fields) const {
    set_bits(u, fields);
    fields.resize(sites());
    for (Site i = 0; i < sites(); ++i) fields[i] = field(fields.bits, i);
  }
  /// The bits of fields that came without them.
  void set_bits(const Bits& u, Fields& fields) const {
    fields.bits.resize(sites());
    for (Site i = 0; i < sites(); ++i) fields.bits[i] = u[i] ^ reference_[i];
  }

  /// Updates the fields after u_i changed, and calls changed(j, shift) for every field that did.
  template <class Changed>
  void apply_flip(Site i, Bit /*now*/, Fields& fields, Changed&& changed) const {
    fields.bits[i] ^= 1;
    ask(i, fields, changed);  // the same number but for rounding
    for_each_touched(i, [&](Site j) { ask(j, fields, changed); });
  }

  /// Cost of flipping both of two sites.
  double pair_cost(const Fields& fields, Site i, Site j) const {
    const double first = signed_field(i, fields);
    if (!touches(i, j)) return first + signed_field(j, fields);
    fields.bits[i] ^= 1;
    const double second = energy_->change(fields.bits, j);
    fields.bits[i] ^= 1;
    return first + second;
  }

  bool touches(Site i, Site j) const { return nhot::touches(*energy_, i, j); }
  std::size_t degree(Site i) const {
    const auto touched = energy_->touched(i);
    return touched ? touched->size() : sites() - std::size_t{1};
  }
  Site neighbour(Site i, std::size_t k) const {
    const auto touched = energy_->touched(i);
    return touched ? (*touched)[k] : static_cast<Site>(k < i ? k : k + 1);
  }

 private:
  /// F_i: what flipping costs where u_i is 0, and minus that where it is 1.
  double field(const Bits& bits, Site i) const {
    const double change = energy_->change(bits, i);
    return bits[i] == reference_[i] ? change : -change;
  }
  double signed_field(Site i, const Fields& fields) const {
    return fields.bits[i] == reference_[i] ? fields[i] : -fields[i];
  }

  template <class Changed>
  void ask(Site j, Fields& fields, Changed&& changed) const {
    const double now = field(fields.bits, j);
    const double shift = now - fields[j];
    fields[j] = now;
    if (shift != 0) changed(j, shift);
  }

  template <class Visit>
  void for_each_touched(Site i, Visit&& visit) const {
    if (const auto touched = energy_->touched(i)) {
      for (const Site j : *touched) visit(j);
      return;
    }
    for (Site j = 0; j < sites(); ++j)
      if (j != i) visit(j);
  }

  std::shared_ptr<const Energy> energy_;
  Bits reference_;
};

}  // namespace nhot
