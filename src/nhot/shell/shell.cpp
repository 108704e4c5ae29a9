#include "nhot/shell/shell.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "nhot/base/error.hpp"
#include "nhot/base/log_gamma.hpp"
#include "nhot/base/pages.hpp"

namespace nhot {
namespace {

constexpr Group in_no_group = ~Group{0};

double log_choose(double all, double n) {
  return log_gamma(all + 1) - log_gamma(n + 1) - log_gamma(all - n + 1);
}

// The group of every site; in_no_group for the others.
std::vector<Group> owners(const std::vector<SiteGroup>& groups, std::size_t sites) {
  std::vector<Group> group_of(sites, in_no_group);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::string name = "group " + std::to_string(g + 1);
    const std::vector<Site>& members = groups[g].sites;
    if (members.empty()) throw InputError(name + " has no sites", "leave it out");
    if (groups[g].distance > members.size())
      throw InputError("distance " + std::to_string(groups[g].distance) + " of " + name +
                           " is larger than its number of sites, " + std::to_string(members.size()),
                       "choose a distance between 0 and " + std::to_string(members.size()));
    for (const Site i : members) {
      if (i >= sites)
        throw InputError("site " + std::to_string(i) + " of " + name + " does not exist",
                         sites == 0 ? "the model has no sites"
                                    : "sites are numbered from 0 to " + std::to_string(sites - 1));
      if (group_of[i] != in_no_group)
        throw InputError("site " + std::to_string(i) + " is in group " +
                             std::to_string(group_of[i] + 1) +
                             (group_of[i] == g ? " twice" : " and in " + name),
                         "a site is in one group, once, or free");
      group_of[i] = static_cast<Group>(g);
    }
  }
  return group_of;
}

}  // namespace

Shell::Shell(Bits reference, Site distance)
    : reference_(std::move(reference)), distances_{distance}, distance_(distance) {
  if (distance_ > reference_.size())
    throw InputError("distance " + std::to_string(distance_) +
                         " is larger than the number of sites, " +
                         std::to_string(reference_.size()),
                     "choose {distance} between 0 and " + std::to_string(reference_.size()));
  NHOT_EXPECTS(std::all_of(reference_.begin(), reference_.end(), [](Bit b) { return b <= 1; }));
  if (std::any_of(reference_.begin(), reference_.end(), [](Bit b) { return b == 1; }))
    packed_reference_.assign(reference_);
}

Shell::Shell(Bits reference, const std::vector<SiteGroup>& groups)
    : Shell(std::move(reference), Site{0}) {
  group_of_ = owners(groups, reference_.size());
  distances_.clear();
  for (const SiteGroup& group : groups) {
    distances_.push_back(group.distance);
    distance_ += group.distance;
  }
  grouped_ = groups.size() != 1 || groups.front().sites.size() != reference_.size();
  if (grouped_)
    list_members();
  else
    group_of_.clear();
}

void Shell::list_members() {
  std::replace(group_of_.begin(), group_of_.end(), in_no_group, groups());
  begin_.assign(groups() + std::size_t{2}, 0);
  for (const Group g : group_of_) ++begin_[g + std::size_t{1}];
  for (std::size_t g = 0; g <= groups(); ++g) begin_[g + 1] += begin_[g];
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  members_.resize(sites());
  place_.resize(sites());
  for (Site i = 0; i < sites(); ++i) {
    const Group g = group_of_[i];
    place_[i] = static_cast<Site>(next[g] - begin_[g]);
    members_[next[g]++] = i;
  }
  std::size_t movable_groups = 0;
  for (Group g = 0; g < groups(); ++g) {
    if (!movable(g)) continue;
    ++movable_groups;
    movable_.insert(movable_.end(), members(g).begin(), members(g).end());
  }
  one_movable_ = movable_groups == 1;
}

std::vector<SiteGroup> Shell::list_groups() const {
  std::vector<SiteGroup> list;
  for (Group g = 0; g < groups(); ++g) {
    SiteGroup& group = list.emplace_back();
    group.distance = distance(g);
    for (Site k = 0; k < group_size(g); ++k) group.sites.push_back(grouped_ ? members(g)[k] : k);
  }
  return list;
}

Bits Shell::relative(const Bits& bits) const {
  NHOT_EXPECTS(bits.size() == reference_.size());
  Bits result;
  reserve_large(result, bits.size());
  result.resize(bits.size());
  for (std::size_t i = 0; i < bits.size(); ++i) result[i] = bits[i] ^ reference_[i];
  return result;
}

void Shell::read(const Bits& u, PackedBits& state) const {
  state.assign(u);
  if (!packed_reference_.empty()) state.flip(packed_reference_);
}

Site Shell::distance_of(const Bits& bits) const {
  Site distance = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) distance += bits[i] != reference_[i];
  return distance;
}

Site Shell::distance_of(const Bits& bits, Group group) const {
  if (!grouped_) return distance_of(bits);
  Site distance = 0;
  for (const Site i : members(group)) distance += bits[i] != reference_[i];
  return distance;
}

bool Shell::contains(const Bits& bits) const {
  if (bits.size() != reference_.size()) return false;
  for (Group g = 0; g < groups(); ++g)
    if (distance_of(bits, g) != distance(g)) return false;
  return true;
}

double Shell::log_states() const {
  double sum = free_sites() * std::log(2.0);
  for (Group g = 0; g < groups(); ++g) sum += log_choose(group_size(g), distance(g));
  return sum;
}

Site Shell::longest_walk(Start start) const {
  if (!grouped_) return longest_walk(0, start);
  Site longest = 0;
  for (Group g = 0; g < groups(); ++g)
    if (movable(g)) longest = std::max(longest, longest_walk(g, start));
  return longest;
}

Site Shell::longest_walk(Group group, Start start) const {
  if (group >= groups()) return 0;  // all sites are free
  const Site up = side_size(differing(group));
  const Site down = side_size(agreeing(group));
  if (start == Start::up) return up;
  if (start == Start::down) return down;
  return std::min(up, down);
}

std::vector<Bits> enumerate(const Shell& shell, std::size_t limit) {
  if (shell.log_states() > std::log(static_cast<double>(limit)) + 1e-9)
    throw InputError("the shell has more than " + std::to_string(limit) + " states",
                     "enumeration is for small shells; sample instead");
  // Sites group after group, and their difference bits. Each group runs over all sets of `distance`
  // of its sites, by prev_permutation; each free site over 0 and 1.
  struct Wheel {
    std::size_t begin;
    std::size_t end;
    bool free;
  };
  std::vector<Site> order;
  std::vector<Wheel> wheels;
  Bits differs;
  for (Group g = 0; g < shell.groups(); ++g) {
    const Site size = shell.group_size(g);
    wheels.push_back({order.size(), order.size() + size, false});
    for (Site k = 0; k < size; ++k) {
      order.push_back(shell.grouped() ? shell.members(g)[k] : k);
      differs.push_back(k < shell.distance(g));
    }
  }
  if (shell.free_sites() > 0)
    for (const Site i : shell.members(shell.groups())) {
      wheels.push_back({order.size(), order.size() + 1, true});
      order.push_back(i);
      differs.push_back(0);
    }
  // True when the wheel has turned on; false when it is back at its first position.
  const auto turn = [&](const Wheel& wheel) {
    if (wheel.free) return (differs[wheel.begin] ^= 1) == 1;
    return std::prev_permutation(differs.begin() + static_cast<std::ptrdiff_t>(wheel.begin),
                                 differs.begin() + static_cast<std::ptrdiff_t>(wheel.end));
  };
  std::vector<Bits> states;
  Bits u(shell.sites());
  for (bool more = true; more;) {
    for (std::size_t k = 0; k < order.size(); ++k) u[order[k]] = differs[k];
    states.push_back(shell.relative(u));
    more = false;
    for (std::size_t w = wheels.size(); !more && w-- > 0;) more = turn(wheels[w]);
  }
  return states;
}

}  // namespace nhot
