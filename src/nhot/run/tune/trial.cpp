#include "nhot/run/tune/trial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace nhot {

std::vector<std::pair<std::size_t, std::size_t>> chain_pairs(std::size_t chains) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < chains; ++a)
    for (std::size_t b = a + 1; b < chains; ++b) pairs.emplace_back(a, b);
  return pairs;
}

StateMoments::StateMoments(std::size_t number, std::size_t chains, std::size_t sites)
    : scalars(number, std::vector<ChainMoments>(chains)),
      ones(chains, std::vector<double>(sites)),
      weight(chains) {
  scalars.back().resize(chains * (chains - 1) / 2);
}

void StateMoments::add(const StateMoments& other, double total) {
  if (other.weight.empty() || !(other.weight.front() > 0)) return;
  if (weight.empty())
    *this = StateMoments(other.scalars.size(), other.weight.size(), other.ones.front().size());
  const double share = total / other.weight.front();  // all chains have as many draws
  for (std::size_t k = 0; k < scalars.size(); ++k)
    for (std::size_t c = 0; c < scalars[k].size(); ++c) {
      scalars[k][c].weight += share * other.scalars[k][c].weight;
      scalars[k][c].first += share * other.scalars[k][c].first;
      scalars[k][c].second += share * other.scalars[k][c].second;
    }
  for (std::size_t c = 0; c < weight.size(); ++c) {
    weight[c] += total;
    for (std::size_t i = 0; i < ones[c].size(); ++i) ones[c][i] += share * other.ones[c][i];
  }
}

std::vector<double> StateMoments::overall() const {
  std::vector<double> result;
  for (const std::vector<ChainMoments>& chains : scalars) {
    ChainMoments all;
    for (const ChainMoments& one : chains) {
      all.weight += one.weight;
      all.first += one.first;
      all.second += one.second;
    }
    const double mean = all.first / all.weight;
    result.push_back(std::max(0.0, all.second / all.weight - mean * mean));
  }
  double sites = 0;
  double total = 0;
  for (const double one : weight) total += one;
  for (std::size_t i = 0; i < ones.front().size(); ++i) {
    double mean = 0;
    for (const std::vector<double>& chain : ones) mean += chain[i];
    mean /= total;
    sites += mean * (1 - mean);
  }
  result.push_back(sites);
  return result;
}

std::vector<double> StateMoments::within() const {
  std::vector<double> result;
  const auto chains = static_cast<double>(weight.size());
  for (const std::vector<ChainMoments>& own : scalars) {
    double sum = 0;
    for (const ChainMoments& one : own) {
      const double mean = one.first / one.weight;
      sum += std::max(0.0, one.second / one.weight - mean * mean);
    }
    result.push_back(sum / static_cast<double>(own.size()));
  }
  double sites = 0;
  for (std::size_t c = 0; c < weight.size(); ++c)
    for (const double one : ones[c]) sites += one / weight[c] * (1 - one / weight[c]);
  result.push_back(sites / chains);
  return result;
}

Trial::Trial(std::shared_ptr<const ChainFactory> factory, std::uint64_t seed,
             const std::vector<Bits>& starts, std::uint64_t threads, const Observables& observables,
             const std::optional<MoveCost>& nominal)
    : factory_(std::move(factory)),
      observables_(observables),
      nominal_(nominal),
      chains_(*factory_, seed, starts, threads, {0, starts.size()}),
      states_(starts.size(), std::vector<PackedBits>(segment)),
      series_(2 + observables.size(),
              std::vector<std::vector<double>>(starts.size(), std::vector<double>(segment))),
      variograms_(3 + observables.size(), std::vector<Variogram>(starts.size())),
      moments_(2 + observables.size(), starts.size(), factory_->model().sites()),
      pairs_(chain_pairs(starts.size())) {
  series_.back().assign(pairs_.size(), std::vector<double>(segment));
  variograms_[series_.size() - 1].resize(pairs_.size());
}

double Trial::seconds() const {
  if (nominal_) {
    double sum = 0;
    for (std::size_t c = 0; c < chains_.size(); ++c) sum += nominal_->of(chains_[c].counters());
    return sum / static_cast<double>(chains_.size());
  }
  const TimedChains::Seconds all = chains_.seconds();
  return (all.cpu - all.recording) / static_cast<double>(chains_.size());
}

/// What the budget of a trial is charged with.
double Trial::spent() const {
  if (!nominal_) return seconds();
  return seconds() + draw_cost(factory_->model().sites()) * static_cast<double>(all_draws_);
}

double Trial::acceptance() const {
  double accepted = 0;
  for (std::size_t c = 0; c < chains_.size(); ++c)
    accepted += static_cast<double>(chains_[c].counters().accepted);
  return moves_ ? accepted / static_cast<double>(moves_ * chains_.size()) : 0;
}

std::vector<Bits> Trial::states() const {
  std::vector<Bits> result;
  for (std::size_t c = 0; c < chains_.size(); ++c) result.push_back(chains_[c].bits());
  return result;
}

double Trial::seconds_per_move() const {
  if (timed_moves_ >= many) return timed_seconds_ / static_cast<double>(timed_moves_);
  return moves_ ? seconds() / static_cast<double>(moves_) : 0;
}

void Trial::advance(double budget) {
  const double end = spent() + budget;
  if (moves_ == 0) {  // memory is touched for the first time; then a guess of the cost
    chains_.advance(1);
    ++moves_;
    time_moves(0.1 * budget / std::max(seconds(), 1e-9));
  }
  while (spent() < end && !done()) {
    const double left = (end - spent()) / seconds_per_move();
    if (resolved_ && draws_ == 0 && thin_ < many) time_moves(0.5 * left);
    const double a_draw = nominal_ ? draw_cost(factory_->model().sites()) : 0;
    const double draws =
        std::clamp((end - spent()) / (static_cast<double>(thin_) * seconds_per_move() + a_draw),
                   1.0, 1.0 * segment);
    draw(std::min<std::uint64_t>(static_cast<std::uint64_t>(draws), segment - draws_));
    if (draws_ == segment) take_segment();
  }
}

/// Where draws follow one another closely, reading clocks and states takes longer than the moves.
void Trial::time_moves(double most) {
  const auto moves = static_cast<std::uint64_t>(std::clamp(most, 1.0, 8192.0));
  const double before = seconds();
  chains_.advance(moves);
  moves_ += moves;
  timed_moves_ += moves;
  timed_seconds_ += seconds() - before;
}

void Trial::draw(std::uint64_t draws) {
  const double before = seconds();
  chains_.draw(draws, thin_, thin_, [&](std::size_t c, std::uint64_t d) {
    PackedBits& state = states_[c][draws_ + d];
    chains_[c].read(state);
    series_[0][c][draws_ + d] = chains_[c].energy();
    for (std::size_t k = 0; k < observables_.size(); ++k)
      series_[1 + k][c][draws_ + d] = observables_[k]->measure(state);
  });
  chains_.record(pairs_.size(), [&](std::size_t p) {
    const auto [a, b] = pairs_[p];
    for (std::size_t d = draws_; d < draws_ + draws; ++d)
      series_.back()[p][d] = overlap(states_[a][d], states_[b][d]);
  });
  draws_ += draws;
  all_draws_ += draws;
  moves_ += draws * thin_;
  if (thin_ < many) return;
  timed_moves_ += draws * thin_;
  timed_seconds_ += seconds() - before;
}

void Trial::add_lags(std::vector<std::vector<Variogram>>& to,
                     std::span<const std::size_t> lags) const {
  const auto spacing = static_cast<double>(thin_);
  for (std::size_t k = 0; k < series_.size(); ++k)
    for (std::size_t c = 0; c < series_[k].size(); ++c)
      to[k][c].add(std::span(series_[k][c]).first(draws_), lags, spacing);
  for (std::size_t c = 0; c < chains_.size(); ++c)
    to.back()[c].add(std::span(states_[c]).first(draws_), lags, spacing);
}

StateMoments Trial::segment_moments() const {
  StateMoments result(2 + observables_.size(), chains_.size(), factory_->model().sites());
  for (std::size_t k = 0; k < series_.size(); ++k)
    for (std::size_t c = 0; c < series_[k].size(); ++c) {
      ChainMoments& moments = result.scalars[k][c];
      moments.weight = static_cast<double>(draws_);
      for (std::size_t d = 0; d < draws_; ++d) {
        moments.first += series_[k][c][d];
        moments.second += series_[k][c][d] * series_[k][c][d];
      }
    }
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    result.weight[c] = static_cast<double>(draws_);
    std::vector<const PackedBits*> states;
    for (std::size_t d = 0; d < draws_; ++d) states.push_back(&states_[c][d]);
    std::vector<std::uint32_t> counts(counted_sites);
    const std::size_t sites = result.ones[c].size();
    for (std::size_t first = 0; first < sites; first += counted_sites) {
      const std::size_t size = std::min(counted_sites, sites - first);
      count_sites(states, first, size, counts.data());
      for (std::size_t k = 0; k < size; ++k) result.ones[c][first + k] = counts[k];
    }
  }
  return result;
}

/// Every quantity, within an eighth of the segment, as far as all chains of the segment know.
bool Trial::forgotten() const {
  constexpr std::array<std::size_t, 1> lags = {segment / 8};
  constexpr double little = 0.1;
  std::vector<std::vector<Variogram>> now;
  for (const std::vector<Variogram>& known : variograms_) now.emplace_back(known.size());
  add_lags(now, lags);
  const std::vector<double> variances = segment_moments().overall();
  for (std::size_t k = 0; k < now.size(); ++k) {
    Variogram all;
    for (const Variogram& one : now[k]) all += one;
    if (variances[k] > 0 && 1 - all.entries().front().half_square() / variances[k] > little)
      return false;
  }
  return true;
}

void Trial::take_segment() {
  if (!resolved_ && !forgotten()) return halve_segment();
  resolved_ = true;
  count_segment();
}

void Trial::halve_segment() {
  constexpr std::array<std::size_t, 5> first = {1, 2, 3, 4, 6};
  add_lags(variograms_, std::span(first).subspan(thin_ == 1 ? 0 : 3));
  draws_ = segment / 2;
  for (std::size_t d = 0; d < draws_; ++d) {
    for (std::vector<PackedBits>& states : states_) std::swap(states[d], states[2 * d + 1]);
    for (std::vector<std::vector<double>>& scalar : series_)
      for (std::vector<double>& series : scalar) series[d] = series[2 * d + 1];
  }
  thin_ *= 2;
}

void Trial::count_segment() {
  constexpr std::array<std::size_t, 10> lags = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
  add_lags(variograms_, std::span(lags).subspan(thin_ == 1 ? 0 : 3));
  moments_.add(segment_moments(), static_cast<double>(draws_));
  ++segments_;
  draws_ = 0;
}

void Trial::finish() {
  if (draws_ > segment / 8) count_segment();
  draws_ = 0;
}

}  // namespace nhot
