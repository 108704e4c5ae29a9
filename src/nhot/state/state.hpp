// The state of a chain: bits, fields, energy, side lists and engine, which only change together.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/contracts.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/model/dense_kernel.hpp"
#include "nhot/state/boltzmann.hpp"
#include "nhot/state/concepts.hpp"
#include "nhot/state/configuration.hpp"
#include "nhot/state/flip_path.hpp"
#include "nhot/state/flip_site.hpp"
#include "nhot/state/no_engine.hpp"
#include "nhot/state/plausible.hpp"
#include "nhot/state/sides.hpp"
#include "nhot/state/stepper.hpp"
#include "nhot/state/weight.hpp"

namespace nhot {

/// Invariants: fields and energy are those of the bits, exactly, whatever the path to them; the
/// engine and the side lists describe the same configuration. Between begin_walk() and commit() or
/// rollback() the state may be off the shell.
template <class KernelType, template <class> class EngineType>
class State {
 public:
  using Kernel = KernelType;
  using Engine = EngineType<Kernel>;
  static_assert(ModelKernel<Kernel>, "a kernel lacks a member of ModelKernel, state/concepts.hpp");
  static_assert(SelectionEngine<Engine, Kernel>,
                "an engine lacks a member of SelectionEngine, state/concepts.hpp");
  using Field = typename Kernel::Field;
  using Count = typename EnergyCount<Kernel>::Count;
  /// True when the engine selects by weight.
  static constexpr bool weighted = !std::is_same_v<Engine, NoEngine<Kernel>>;
  static_assert(!weighted || WeightedEngine<Engine, Kernel>,
                "an engine lacks a member of WeightedEngine, state/concepts.hpp");
  /// True on shells of several groups.
  static constexpr bool grouped = is_grouped<Kernel>;
  /// True when a flip changes runs of fields at once.
  static constexpr bool bulk = moves_runs<Kernel>;

  /// True when the engine rolls walks back itself, and updates the fields in commit().
  static constexpr bool engine_walks = requires { Engine::walks; };
  /// True when the engine keeps the fields, and the configuration has none.
  static constexpr bool engine_fields = requires(const Engine& engine) { engine.field(Site{}); };
  /// True when select() uses weight(), which is near but not equal to the formula of the bias.
  static constexpr bool rounded_weights = requires { Engine::rounds_weights; };

  /// True when walks may be taken through a Stepper (see stepper.hpp), while steppable().
  static constexpr bool has_stepper = !grouped && requires { typename Engine::Stepper; };
  bool steppable() const {
    if constexpr (has_stepper)
      return engine_.steppable();
    else
      return false;
  }
  /// With room for walks of so many steps.
  Stepper<State> stepper(std::size_t steps) requires has_stepper { return {*this, steps}; }

  /// `bits` are the model's own bits and lie on the shell. Side lists are kept only when asked for.
  State(std::shared_ptr<const Kernel> kernel, std::shared_ptr<const Shell> shell, const Bits& bits,
        WeightSet weight_set, bool track_sides)
      : config_{kernel, shell, shell->relative(bits), {}},
        engine_(prepared(config_), std::move(weight_set)),
        track_sides_(track_sides),
        energies_(*kernel),
        units_(energies_.of(config_)) {
    NHOT_EXPECTS(shell->contains(bits));
    if (track_sides_) lists_.build(*shell, config_.u);
    drop_fields();
  }

  /// The group that a move works on.
  template <DrawSource Draws>
  NHOT_ALWAYS_INLINE Group draw_group(Draws& draws) const {
    if constexpr (grouped)
      return shell().draw_group(draws);
    else
      return 0;
  }

  const Configuration<Kernel>& configuration() const { return config_; }
  const Shell& shell() const { return *config_.shell; }
  const Kernel& kernel() const { return *config_.kernel; }
  Bits bits() const { return config_.shell->relative(config_.u); }

  /// Equal to the model's energy of bits(), to the bit.
  double energy() const { return energies_.energy(config_, units_); }
  /// The same as a number to compare by, see EnergyCount.
  Count energy_units() const { return units_; }
  Site sites() const { return config_.sites(); }
  std::span<const Site> members(Side side) const requires is_grouped<Kernel> {
    return config_.members(side);
  }
  Site place(Site i) const { return config_.place(i); }
  Side side(Site i) const { return config_.side(i); }
  Field field(Site i) const {
    if constexpr (engine_fields)
      return engine_.field(i);
    else
      return config_.fields[i];
  }
  /// Cost of flipping a site, in units of the kernel's quantum.
  Field delta(Site i) const { return signed_by(config_.u[i], field(i)); }
  /// The same as an energy.
  double delta_energy(Site i) const {
    return config_.kernel->quantum() * static_cast<double>(delta(i));
  }

  /// dE, in units, of exchanging two sites of opposite sides, the differing one first.
  NHOT_ALWAYS_INLINE Field delta_unlike(Site differs, Site agrees) const {
    NHOT_EXPECTS(config_.u[differs] == 1 && config_.u[agrees] == 0);
    if constexpr (is_pairwise<Kernel>)
      return static_cast<Field>(field(agrees) - field(differs) -
                                config_.kernel->coupling(differs, agrees));
    else
      return config_.kernel->pair_cost(config_.fields, differs, agrees);
  }
  /// The same, as an energy.
  double to_energy(Field change) const {
    return config_.kernel->quantum() * static_cast<double>(change);
  }

  NHOT_ALWAYS_INLINE ScaledWeight total(Side side, unsigned index) const {
    return engine_.total(config_, side, index);
  }
  template <DrawSource Draws>
  NHOT_ALWAYS_INLINE Site select(Draws& draws, Side side, unsigned index,
                                 const ScaledWeight& total) const {
    return engine_.select(config_, draws, side, index, total);
  }
  /// total() and select() in one.
  template <DrawSource Draws>
  NHOT_ALWAYS_INLINE Site choose(Draws& draws, Side side, unsigned index,
                                 ScaledWeight& total) const {
    total = engine_.total(config_, side, index);
    return engine_.select(config_, draws, side, index, total);
  }
  /// The same, with the weight() of the site.
  template <DrawSource Draws>
  Site choose(Draws& draws, Side side, unsigned index, ScaledWeight& total,
              ScaledWeight& weight) const requires rounded_weights {
    total = engine_.total(config_, side, index);
    return engine_.select(config_, draws, side, index, total, weight);
  }
  /// The weight by which select() chooses a site of the side.
  ScaledWeight weight(Side side, unsigned index, Site i) const requires rounded_weights {
    return engine_.weight(config_, side, index, i);
  }
  double expected_tries() const {
    double tries = 0;
    for (Side side = 0; side < config_.shell->sides(); ++side)
      tries += engine_.expected_tries(config_, side) / config_.shell->sides();
    return tries;
  }
  const SideLists& lists() const {
    NHOT_EXPECTS(track_sides_);
    return lists_;
  }

  /// delta_unlike() of two sites that are not coupled.
  Field delta_apart(Site differs, Site agrees) const {
    return static_cast<Field>(field(agrees) - field(differs));
  }

  /// Prefetches what the cost of an exchange of this site reads.
  NHOT_ALWAYS_INLINE void prefetch(Site i) const {
    prefetch_field(i);
    if constexpr (requires { config_.kernel->prefetch(i); }) config_.kernel->prefetch(i);
  }
  /// Prefetches what exchanging it changes.
  void prefetch_exchange(Site i) const {
    __builtin_prefetch(config_.u.data() + i, 1);
    lists_.prefetch(i);
    if constexpr (Kernel::exact)
      for (std::size_t k = 0; k < config_.kernel->degree(i); ++k)
        prefetch_field(config_.kernel->neighbour(i, k));
  }

  /// Prefetches what flipping a site reads of it, and, once that is there, of others.
  NHOT_ALWAYS_INLINE void prefetch_step(Site i) const {
    __builtin_prefetch(config_.u.data() + i, 1);
    prefetch(i);
    if constexpr (requires { config_.kernel->visit_common_row(i, [](Site) {}); })
      config_.kernel->visit_common_row(i, [&](Site j) NHOT_INLINE_LAMBDA { prefetch_field(j); });
  }
  /// True when steps wait for memory, so that prefetching pays.
  bool beyond_caches() const { return config_.sites() >= Site{1} << 15; }

  /// Starts a walk that may be rolled back.
  void begin_walk() {
    path_.clear();
    if constexpr (engine_walks)
      engine_.begin_walk();
    else if constexpr (bulk)
      saved_fields_ = config_.fields;
    saved_units_ = units_;
  }

  /// Flips a site and updates everything that depends on it.
  void flip(Site i) { flip_inline(i); }

  /// Like flip(), inside a walk that ends with commit() or rollback(): where that saves time, the
  /// fields lag until then. total(), select(), weight() and walk_gain() are up to date.
  NHOT_ALWAYS_INLINE void step(Site i) {
    if constexpr (engine_walks) {
      path_.push(i);
      config_.u[i] ^= 1;
      if (track_sides_) lists_.flipped(config_.group(i), i, config_.u[i]);
      units_ += energies_.of_change(engine_.step(config_, i));
      if constexpr (!Kernel::exact) ++flips_;
    } else {
      flip_inline(i);
    }
  }

  /// Ends a walk of step()s that is kept.
  void commit() {
    if constexpr (engine_walks) engine_.commit(config_);
  }

  /// Flips a free site: the state stays on the shell.
  void flip_free(Site i) {
    path_.clear();
    flip(i);
  }

  /// Flips two sites of opposite sides of a group: the state stays on the shell.
  void exchange(Site i, Site j) {
    path_.clear();
    flip(i);
    flip(j);
  }

  /// The same for sites i and j, the a-th of the differing and the b-th of the agreeing ones of a
  /// group, where the cost is known: that of delta_unlike(i, j).
  [[gnu::noinline]] void exchange(Group group, Site a, Site b, Site i, Site j, Field cost) {
    if constexpr (weighted || bulk || !is_pairwise<Kernel>) {
      exchange(i, j);
    } else {
      path_.clear();
      path_.push(i);
      path_.push(j);
      units_ += energies_.of_change(cost);
      config_.u[i] = 0;
      config_.u[j] = 1;
      lists_.exchange(group, a, b);
      Field* const fields = config_.fields.data();
      config_.kernel->visit_row(
          i, [&](Site k, Field coupling) NHOT_INLINE_LAMBDA { fields[k] -= coupling; });
      config_.kernel->visit_row(
          j, [&](Site k, Field coupling) NHOT_INLINE_LAMBDA { fields[k] += coupling; });
      if constexpr (!Kernel::exact) flips_ += 2;
    }
  }

  /// Takes the walk back: fields, energy and weights return to the same values (those of an energy
  /// given as code to within its rounding).
  void rollback() {
    const std::size_t steps = path_.size();
    if constexpr (bulk) {
      for (std::size_t s = steps; s > 0; --s) {
        const Site i = path_[s - 1];
        config_.u[i] ^= 1;
        if (track_sides_) lists_.flipped(config_.group(i), i, config_.u[i]);
      }
      if constexpr (engine_walks) {
        engine_.rollback(config_, path_);
      } else {
        std::swap(config_.fields, saved_fields_);
        engine_.rebuild(config_);
      }
    } else {
      // Only sites that were flipped an odd number of times go back.
      path_.keep_odd(config_.u.data());
      const std::size_t away = path_.size();
      for (std::size_t s = 0; s < away; ++s) flip(path_[s]);
    }
    units_ = saved_units_;
    path_.clear();
  }

  /// E now minus E at begin_walk().
  double walk_gain() const { return energies_.change(units_ - saved_units_); }
  /// Whether the walk has led to another state; it flips a site at most once in each half.
  bool walk_changed() const {
    const bool other_energy = is_pairwise<Kernel> && units_ != saved_units_;  // the quick answer
    return other_energy || halves_differ(path_.begin(), path_.end());
  }
  /// Sites flipped since begin_walk(), in order.
  const FlipPath& path() const { return path_; }

  void set_path(const std::vector<Site>& path) { path_.assign(path); }

  /// Recomputes everything after refresh_interval() flips, against the rounding of energies given
  /// as code: with couplings nothing changes. Counted in flips, so that a seed fixes the run.
  void refresh_if_due() {
    if constexpr (!Kernel::exact) {
      if (flips_ < refresh_interval()) return;
      refresh();
    }
  }
  std::uint64_t refresh_interval() const {
    return std::max<std::uint64_t>(std::uint64_t{1} << 16, 16 * std::uint64_t{config_.sites()});
  }
  void refresh() {
    flips_ = 0;
    config_.kernel->compute_fields(config_.u, config_.fields);
    units_ = energies_.of(config_);
    engine_.rebuild(config_);
    drop_fields();
  }

  /// exp(-beta dE) of a pair flip that costs `units`, at the beta of set_beta().
  NHOT_ALWAYS_INLINE auto boltzmann(Field units) const { return boltzmann_(units); }
  void set_beta(double beta) { boltzmann_.set(*config_.kernel, beta); }

  void set_weights(WeightSet weight_set) { engine_.set_weights(config_, std::move(weight_set)); }

  /// Replaces the configuration.
  void set_bits(const Bits& bits) {
    NHOT_EXPECTS(config_.shell->contains(bits));
    config_.u = config_.shell->relative(bits);
    if (track_sides_) lists_.build(*config_.shell, config_.u);
    path_.clear();
    refresh();
  }

  void save(ByteWriter& out) const {
    out.put(config_.u);
    if constexpr (engine_fields) {
      typename FieldsOf<Kernel>::type fields(sites());
      for (Site i = 0; i < sites(); ++i) fields[i] = field(i);
      out.put(fields);
    } else {
      out.put(config_.fields);
    }
    if constexpr (!is_pairwise<Kernel>) config_.kernel->save_table(config_.fields, out);
    out.put(units_);
    out.put(flips_);
    if (track_sides_) lists_.save(out);
    engine_.save(out);
  }

  /// Leaves the configuration as it was when the archive is damaged there.
  void restore(ByteReader& in) {
    Configuration<Kernel> found{config_.kernel, config_.shell, {}, {}};
    in.get_sized(found.u, config_.sites());
    in.get_sized(found.fields, config_.sites());
    if constexpr (!is_pairwise<Kernel>) found.kernel->restore_table(found.u, found.fields, in);
    const auto units = in.get<Count>();
    const auto flips = in.get<std::uint64_t>();
    if (!plausible(found)) ByteReader::damaged();
    double scale = 0;
    if constexpr (!is_pairwise<Kernel>)
      for (const double field : found.fields) scale = std::max(scale, std::abs(field));
    if (!same_count(units, energies_.of(found), scale)) ByteReader::damaged();
    config_ = std::move(found);
    units_ = units;
    flips_ = flips;
    if (track_sides_) {
      lists_.build(*config_.shell, config_.u);
      lists_.restore(in);
    }
    engine_.restore(config_, in);
    drop_fields();
    path_.clear();
  }

 private:
  friend class Stepper<State>;

  /// flip(), inlined into hot loops.
  NHOT_ALWAYS_INLINE void flip_inline(Site i) {
    path_.push(i);
    if constexpr (engine_fields)
      units_ += energies_.of_change(engine_.flip(config_, i));
    else
      units_ += energies_.of_change(config_.delta(i));
    if constexpr (engine_walks || engine_fields) {
      config_.u[i] ^= 1;
      if (track_sides_) lists_.flipped(config_.group(i), i, config_.u[i]);
      if constexpr (engine_walks) engine_.flip(config_, i);
    } else {
      const auto flipped = [&]() NHOT_INLINE_LAMBDA {
        if constexpr (!bulk) engine_.flipped(config_, i);
      };
      const auto changed = [&](Site j, Field shift)
                               NHOT_INLINE_LAMBDA { engine_.changed(config_, j, shift); };
      const SiteRange range =
          flip_site(config_, track_sides_ ? &lists_ : nullptr, i, flipped, changed);
      if constexpr (bulk) engine_.range_changed(config_, i, range);
      if constexpr (!bulk && requires { engine_.settle(); }) engine_.settle();
    }
    if constexpr (!Kernel::exact) ++flips_;
  }

  /// Frees the fields where the engine keeps its own: they were computed for it to read.
  void drop_fields() {
    if constexpr (engine_fields) config_.fields = {};
  }

  NHOT_ALWAYS_INLINE void prefetch_field(Site i) const {
    if constexpr (engine_fields)
      engine_.prefetch(i);
    else
      __builtin_prefetch(config_.fields.data() + i, 1);
  }

  static const Configuration<Kernel>& prepared(Configuration<Kernel>& c) {
    c.kernel->compute_fields(c.u, c.fields);
    return c;
  }

  Configuration<Kernel> config_;
  Engine engine_;
  bool track_sides_;
  SideLists lists_;
  BoltzmannFactor<Kernel> boltzmann_;
  EnergyCount<Kernel> energies_;
  Count units_;  // of the energy
  std::uint64_t flips_ = 0;
  FlipPath path_;
  typename FieldsOf<Kernel>::type saved_fields_;
  Count saved_units_ = 0;
};

}  // namespace nhot
