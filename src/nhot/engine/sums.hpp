// Engine `sums`: whole-number weights with exact sums over blocks of sites. For real couplings.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/contracts.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/engine/scan.hpp"
#include "nhot/engine/whole_sums.hpp"
#include "nhot/engine/whole_weights.hpp"
#include "nhot/state/configuration.hpp"

namespace nhot {

/// A changed site costs a look into a table and an addition to each of three sums (one more for
/// every factor of 16 beyond 4096 sites); a selection looks at sixteen numbers a level; totals are
/// at hand. The weights are those of WholeWeights, within 3% of the formula; the acceptance of a
/// walk knows them. Fields are stored with the weights and nowhere else.
template <class Kernel>
class SumsEngine {
 public:
  static constexpr const char* name = "sums";
  /// The acceptance must use weight(), not the formula of the bias.
  static constexpr bool rounds_weights = true;
  using Field = typename Kernel::Field;
  static_assert(!Kernel::exact && is_pairwise<Kernel>,
                "fields are energies, and sums of couplings");

  SumsEngine(const Configuration<Kernel>& c, WeightSet weight_set)
      : weight_set_(std::move(weight_set)) {
    rebuild(c);
  }

  void set_weights(const Configuration<Kernel>& c, WeightSet weight_set) {
    weight_set_ = std::move(weight_set);
    std::vector<Field> fields(c.sites());
    for (Site i = 0; i < c.sites(); ++i) fields[i] = field(i);
    weigh(c, fields);
  }

  /// From the bits and the fields of c.
  void rebuild(const Configuration<Kernel>& c) { weigh(c, c.fields); }

  Field field(Site i) const { return followers_.front().sums.field(i); }

  /// Site i changes side; returns what that costs.
  Field flip(const Configuration<Kernel>& c, Site i) {
    for (Follower& f : followers_) {
      const Writer writer(f);
      const Field sign = signed_by(static_cast<Bit>(~writer.change_side(i) & 1U), Field{1});
      c.kernel->visit_row(i,
                          [&](Site j, Field coupling) { writer.change_field(j, sign * coupling); });
    }
    return signed_by(c.u[i], field(i));
  }

  ScaledWeight total(const Configuration<Kernel>& c, Side side, unsigned index) const {
    return Reader(*this, c, index).total(side);
  }

  /// The weight by which select() chooses a site of the side.
  ScaledWeight weight(const Configuration<Kernel>& c, Side side, unsigned index, Site i) const {
    return Reader(*this, c, index).weight(side, i);
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned index,
              const ScaledWeight& total) const {
    return Reader(*this, c, index).select(draws, side, total);
  }
  /// The same, with the weight() of the site.
  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned index,
              const ScaledWeight& total, ScaledWeight& weight) const {
    const Site i = select(c, draws, side, index, total);
    weight = this->weight(c, side, index, i);
    return i;
  }

  /// True when a Stepper can take steps: one weight function for each kind of side.
  bool steppable() const { return followers_.size() == 1; }

 private:
  /// Sites with their weights by one function of each kind of side.
  struct Follower {
    std::array<WeightFunction, 2> functions;  // by kind of side
    WholeSums sums;

    WholeWeights weights(Side side) const { return {side, functions[side & 1U]}; }
  };

  /// Totals and choices by one function. Where whole numbers do not reach, a scan computes
  /// everything again, for any range; which of the two it is depends on the state alone.
  class Reader {
   public:
    Reader(const SumsEngine& engine, const Configuration<Kernel>& c, unsigned index)
        : engine_(&engine), c_(&c), index_(index), sums_(engine.followers_[index].sums) {
      for (Side kind = 0; kind < 2; ++kind) {
        const auto& table = WholeWeightTable::of(engine.followers_[index].functions[kind].bias);
        least_[kind] = table.least_total(c.sites());
        units_[kind] = table.units();
        scale_[kind] = table.unit();
      }
    }

    NHOT_ALWAYS_INLINE ScaledWeight total(Side side) const {
      const double sum = whole_total(side);
      if (in_reach(side, sum)) [[likely]]
        return {sum * scale_[side & 1U], 0};
      return scanned_total(side);
    }

    NHOT_ALWAYS_INLINE ScaledWeight weight(Side side, Site i) const {
      if (in_reach(side, whole_total(side))) [[likely]]
        return {sums_.weight(i).value() * scale_[side & 1U], 0};
      return scanned_weight(side, i);
    }

    template <DrawSource Draws>
    NHOT_ALWAYS_INLINE Site select(Draws& draws, Side side, const ScaledWeight& total) const {
      const double sum = whole_total(side);
      if (in_reach(side, sum)) [[likely]]
        return draws.locate(
            sum, [&](double target) NHOT_INLINE_LAMBDA { return sums_.find(side, target); });
      return scanned_select(draws, side, total);
    }

   private:
    /// In units.
    NHOT_ALWAYS_INLINE double whole_total(Side side) const {
      return sums_.total(side, units_[side & 1U]);
    }
    NHOT_ALWAYS_INLINE bool in_reach(Side side, double sum) const {
      return sum >= least_[side & 1U];
    }

    /// The configuration with the engine's fields.
    struct View {
      const SumsEngine& engine;
      const Configuration<Kernel>& c;

      Site sites() const { return c.sites(); }
      Side side(Site i) const { return c.side(i); }
      double delta_energy(Site i) const {
        return c.kernel->quantum() * signed_by(c.u[i], engine.field(i));
      }
    };
    View view() const { return {*engine_, *c_}; }
    const WeightFunction& function(Side side) const { return engine_->weight_set_(side, index_); }

    [[gnu::noinline]] ScaledWeight scanned_total(Side side) const {
      return scan::scaled_total(view(), side, function(side));
    }
    [[gnu::noinline]] ScaledWeight scanned_weight(Side side, Site i) const {
      return {1, function(side).log_weight(view().delta_energy(i))};
    }
    template <DrawSource Draws>
    [[gnu::noinline]] Site scanned_select(Draws& draws, Side side,
                                          const ScaledWeight& total) const {
      return scan::scaled_select(view(), draws, side, function(side), total);
    }

    const SumsEngine* engine_;
    const Configuration<Kernel>* c_;
    unsigned index_;
    WholeSums::Reader sums_;
    std::array<double, 2> least_;  // totals that the floor of the weights does not touch
    std::array<std::array<double, WholeWeight::spans>, 2> units_;  // of the spans, in units
    std::array<double, 2> scale_;                                  // from units to weights
  };

  /// Keeps fields and weights in step.
  class Writer {
   public:
    explicit Writer(Follower& f) : weights_{f.weights(0), f.weights(1)}, sums_(f.sums) {}

    Field field(Site i) const { return sums_[i].field; }

    /// A site changes side; returns the new one.
    NHOT_ALWAYS_INLINE Side change_side(Site i) const {
      const Side side = opposite(WholeSums::side_of(sums_[i].key));
      const WholeWeight weight = weights_[side & 1U](sums_[i].field);
      sums_.put_elsewhere(i, WholeSums::key_of(side, weight.span), weight.count);
      return side;
    }

    NHOT_ALWAYS_INLINE void change_field(Site i, Field shift) const {
      const Field field = sums_[i].field + shift;
      sums_[i].field = field;
      const Side side = WholeSums::side_of(sums_[i].key);
      const WholeWeight weight = weights_[side & 1U](field);
      sums_.put(i, WholeSums::key_of(side, weight.span), weight.count);
    }

   private:
    std::array<WholeWeights, 2> weights_;
    WholeSums::Writer sums_;
  };

 public:
  /// Register copy of the engine's pointers for inner loops.
  class Stepper {
   public:
    Stepper(SumsEngine& engine, const Configuration<Kernel>& c)
        : reader_(engine, c, 0), writer_(engine.followers_.front()), kernel_rows_(*c.kernel) {
      NHOT_EXPECTS(engine.steppable());
    }

    /// A site, the total that it was chosen by, and its weight.
    template <DrawSource Draws>
    NHOT_ALWAYS_INLINE Site choose(Draws& draws, Side side, unsigned, ScaledWeight& total,
                                   ScaledWeight& weight) const {
      total = reader_.total(side);
      const Site i = reader_.select(draws, side, total);
      weight = reader_.weight(side, i);
      return i;
    }
    NHOT_ALWAYS_INLINE ScaledWeight total(Side side, unsigned) const { return reader_.total(side); }
    NHOT_ALWAYS_INLINE ScaledWeight weight(Side side, unsigned, Site i) const {
      return reader_.weight(side, i);
    }

    /// Site i changes side; returns what that costs.
    NHOT_ALWAYS_INLINE Field flip(Site i) const {
      const Field sign = signed_by(static_cast<Bit>(~writer_.change_side(i) & 1U), Field{1});
      kernel_rows_.visit(i, [&](Site j, Field coupling)
                                NHOT_INLINE_LAMBDA { writer_.change_field(j, sign * coupling); });
      return sign * writer_.field(i);
    }

    void begin_walk() const {}
    /// Flips of a walk are taken back by flip_back() of each site and rolled_back() at the end.
    NHOT_ALWAYS_INLINE void flip_back(Site i) const { flip(i); }
    void rolled_back() const {}
    void finish() const {}

   private:
    Reader reader_;
    Writer writer_;
    typename Kernel::Rows kernel_rows_;
  };

  /// Prefetches what changing the field of a site reads.
  NHOT_ALWAYS_INLINE void prefetch(Site i) const { followers_.front().sums.prefetch(i); }

  void save(ByteWriter&) const {}  // a function of bits and fields, which are saved
  void restore(const Configuration<Kernel>& c, ByteReader&) { rebuild(c); }

 private:
  /// A function that one kind of side lacks is never asked for.
  WeightFunction function_of(Side kind, unsigned index) const {
    return index < weight_set_.size(kind) ? weight_set_(kind, index) : WeightFunction{};
  }

  void weigh(const Configuration<Kernel>& c, const std::vector<Field>& fields) {
    followers_.resize(std::max({1U, weight_set_.size(0), weight_set_.size(1)}));
    for (unsigned e = 0; e < followers_.size(); ++e) {
      Follower& f = followers_[e];
      f.functions = {function_of(0, e), function_of(1, e)};
      f.sums.reset(c.sites(), c.shell->sides());
      for (Site i = 0; i < c.sites(); ++i)
        f.sums.insert(i, fields[i], c.side(i), f.weights(c.side(i))(fields[i]));
    }
  }

  WeightSet weight_set_;
  std::vector<Follower> followers_;  // by index in the weight set
};

}  // namespace nhot
