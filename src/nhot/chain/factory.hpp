// From a model, a shell and the text of a move to chains: resolves parameters and engine once,
// builds the kernel once, then makes as many chains as wanted.
//
//     const ChainFactory chains(model, shell, "0.7*im:length=1..10 + 0.3*swap", 0.44);
//     chains.move();    // with every parameter: "0.7*im:length=1..10,gamma=beta,... + 0.3*swap"
//     sample(chains, plan);    // see nhot/result/sample.hpp
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nhot/chain/any_chain.hpp"
#include "nhot/chain/chain_group.hpp"
#include "nhot/chain/checks.hpp"
#include "nhot/model/model.hpp"
#include "nhot/random/xoshiro.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

class ChainFactory {
 public:
  /// InputError when the move, its parameters or its engine do not fit the model or the shell.
  ChainFactory(Model model, Shell shell, std::string_view move, double beta);

  const Model& model() const { return model_; }
  const Shell& shell() const { return *shell_; }
  double beta() const { return beta_; }
  /// The move with every parameter, as texts of moves have it.
  const std::string& move() const { return move_; }
  /// Name of the engine, "none" when no move selects by weight.
  const std::string& engine() const { return engine_; }
  /// What the user should know.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Why the moves do not reach every state; empty when they do.
  const std::string& unreachable_reason() const { return unreachable_reason_; }

  /// A chain whose draws come from `stream`; the start is in the model's bits and on the shell
  /// (InputError says by how much it is off).
  /// InputError for an engine that only moves many chains together.
  std::unique_ptr<AnyChain> make(const Xoshiro256& stream, const Bits& start) const;

  /// One chain per start, in groups that move on their own, as many as keep `threads` threads busy;
  /// chain k draws from streams hashed from (seed, k), or, where chains cannot move alone, from the
  /// number of the first chain of its group. The number of threads changes nothing but the speed.
  std::vector<std::unique_ptr<ChainGroup>> make_groups(std::uint64_t seed,
                                                       const std::vector<Bits>& starts,
                                                       std::size_t threads) const;
  /// The same for some of the chains only, as deal() gives them.
  std::vector<std::unique_ptr<ChainGroup>> make_groups(std::uint64_t seed,
                                                       const std::vector<Bits>& starts,
                                                       std::size_t threads, ChainRange own) const;
  /// Part `part` of `parts` of so many chains, about equal; chains that move together stay
  /// together. Part 0 is never empty, others may be.
  ChainRange deal(std::size_t chains, std::size_t part, std::size_t parts) const;

 private:
  std::vector<std::size_t> block_sizes(std::size_t chains) const;

  friend class ChainSetup;

  Model model_;
  std::shared_ptr<const Shell> shell_;
  double beta_;
  std::string move_;
  std::string engine_;
  std::vector<std::string> notes_;
  std::string unreachable_reason_;
  std::shared_ptr<const class ChainSetup> setup_;
  std::shared_ptr<const class ReplicaModel> replicas_;  // for engine bits
};

}  // namespace nhot
