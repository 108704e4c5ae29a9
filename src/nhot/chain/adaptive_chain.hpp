// A chain that switches between two engines as it goes: `engine=auto` on an integer grid.
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
#include "nhot/engine/thinned.hpp"

namespace nhot {

/// A flip updates less in `thinned` than in `classes`, but a pick is rejection sampling, with
/// max w / mean w tries: `thinned` is faster while that is small. Both sample the same law. The
/// choice depends on the states alone and is made at fixed numbers of moves, however calls of
/// advance() divide them: a seed fixes the run. Engines switch between moves, never inside one.
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
  bool thinned() const { return std::holds_alternative<std::unique_ptr<Thinned>>(chain_); }

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
    out.put(std::uint8_t{thinned()});
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
    if (engine > 1 || since_look >= moves_between_looks) ByteReader::damaged();
    if ((engine == 1) != thinned()) change();
    any().restore(in);
    since_look_ = since_look;
    steps_ = steps;
    looks_ = looks;
    mean_tries_ = mean_tries;
  }

 private:
  using Classes = Chain<Kernel, ClassesEngine, Draws>;
  using Thinned = Chain<Kernel, ThinnedEngine, Draws>;

  static constexpr std::uint64_t moves_between_looks = 64;
  // Tries per pick at which both cost the same, measured: tries are independent reads, updates of
  // buckets dependent writes.
  static constexpr double even_tries = 7;
  static constexpr double even_tries_beyond_caches = 10;
  static constexpr Site sites_beyond_caches = Site{1} << 22;

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
      std::size_t first = 0;
      std::size_t second = 0;
      for (std::size_t k = 0; k < team.size(); ++k) {
        now = std::min(now, moves_between_looks - chains[k]->since_look_);
        steps[k] = chains[k]->counters().steps;
        if (const auto* own = std::get_if<std::unique_ptr<Classes>>(&chains[k]->chain_))
          classes[first++] = own->get();
        else
          thinned[second++] = std::get<std::unique_ptr<Thinned>>(chains[k]->chain_).get();
      }
      Classes::advance_chains({classes.data(), first}, now);
      Thinned::advance_chains({thinned.data(), second}, now);
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
    if (mean_tries_ <= (thinned() ? 1.3 * even : even)) {
      if (!thinned()) change();
    } else if (thinned()) {
      change();
    }
  }

  void change() {
    if (thinned()) {
      auto old = std::move(std::get<std::unique_ptr<Thinned>>(chain_));
      chain_ = successor<Classes>(*old);
    } else {
      auto old = std::move(std::get<std::unique_ptr<Classes>>(chain_));
      chain_ = successor<Thinned>(*old);
    }
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
  std::variant<std::unique_ptr<Classes>, std::unique_ptr<Thinned>> chain_;
  std::uint64_t since_look_ = 0;  // moves
  std::uint64_t steps_;           // since the last choose()
  std::uint64_t looks_ = 0;
  double mean_tries_ = 0;
};

}  // namespace nhot
