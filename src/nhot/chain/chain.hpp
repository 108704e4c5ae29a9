// The hot loop: a chain of one model kernel, one engine and one source of draws.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "nhot/chain/any_chain.hpp"
#include "nhot/chain/checks.hpp"
#include "nhot/chain/interleaved_walks.hpp"
#include "nhot/move/registry.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/state/flip_path.hpp"
#include "nhot/state/state.hpp"

namespace nhot {

/// A move with its share in a mixture.
struct WeightedMove {
  double weight = 1;
  AnyMove move;
};

/// Samples pi_n(x) ~ exp(-beta E(x)) on the shell: every move keeps it, and the mixture is drawn
/// independently of the state. With one move the choice costs nothing.
template <class Kernel, template <class> class Engine, DrawSource Draws>
class Chain final : public AnyChain {
 public:
  Chain(std::shared_ptr<const Kernel> kernel, std::shared_ptr<const Shell> shell,
        std::vector<WeightedMove> moves, double beta, Draws draws, const Bits& start)
      : moves_(std::move(moves)),
        beta_(beta),
        state_(std::move(kernel), std::move(shell), start, prepare_moves(), needs_sides()),
        draws_(std::move(draws)) {
    for (const WeightedMove& m : moves_) total_weight_ += m.weight;
    state_.set_beta(beta_);
    reset_counters();
  }

  void advance(std::uint64_t moves) override {
    if (moves == 0) return;
    if (moves_.size() == 1) {
      std::visit([&](auto& move) { run(moves, move); }, moves_.front().move);
    } else {
      for (std::uint64_t m = 0; m < moves; ++m) {
        const std::size_t chosen = choose();
        std::visit([&](auto& move) { run(1, move); }, moves_[chosen].move);
      }
    }
  }

  bool interleaves() const override {
    if constexpr (requires { StateType::Engine::interleaving_pays; })
      return InterleavedWalks<Chain>::suit(*this);
    else
      return false;
  }

  void advance_together(std::span<AnyChain* const> team, std::uint64_t moves) override {
    std::array<Chain*, most_interleaved> chains{};
    while (!team.empty()) {
      const std::size_t size = std::min(team.size(), chains.size());
      for (std::size_t k = 0; k < size; ++k) {
        chains[k] = dynamic_cast<Chain*>(team[k]);
        NHOT_EXPECTS(chains[k] != nullptr);
      }
      advance_chains({chains.data(), size}, moves);
      team = team.subspan(size);
    }
  }

  /// The same for at most most_interleaved chains of this type.
  static void advance_chains(std::span<Chain* const> chains, std::uint64_t moves) {
    if constexpr (requires { StateType::Engine::interleaving_pays; })
      if (chains.size() > 1 && std::all_of(chains.begin(), chains.end(),
                                           [](const Chain* chain) { return chain->interleaves(); }))
        return InterleavedWalks<Chain>::advance(chains, moves);
    for (Chain* chain : chains) chain->advance(moves);
  }

  double energy() const override { return state_.energy(); }
  Bits bits() const override { return state_.bits(); }
  void read(PackedBits& state) const override {
    state_.shell().read(state_.configuration().u, state);
  }

  void set_bits(const Bits& bits) override {
    check_start(state_.shell(), bits);
    state_.set_bits(bits);
    if (state_.energy_units() < best_units_) note_best(state_);
  }

  double beta() const override { return beta_; }
  void set_beta(double beta) override {
    check_beta(beta);
    beta_ = beta;
    state_.set_weights(prepare_moves());
    state_.set_beta(beta_);
  }

  const ChainCounters& counters() const override { return counters_; }
  void reset_counters() override {
    counters_ = {};
    note_best(state_);
  }

  LastMove last_move() const override {
    LastMove last{outcome_.accepted, outcome_.length, 0};
    if (!outcome_.accepted) return last;
    // A site flipped twice is back where it was.
    last_path_.assign(state_.path().begin(), state_.path().end());
    Site* const begin = last_path_.data();
    Site* const end = begin + last_path_.size();
    if (last_path_.size() < state_.sites() / 64) {  // sorting takes less than marks of all sites
      std::sort(begin, end);
      last.hamming = odd_runs(begin, end);
    } else {
      marks_.resize(state_.sites());
      last.hamming = static_cast<Site>(keep_odd(begin, end, marks_.data()) - begin);
    }
    return last;
  }

  void record_below(double energy) override {
    record_below_ = energy;
    recorded_.clear();
  }
  const Bits& recorded() const override { return recorded_; }

  void save(ByteWriter& out) const override {
    out.put(beta_);
    out.put(counters_);
    out.put(best_units_);
    out.put(std::uint8_t{outcome_.accepted});
    out.put(outcome_.length);
    out.put(outcome_.steps);
    out.put(std::vector<Site>(state_.path()));
    state_.save(out);
    if constexpr (requires { draws_.engine(); }) out.put(draws_.engine().state());
  }

  void restore(ByteReader& in) override {
    set_beta(in.get<double>());
    in.get(counters_);
    in.get(best_units_);
    outcome_.accepted = in.get<std::uint8_t>() != 0;
    in.get(outcome_.length);
    in.get(outcome_.steps);
    std::vector<Site> path;
    in.get(path);
    state_.restore(in);
    for (const Site i : path)
      if (i >= state_.sites()) ByteReader::damaged();
    state_.set_path(path);
    if constexpr (requires { draws_.engine(); }) {
      const auto engine = in.get<Xoshiro256::State>();
      if (engine == Xoshiro256::State{}) ByteReader::damaged();
      draws_.set_engine(Xoshiro256(engine));
    }
  }

  Draws& draws() { return draws_; }
  const Draws& draws() const { return draws_; }
  /// For checks of its caches.
  const State<Kernel, Engine>& state() const { return state_; }

  /// Expected tries of a pick by rejection sampling, max w / mean w; mean over the sides.
  double expected_tries() const { return state_.expected_tries(); }

  /// Goes on where a chain with another engine, in the same state, stopped.
  template <template <class> class Other>
  void take_over(const Chain<Kernel, Other, Draws>& other) {
    counters_ = other.counters_;
    best_units_ = other.best_units_;
    outcome_ = other.outcome_;
    state_.set_path(other.state_.path());
    record_below_ = other.record_below_;
    recorded_ = other.recorded_;
  }

 private:
  template <class OtherKernel, template <class> class Other, DrawSource OtherDraws>
  friend class Chain;
  friend class InterleavedWalks<Chain>;

  using StateType = State<Kernel, Engine>;
  using DrawsType = Draws;

  /// The one move, when it is a walk; otherwise null.
  const IntraclusterMove* only_walk() const {
    return moves_.size() == 1 ? std::get_if<IntraclusterMove>(&moves_.front().move) : nullptr;
  }

  template <class Move>
  void run(std::uint64_t moves, Move& move) {
    static_assert(ChainMove<Move>, "a move lacks a member of ChainMove, move/outcome.hpp");
    // Setting a chain up gives every move a kernel and an engine that it can work with.
    constexpr bool engine_fits = !Move::needs_weights || State<Kernel, Engine>::weighted;
    if constexpr (!engine_fits || !std::is_invocable_v<Move&, State<Kernel, Engine>&, Draws&>) {
      throw InternalError("a chain was made with a move that its kernel or engine cannot serve");
    } else {
      if constexpr (std::is_same_v<Move, SwapMove> && std::is_same_v<Draws, RandomDraws>) {
        if (looks_ahead() && moves >= 64) {
          SwapPrefetcher prefetcher(state_, draws_);
          for (std::uint64_t m = 0; m < moves; ++m) {
            prefetcher.prefetch_next(state_);
            note(move(state_, draws_), state_);
          }
          counters_.moves += moves;
          return;
        }
      }
      Draws draws = draws_;  // a copy can stay in registers
      if constexpr (std::is_same_v<Move, IntraclusterMove> && StateType::has_stepper) {
        if (state_.steppable()) [[likely]] {
          auto stepper = state_.stepper(move.most_steps());
          if constexpr (requires { StateType::Engine::looks_ahead; } &&
                        std::is_same_v<Draws, RandomDraws>) {
            if (state_.beyond_caches()) {
              LookaheadDraws ahead = stepper.looking_ahead(draws);
              for (std::uint64_t m = 0; m < moves; ++m) note(move(stepper, ahead), stepper);
              stepper.finish();
              draws_ = ahead.draws();
              counters_.moves += moves;
              return;
            }
          }
          for (std::uint64_t m = 0; m < moves; ++m) note(move(stepper, draws), stepper);
          stepper.finish();
          draws_ = draws;
          counters_.moves += moves;
          return;
        }
      }
      for (std::uint64_t m = 0; m < moves; ++m) note(move(state_, draws), state_);
      draws_ = draws;
      counters_.moves += moves;
    }
  }

  /// Counts a move and tracks the best energy.
  template <class Where>
  NHOT_ALWAYS_INLINE void note(const MoveOutcome& outcome, Where& state) {
    outcome_ = outcome;
    counters_.steps += outcome.steps;
    if (outcome.accepted) {
      ++counters_.accepted;
      counters_.changed += outcome.changed ? 1 : 0;
      if (state.energy_units() < best_units_) [[unlikely]] {
        note_best(state);
        if (counters_.best_energy < record_below_) recorded_ = state.bits();
      }
    }
    state.refresh_if_due();
  }

  template <class Where>
  void note_best(const Where& state) {
    best_units_ = state.energy_units();
    counters_.best_energy = state.energy();
  }

  bool looks_ahead() const {
    const Shell& shell = state_.shell();
    return shell.groups() == 1 && shell.sites() >= SwapPrefetcher::least_sites &&
           shell.distance() > 0 && shell.distance() < shell.sites();
  }

  std::size_t choose() {
    return draws_.locate(total_weight_, [&](double target) {
      for (std::size_t k = 0; k + 1 < moves_.size(); ++k) {
        if (target < moves_[k].weight) return k;
        target -= moves_[k].weight;
      }
      return moves_.size() - 1;
    });
  }

  WeightSet prepare_moves() {
    WeightSet weight_set;
    for (WeightedMove& m : moves_)
      std::visit([&](auto& move) { move.prepare(beta_, weight_set); }, m.move);
    return weight_set;
  }

  bool needs_sides() const {
    return std::any_of(moves_.begin(), moves_.end(), [](const WeightedMove& m) {
      return std::visit([](const auto& move) { return move.needs_sides; }, m.move);
    });
  }

  std::vector<WeightedMove> moves_;
  double beta_;
  double total_weight_ = 0;
  State<Kernel, Engine> state_;
  Draws draws_;
  ChainCounters counters_;
  typename StateType::Count best_units_ = 0;  // best_energy as State counts it
  MoveOutcome outcome_;
  double record_below_ = -std::numeric_limits<double>::infinity();
  Bits recorded_;
  // For last_move().
  mutable std::vector<Site> last_path_;
  mutable Bits marks_;  // zeros between calls
};

}  // namespace nhot
