// A chain that switches between engines as it goes: `engine=auto` on an integer grid.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "nhot/chain/chain.hpp"
#include "nhot/engine/classes.hpp"
#include "nhot/engine/compact.hpp"
#include "nhot/engine/thinned.hpp"

namespace nhot {

/// A flip updates less in `thinned` than in `classes`, but a pick is rejection sampling, with
/// max w / mean w tries: `thinned` is faster while that is small. `compact` takes more tries, about
/// twice as many on a half-filled lattice, and needs the least memory: it is for models beyond the
/// caches. All sample the same law. The choice depends on the number of sites and on the states
/// alone and is made at fixed numbers of moves, however calls of advance() divide them: a seed
/// fixes the run. Engines switch between moves, never inside one.
template <class Kernel, DrawSource Draws>
class AdaptiveChain final : public AnyChain {
 public:
  AdaptiveChain(std::shared_ptr<const Kernel> kernel, std::shared_ptr<const Shell> shell,
                std::vector<WeightedMove> moves, double beta, Draws draws, const Bits& start)
      : kernel_(std::move(kernel)),
        shell_(std::move(shell)),
        moves_(std::move(moves)),
        chain_(std::make_unique<Classes>(kernel_, shell_, moves_, beta, std::move(draws), start)),
        steps_(shell_->sites()) {}  // the first look may switch

  void advance(std::uint64_t moves) override {
    while (moves > 0) {
      const std::uint64_t now = std::min(moves, moves_between_looks - since_look_);
      const std::uint64_t steps = counters().steps;
      any().advance(now);
      moves -= now;
      after(now, counters().steps - steps);
    }
  }

  bool interleaves() const override { return any().interleaves(); }

  void advance_together(std::span<AnyChain* const> team, std::uint64_t moves) override {
    for (; !team.empty(); team = team.subspan(std::min(team.size(), most_interleaved)))
      advance_few(team.first(std::min(team.size(), most_interleaved)), moves);
  }

  /// Which engine works at present.
  bool thinned() const { return holds<Thinned>(); }
  bool compact() const { return holds<Compact>(); }

  /// Tries per pick that `thinned` needs, or would need.
  double expected_tries() const {
    return std::visit([](const auto& chain) { return chain->expected_tries(); }, chain_);
  }

  double energy() const override { return any().energy(); }
  Bits bits() const override { return any().bits(); }
  void read(PackedBits& state) const override { any().read(state); }
  void set_bits(const Bits& bits) override { any().set_bits(bits); }
  double beta() const override { return any().beta(); }
  void set_beta(double beta) override { any().set_beta(beta); }
  const ChainCounters& counters() const override { return any().counters(); }
  void reset_counters() override { any().reset_counters(); }
  LastMove last_move() const override { return any().last_move(); }
  void record_below(double energy) override { any().record_below(energy); }
  const Bits& recorded() const override { return any().recorded(); }

  void save(ByteWriter& out) const override {
    out.put(static_cast<std::uint8_t>(chain_.index()));
    out.put(since_look_);
    out.put(steps_);
    out.put(looks_);
    out.put(mean_tries_);
    any().save(out);
  }

  void restore(ByteReader& in) override {
    const auto engine = in.get<std::uint8_t>();
    const auto since_look = in.get<std::uint64_t>();
    const auto steps = in.get<std::uint64_t>();
    const auto looks = in.get<std::uint64_t>();
    const auto mean_tries = in.get<double>();
    if (engine >= std::variant_size_v<Variant> || since_look >= moves_between_looks)
      ByteReader::damaged();
    change(engine);
    any().restore(in);
    since_look_ = since_look;
    steps_ = steps;
    looks_ = looks;
    mean_tries_ = mean_tries;
  }

 private:
  using Classes = Chain<Kernel, ClassesEngine, Draws>;
  using Thinned = Chain<Kernel, ThinnedEngine, Draws>;
  using Compact = Chain<Kernel, CompactEngine, Draws>;
  // The index is part of archives.
  using Variant =
      std::variant<std::unique_ptr<Classes>, std::unique_ptr<Thinned>, std::unique_ptr<Compact>>;
  enum : std::size_t { classes_index, thinned_index, compact_index };

  static constexpr std::uint64_t moves_between_looks = 64;
  // Tries per pick at which both cost the same, measured: tries are independent reads, updates of
  // buckets dependent writes.
  static constexpr double even_tries = 7;
  static constexpr double even_tries_beyond_caches = 10;
  static constexpr Site sites_beyond_caches = Site{1} << 22;
  // Tries per pick among all sites at which `compact` costs as much as the better of the others,
  // measured: from where `classes` leaves the first and the second cache on.
  static constexpr Site sites_of_compact = Site{1} << 15;
  static constexpr Site sites_of_compact_at_many_tries = Site{1} << 19;
  static constexpr double even_tries_of_compact = 10;
  static constexpr double even_many_tries_of_compact = 40;

  AnyChain& any() {
    return std::visit([](auto& chain) -> AnyChain& { return *chain; }, chain_);
  }
  const AnyChain& any() const {
    return std::visit([](const auto& chain) -> const AnyChain& { return *chain; }, chain_);
  }

  /// Interleaves the chains that have the same engine at present.
  static void advance_few(std::span<AnyChain* const> team, std::uint64_t moves) {
    std::array<AdaptiveChain*, most_interleaved> chains{};
    for (std::size_t k = 0; k < team.size(); ++k) {
      chains[k] = dynamic_cast<AdaptiveChain*>(team[k]);
      NHOT_EXPECTS(chains[k] != nullptr);
    }
    while (moves > 0) {
      std::uint64_t now = moves;
      std::array<std::uint64_t, most_interleaved> steps{};
      std::array<Classes*, most_interleaved> classes{};
      std::array<Thinned*, most_interleaved> thinned{};
      std::array<Compact*, most_interleaved> compact{};
      std::size_t first = 0;
      std::size_t second = 0;
      std::size_t third = 0;
      for (std::size_t k = 0; k < team.size(); ++k) {
        now = std::min(now, moves_between_looks - chains[k]->since_look_);
        steps[k] = chains[k]->counters().steps;
        if (const auto* own = std::get_if<std::unique_ptr<Classes>>(&chains[k]->chain_))
          classes[first++] = own->get();
        else if (const auto* other = std::get_if<std::unique_ptr<Thinned>>(&chains[k]->chain_))
          thinned[second++] = other->get();
        else
          compact[third++] = std::get<std::unique_ptr<Compact>>(chains[k]->chain_).get();
      }
      Classes::advance_chains({classes.data(), first}, now);
      Thinned::advance_chains({thinned.data(), second}, now);
      Compact::advance_chains({compact.data(), third}, now);
      moves -= now;
      for (std::size_t k = 0; k < team.size(); ++k)
        chains[k]->after(now, chains[k]->counters().steps - steps[k]);
    }
  }

  /// Counts moves up to the next look, at the latest; there, may switch.
  void after(std::uint64_t moves, std::uint64_t steps) {
    steps_ += steps;
    since_look_ += moves;
    if (since_look_ < moves_between_looks) return;
    since_look_ = 0;
    look();
    // A switch costs O(sites), so at least as many steps lie between two.
    if (steps_ < shell_->sites()) return;
    steps_ = 0;
    choose();
  }

  /// Running mean over about eight looks: at low temperature single states differ much.
  void look() {
    looks_ = std::min<std::uint64_t>(looks_ + 1, 8);
    mean_tries_ += (expected_tries() - mean_tries_) / static_cast<double>(looks_);
  }

  void choose() {
    const double even =
        shell_->sites() < sites_beyond_caches ? even_tries : even_tries_beyond_caches;
    // Hysteresis, so that a chain does not switch to and fro.
    const auto few = [](double tries, double most, bool at_present) {
      return tries <= (at_present ? 1.3 * most : most);
    };
    if (few(mean_tries_ * tries_among_all(), most_tries_of_compact(), compact()))
      change(compact_index);
    else if (few(mean_tries_, even, thinned()))
      change(thinned_index);
    else
      change(classes_index);
  }

  /// Tries among all sites for a try among those of a side, mean over the sides.
  double tries_among_all() const {
    double sum = 0;
    for (const Side side : {agreeing(0), differing(0)})
      sum += shell_->sites() / std::max(1.0, static_cast<double>(shell_->side_size(side)));
    return sum / 2;
  }
  /// Zero where `compact` is never taken. It looks ahead only while a Stepper takes its steps.
  double most_tries_of_compact() const {
    if (shell_->sites() < sites_of_compact || kernel_->max_field() > 3) return 0;
    return shell_->sites() < sites_of_compact_at_many_tries ? even_tries_of_compact
                                                            : even_many_tries_of_compact;
  }

  template <class Alternative>
  bool holds() const {
    return std::holds_alternative<std::unique_ptr<Alternative>>(chain_);
  }

  void change(std::size_t index) {
    if (index == chain_.index()) return;
    std::visit(
        [&](auto& chain) {
          const auto old = std::move(chain);
          if (index == classes_index)
            chain_ = successor<Classes>(*old);
          else if (index == thinned_index)
            chain_ = successor<Thinned>(*old);
          else
            chain_ = successor<Compact>(*old);
        },
        chain_);
  }

  template <class Next, class Old>
  std::unique_ptr<Next> successor(const Old& old) const {
    auto next =
        std::make_unique<Next>(kernel_, shell_, moves_, old.beta(), old.draws(), old.bits());
    next->take_over(old);
    return next;
  }

  std::shared_ptr<const Kernel> kernel_;
  std::shared_ptr<const Shell> shell_;
  std::vector<WeightedMove> moves_;
  Variant chain_;
  std::uint64_t since_look_ = 0;  // moves
  std::uint64_t steps_;           // since the last choose()
  std::uint64_t looks_ = 0;
  double mean_tries_ = 0;
};

}  // namespace nhot
