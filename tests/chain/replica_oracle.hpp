// The loops of engine bits done the slow way: one replica after the other, energies from scratch,
// random numbers digit by digit, from the same streams.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "nhot/chain/replicas/data.hpp"
#include "nhot/model/model.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot::test {

class ReplicaOracle {
 public:
  ReplicaOracle(const Model& model, const Shell& shell, const HeatBathTable& table, double unit,
                std::vector<Bits> u, bool wide, bool batches, bool all_negative,
                const Xoshiro256& pairs, const WideXoshiro& coins)
      : model_(model),
        shell_(shell),
        table_(table),
        unit_(unit),
        u_(std::move(u)),
        steps(u_.size(), 0),
        accepted(u_.size(), 0),
        wide_(wide),
        batches_(batches),
        pairs_(pairs),
        flip_zero_(all_negative) {
    for (std::size_t k = 0; k < 8; ++k) coins_.push_back(coins.stream(k));
  }

  const Bits& u(std::size_t replica) const { return u_[replica]; }

  void advance(std::uint64_t moves) {
    while (moves > 0) {
      if (queue_.empty()) decide();
      const Move& move = queue_.front();
      for (std::size_t r = 0; r < u_.size(); ++r) {
        steps[r] += move.unlike[r];
        accepted[r] += move.taken[r];
        if (!move.taken[r]) continue;
        u_[r][move.i] ^= 1;
        u_[r][move.j] ^= 1;
      }
      queue_.erase(queue_.begin());
      --moves;
    }
  }

 private:
  struct Move {
    Site i = 0;
    Site j = 0;
    std::vector<bool> unlike, taken;
  };
  /// One uniform number to be compared with a threshold, digit by digit.
  struct Comparison {
    std::uint64_t threshold;
    bool open;
    bool below = false;
    void digit(std::size_t place, bool random) {
      const bool own = (threshold >> (63 - place)) & 1;
      if (!open || random == own) return;
      open = false;
      below = own;
    }
  };

  std::pair<Site, Site> draw() {
    const auto [i, rest] = pairs_.below_pair(shell_.sites(), shell_.sites() - 1);
    return {i, rest < i ? rest : rest + 1};
  }

  bool touches(Site i, Site j) const {
    if (i == j) return true;
    const auto row = model_.quadratic()->row(i).sites;
    return std::find(row.begin(), row.end(), j) != row.end();
  }

  /// Heads mean an exchange when it costs something, and none when it gains something. At no cost
  /// the coin is fair, and what heads mean is a convention.
  Move look(Site i, Site j, std::vector<Comparison>& numbers, std::vector<bool>& stay, bool batch) {
    Move move{i, j, {}, {}};
    for (const Bits& u : u_) {
      Bits changed = u;
      changed[i] ^= 1;
      changed[j] ^= 1;
      const double cost =
          (model_.energy(shell_.relative(changed)) - model_.energy(shell_.relative(u))) / unit_;
      const bool unlike = u[i] != u[j];
      const long long level = unlike ? std::llround(cost) : 0;
      move.unlike.push_back(unlike);
      numbers.push_back({table_.threshold(static_cast<std::size_t>(std::abs(level))), unlike});
      stay.push_back(level != 0 ? level < 0 : batch && (u[j] != 0) != flip_zero_);
    }
    return move;
  }

  void decide() {
    if (batches_ && !rounds_left_ && draw_batch()) rounds_left_ = PairBatch::rounds;
    if (batches_ && rounds_left_)
      decide_round();
    else
      decide_one(batches_ ? batch_.front() : draw());
  }

  void decide_one(std::pair<Site, Site> pair) {
    std::vector<Comparison> numbers;
    std::vector<bool> stay;
    Move move = look(pair.first, pair.second, numbers, stay, false);
    for (std::size_t place = 0; place < 64; place += wide_ ? 1 : 8) {
      const bool open = std::any_of(numbers.begin(), numbers.end(), [](auto& n) { return n.open; });
      if (!open && place >= (wide_ ? HeatBathTable::unchecked : 1U)) break;
      std::vector<std::uint64_t> words;
      for (Xoshiro256& stream : coins_) words.push_back(stream());
      for (std::size_t r = 0; r < u_.size(); ++r) {
        if (wide_) {
          numbers[r].digit(place, (words[r / 64] >> (r % 64)) & 1);
        } else {
          static constexpr std::size_t element[8] = {0, 4, 2, 6, 1, 5, 3, 7};
          for (std::size_t p = 0; p < 8; ++p)
            numbers[r].digit(place + p, (words[element[p]] >> r) & 1);
        }
      }
    }
    for (std::size_t r = 0; r < u_.size(); ++r)
      move.taken.push_back(move.unlike[r] && numbers[r].below != stay[r]);
    queue_.push_back(std::move(move));
  }

  /// In a batch, a replica's word is element k of the vectors.
  void decide_round() {
    --rounds_left_;
    std::vector<std::vector<Comparison>> numbers(8);
    std::vector<std::vector<bool>> stay(8);
    std::vector<Move> moves;
    for (std::size_t k = 0; k < 8; ++k)
      moves.push_back(look(batch_[k].first, batch_[k].second, numbers[k], stay[k], true));
    for (std::size_t place = 0; place < 64; ++place) {
      bool open = false;
      for (const auto& list : numbers)
        for (const Comparison& n : list) open = open || n.open;
      if (!open && place >= HeatBathTable::unchecked) break;
      for (std::size_t k = 0; k < 8; ++k) {
        const std::uint64_t word = coins_[k]();
        for (std::size_t r = 0; r < u_.size(); ++r) numbers[k][r].digit(place, (word >> r) & 1);
      }
    }
    for (std::size_t k = 0; k < 8; ++k) {
      for (std::size_t r = 0; r < u_.size(); ++r)
        moves[k].taken.push_back(moves[k].unlike[r] && numbers[k][r].below != stay[k][r]);
      queue_.push_back(std::move(moves[k]));
    }
    const Site first = batch_[0].second;
    for (std::size_t k = 0; k < 7; ++k) batch_[k].second = batch_[k + 1].second;
    batch_[7].second = first;
  }

  bool draw_batch() {
    batch_.clear();
    for (unsigned refused = 0; batch_.size() < 8 && refused < 32;) {
      const auto [i, j] = draw();
      bool bad = touches(i, j);
      for (const auto& [a, b] : batch_)
        bad = bad || touches(i, a) || touches(i, b) || touches(j, a) || touches(j, b);
      if (!bad) {
        batch_.push_back({i, j});
        continue;
      }
      ++refused;
      if (batch_.empty()) {
        batch_.push_back({i, j});
        return false;
      }
    }
    return batch_.size() == 8;
  }

  const Model& model_;
  const Shell& shell_;
  const HeatBathTable& table_;
  double unit_;
  std::vector<Bits> u_;

 public:
  std::vector<std::uint64_t> steps;
  std::vector<std::uint64_t> accepted;

 private:
  bool wide_;
  bool batches_;
  RandomDraws pairs_;
  std::vector<Xoshiro256> coins_;
  std::vector<Move> queue_;
  std::vector<std::pair<Site, Site>> batch_;
  std::uint32_t rounds_left_ = 0;
  bool flip_zero_;
};

}  // namespace nhot::test
