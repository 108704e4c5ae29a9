// What the programs of this folder share: contestants that take turns, ratios of their times, and
// one form of output, as a table or as JSON.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nhot/chain/factory.hpp"

namespace nhot::bench {

/// A chain that is advanced in slices of about `slice_seconds`.
class Walker {
 public:
  /// Brings the chain towards equilibrium first: `warm` moves, from `start` or, where that is
  /// empty, from a random state.
  Walker(const Model& model, Site distance, const std::string& move, double beta,
         std::uint64_t warm, const Bits& start = {});

  /// Nanoseconds of CPU time per step of one slice. A step is one flip of a walk, or one attempt of
  /// a move that has no walk.
  double operator()();

  const AnyChain& chain() const { return *chain_; }
  const std::string& engine() const { return factory_.engine(); }

 private:
  ChainFactory factory_;
  std::unique_ptr<AnyChain> chain_;
  std::uint64_t moves_ = 1;
};

/// One run of a program: contestants are timed in slices that take turns, so that noise hits all of
/// them, and the smallest of the slices of each counts.
class Contest {
 public:
  /// Reads --json and --seconds S (for all of run()); ends the program with a message on anything
  /// else.
  Contest(std::string program, std::string question, double seconds, int argc, char** argv);

  /// A number that goes with the contestants: its name, and what it is.
  using Facts = std::vector<std::pair<std::string, double>>;

  /// `slice` gives nanoseconds per unit.
  void add(std::string name, std::function<double()> slice, Facts facts = {});
  void add(std::string name, std::shared_ptr<Walker> walker, Facts facts = {});
  /// Times all contestants that have no time yet, for seconds * share.
  void run(double share = 1);

  double ns(const std::string& name) const;
  /// Reports ns(over) / ns(under), and what is asked of it.
  void ratio(const std::string& name, const std::string& over, const std::string& under,
             const std::string& asked = "");
  void number(const std::string& name, double value, const std::string& asked = "");

  /// Prints everything; the value that main() returns.
  int print() const;

 private:
  struct Contestant {
    std::string name;
    std::function<double()> slice;
    Facts facts;
    double best = 0;
  };
  struct Number {
    std::string name;
    double value;
    std::string asked;
  };

  void print_json() const;
  void print_table() const;

  std::string program_;
  std::string question_;
  double seconds_;
  bool json_ = false;
  std::vector<Contestant> contestants_;
  std::vector<Number> numbers_;
};

/// Bytes of memory that this process has in use.
double resident_bytes();

}  // namespace nhot::bench
