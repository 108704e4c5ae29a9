#include "nhot/run/anneal/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nhot/base/contracts.hpp"

namespace nhot {
namespace {

/// What flipping both ends of a coupling costs beyond the two flips alone.
double correction_of(const QuadraticModel& model, const Bits& bits, Site i, Site j, double value) {
  const double scale = model.convention() == Convention::spin ? 4.0 : 1.0;
  return bits[i] == bits[j] ? scale * value : -scale * value;
}

}  // namespace

Blocks merge_sites(const QuadraticModel& model, const std::vector<const Bits*>& states) {
  NHOT_EXPECTS(!states.empty() && states.size() <= 64);
  constexpr Site none = ~Site{0};
  std::vector<std::uint64_t> patterns(model.sites(), 0);  // which states differ from the first
  for (std::size_t k = 1; k < states.size(); ++k)
    for (Site i = 0; i < model.sites(); ++i)
      patterns[i] |= std::uint64_t{(*states[k])[i] != (*states.front())[i]} << k;
  Blocks blocks;
  blocks.of_site.assign(model.sites(), none);
  std::vector<Site> queue;
  for (Site seed = 0; seed < model.sites(); ++seed) {
    if (blocks.of_site[seed] != none) continue;
    blocks.of_site[seed] = blocks.count;
    queue.assign(1, seed);
    for (std::size_t k = 0; k < queue.size(); ++k)
      for (const Site j : model.row(queue[k]).sites) {
        if (blocks.of_site[j] != none || patterns[j] != patterns[seed]) continue;
        blocks.of_site[j] = blocks.count;
        queue.push_back(j);
      }
    ++blocks.count;
  }
  return blocks;
}

BlockWalk::BlockWalk(const Model& model, const Shell& shell, const Bits& base, const Blocks& blocks,
                     const Xoshiro256& stream)
    : base_(base),
      blocks_(blocks),
      engine_(stream),
      costs_(blocks.count, 0.0),
      shifts_(blocks.count, 0),
      flipped_(blocks.count, 0) {
  const QuadraticModel& couplings = *model.quadratic();
  const std::vector<double> site_costs = model.data().flip_costs(base);
  std::vector<std::vector<Site>> members(blocks.count);
  for (Site i = 0; i < couplings.sites(); ++i) members[blocks.of_site[i]].push_back(i);
  std::vector<double> sum(blocks.count, 0.0);  // of the corrections to the present block
  std::vector<char> met(blocks.count, 0);
  std::vector<Site> others;
  for (Site block = 0; block < blocks.count; ++block) {
    begin_.push_back(links_.size());
    for (const Site i : members[block]) {
      costs_[block] += site_costs[i];
      shifts_[block] += base[i] == shell.reference()[i] ? 1 : -1;
      const QuadraticModel::Row row = couplings.row(i);
      for (std::size_t e = 0; e < row.sites.size(); ++e) {
        const double correction = correction_of(couplings, base, i, row.sites[e], row.values[e]);
        const Site other = blocks.of_site[row.sites[e]];
        if (other == block) {  // met from both ends
          costs_[block] += 0.5 * correction;
          continue;
        }
        if (!met[other]) others.push_back(other);
        met[other] = 1;
        sum[other] += correction;
      }
    }
    for (const Site other : others) {
      if (sum[other] != 0) links_.push_back({other, sum[other]});
      sum[other] = 0;
      met[other] = 0;
    }
    others.clear();
  }
  begin_.push_back(links_.size());
}

double BlockWalk::typical_shift() const {
  double squares = 0;
  for (const long shift : shifts_)
    squares += static_cast<double>(shift) * static_cast<double>(shift);
  return std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, shifts_.size())));
}

void BlockWalk::sweep(double beta, double width) {
  const double stiffness = 1 / (2 * width * width);
  double total = 0;  // of the excess
  for (Site t = 0; t < blocks_.count; ++t) {
    const std::uint64_t draw = engine_();
    const auto block = static_cast<Site>(((draw >> 32) * blocks_.count) >> 32);
    const double sign = flipped_[block] ? -1.0 : 1.0;
    const long shift = flipped_[block] ? -shifts_[block] : shifts_[block];
    const double before = static_cast<double>(excess_);
    const double after = static_cast<double>(excess_ + shift);
    total += before;
    const double cost = sign * costs_[block];
    const double tilt = beta * cost + stiffness * (after - before) * (after + before) +
                        potential_ * static_cast<double>(shift);
    if (tilt > 0 && (tilt > 22 || static_cast<double>(static_cast<std::uint32_t>(draw)) * 0x1p-32 >=
                                      std::exp(-tilt)))
      continue;
    flipped_[block] ^= 1;
    energy_ += cost;
    excess_ += shift;
    for (std::size_t k = begin_[block]; k < begin_[block + 1]; ++k)
      costs_[links_[k].block] += sign * links_[k].correction;
  }
  constexpr double gain = 0.1;
  potential_ += gain * 2 * stiffness * total / static_cast<double>(blocks_.count);
}

Bits BlockWalk::state() const {
  Bits bits = base_;
  for (Site i = 0; i < bits.size(); ++i) bits[i] ^= static_cast<Bit>(flipped_[blocks_.of_site[i]]);
  return bits;
}

void return_to_shell(const Model& model, const Shell& shell, Bits& bits) {
  NHOT_EXPECTS(!shell.grouped());
  const auto differs = [&](Site i) { return bits[i] != shell.reference()[i]; };
  std::vector<double> costs = model.data().flip_costs(bits);
  long excess = -static_cast<long>(shell.distance());
  for (Site i = 0; i < bits.size(); ++i) excess += differs(i);
  const bool many = excess > 0;
  for (; excess != 0; excess += many ? -1 : 1) {
    Site cheapest = shell.sites();
    for (Site i = 0; i < bits.size(); ++i)
      if (differs(i) == many && (cheapest == shell.sites() || costs[i] < costs[cheapest]))
        cheapest = i;
    const QuadraticModel::Row row = model.quadratic()->row(cheapest);
    for (std::size_t e = 0; e < row.sites.size(); ++e)
      costs[row.sites[e]] +=
          correction_of(*model.quadratic(), bits, cheapest, row.sites[e], row.values[e]);
    costs[cheapest] = -costs[cheapest];
    bits[cheapest] ^= 1;
  }
}

Bits search_blocks(const Model& model, const Shell& shell, const Bits& base, const Blocks& blocks,
                   const CoolingSchedule& schedule, double progress, std::uint64_t sweeps,
                   const Xoshiro256& stream, const std::function<bool(double)>& go_on) {
  BlockWalk walk(model, shell, base, blocks, stream);
  constexpr std::uint64_t tries_per_look = 4096;  // at the clock, about
  const std::uint64_t interval = std::max<std::uint64_t>(1, tries_per_look / blocks.count);
  const double widest = std::max(1.0, walk.typical_shift());
  double least = std::numeric_limits<double>::infinity();
  Bits best;
  for (std::uint64_t done = 0; done < sweeps; ++done) {
    if (done % interval == 0 && !go_on(static_cast<double>(done) / static_cast<double>(sweeps)))
      break;
    const double share = static_cast<double>(done + 1) / static_cast<double>(sweeps);
    walk.sweep(schedule.at(progress + (1 - progress) * share), widest + (1 - widest) * share);
    // The beginning does not count: a state near the base is no news.
    if (8 * done < 7 * sweeps || walk.excess() != 0 || !(walk.energy() < least)) continue;
    least = walk.energy();
    best = walk.state();
  }
  if (best.empty()) {
    best = walk.state();
    return_to_shell(model, shell, best);
  }
  return best;
}

}  // namespace nhot
