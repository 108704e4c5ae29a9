// Blocks of sites on whose relative orientation several good states agree, and a search over them.
//
// Where all of several good states have the same relative orientation of two coupled sites, so do
// most states of low energy. Sites that agree in this sense merge into blocks, and a state of the
// blocks (each as in one of the states, or flipped) is a model of far fewer variables whose energy
// is that of the sites. Annealing it moves whole clusters at once. (Houdayer and Martin, Phys. Rev.
// Lett. 83, 1030, 1999, without the constraint.)
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "nhot/model/model.hpp"
#include "nhot/random/xoshiro.hpp"
#include "nhot/run/anneal/cooling.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// Connected sets of sites that differ from the first state in the same ones of the others.
/// Flipping all sites of a state does not change them. At most 64 states.
struct Blocks {
  std::vector<Site> of_site;
  Site count = 0;
};
Blocks merge_sites(const QuadraticModel& model, const std::vector<const Bits*>& states);

/// The blocks as variables: bit 0 as in a base state, bit 1 flipped. Single flips by Metropolis.
/// The distance is free to differ from that of the base by an excess c, which is held near 0 by a
/// factor exp(-c^2 / (2 width^2)) and a chemical potential that is adjusted after every sweep.
/// O(1) per try, O(coupled blocks) per flip.
class BlockWalk {
 public:
  BlockWalk(const Model& model, const Shell& shell, const Bits& base, const Blocks& blocks,
            const Xoshiro256& stream);

  void sweep(double beta, double width);
  /// Of the present state against the base.
  double energy() const { return energy_; }
  long excess() const { return excess_; }
  /// Root mean square of what a flip of a block shifts the distance by.
  double typical_shift() const;
  Bits state() const;

 private:
  struct Link {
    Site block;
    double correction;  // of the energy, when both are flipped
  };

  const Bits& base_;
  const Blocks& blocks_;
  Xoshiro256 engine_;
  std::vector<std::size_t> begin_;  // of the links of a block
  std::vector<Link> links_;
  std::vector<double> costs_;  // of setting the bit, given the others
  std::vector<long> shifts_;   // of the distance by setting the bit
  std::vector<char> flipped_;
  double energy_ = 0;
  long excess_ = 0;
  double potential_ = 0;  // times beta
};

/// Flips the cheapest sites that bring a state back to the shell, one at a time. No groups.
void return_to_shell(const Model& model, const Shell& shell, Bits& bits);

/// A state of the shell, found by cooling the blocks of `base` along the schedule from `progress`
/// on. Its energy may be above that of the base. Asks go_on(share done) now and then. No groups.
Bits search_blocks(const Model& model, const Shell& shell, const Bits& base, const Blocks& blocks,
                   const CoolingSchedule& schedule, double progress, std::uint64_t sweeps,
                   const Xoshiro256& stream, const std::function<bool(double)>& go_on);

}  // namespace nhot
