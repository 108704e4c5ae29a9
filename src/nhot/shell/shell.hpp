// The shell: all states with a fixed number of sites that differ from a reference c.
//
//     const Shell shell(Bits(64, 0), 10);    // 64 sites, exactly 10 ones
//     shell.log_states();                    // log of 64 choose 10
//     const Shell hot(Bits(7, 0), {{{0, 1, 2}, 1}, {{3, 4, 5}, 1}});  // two one-hots; site 6 is
//     free
//
// A shell has groups of sites, each with a distance of its own: as many of its sites differ from
// the reference in every state. A group has two sides, the sites that agree and the sites that
// differ. Sites in no group are free to do either; they count as one more group, the last, whose
// sides have no fixed size. Mostly there is one group, of all sites: then grouped() is false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

/// Sites of which so many differ from the reference.
struct SiteGroup {
  std::vector<Site> sites;
  Site distance = 0;

  friend bool operator==(const SiteGroup&, const SiteGroup&) = default;
};

template <class Archive>
void visit_fields(Archive& archive, SiteGroup& group) {
  archive(group.sites, group.distance);
}

class Shell {
 public:
  /// One group of all sites. InputError when the distance is larger than the number of sites.
  Shell(Bits reference, Site distance);
  /// Sites in no group are free. InputError when a site is in two groups or does not exist, or a
  /// group is empty or smaller than its distance.
  Shell(Bits reference, const std::vector<SiteGroup>& groups);

  Site sites() const { return static_cast<Site>(reference_.size()); }
  const Bits& reference() const { return reference_; }
  /// The number of differing sites, of all groups together. Free sites do not count.
  Site distance() const { return distance_; }

  /// True unless there is one group, of all sites.
  bool grouped() const { return grouped_; }
  /// Those with a distance.
  Group groups() const { return static_cast<Group>(distances_.size()); }
  /// Two of every group, and two of the free sites where there are any.
  Side sides() const { return 2 * (groups() + (free_sites() > 0 ? 1U : 0U)); }
  /// groups() for a free site.
  Group group_of(Site i) const { return grouped_ ? group_of_[i] : 0; }
  Site group_size(Group group) const {
    return grouped_ ? static_cast<Site>(begin_[group + std::size_t{1}] - begin_[group]) : sites();
  }
  Site distance(Group group) const { return distances_[group]; }
  /// Number of sites on a side, the same in every state of the shell. Not for free sites.
  Site side_size(Side side) const {
    const Group group = side / 2;
    return side & 1U ? distances_[group] : group_size(group) - distances_[group];
  }
  Site free_sites() const { return grouped_ ? group_size(groups()) : 0; }

  /// The sites of a group in increasing order, and the index of a site there. Of a grouped shell.
  std::span<const Site> members(Group group) const {
    NHOT_EXPECTS(grouped_);
    return {members_.data() + begin_[group], group_size(group)};
  }
  Site place(Site i) const { return place_[i]; }

  /// A group is movable when some of its sites differ and some agree. The sites of such groups.
  Site movable_sites() const {
    return grouped_ ? static_cast<Site>(movable_.size()) : movable(0) ? sites() : 0;
  }
  bool movable(Group group) const {
    return distances_[group] > 0 && distances_[group] < group_size(group);
  }
  bool single_state() const { return movable_sites() == 0 && free_sites() == 0; }
  /// The groups with their distances, as a constructor takes them.
  std::vector<SiteGroup> list_groups() const;

  /// The group that a move works on: a movable one, in proportion to its number of sites, whatever
  /// the state. Group 0 where none is movable.
  template <DrawSource Draws>
  Group draw_group(Draws& draws) const {
    if (one_movable_ || movable_.empty()) return movable_.empty() ? 0 : group_of_[movable_[0]];
    return group_of_[movable_[draws.below(movable_.size())]];
  }

  /// A state as difference bits, u = x xor c, and back; the same operation both ways.
  Bits relative(const Bits& bits) const;
  /// The state's bits, packed, from difference bits.
  void read(const Bits& u, PackedBits& state) const;

  /// The number of differing sites: of all sites, free ones too, and of a group.
  Site distance_of(const Bits& bits) const;
  Site distance_of(const Bits& bits, Group group) const;
  bool contains(const Bits& bits) const;

  /// log of the number of states.
  double log_states() const;

  /// Length of the longest walk that fits, when walks start towards the reference (up), away from
  /// it (down), or either (both): in some group, or in this one.
  enum class Start { up, down, both };
  Site longest_walk(Start start) const;
  Site longest_walk(Group group, Start start) const;

  /// A state drawn uniformly from the shell, by Floyd's method: one draw per differing site of the
  /// groups and per free site.
  template <DrawSource Draws>
  Bits draw_uniform(Draws& draws) const {
    Bits bits = reference_;
    for (Group g = 0; g < groups(); ++g) {
      const auto site = [&](Site k) { return grouped_ ? members(g)[k] : k; };
      const Site size = group_size(g);
      for (Site k = size - distance(g); k < size; ++k) {
        const Site candidate = site(static_cast<Site>(draws.below(std::uint64_t{k} + 1)));
        const Site chosen = bits[candidate] == reference_[candidate] ? candidate : site(k);
        bits[chosen] ^= 1;
      }
    }
    if (free_sites() > 0)
      for (const Site i : members(groups())) bits[i] = static_cast<Bit>(draws.below(2));
    NHOT_ENSURES(contains(bits));
    return bits;
  }

 private:
  void list_members();

  Bits reference_;
  PackedBits packed_reference_;  // empty where the reference is 0
  std::vector<Site> distances_;  // by group
  Site distance_ = 0;
  bool grouped_ = false;
  // Of a grouped shell; the free sites are the last group.
  std::vector<Group> group_of_;     // by site
  std::vector<Site> place_;         // by site
  std::vector<Site> members_;       // group after group
  std::vector<std::size_t> begin_;  // of each group, and the end
  std::vector<Site> movable_;       // sites of movable groups
  bool one_movable_ = false;
};

/// Every state of a shell. Of one group in lexicographic order of the sets of differing sites; of
/// several, the last group runs fastest, and free sites run faster still. InputError when there are
/// more than `limit` states.
std::vector<Bits> enumerate(const Shell& shell, std::size_t limit = 2'000'000);

}  // namespace nhot
