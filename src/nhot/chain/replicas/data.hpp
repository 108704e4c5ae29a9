// The state of a block of replicas as plain data, and the loops that advance it: one set of loops
// per instruction set, all with the same results to the bit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "nhot/base/simd_path.hpp"
#include "nhot/chain/replicas/model.hpp"
#include "nhot/random/wide_xoshiro.hpp"

namespace nhot {

/// Words of 64 replicas in a wide block.
inline constexpr std::size_t wide_words = 8;

/// Moves between the points at which sliced counts are added to the counters of the replicas.
inline constexpr std::uint64_t max_replica_moves = std::uint64_t{1} << 22;
inline constexpr std::size_t count_planes = 23;

/// A cache line of words.
struct alignas(64) WordLine {
  std::array<std::uint64_t, 8> word{};
};

/// The acceptance of the heat bath: an exchange that costs dE = +-level units is made with
/// probability p and 1 - p, p = 1 / (1 + exp(beta unit level)), kept as its first 64 binary digits.
/// A comparison digit by digit needs the digits of all levels at one place.
class HeatBathTable {
 public:
  static constexpr std::size_t levels = max_replica_levels + 1;
  static constexpr std::size_t digits = 64;
  /// Places that 512 replicas compare without asking whether all comparisons are settled.
  static constexpr std::size_t unchecked = 11;

  /// The levels up to `highest` whose digit at a place is 1.
  struct Ones {
    std::uint32_t number = 0;
    std::array<std::uint8_t, levels> level{};
  };

  /// The same of levels 0 to 6 at most, as the levels whose digit is the rarer one: `flip` is all
  /// ones where that is 0. Of l levels at most l / 2 are named; what is left names level 7, where
  /// no replica is.
  static constexpr std::size_t few_levels = 3;
  struct Few {
    std::uint64_t flip = 0;
    std::array<std::uint32_t, few_levels> level{};
  };

  /// No comparison by places (ones) meets a level above `highest`.
  void set(double beta, double unit, std::size_t highest);

  std::uint64_t threshold(std::size_t level) const { return threshold_[level]; }
  /// Place 0 is the half.
  const Ones& ones(std::size_t place) const { return ones_[place]; }
  const Few& few(std::size_t place) const { return few_[place]; }
  /// Eight places at once, places 8 group .. 8 group + 7 in the order that halving a vector three
  /// times brings back together: 0, 4, 2, 6, 1, 5, 3, 7 stand at elements 0, 1, 2, ... of the rank.
  const WordLine* group(std::size_t group) const { return group_[group].data(); }

 private:
  std::array<std::uint64_t, levels> threshold_{};
  std::array<Ones, digits> ones_{};
  std::array<Few, digits> few_{};
  std::array<std::array<WordLine, levels>, digits / 8> group_{};
};

/// Place within a group that element k of a vector stands for: k with its three bits reversed.
constexpr std::size_t place_of_element(std::size_t k) {
  return ((k & 1) << 2) | (k & 2) | ((k & 4) >> 2);
}

/// Counts of set bits, sliced: plane p of word w holds bit p of the counts of its 64 replicas.
struct SlicedCounts {
  std::array<WordLine, count_planes> plane{};
};

/// Eight pairs of sites that do not touch each other (no site is coupled to another), tried in
/// rounds: in round r every i meets the j that is r places further. The moves of a round commute,
/// so they are decided together and may be made one by one. Or a single pair.
struct PairBatch {
  static constexpr std::uint32_t most = 8;
  static constexpr std::uint32_t rounds = 8;

  std::uint32_t rounds_left = 0;  // to be decided, after the present one
  std::uint32_t size = 0;         // moves of the present round
  std::uint32_t made = 0;         // of those, made
  std::uint32_t padding = 0;      // archives hold no stray bytes
  std::array<Site, most> i{};
  std::array<Site, most> j{};  // in the order of the present round
  std::array<std::uint64_t, most> unlike{};
  std::array<std::uint64_t, most> accepted{};
};

struct ReplicaData {
  ReplicaTerms terms;
  const HeatBathTable* table = nullptr;
  std::size_t words = 1;            // 64-replica words per site: 1 or wide_words
  std::vector<WordLine> states;     // word w of site i is number i * words + w
  Xoshiro256 pairs{{1, 0, 0, 0}};   // draws the sites that all replicas try
  WideXoshiro coins;                // decides, for every replica on its own
  PairBatch batch;                  // for blocks of one word
  std::vector<std::uint8_t> marks;  // of sites, all 0 between the calls of a loop
  SlicedCounts attempted;           // unlike pairs met since the counts were cleared
  SlicedCounts accepted;
  WordLine last;  // replicas that accepted the latest move

  std::uint64_t* word(Site i) { return states.data()->word.data() + std::size_t{i} * words; }
  const std::uint64_t* word(Site i) const {
    return states.data()->word.data() + std::size_t{i} * words;
  }
};

/// The loops compiled for one SIMD path.
struct ReplicaLoops {
  SimdPath path;
  /// Tries `moves` pairs, at most max_replica_moves.
  void (*advance)(ReplicaData& data, std::uint64_t moves);
  /// Adds to `counts` the number of pairs whose sites are both 1, in every replica.
  void (*count_pairs)(const ReplicaData& data, const std::array<Site, 2>* pairs, std::size_t number,
                      SlicedCounts& counts);
};

/// InputError when the path is not there.
ReplicaLoops replica_loops(SimdPath path);

}  // namespace nhot
