// The loops of a block of replicas, in the widths they come in. Included like replica_step.inl,
// which it includes.
#include "nhot/chain/replica_step.inl"

using Word = std::uint64_t;

// --- 512 replicas

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

/// Masks that are counted together. A multiple of 7 and of 8 below 64.
constexpr std::size_t count_room = 56;

template <class W>
NHOT_ALWAYS_INLINE W& counted(WordLine& line) {
  return *reinterpret_cast<W*>(line.word.data());
}

/// counts += the ones of `number` <= count_room masks. Masks after those are overwritten.
template <class W>
void add_masks(W (&masks)[count_room], std::size_t number, SlicedCounts& counts) {
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

/// Pair after pair, each uniform among all pairs.
template <class Kind, unsigned Digits, class W>
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

/// Draws pairs until eight do not touch each other; when too many touch, only the first is kept.
/// Nothing of this looks at the states. True when there are eight.
template <unsigned Degree>
bool draw_batch(const ReplicaTerms& terms, std::uint8_t* marks, RandomDraws& draws,
                PairBatch& batch) {
  constexpr unsigned most_refused = 32;
  std::uint32_t size = 0;
  for (unsigned refused = 0; size < PairBatch::most && refused < most_refused;) {
    const auto [i, j] = draw_sites(draws, terms.sites);
    const Site* row_i = terms.neighbours + std::size_t{Degree} * i;
    const Site* row_j = terms.neighbours + std::size_t{Degree} * j;
    unsigned touched = marks[i] | marks[j];
    for (unsigned k = 0; k < Degree; ++k) {
      touched |= marks[row_i[k]];
      touched |= marks[row_j[k]];
      touched |= row_i[k] == j ? 1U : 0U;
    }
    if (touched != 0) [[unlikely]] {
      ++refused;
      if (size > 0) continue;
      batch.i[0] = i;  // a coupled pair comes alone
      batch.j[0] = j;
      return false;
    }
    marks[i] = 1;
    marks[j] = 1;
    batch.i[size] = i;
    batch.j[size] = j;
    ++size;
  }
  for (std::uint32_t k = 0; k < size; ++k) {
    marks[batch.i[k]] = 0;
    marks[batch.j[k]] = 0;
  }
  return size == PairBatch::most;
}

template <class Vector>
NHOT_ALWAYS_INLINE void rotate_elements(Vector& v) {
  if constexpr (sizeof(Vector) == 64) v = __builtin_shufflevector(v, v, 1, 2, 3, 4, 5, 6, 7, 0);
}

/// Element k becomes element k + 1, and the last one the first.
NHOT_ALWAYS_INLINE void rotate_by_one(Wide& words) {
  if constexpr (Wide::parts == 1) {
    rotate_elements(words.part[0]);
  } else {
    Word line[9];
    std::memcpy(line, &words, sizeof(Wide));
    line[8] = line[0];
    std::memcpy(&words, line + 1, sizeof(Wide));
  }
}

/// The eight pairs of a batch in the elements of vectors. The neighbours of their sites do not
/// change while the batch lasts, so the sums over them are formed once.
template <class Kind>
class BatchWords {
 public:
  NHOT_ALWAYS_INLINE BatchWords(const ReplicaTerms& terms, const Word* u, const PairBatch& batch)
      : flip_(all_if(Kind::one_sign && terms.all_negative)) {
    gather(terms, u, batch.i.data(), own_i_, sum_i_);
    gather(terms, u, batch.j.data(), own_j_, sum_j_);
  }

  /// Decides the round: dE = sum_j - sum_i where the bit of j is 0, and the opposite where it is 1.
  NHOT_ALWAYS_INLINE void decide(Coins& coins, Wide& unlike, Wide& accepted) const {
    unlike = own_i_ ^ own_j_;
    Wide size[digits];
    Wide negative = Wide{};
#pragma GCC unroll 4
    for (unsigned p = 0; p < digits; ++p) {
      const Wide half = sum_j_[p] ^ sum_i_[p];
      size[p] = half ^ negative;
      negative = (~sum_j_[p] & sum_i_[p]) | (~half & negative);
    }
    Wide carry = negative;
#pragma GCC unroll 4
    for (unsigned p = 0; p < digits; ++p) half_add(size[p] ^ negative, carry, size[p], carry);
    Wide level[std::size_t{1} << digits];
    one_hot<digits>(size, unlike, level);
    Wide heads;
    coins(level, std::integral_constant<unsigned, Kind::degree + 1>{}, unlike, heads);
    accepted = (heads ^ negative ^ own_j_ ^ flip_) & unlike;
  }

  NHOT_ALWAYS_INLINE void make(const Wide& accepted) {
    own_i_ ^= accepted;
    own_j_ ^= accepted;
  }

  NHOT_ALWAYS_INLINE void next_round() {
    rotate_by_one(own_j_);
#pragma GCC unroll 4
    for (unsigned p = 0; p < digits; ++p) rotate_by_one(sum_j_[p]);
  }

  NHOT_ALWAYS_INLINE void write(Word* u, const PairBatch& batch) const {
    Word i[PairBatch::most];
    Word j[PairBatch::most];
    std::memcpy(i, &own_i_, sizeof(Wide));
    std::memcpy(j, &own_j_, sizeof(Wide));
    for (std::uint32_t k = 0; k < PairBatch::most; ++k) {
      u[batch.i[k]] = i[k];
      u[batch.j[k]] = j[k];
    }
  }

 private:
  static constexpr unsigned digits = digits_of(Kind::degree);

  NHOT_ALWAYS_INLINE static void gather(const ReplicaTerms& terms, const Word* u, const Site* sites,
                                        Wide& own, Wide (&sum)[digits]) {
    constexpr unsigned degree = Kind::degree;
    alignas(64) Word line[degree + 1][PairBatch::most];
    for (std::uint32_t e = 0; e < PairBatch::most; ++e) {
      const std::size_t row = std::size_t{degree} * sites[e];
      line[degree][e] = u[sites[e]];
#pragma GCC unroll 8
      for (unsigned k = 0; k < degree; ++k) {
        Word word = u[terms.neighbours[row + k]];
        if constexpr (!Kind::one_sign) word ^= terms.negative[row + k];
        line[k][e] = word;
      }
    }
    Wide words[degree];
#pragma GCC unroll 8
    for (unsigned k = 0; k < degree; ++k) std::memcpy(&words[k], line[k], sizeof(Wide));
    std::memcpy(&own, line[degree], sizeof(Wide));
    count_ones<0>(words, sum);
  }

  Word flip_;
  Wide own_i_;
  Wide own_j_;
  Wide sum_i_[digits];
  Wide sum_j_[digits];
};

/// One word per site, in batches. Where a call ends within a batch, the next one goes on there.
template <class Kind>
class BatchLoop {
 public:
  explicit BatchLoop(ReplicaData& data)
      : data_(data),
        terms_(data.terms),
        u_(reinterpret_cast<Word*>(data.states.data())),
        batch_(data.batch) {}

  void run(std::uint64_t moves) {
    RandomDraws draws(data_.pairs);
    {
      Generators generators(data_.coins);
      Coins coins(generators, *data_.table);
      moves -= make_decided(moves);
      while (moves > 0) {
        if (batch_.rounds_left == 0) {
          if (draw_batch<Kind::degree>(terms_, data_.marks.data(), draws, batch_)) {
            batch_.rounds_left = PairBatch::rounds;
          } else {
            decide_single(coins);
            moves -= make_decided(moves);
            continue;
          }
        }
        moves -= run_rounds(moves, coins);
      }
    }
    data_.pairs = draws.engine();
    count();
    data_.last.word[0] = last_;
  }

 private:
  /// Decides and makes rounds while the batch and the moves last. Returns the moves made.
  NHOT_ALWAYS_INLINE std::uint64_t run_rounds(std::uint64_t moves, Coins& coins) {
    constexpr std::uint32_t most = PairBatch::most;
    BatchWords<Kind> words(terms_, u_, batch_);
    std::uint64_t made = 0;
    std::uint32_t turned = 0;
    for (; batch_.rounds_left > 0 && moves - made >= most; --batch_.rounds_left) {
      if (number_ + most > count_room) count();
      Wide unlike;
      Wide accepted;
      words.decide(coins, unlike, accepted);
      words.make(accepted);
      words.next_round();
      std::memcpy(unlike_ + number_, &unlike, sizeof(Wide));
      std::memcpy(accepted_ + number_, &accepted, sizeof(Wide));
      number_ += most;
      made += most;
      ++turned;
    }
    if (made > 0) last_ = accepted_[number_ - 1];
    turn(turned);
    words.write(u_, batch_);
    if (batch_.rounds_left == 0 || made == moves) return made;
    Wide unlike;
    Wide accepted;
    words.decide(coins, unlike, accepted);
    std::memcpy(batch_.unlike.data(), &unlike, sizeof(Wide));
    std::memcpy(batch_.accepted.data(), &accepted, sizeof(Wide));
    batch_.size = most;
    batch_.made = 0;
    --batch_.rounds_left;
    return made + make_decided(moves - made);
  }

  void decide_single(Coins& coins) {
    const Site i = batch_.i[0];
    const Site j = batch_.j[0];
    batch_.unlike[0] = u_[i] ^ u_[j];
    batch_.size = 1;
    batch_.made = 0;
    coins.rarely([&](auto& other) {
      redraw<3>(AnyCouplings{}, terms_, u_, i, j, batch_.unlike[0], other, batch_.accepted[0]);
    });
  }

  /// Makes what is left of a decided round, at most `moves`. Returns the moves made.
  std::uint64_t make_decided(std::uint64_t moves) {
    std::uint64_t made = 0;
    for (; batch_.made < batch_.size && made < moves; ++batch_.made, ++made) {
      if (number_ == count_room) count();
      last_ = batch_.accepted[batch_.made];
      u_[batch_.i[batch_.made]] ^= last_;
      u_[batch_.j[batch_.made]] ^= last_;
      unlike_[number_] = batch_.unlike[batch_.made];
      accepted_[number_] = last_;
      ++number_;
    }
    if (batch_.made == batch_.size) {
      if (batch_.size == PairBatch::most) turn(1);
      batch_.size = 0;
      batch_.made = 0;
    }
    return made;
  }

  /// The j of the round after `rounds` rounds.
  void turn(std::uint32_t rounds) {
    const std::array<Site, PairBatch::most> old = batch_.j;
    for (std::uint32_t k = 0; k < PairBatch::most; ++k)
      batch_.j[k] = old[(k + rounds) % PairBatch::most];
  }

  void count() {
    add_masks(unlike_, number_, data_.attempted);
    add_masks(accepted_, number_, data_.accepted);
    number_ = 0;
  }

  ReplicaData& data_;
  const ReplicaTerms terms_;
  Word* u_;
  PairBatch& batch_;
  std::size_t number_ = 0;
  Word last_ = 0;
  Word unlike_[count_room];
  Word accepted_[count_room];
};

template <class W, class Kind>
void advance_unit(ReplicaData& data, std::uint64_t moves) {
  constexpr Site sites_for_batches = 24 * (Kind::degree + 1);  // in fewer, eight pairs rarely fit
  if constexpr (!std::is_same_v<W, Word>)
    advance_words<Kind, 3, W>(data, moves);
  else if (data.terms.sites < sites_for_batches)
    advance_words<AnyCouplings, 3, W>(data, moves);
  else
    BatchLoop<Kind>(data).run(moves);
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
