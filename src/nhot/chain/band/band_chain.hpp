// A chain over a band of neighbouring shells: the virtual door.
//
// It samples pi(x) ~ w_n exp(-beta E(x)) on the states x with n = distance(x) between the first and
// the last shell of the band, one weight per shell. With w_n ~ 1 / Z_n every shell is visited
// equally; whatever the weights, its states with a given n follow pi_n.
#pragma once

#include <cstdint>
#include <vector>

#include "nhot/chain/band/tally.hpp"
#include "nhot/chain/chain_view.hpp"

namespace nhot {

/// The shells first to last.
struct ShellBand {
  Site first = 0;
  Site last = 0;

  std::size_t shells() const { return std::size_t{last} - first + 1; }
  bool contains(Site n) const { return n >= first && n <= last; }
};

/// log(w_{n+1} / w_n) for n = first .. last - 1.
using BandWeights = std::vector<double>;

class BandChain : public ChainView {
 public:
  /// Without a push the weights stay as they are until the next call, and the chain is a Markov
  /// chain. With one, every step lowers the log of the weight of its shell by that much (Wang and
  /// Landau, Phys. Rev. Lett. 86, 2001): no chain is held back by weights that are wrong.
  virtual void set_weights(const BandWeights& weights, double push = 0) = 0;

  /// Steps that would leave these shells, among which is the present one, are rejected from now on.
  virtual void confine(ShellBand window) = 0;

  /// Steps of one flip each.
  virtual void advance(std::uint64_t steps) = 0;
  /// Computes everything from the bits anew, so that what follows depends on what save() saves.
  virtual void rebuild() = 0;

  virtual void set_bits(const Bits& bits) = 0;
  virtual Site distance() const = 0;
  /// The direction that the next step tries first: true for n + 1.
  virtual bool outward() const = 0;
  virtual void set_outward(bool outward) = 0;

  virtual const BandTally& tally() const = 0;
  /// Keeps this share of the tally, and nothing of shells with less than a visit left.
  virtual void fade_tally(double share) = 0;
  /// Crossings from the first shell to the last or back.
  virtual std::uint64_t crossings() const = 0;
};

}  // namespace nhot
