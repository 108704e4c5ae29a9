#include "nhot/run/population.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "nhot/base/contracts.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/start.hpp"

namespace nhot {

Population::Population(const ChainFactory& factory, std::uint64_t seed, std::uint64_t number,
                       std::size_t size)
    : weights_(size, 1.0 / static_cast<double>(size)),
      family_(size),
      draws_(make_stream(seed, number, 0, Purpose::resample)) {
  std::iota(family_.begin(), family_.end(), std::size_t{0});
  for (std::size_t k = 0; k < size; ++k) {
    members_.push_back(factory.make(make_stream(seed, number, k, Purpose::moves),
                                    uniform_start(factory.shell(), seed, number, k)));
    members_.back()->set_beta(0);
  }
}

std::size_t Population::families() const {
  std::vector<std::size_t> distinct = family_;
  std::sort(distinct.begin(), distinct.end());
  return static_cast<std::size_t>(std::unique(distinct.begin(), distinct.end()) - distinct.begin());
}

double Population::share_left(double beta) const {
  double lowest = std::numeric_limits<double>::infinity();
  for (const auto& member : members_) lowest = std::min(lowest, member->energy());
  double sum = 0;
  double squares = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    const double factor = std::exp(-(beta - beta_) * (members_[k]->energy() - lowest));
    sum += weights_[k] * factor;
    squares += weights_[k] * factor * factor;
  }
  return sum * sum / squares;
}

double Population::next_beta(double coldest, double share) const {
  if (share_left(coldest) >= share) return coldest;
  double low = beta_;
  double high = coldest;
  for (int step = 0; step < 100 && high - low > 1e-6 * high; ++step) {
    const double middle = low + (high - low) / 2;
    (share_left(middle) >= share ? low : high) = middle;
  }
  // Above beta_ in any case, so that the schedule ends.
  return low > beta_ ? low : high;
}

void Population::reweight(double beta) {
  std::vector<double> logs(size());
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < size(); ++k) {
    logs[k] = std::log(weights_[k]) - (beta - beta_) * members_[k]->energy();
    largest = std::max(largest, logs[k]);
  }
  double sum = 0;
  for (std::size_t k = 0; k < size(); ++k) sum += weights_[k] = std::exp(logs[k] - largest);
  for (double& weight : weights_) weight /= sum;
  log_ratio_ += std::log(sum) + largest;
  beta_ = beta;
  for (auto& member : members_) member->set_beta(beta);
}

double Population::effective_share() const {
  double squares = 0;
  for (const double weight : weights_) squares += weight * weight;
  return 1 / (squares * static_cast<double>(size()));
}

void Population::resample() {
  const std::vector<std::size_t> offspring = systematic_offspring(weights_, draws_.uniform());
  // Every surviving member stays where it is; further copies go to the places of the dead.
  std::vector<std::size_t> dead;
  for (std::size_t k = 0; k < size(); ++k)
    if (offspring[k] == 0) dead.push_back(k);
  for (std::size_t k = 0; k < size(); ++k) {
    if (offspring[k] < 2) continue;
    const Bits bits = members_[k]->bits();
    for (std::size_t copy = 1; copy < offspring[k]; ++copy) {
      NHOT_EXPECTS(!dead.empty());
      members_[dead.back()]->set_bits(bits);
      family_[dead.back()] = family_[k];
      dead.pop_back();
    }
  }
  std::fill(weights_.begin(), weights_.end(), 1.0 / static_cast<double>(size()));
}

void Population::advance(std::uint64_t moves) {
  std::vector<AnyChain*> team;
  for (const auto& member : members_) team.push_back(member.get());
  team.front()->advance_together(team, moves);
}

void Population::save(Saving& saving) const {
  std::vector<std::vector<std::byte>> members;
  for (const auto& member : members_) {
    ByteWriter bytes;
    member->save(bytes);
    members.push_back(bytes.take());
  }
  saving(members, weights_, family_, draws_.engine().state(), beta_, log_ratio_);
}

void Population::restore(Restoring& restoring) {
  std::vector<std::vector<std::byte>> members;
  Xoshiro256::State state{};
  restoring(members, weights_, family_, state, beta_, log_ratio_);
  if (members.size() != size() || weights_.size() != size() || family_.size() != size() ||
      state == Xoshiro256::State{})
    ByteReader::damaged();
  draws_.set_engine(Xoshiro256(state));
  for (std::size_t k = 0; k < size(); ++k) {
    ByteReader bytes(members[k]);
    members_[k]->restore(bytes);
  }
}

std::vector<std::size_t> systematic_offspring(const std::vector<double>& weights, double u) {
  const auto size = static_cast<double>(weights.size());
  std::vector<std::size_t> offspring(weights.size(), 0);
  double cumulated = 0;
  std::size_t given = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    cumulated += weights[k] * size;
    while (given < weights.size() && static_cast<double>(given) + u < cumulated) {
      ++offspring[k];
      ++given;
    }
  }
  // Rounding may leave the last point beyond the cumulated weights.
  if (given < weights.size()) {
    const auto heaviest = std::max_element(weights.begin(), weights.end()) - weights.begin();
    offspring[static_cast<std::size_t>(heaviest)] += weights.size() - given;
  }
  return offspring;
}

}  // namespace nhot
