// Engine `dense`: for models in which a flip changes whole runs of fields. One fused pass over the
// touched run updates integer fields and recomputes weights and sums, with SIMD (pass.hpp).
//
// Site i is selected with probability weight(i) / total, where weight() is the float weight times a
// factor within 1e-6 of 1 that corrects for the rounding of the float sums above it. The acceptance
// of a walk is computed from weight() and total(), which depend on the state alone, and from the
// true energy, so that rounded weights lower the acceptance rate a little and bias nothing.
//
// The true fields, in double, are not used to select. Inside a walk the cost of a step follows from
// the field at the start and the couplings to the sites flipped since; the fields themselves are
// updated when the walk is accepted, or when so many sites have flipped that summing their
// couplings would cost more. A shorter walk that is rejected never touches them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/engine/dense/site_block.hpp"
#include "nhot/engine/scan.hpp"
#include "nhot/model/dense_kernel.hpp"

namespace nhot {

/// O(run) per flip, O(16 + run / 128 + 8) per selection. Sums are recomputed, never updated, so
/// they do not drift. A walk costs one copy of every run that it touches; rollback costs no more.
template <class Kernel>
class DenseEngine {
 public:
  static constexpr const char* name = "dense";
  /// The engine rolls walks back itself.
  static constexpr bool walks = true;
  /// The acceptance must use weight(), not the formula of the bias.
  static constexpr bool rounds_weights = true;

  DenseEngine(const Configuration<Kernel>& c, WeightSet weight_set)
      : weight_set_(std::move(weight_set)), passes_(dense::passes(simd_path())) {
    prepare(c);
    rebuild(c);
  }

  void set_weights(const Configuration<Kernel>& c, WeightSet weight_set) {
    weight_set_ = std::move(weight_set);
    const std::array<dense::SiteBlockCache, Kernel::runs> old = std::move(runs_);
    const double old_quantum = quantum_;
    prepare(c);
    if (quantum_ != old_quantum) {
      rebuild(c);
      return;
    }
    for (unsigned r = 0; r < Kernel::runs; ++r) runs_[r].take_state_of(old[r]);
    evaluate(c);
  }

  void rebuild(const Configuration<Kernel>& c) {
    for (std::vector<SignedPlace>& list : pending_) list.clear();
    for (dense::SiteBlockCache& run : runs_) {
      const SiteRange range = run.range();
      for (Site i = range.begin; i < range.end; ++i) {
        run.set_side(i, c.side(i));
        run.fields()[i - range.begin] = dense::steps_of(c.kernel->linear(i), 1 / quantum_);
      }
    }
    for (Site i = 0; i < c.sites(); ++i) {
      if (c.u[i] == 0) continue;
      dense::SiteBlockCache& run = runs_[c.kernel->touched_run(i)];
      dense::apply(run.fields(), run.range().size(), change_of(c, i));
    }
    evaluate(c);
  }

  /// Updates everything after u_i has changed.
  void flip(Configuration<Kernel>& c, Site i) {
    keep_fields(c);
    c.kernel->apply_flip(i, c.u[i], c.fields);
    follow(c, i);
  }

  void begin_walk() {
    NHOT_EXPECTS(nothing_pending());
    for (dense::SiteBlockCache& run : runs_) run.begin_walk();
    fields_kept_ = false;
  }

  /// flip() for a step of a walk, where the fields lag until commit(); returns dE.
  double step(Configuration<Kernel>& c, Site i) {
    follow(c, i);
    const double field = field_in_walk(c, i);
    const unsigned own = c.kernel->run_of(i);
    std::vector<SignedPlace>& list = pending_[own];
    const Site place = i - runs_[own].range().begin;
    const auto known = std::find_if(list.begin(), list.end(),
                                    [&](const SignedPlace& p) { return p.place == place; });
    if (known != list.end()) {  // flipped back
      *known = list.back();
      list.pop_back();
    } else {
      list.push_back({place, sign_of(c.u[i])});
      // Steps would cost more with a longer list.
      if (list.size() == most_pending) {
        keep_fields(c);
        commit(c);
      }
    }
    return -signed_by(c.u[i], field);
  }

  /// Applies the pending flips to the fields.
  void commit(Configuration<Kernel>& c) {
    for (unsigned r = 0; r < Kernel::runs; ++r) {
      c.kernel->apply_flips(r, pending_[r], c.fields);
      pending_[r].clear();
    }
  }

  /// Takes back all flips since begin_walk(), with fields; the bits are back already. `path` names
  /// at least the sites that were flipped.
  template <class Path>
  void rollback(Configuration<Kernel>& c, const Path& path) {
    for (const Site i : path) runs_[c.kernel->run_of(i)].set_side(i, c.side(i));
    for (std::vector<SignedPlace>& list : pending_) list.clear();
    for (dense::SiteBlockCache& run : runs_) run.take_back();
    if (fields_kept_) std::swap(c.fields, kept_fields_);
    fields_kept_ = false;
  }

  ScaledWeight total(const Configuration<Kernel>& c, Side side, unsigned index) const {
    const double sum = float_total(side, index);
    if (trusted(sum)) [[likely]]
      return {sum, 0};
    return scan::scaled_total(View{*this, c}, side, weight_set_(side, index));
  }

  /// The weight by which select() chooses a site of the side.
  ScaledWeight weight(const Configuration<Kernel>& c, Side side, unsigned index, Site i) const {
    if (!trusted(float_total(side, index))) [[unlikely]]
      return {1, weight_set_(side, index).log_weight(View{*this, c}.delta_energy(i))};
    return {runs_[c.kernel->run_of(i)].weight(slot_of(side, index), side, i), 0};
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned index,
              const ScaledWeight& total) const {
    ScaledWeight weight;
    return select(c, draws, side, index, total, weight);
  }
  /// The same, with the weight() of the site.
  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned index,
              const ScaledWeight& total, ScaledWeight& weight) const {
    if (total.log_scale != 0 || !trusted(float_total(side, index))) [[unlikely]] {
      const Site i =
          scan::scaled_select(View{*this, c}, draws, side, weight_set_(side, index), total);
      weight = this->weight(c, side, index, i);
      return i;
    }
    dense::Found found{c.sites(), 0};  // none yet
    const Site i = draws.locate(total.value, [&](double target) {
      found = find(slot_of(side, index), side, target);
      return found.site;
    });
    // A draw source may evaluate more targets than the one it returns.
    weight = found.site == i ? ScaledWeight{found.weight, 0} : this->weight(c, side, index, i);
    return i;
  }

  void save(ByteWriter&) const {}
  void restore(const Configuration<Kernel>& c, ByteReader&) { rebuild(c); }

 private:
  /// The configuration with dE from the integer fields, for totals out of the range of floats.
  struct View {
    const DenseEngine& engine;
    const Configuration<Kernel>& c;

    Site sites() const { return c.sites(); }
    Side side(Site i) const { return c.side(i); }
    std::span<const Site> members(Side side) const requires is_grouped<Kernel> {
      return c.members(side);
    }
    double delta_energy(Site i) const {
      const dense::SiteBlockCache& run = engine.runs_[c.kernel->run_of(i)];
      return engine.quantum_ *
             signed_by(c.u[i], static_cast<double>(run.fields()[i - run.range().begin]));
    }
  };

  static constexpr std::size_t most_pending = 32;

  /// Quantum, formulas and arrays for the weight_set.
  void prepare(const Configuration<Kernel>& c) {
    quantum_ = quantum_for(c.kernel->field_bound());
    choose_formulas(c.kernel->field_bound());
    in_float_range_ = true;
    for (const dense::WeightFormula& formula : formulas_)
      for (const float scale : formula.scale) in_float_range_ &= std::abs(scale) < 1e20F;
    for (unsigned r = 0; r < Kernel::runs; ++r) {
      runs_[r].resize(c.kernel->run(r), c.shell->sides(), formulas_);
      pending_[r].clear();
      pending_[r].reserve(most_pending);
    }
    fields_kept_ = true;
  }

  /// With one gamma throughout that may_be_direct(), the quantum that makes its formula direct;
  /// else |fields| are at most 2^30 quanta. Does not depend on the state.
  double quantum_for(double bound) const {
    const double gamma = weight_set_.size(0) > 0 ? weight_set_(0, 0).gamma : 0;
    bool one_gamma = weight_set_.size(0) > 0 && weight_set_.size(1) > 0;
    for (Side kind = 0; kind < 2; ++kind)
      for (unsigned e = 0; e < weight_set_.size(kind); ++e)
        one_gamma &= weight_set_(kind, e).gamma == gamma;
    if (one_gamma && dense::may_be_direct(gamma, bound)) return dense::direct_quantum(gamma);
    int exponent = 0;
    std::frexp(bound, &exponent);
    return std::ldexp(1.0, std::max(exponent, -95) - 30);  // its inverse is a float
  }

  /// Functions of one index share a formula, and so a pass, when both sides have the same bias.
  void choose_formulas(double bound) {
    formulas_.clear();
    formula_of_ = {};
    const auto add = [&](const WeightFunction& a, const WeightFunction& d) {
      formulas_.emplace_back(a, d, quantum_, bound);
      return formulas_.size() - 1;
    };
    const unsigned longest = std::max(weight_set_.size(0), weight_set_.size(1));
    for (unsigned e = 0; e < longest; ++e) {
      const bool both = e < weight_set_.size(0) && e < weight_set_.size(1);
      if (both && weight_set_(0, e).bias == weight_set_(1, e).bias) {
        const std::size_t formula = add(weight_set_(0, e), weight_set_(1, e));
        for (auto& list : formula_of_) list.push_back(formula);
        continue;
      }
      for (Side kind = 0; kind < 2; ++kind)
        if (e < weight_set_.size(kind))
          formula_of_[kind].push_back(add(weight_set_(kind, e), weight_set_(kind, e)));
    }
  }

  std::size_t slots(const Configuration<Kernel>& c) const {
    return c.shell->groups() * formulas_.size();
  }
  std::size_t slot_of(Side side, unsigned index) const {
    return side / 2 * formulas_.size() + formula_of_[side & 1U][index];
  }

  bool nothing_pending() const {
    return std::all_of(pending_.begin(), pending_.end(),
                       [](const std::vector<SignedPlace>& list) { return list.empty(); });
  }

  dense::Change change_of(const Configuration<Kernel>& c, Site i) const {
    return {c.kernel->row(i), 1 / quantum_, c.u[i] == 0};
  }

  /// Weights and sums of everything.
  void evaluate(const Configuration<Kernel>& c) {
    for (dense::SiteBlockCache& run : runs_)
      for (std::size_t slot = 0; slot < slots(c); ++slot) passes_.evaluate(run.slot(slot));
  }

  /// Integer fields, weights and sums after u_i has changed.
  void follow(const Configuration<Kernel>& c, Site i) {
    const unsigned own = c.kernel->run_of(i);
    const unsigned touched = c.kernel->touched_run(i);
    dense::SiteBlockCache& home = runs_[own];
    dense::SiteBlockCache& run = runs_[touched];
    const dense::Change change = change_of(c, i);
    // The row comes from the outer caches: prefetched while the site itself is updated.
    dense::prefetch(change);
    home.keep();
    run.keep();
    home.set_side(i, c.side(i));
    if (own != touched) {
      const std::size_t first = c.group(i) * formulas_.size();
      for (std::size_t formula = 0; formula < formulas_.size(); ++formula)
        dense::evaluate_site(home.slot(first + formula), i - home.range().begin);
    }
    passes_.change_and_evaluate(run.slot(0), change);
    for (std::size_t slot = 1; slot < slots(c); ++slot) passes_.evaluate(run.slot(slot));
  }

  /// Copies the fields before a walk first changes them.
  void keep_fields(const Configuration<Kernel>& c) {
    if (fields_kept_) return;
    fields_kept_ = true;
    kept_fields_ = c.fields;
  }

  /// The true field of a site after the steps so far.
  double field_in_walk(const Configuration<Kernel>& c, Site i) const {
    const CouplingRows::Row row = c.kernel->row(i);
    const std::vector<SignedPlace>& flipped = pending_[c.kernel->touched_run(i)];
    return c.fields[i] + (row.narrow != nullptr ? couplings_to(flipped, row.narrow)
                                                : couplings_to(flipped, row.wide));
  }

  template <class Element>
  static double couplings_to(const std::vector<SignedPlace>& flipped, const Element* row) {
    double even = 0;
    double odd = 0;
    std::size_t k = 0;
    for (; k + 1 < flipped.size(); k += 2) {
      even += flipped[k].sign * static_cast<double>(row[flipped[k].place]);
      odd += flipped[k + 1].sign * static_cast<double>(row[flipped[k + 1].place]);
    }
    if (k < flipped.size()) even += flipped[k].sign * static_cast<double>(row[flipped[k].place]);
    return even + odd;
  }

  double float_total(Side side, unsigned index) const {
    const std::size_t slot = slot_of(side, index);
    double sum = 0;
    for (const dense::SiteBlockCache& run : runs_) sum += run.total(slot, side);
    return sum;
  }

  /// False when weights clamped to the range of floats may matter: then a scan computes everything
  /// again, for any range.
  bool trusted(double total) const { return in_float_range_ && total > 0x1p-80 && total < 0x1p120; }

  dense::Found find(std::size_t slot, Side side, double target) const {
    if constexpr (Kernel::runs == 1) {
      return runs_[0].find(slot, side, target);
    } else {
      static_assert(Kernel::runs == 2);
      const double first = runs_[0].total(slot, side);
      const bool second = static_cast<unsigned>(target >= first) &
                          static_cast<unsigned>(runs_[1].total(slot, side) > 0);
      target -= second ? first : 0;
      return runs_[second].find(slot, side, target);
    }
  }

  WeightSet weight_set_;
  dense::Passes passes_;
  double quantum_ = 1;
  bool in_float_range_ = true;
  std::vector<dense::WeightFormula> formulas_;
  std::array<std::vector<std::size_t>, 2> formula_of_;  // by kind of side, then index
  std::array<dense::SiteBlockCache, Kernel::runs> runs_;
  std::array<std::vector<SignedPlace>, Kernel::runs>
      pending_;  // flips not yet applied to the fields, by run
  bool fields_kept_ = true;
  typename FieldsOf<Kernel>::type kept_fields_;  // as they were at begin_walk()
};

}  // namespace nhot
