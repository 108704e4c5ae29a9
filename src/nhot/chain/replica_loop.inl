// The loops of a block of replicas, in the widths they come in. Included like replica_step.inl,
// which it includes.
#include "nhot/chain/replica_step.inl"

using Word = std::uint64_t;

// --- 512 replicas
// ---------------------------------------------------------------------------------

/// Eight words in as many vectors of the machine as they need. Native is a vector type that the
/// including file defines.
struct alignas(64) Wide {
  static constexpr std::size_t parts = 64 / sizeof(Native);
  Native part[parts];

  NHOT_ALWAYS_INLINE static const Wide& at(const WordLine& line) {
    return *reinterpret_cast<const Wide*>(&line);
  }
};

#define NHOT_WIDE_OPERATOR(op)                                                             \
  NHOT_ALWAYS_INLINE Wide operator op(const Wide& a, const Wide& b) {                      \
    Wide result;                                                                           \
    _Pragma("GCC unroll 4") for (std::size_t k = 0; k < Wide::parts; ++k) result.part[k] = \
        a.part[k] op b.part[k];                                                            \
    return result;                                                                         \
  }                                                                                        \
  NHOT_ALWAYS_INLINE Wide operator op(const Wide& a, Word b) {                             \
    Wide result;                                                                           \
    _Pragma("GCC unroll 4") for (std::size_t k = 0; k < Wide::parts; ++k) result.part[k] = \
        a.part[k] op b;                                                                    \
    return result;                                                                         \
  }                                                                                        \
  NHOT_ALWAYS_INLINE Wide& operator op##=(Wide& a, const Wide& b) { return a = a op b; }   \
  NHOT_ALWAYS_INLINE Wide& operator op##=(Wide& a, Word b) { return a = a op b; }
NHOT_WIDE_OPERATOR(&)
NHOT_WIDE_OPERATOR(|)
NHOT_WIDE_OPERATOR(^)
NHOT_WIDE_OPERATOR(+)
#undef NHOT_WIDE_OPERATOR

NHOT_ALWAYS_INLINE Wide operator~(const Wide& a) { return a ^ ~Word{0}; }

NHOT_ALWAYS_INLINE Wide rotated(const Wide& a, int left) {
  Wide result;
#pragma GCC unroll 4
  for (std::size_t k = 0; k < Wide::parts; ++k)
    result.part[k] = (a.part[k] << left) | (a.part[k] >> (64 - left));
  return result;
}

NHOT_ALWAYS_INLINE Wide shifted(const Wide& a, int left) {
  Wide result;
#pragma GCC unroll 4
  for (std::size_t k = 0; k < Wide::parts; ++k) result.part[k] = a.part[k] << left;
  return result;
}

// --- coins
// ----------------------------------------------------------------------------------------

/// Eight generators in vector registers for as long as a loop runs.
class Generators {
 public:
  explicit Generators(WideXoshiro& home) : home_(home) { load(); }
  ~Generators() { store(); }
  Generators(const Generators&) = delete;
  Generators& operator=(const Generators&) = delete;

  NHOT_ALWAYS_INLINE void load() {
    for (std::size_t p = 0; p < 4; ++p) std::memcpy(&part_[p], home_.part[p].data(), sizeof(Wide));
  }
  NHOT_ALWAYS_INLINE void store() const {
    for (std::size_t p = 0; p < 4; ++p) std::memcpy(home_.part[p].data(), &part_[p], sizeof(Wide));
  }
  WideXoshiro& home() const { return home_; }

  /// The step of Xoshiro256, eight times.
  NHOT_ALWAYS_INLINE Wide next() {
    const Wide result = rotated(part_[0] + part_[3], 23) + part_[0];
    const Wide kept = shifted(part_[1], 17);
    part_[2] ^= part_[0];
    part_[3] ^= part_[1];
    part_[1] ^= part_[2];
    part_[0] ^= part_[3];
    part_[2] ^= kept;
    part_[3] = rotated(part_[3], 45);
    return result;
  }

 private:
  WideXoshiro& home_;
  Wide part_[4];
};

/// What eight places of a comparison say: where the numbers differ at some place, and the digit of
/// the threshold at the first such place. `digits` and `differs` hold the places in the order of
/// place_of_element, so that halves fold onto each other.
struct FirstDifference {
  Word decided;
  Word digit;
};

template <class Vector>
NHOT_ALWAYS_INLINE Vector first_of(const Vector& differs, const Vector& digit,
                                   const Vector& later) {
  return (differs & digit) | (~differs & later);
}

/// Two, four or eight places in one vector.
template <class Vector>
NHOT_ALWAYS_INLINE FirstDifference fold(const Vector& differs, const Vector& digits) {
  if constexpr (sizeof(Vector) == 16) {
    return {differs[0] | differs[1], first_of<Word>(differs[0], digits[0], digits[1])};
  } else if constexpr (sizeof(Vector) == 32) {
    const auto d = __builtin_shufflevector(differs, differs, 0, 1);
    const auto e = __builtin_shufflevector(differs, differs, 2, 3);
    const auto t = __builtin_shufflevector(digits, digits, 0, 1);
    const auto v = __builtin_shufflevector(digits, digits, 2, 3);
    return fold(d | e, first_of(d, t, v));
  } else {
    const auto d = __builtin_shufflevector(differs, differs, 0, 1, 2, 3);
    const auto e = __builtin_shufflevector(differs, differs, 4, 5, 6, 7);
    const auto t = __builtin_shufflevector(digits, digits, 0, 1, 2, 3);
    const auto v = __builtin_shufflevector(digits, digits, 4, 5, 6, 7);
    return fold(d | e, first_of(d, t, v));
  }
}

/// Eight places in some vectors.
template <std::size_t Parts, class Vector>
NHOT_ALWAYS_INLINE FirstDifference fold(const Vector (&differs)[Parts],
                                        const Vector (&digits)[Parts]) {
  if constexpr (Parts == 1) {
    return fold(differs[0], digits[0]);
  } else {
    Vector half[Parts / 2];
    Vector first[Parts / 2];
#pragma GCC unroll 2
    for (std::size_t k = 0; k < Parts / 2; ++k) {
      half[k] = differs[k] | differs[k + Parts / 2];
      first[k] = first_of(differs[k], digits[k], digits[k + Parts / 2]);
    }
    return fold(half, first);
  }
}

NHOT_ALWAYS_INLINE bool any(const Wide& words) { return fold(words.part, words.part).decided != 0; }

/// A coin is heads when a uniform number of 64 random binary digits is below the threshold of the
/// replica's level. Digits are compared from the first on, until the numbers differ in every
/// replica that matters; every replica has digits of its own.
class Coins {
 public:
  Coins(Generators& generators, const HeatBathTable& table)
      : generators_(generators), table_(table) {}

  /// 64 replicas: eight places at a time, in the elements of a vector.
  template <std::size_t Room, class Levels>
  NHOT_ALWAYS_INLINE void operator()(const Word (&level)[Room], Levels levels, const Word& among,
                                     Word& heads) {
    const unsigned number = levels;
    heads = 0;
    Word open = among;
    std::size_t group = 0;
    do {
      const WordLine* digits = table_.group(group);
      Wide threshold = {};
#pragma GCC unroll 8
      for (unsigned l = 0; l < number; ++l) threshold |= Wide::at(digits[l]) & level[l];
      const Wide differs = generators_.next() ^ threshold;
      const FirstDifference first = fold(differs.part, threshold.part);
      heads |= open & first.decided & first.digit;
      open &= ~first.decided;
    } while (open != 0 && ++group < HeatBathTable::digits / 8);
  }

  /// 512 replicas: one place at a time.
  template <std::size_t Room, class Levels>
  NHOT_ALWAYS_INLINE void operator()(const Wide (&level)[Room], Levels levels, const Wide& among,
                                     Wide& heads) {
    const unsigned number = levels;
    heads = Wide{};
    Wide open = among;
    for (std::size_t place = 0; place < HeatBathTable::digits; ++place) {
      if (place >= 8 && !any(open)) break;
      const Wide random = generators_.next();
      const std::uint64_t* digit = table_.digit(place);
      Wide threshold = {};
#pragma GCC unroll 8
      for (unsigned l = 0; l < number; ++l) threshold |= level[l] & digit[l];
      heads |= open & threshold & ~random;
      open &= ~(random ^ threshold);
    }
  }

  /// use(coins) for what is rare: out of line, so that the generators can stay in registers
  /// elsewhere.
  template <class Use>
  NHOT_ALWAYS_INLINE void rarely(Use&& use) {
    generators_.store();
    apart(generators_.home(), table_, use);
    generators_.load();
  }

 private:
  template <class Use>
  [[gnu::noinline]] static void apart(WideXoshiro& home, const HeatBathTable& table, Use& use) {
    Generators generators(home);
    Coins coins(generators, table);
    use(coins);
  }

  Generators& generators_;
  const HeatBathTable& table_;
};

// --- counting
// -------------------------------------------------------------------------------------

/// Masks that are counted together. A multiple of 7 below 64.
constexpr std::size_t batch = 56;

template <class W>
NHOT_ALWAYS_INLINE W& counted(WordLine& line) {
  return *reinterpret_cast<W*>(line.word.data());
}

/// counts += the ones of `number` <= batch masks. Masks after those are overwritten.
template <class W>
void add_masks(W (&masks)[batch], std::size_t number, SlicedCounts& counts) {
  for (; number % 7 != 0; ++number) masks[number] = W{};
  W planes[6] = {};
  for (std::size_t k = 0; k < number; k += 7) {
    const W seven[7] = {masks[k],     masks[k + 1], masks[k + 2], masks[k + 3],
                        masks[k + 4], masks[k + 5], masks[k + 6]};
    W sum[3];
    count_ones<0>(seven, sum);
    W carry;
    half_add(planes[0], sum[0], planes[0], carry);
    full_add(planes[1], sum[1], carry, planes[1], carry);
    full_add(planes[2], sum[2], carry, planes[2], carry);
#pragma GCC unroll 3
    for (std::size_t p = 3; p < 6; ++p) half_add(planes[p], carry, planes[p], carry);
  }
  W carry = {};
  for (std::size_t p = 0; p < count_planes; ++p) {
    W& total = counted<W>(counts.plane[p]);
    if (p < 6)
      full_add(W(total), planes[p], carry, total, carry);
    else
      half_add(W(total), carry, total, carry);
  }
}

// --- the loops
// ------------------------------------------------------------------------------------

template <class Kind, unsigned Digits, class W>
void advance_words(ReplicaData& data, std::uint64_t moves) {
  W* u = reinterpret_cast<W*>(data.states.data());
  const ReplicaTerms terms = data.terms;
  RandomDraws draws(data.pairs);
  {
    Generators generators(data.coins);
    Coins coins(generators, *data.table);
    std::pair<Site, Site> pairs[batch];
    W unlike[batch];
    W accepted[batch];
    while (moves > 0) {
      const std::size_t number = moves < batch ? static_cast<std::size_t>(moves) : batch;
      for (std::size_t k = 0; k < number; ++k) pairs[k] = draw_sites(draws, terms.sites);
      for (std::size_t k = 0; k < number; ++k)
        exchange_pair<Kind, Digits>(terms, u, pairs[k].first, pairs[k].second, coins, unlike[k],
                                    accepted[k]);
      counted<W>(data.last) = accepted[number - 1];
      add_masks(unlike, number, data.attempted);
      add_masks(accepted, number, data.accepted);
      moves -= number;
    }
  }
  data.pairs = draws.engine();
}

/// Draws some pairs that do not touch each other and decides them in the elements of vectors. Pairs
/// are uniform, but one that touches an earlier one is drawn again, or ends the batch when that
/// happens too often: none of this looks at the states. Two pairs touch when a site of one is a
/// site of the other or coupled to it; else their exchanges commute. Coupled pairs come alone.
template <class Kind>
NHOT_ALWAYS_INLINE void decide_batch(const ReplicaTerms& terms, const Word* u, std::uint8_t* marks,
                                     RandomDraws& draws, Coins& coins, DecidedMoves& decided) {
  constexpr unsigned degree = Kind::degree;
  constexpr std::uint32_t most = DecidedMoves::most;
  constexpr unsigned most_refused = 4;
  alignas(64) Word of_i[degree][most];
  alignas(64) Word of_j[degree][most];
  alignas(64) Word side[most];
  std::uint32_t size = 0;
  unsigned refused = 0;
  decided.made = 0;
  while (size < most) {
    const auto sites = draw_sites(draws, terms.sites);
    const Site i = sites.first;
    const Site j = sites.second;
    const Site* row_i = terms.neighbours + std::size_t{degree} * i;
    const Site* row_j = terms.neighbours + std::size_t{degree} * j;
    unsigned touched = marks[i] | marks[j];
    unsigned coupled = 0;
#pragma GCC unroll 8
    for (unsigned k = 0; k < degree; ++k) {
      touched |= marks[row_i[k]] | marks[row_j[k]];
      coupled |= row_i[k] == j ? 1U : 0U;
    }
    if ((touched | coupled) != 0) [[unlikely]] {
      if (size == 0) {
        decided.size = 1;
        decided.i[0] = i;
        decided.j[0] = j;
        decided.unlike[0] = u[i] ^ u[j];
        coins.rarely([&](auto& other) {
          redraw<3>(AnyCouplings{}, terms, u, i, j, decided.unlike[0], other, decided.accepted[0]);
        });
        return;
      }
      if (++refused == most_refused) break;
      continue;
    }
    marks[i] = 1;
    marks[j] = 1;
    decided.i[size] = i;
    decided.j[size] = j;
    decided.unlike[size] = u[i] ^ u[j];
    side[size] = u[j];
#pragma GCC unroll 8
    for (unsigned k = 0; k < degree; ++k) {
      Word word_i = u[row_i[k]];
      Word word_j = u[row_j[k]];
      if constexpr (!Kind::one_sign) {
        word_i ^= terms.negative[std::size_t{degree} * i + k];
        word_j ^= terms.negative[std::size_t{degree} * j + k];
      }
      of_i[k][size] = word_i;
      of_j[k][size] = word_j;
    }
    ++size;
  }
  decided.size = size;
  for (std::uint32_t k = 0; k < size; ++k) {
    marks[decided.i[k]] = 0;
    marks[decided.j[k]] = 0;
  }
  for (; size < most; ++size) {  // nothing to decide there
    decided.unlike[size] = 0;
    side[size] = 0;
    for (unsigned k = 0; k < degree; ++k) of_i[k][size] = of_j[k][size] = 0;
  }
  Wide words_i[degree];
  Wide words_j[degree];
#pragma GCC unroll 8
  for (unsigned k = 0; k < degree; ++k) {
    std::memcpy(&words_i[k], of_i[k], sizeof(Wide));
    std::memcpy(&words_j[k], of_j[k], sizeof(Wide));
  }
  Wide s;
  Wide unlike;
  Wide accepted;
  std::memcpy(&s, side, sizeof(Wide));
  std::memcpy(&unlike, decided.unlike.data(), sizeof(Wide));
  if constexpr (Kind::one_sign) s ^= all_if(terms.all_negative);
  redraw_apart(words_i, words_j, s, unlike, coins, accepted);
  std::memcpy(decided.accepted.data(), &accepted, sizeof(Wide));
}

/// One word per site, batch by batch. Where a call ends within a batch, the next one goes on there.
template <class Kind>
void advance_batches(ReplicaData& data, std::uint64_t moves) {
  Word* u = reinterpret_cast<Word*>(data.states.data());
  const ReplicaTerms terms = data.terms;
  std::uint8_t* marks = data.marks.data();
  DecidedMoves decided = data.decided;
  RandomDraws draws(data.pairs);
  {
    Generators generators(data.coins);
    Coins coins(generators, *data.table);
    Word unlike[batch];
    Word accepted[batch];
    std::size_t number = 0;
    Word last = 0;
    while (moves > 0) {
      if (decided.made == decided.size) decide_batch<Kind>(terms, u, marks, draws, coins, decided);
      const std::uint32_t left = decided.size - decided.made;
      const std::uint32_t now = moves < left ? static_cast<std::uint32_t>(moves) : left;
      for (std::uint32_t k = 0; k < now; ++k) {
        const std::uint32_t m = decided.made + k;
        last = decided.accepted[m];
        u[decided.i[m]] ^= last;
        u[decided.j[m]] ^= last;
        unlike[number] = decided.unlike[m];
        accepted[number] = last;
        ++number;
      }
      decided.made += now;
      moves -= now;
      if (moves == 0 || number + DecidedMoves::most > batch) {
        add_masks(unlike, number, data.attempted);
        add_masks(accepted, number, data.accepted);
        number = 0;
      }
    }
    data.last.word[0] = last;
  }
  data.decided = decided;
  data.pairs = draws.engine();
}

template <class W, class Kind>
void advance_unit(ReplicaData& data, std::uint64_t moves) {
  if constexpr (std::is_same_v<W, Word>)
    advance_batches<Kind>(data, moves);
  else
    advance_words<Kind, 3, W>(data, moves);
}

template <class W>
void advance_kind(ReplicaData& data, std::uint64_t moves) {
  const ReplicaTerms& terms = data.terms;
  if (terms.degree == 4 && terms.one_sign)
    advance_unit<W, UnitCouplings<4, true>>(data, moves);
  else if (terms.degree == 4)
    advance_unit<W, UnitCouplings<4, false>>(data, moves);
  else if (terms.degree == 6 && terms.one_sign)
    advance_unit<W, UnitCouplings<6, true>>(data, moves);
  else if (terms.degree == 6)
    advance_unit<W, UnitCouplings<6, false>>(data, moves);
  else if (terms.levels < 8)
    advance_words<AnyCouplings, 3, W>(data, moves);
  else if (terms.levels < 16)
    advance_words<AnyCouplings, 4, W>(data, moves);
  else
    advance_words<AnyCouplings, 6, W>(data, moves);
}

inline void advance_replicas(ReplicaData& data, std::uint64_t moves) {
  if (moves == 0) return;
  if (data.words == 1)
    advance_kind<Word>(data, moves);
  else
    advance_kind<Wide>(data, moves);
}

template <class W>
void count_pairs_of(const ReplicaData& data, const std::array<Site, 2>* pairs, std::size_t number,
                    SlicedCounts& counts) {
  const W* u = reinterpret_cast<const W*>(data.states.data());
  W masks[batch];
  for (std::size_t begin = 0; begin < number; begin += batch) {
    const std::size_t size = number - begin < batch ? number - begin : batch;
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
