// An energy given as code, in the frame of a reference: fields come from change(), not from sums.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/model/energy.hpp"

namespace nhot {

/// Fields, with the model's own bits for calls of the code. F_i is recomputed from change() when a
/// site that touches i flips: a function of the state as far as change() depends on such sites
/// alone. Where the energy has a table, F_i is taken from it, with the rounding of its updates.
struct CustomFields : std::vector<double> {
  mutable Bits bits;                   // pair_cost() flips a bit and restores it
  std::vector<double> changes;         // of all sites, for the length of a call
  std::unique_ptr<ChangeTable> table;  // in the state of `bits`, where the energy has one
};

class CustomKernel {
 public:
  using Field = double;
  using Fields = CustomFields;
  static constexpr bool exact = false;
  /// The cost of a pair of flips is not a sum of two fields and a coupling.
  static constexpr bool pairwise = false;

  CustomKernel(std::shared_ptr<const Energy> energy, Bits reference)
      : energy_(std::move(energy)), reference_(std::move(reference)) {}

  Site sites() const { return static_cast<Site>(reference_.size()); }
  double quantum() const { return 1.0; }

  /// The model's energy of the configuration of these fields.
  double energy(const Fields& fields) const { return energy_->energy(fields.bits); }

  void compute_fields(const Bits& u, Fields& fields) const {
    set_bits(u, fields);
    fields.resize(sites());
    if (set_table(fields))
      std::copy(fields.table->changes().begin(), fields.table->changes().end(), fields.begin());
    else
      energy_->changes(fields.bits, fields);
    for (Site i = 0; i < sites(); ++i) fields[i] = signed_field(i, fields);
  }
  /// Sets the bits alone, for fields restored without them.
  void set_bits(const Bits& u, Fields& fields) const {
    fields.bits.resize(sites());
    for (Site i = 0; i < sites(); ++i) fields.bits[i] = u[i] ^ reference_[i];
  }

  /// What fields hold besides their numbers: the table, to the bit.
  void save_table(const Fields& fields, ByteWriter& out) const {
    if (fields.table) fields.table->save(out);
  }
  void restore_table(const Bits& u, Fields& fields, ByteReader& in) const {
    set_bits(u, fields);
    if (set_table(fields)) fields.table->restore(in);
  }

  /// Updates the fields after u_i changed, and calls changed(j, shift) for every field that did.
  template <class Changed>
  void apply_flip(Site i, Bit /*now*/, Fields& fields, Changed&& changed) const {
    fields.bits[i] ^= 1;
    const auto touched = energy_->touched(i);
    if (fields.table) {
      fields.table->flip(i);
      const std::span<const double> changes = fields.table->changes();
      if (touched) {
        update(i, changes[i], fields, changed);
        for (const Site j : *touched) update(j, changes[j], fields, changed);
      } else {
        for (Site j = 0; j < sites(); ++j) update(j, changes[j], fields, changed);
      }
      return;
    }
    if (touched) {
      update(i, energy_->change(fields.bits, i), fields, changed);  // the same but for rounding
      for (const Site j : *touched) update(j, energy_->change(fields.bits, j), fields, changed);
      return;
    }
    fields.changes.resize(sites());
    energy_->changes(fields.bits, fields.changes);
    for (Site j = 0; j < sites(); ++j) update(j, fields.changes[j], fields, changed);
  }

  /// Cost of flipping both of two sites.
  double pair_cost(const Fields& fields, Site i, Site j) const {
    if (fields.table) return fields.table->pair_change(i, j);
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
  /// Begins the table anew from the bits; false where the energy has none.
  bool set_table(Fields& fields) const {
    if (!fields.table) fields.table = energy_->make_table();
    if (fields.table) fields.table->set(fields.bits);
    return fields.table != nullptr;
  }

  /// F_i is what flipping costs where u_i is 0, and minus that where it is 1; and back.
  double signed_by_side(Site i, const Fields& fields, double value) const {
    return fields.bits[i] == reference_[i] ? value : -value;
  }
  double signed_field(Site i, const Fields& fields) const {
    return signed_by_side(i, fields, fields[i]);
  }

  template <class Changed>
  void update(Site j, double change, Fields& fields, Changed&& changed) const {
    const double now = signed_by_side(j, fields, change);
    const double shift = now - fields[j];
    fields[j] = now;
    if (shift != 0) changed(j, shift);
  }

  std::shared_ptr<const Energy> energy_;
  Bits reference_;
};

}  // namespace nhot
