// A user-defined move, written outside the library and used by name like the others.
//
//   class Mine : public nhot::OwnMove {
//     bool attempt(nhot::MoveState& state, nhot::MoveDraws& draws, double beta) const override {
//       ... }
//   };
//   nhot::register_move("mine", "what it does", std::make_shared<const Mine>());
//   const nhot::ChainFactory chains(model, shell, "0.5*mine + 0.5*swap", beta);
//
// nhot::exact::check_model() then checks it with all others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nhot/base/error.hpp"
#include "nhot/base/types.hpp"
#include "nhot/move/outcome.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/shell/shell.hpp"
#include "nhot/state/state.hpp"

namespace nhot {

/// The state of a chain as a user-defined move sees it. Sides are numbered as in a Shell: those of
/// group g are agreeing(g) and differing(g), the sites that agree with the reference and those that
/// differ from it.
class MoveState {
 public:
  virtual ~MoveState() = default;
  virtual const Shell& shell() const = 0;
  virtual Side side(Site i) const = 0;
  /// The sites of a side: how many, and the k-th, in an order that changes.
  virtual Site size(Side side) const = 0;
  virtual Site at(Side side, Site k) const = 0;
  /// E after minus E before: of flipping a site, and of flipping two of opposite sides.
  virtual double cost(Site i) const = 0;
  virtual double exchange_cost(Site differs, Site agrees) const = 0;
  /// During an attempt the state may leave the shell.
  virtual void flip(Site i) = 0;
  /// E now minus E when the attempt began.
  virtual double gain() const = 0;
};

/// All random draws of an attempt. The exact suite passes a source that walks every branch.
class MoveDraws {
 public:
  virtual ~MoveDraws() = default;
  /// Uniform on 0 .. n-1, n > 0.
  virtual std::uint64_t below(std::uint64_t n) = 0;
  /// True with probability min(1, p).
  virtual bool accept(double p) = 0;
  /// An index, with probability proportional to its weight; at least one weight is above 0.
  virtual std::size_t choose(std::span<const double> weights) = 0;
};

class OwnMove {
 public:
  virtual ~OwnMove() = default;
  /// Flips sites and returns whether to accept; otherwise the library flips them back. An accepted
  /// state is on the shell. Called by all chains, from several threads: scratch data must be local
  /// variables.
  virtual bool attempt(MoveState& state, MoveDraws& draws, double beta) const = 0;
  /// Why the move alone does not reach every state; empty when it does.
  virtual std::string unreachable_reason() const { return {}; }
};

/// Registers the move under a name, for use in texts of moves from then on: before chains are made.
/// InputError when the name is taken, or has other characters than a-z, 0-9 and -.
void register_move(const std::string& name, const std::string& help,
                   std::shared_ptr<const OwnMove> move);

/// Removes such a name, if there is one. Existing chains keep their moves.
void forget_move(const std::string& name);

/// Adapts a user-defined move to ChainMove.
class OwnMoveAdapter {
 public:
  static constexpr bool needs_sides = true;
  static constexpr bool needs_weights = false;

  OwnMoveAdapter(std::string name, std::shared_ptr<const OwnMove> move)
      : name_(std::move(name)), move_(std::move(move)) {}

  void prepare(double beta, WeightSet&) { beta_ = beta; }

  /// Not inlined, so that it does not change what compilers inline into the loops of other moves.
  template <class State, DrawSource Draws>
  [[gnu::noinline]] MoveOutcome operator()(State& state, Draws& draws) const {
    StateView<State> view(state);
    DrawsView<Draws> source(draws);
    state.begin_walk();
    const bool keep = move_->attempt(view, source, beta_);
    const auto steps = static_cast<std::uint32_t>(std::max<std::size_t>(1, view.path().size()));
    if (!keep) {
      view.take_back();
      return {false, 1, steps};
    }
    check_shell(state);
    return {true, 1, steps, view.changed()};
  }

 private:
  template <class State>
  class StateView final : public MoveState {
   public:
    explicit StateView(State& state) : state_(state) {}
    const Shell& shell() const override { return state_.shell(); }
    Side side(Site i) const override { return state_.side(i); }
    Site size(Side side) const override { return state_.lists().size(side); }
    Site at(Side side, Site k) const override { return state_.lists().at(side, k); }
    double cost(Site i) const override { return state_.delta_energy(i); }
    double exchange_cost(Site differs, Site agrees) const override {
      return state_.to_energy(state_.delta_unlike(differs, agrees));
    }
    void flip(Site i) override {
      gain_ += state_.delta_energy(i);
      path_.push_back(i);
      state_.flip(i);
    }
    double gain() const override { return gain_; }

    const std::vector<Site>& path() const { return path_; }
    void take_back() {
      for (std::size_t k = path_.size(); k-- > 0;) state_.flip(path_[k]);
    }
    /// True when some site was flipped an odd number of times.
    bool changed() const {
      std::vector<Site> sorted = path_;
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t k = 0; k < sorted.size(); k += 2)
        if (k + 1 == sorted.size() || sorted[k] != sorted[k + 1]) return true;
      return false;
    }

   private:
    State& state_;
    std::vector<Site> path_;
    double gain_ = 0;
  };

  template <class Draws>
  class DrawsView final : public MoveDraws {
   public:
    explicit DrawsView(Draws& draws) : draws_(draws) {}
    std::uint64_t below(std::uint64_t n) override { return draws_.below(n); }
    bool accept(double p) override { return draws_.accept(p); }
    std::size_t choose(std::span<const double> weights) override {
      double total = 0;
      for (const double weight : weights) total += weight;
      return draws_.locate(total, [&](double target) {
        std::size_t last = 0;
        for (std::size_t k = 0; k < weights.size(); ++k) {
          if (weights[k] <= 0) continue;
          last = k;
          if (target < weights[k]) break;
          target -= weights[k];
        }
        return last;
      });
    }

   private:
    Draws& draws_;
  };

  template <class State>
  void check_shell(const State& state) const {
    const Shell& shell = state.shell();
    for (Side side = 0; side < 2 * shell.groups(); ++side)
      if (state.lists().size(side) != shell.side_size(side))
        throw InputError("move " + name_ + " kept a state that is not on the shell",
                         "flip as many sites of each side of a group");
  }

  std::string name_;
  std::shared_ptr<const OwnMove> move_;
  double beta_ = 0;
};

}  // namespace nhot
