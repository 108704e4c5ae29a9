// The shell S_n(c): all states at Hamming distance n from a reference c.
//
//     const Shell shell(Bits(64, 0), 10);    // 64 sites, exactly 10 ones
//     shell.log_states();                    // log of 64 choose 10
//
// Seen from outside, a shell has groups of sites, and each group two sides: the sites that agree
// with the reference and the sites that differ. The number of sites on each side is the same for
// every state of the shell. Today there is one group, of all sites; code outside this room asks for
// groups and sides and so does not depend on that.
#pragma once

#include <cstddef>
#include <vector>

#include "nhot/base/contracts.hpp"
#include "nhot/base/packed_bits.hpp"
#include "nhot/base/types.hpp"
#include "nhot/random/draws.hpp"

namespace nhot {

/// A side of a group: 2 * group for the agreeing sites, 2 * group + 1 for the differing ones.
using Side = unsigned;
using Group = unsigned;

constexpr Side agreeing(Group group) { return 2 * group; }
constexpr Side differing(Group group) { return 2 * group + 1; }
constexpr Side opposite(Side side) { return side ^ 1U; }

class Shell {
 public:
  /// InputError when the distance is larger than the number of sites.
  Shell(Bits reference, Site distance);

  Site sites() const { return static_cast<Site>(reference_.size()); }
  Site distance() const { return distance_; }
  const Bits& reference() const { return reference_; }

  Group groups() const { return 1; }
  Side sides() const { return 2 * groups(); }
  Group group_of(Site) const { return 0; }
  /// Number of sites on a side, the same in every state of the shell.
  Site side_size(Side side) const { return side == differing(0) ? distance_ : sites() - distance_; }

  /// The group a move works on.
  template <DrawSource Draws>
  Group draw_group(Draws&) const {
    return 0;
  }

  /// A state as difference bits, u = x xor c, and back; the same operation both ways.
  Bits relative(const Bits& bits) const;
  /// The state's bits, packed, from difference bits.
  void read(const Bits& u, PackedBits& state) const;

  Site distance_of(const Bits& bits) const;
  bool contains(const Bits& bits) const;

  /// log of the number of states.
  double log_states() const;

  /// Length of the longest walk that fits, when walks start towards the reference (up), away from
  /// it (down), or either (both).
  enum class Start { up, down, both };
  Site longest_walk(Start start) const;

  /// A state drawn uniformly from the shell, by Floyd's method: one draw per differing site.
  template <DrawSource Draws>
  Bits draw_uniform(Draws& draws) const {
    Bits bits = reference_;
    for (Site i = sites() - distance_; i < sites(); ++i) {
      const auto candidate = static_cast<Site>(draws.below(std::uint64_t{i} + 1));
      const Site chosen = bits[candidate] == reference_[candidate] ? candidate : i;
      bits[chosen] ^= 1;
    }
    NHOT_ENSURES(contains(bits));
    return bits;
  }

 private:
  Bits reference_;
  PackedBits packed_reference_;  // empty where the reference is 0
  Site distance_;
};

/// Every state of a shell, in lexicographic order of the sets of differing sites. InputError when
/// there are more than `limit` states.
std::vector<Bits> enumerate(const Shell& shell, std::size_t limit = 2'000'000);

}  // namespace nhot
