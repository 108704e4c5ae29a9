// The loops of a block of replicas, with everything they need. Included inside a namespace, once
// per SIMD path, after data.hpp, draws.hpp, inline.hpp, <cstring> and <type_traits>,
// and after Native, a vector type of the machine. The parts need each other in this order.
// clang-format off
#include "nhot/chain/replicas/words.inl"
#include "nhot/chain/replicas/step.inl"
#include "nhot/chain/replicas/coins.inl"
#include "nhot/chain/replicas/count.inl"
#include "nhot/chain/replicas/batch.inl"
// clang-format on

/// Pair after pair, each uniform among all pairs.
template <unsigned Digits, class W>
void advance_words(ReplicaData& data, std::uint64_t moves) {
  W* u = reinterpret_cast<W*>(data.states.data());
  const ReplicaTerms terms = data.terms;
  RandomDraws draws(data.pairs);
  {
    Generators generators(data.coins);
    Coins coins(generators, *data.table);
    std::pair<Site, Site> pairs[count_room];
    W unlike[count_room];
    W accepted[count_room];
    while (moves > 0) {
      const std::size_t number = moves < count_room ? static_cast<std::size_t>(moves) : count_room;
      for (std::size_t k = 0; k < number; ++k) pairs[k] = draw_sites(draws, terms.sites);
      for (std::size_t k = 0; k < number; ++k)
        exchange_pair<Digits>(terms, u, pairs[k].first, pairs[k].second, coins, unlike[k],
                              accepted[k]);
      counted<W>(data.last) = accepted[number - 1];
      add_masks(unlike, number, data.attempted);
      add_masks(accepted, number, data.accepted);
      moves -= number;
    }
  }
  data.pairs = draws.engine();
}

template <class W>
void advance_any(ReplicaData& data, std::uint64_t moves) {
  if (data.terms.levels < 8)
    advance_words<3, W>(data, moves);
  else if (data.terms.levels < 16)
    advance_words<4, W>(data, moves);
  else
    advance_words<6, W>(data, moves);
}

template <unsigned Degree>
void advance_unit(ReplicaData& data, std::uint64_t moves) {
  if (data.terms.sites < 24 * (Degree + 1))  // eight pairs would rarely fit
    advance_any<Word>(data, moves);
  else if (data.terms.one_sign)
    BatchLoop<UnitCouplings<Degree, true>>(data).run(moves);
  else
    BatchLoop<UnitCouplings<Degree, false>>(data).run(moves);
}

inline void advance_replicas(ReplicaData& data, std::uint64_t moves) {
  if (moves == 0) return;
  if (data.words > 1)
    advance_any<Wide>(data, moves);
  else if (data.terms.degree == 4)
    advance_unit<4>(data, moves);
  else if (data.terms.degree == 6)
    advance_unit<6>(data, moves);
  else
    advance_any<Word>(data, moves);
}

template <class W>
void count_pairs_of(const ReplicaData& data, const std::array<Site, 2>* pairs, std::size_t number,
                    SlicedCounts& counts) {
  const W* u = reinterpret_cast<const W*>(data.states.data());
  W masks[count_room];
  for (std::size_t begin = 0; begin < number; begin += count_room) {
    const std::size_t size = number - begin < count_room ? number - begin : count_room;
    for (std::size_t k = 0; k < size; ++k)
      masks[k] = u[pairs[begin + k][0]] & u[pairs[begin + k][1]];
    add_masks(masks, size, counts);
  }
}

inline void count_pairs(const ReplicaData& data, const std::array<Site, 2>* pairs,
                        std::size_t number, SlicedCounts& counts) {
  if (data.words == 1)
    count_pairs_of<Word>(data, pairs, number, counts);
  else
    count_pairs_of<Wide>(data, pairs, number, counts);
}
