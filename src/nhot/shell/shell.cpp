#include "nhot/shell/shell.hpp"

#include <algorithm>
#include <cmath>

#include "nhot/base/pages.hpp"

namespace nhot {

Shell::Shell(Bits reference, Site distance)
    : reference_(std::move(reference)), distance_(distance) {
  if (distance_ > reference_.size())
    throw InputError("distance " + std::to_string(distance_) +
                         " is larger than the number of sites, " +
                         std::to_string(reference_.size()),
                     "choose {distance} between 0 and " + std::to_string(reference_.size()));
  NHOT_EXPECTS(std::all_of(reference_.begin(), reference_.end(), [](Bit b) { return b <= 1; }));
  if (std::any_of(reference_.begin(), reference_.end(), [](Bit b) { return b == 1; }))
    packed_reference_.assign(reference_);
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

bool Shell::contains(const Bits& bits) const {
  return bits.size() == reference_.size() && distance_of(bits) == distance_;
}

double Shell::log_states() const {
  const double all = sites();
  const double n = distance_;
  return std::lgamma(all + 1) - std::lgamma(n + 1) - std::lgamma(all - n + 1);
}

Site Shell::longest_walk(Start start) const {
  const Site up = side_size(differing(0));
  const Site down = side_size(agreeing(0));
  if (start == Start::up) return up;
  if (start == Start::down) return down;
  return std::min(up, down);
}

std::vector<Bits> enumerate(const Shell& shell, std::size_t limit) {
  if (shell.log_states() > std::log(static_cast<double>(limit)) + 1e-9)
    throw InputError("the shell has more than " + std::to_string(limit) + " states",
                     "enumeration is for small shells; sample instead");
  // Walk over all sets of `distance` sites with prev_permutation of the indicator.
  Bits differs(shell.sites(), 0);
  std::fill(differs.begin(), differs.begin() + shell.distance(), Bit{1});
  std::vector<Bits> states;
  do {
    states.push_back(shell.relative(differs));
  } while (std::prev_permutation(differs.begin(), differs.end()));
  return states;
}

}  // namespace nhot
