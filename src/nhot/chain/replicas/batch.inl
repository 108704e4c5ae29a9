// Eight pairs of sites at a time, for blocks of 64 replicas: one pair in each element of the
// vectors. Included after the other parts.

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

/// The elements of `a` from the second on, and the first of `b`.
template <class Vector>
NHOT_ALWAYS_INLINE Vector shifted_elements(const Vector& a, const Vector& b) {
  if constexpr (sizeof(Vector) == 64)
    return __builtin_shufflevector(a, b, 1, 2, 3, 4, 5, 6, 7, 8);
  else if constexpr (sizeof(Vector) == 32)
    return __builtin_shufflevector(a, b, 1, 2, 3, 4);
  else
    return __builtin_shufflevector(a, b, 1, 2);
}

/// Element k + 1 becomes element k, and the first one the last.
NHOT_ALWAYS_INLINE void rotate_by_one(Wide& words) {
  const Wide old = words;
  NHOT_UNROLL(4)
  for (std::size_t k = 0; k < Wide::parts; ++k)
    words.part[k] = shifted_elements(old.part[k], old.part[(k + 1) % Wide::parts]);
}

/// `Degree` couplings of +-1 at every site and no field; OneSign: all +1 or all -1.
template <unsigned Degree, bool OneSign>
struct UnitCouplings {
  static constexpr unsigned degree = Degree;
  static constexpr bool one_sign = OneSign;
};

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
  template <class AnyCoins>
  NHOT_ALWAYS_INLINE void decide(AnyCoins& coins, Wide& unlike, Wide& accepted) const {
    unlike = own_i_ ^ own_j_;
    Wide size[digits];
    Wide negative = Wide{};
    NHOT_UNROLL(4)
    for (unsigned p = 0; p < digits; ++p) {
      const Wide half = sum_j_[p] ^ sum_i_[p];
      size[p] = half ^ negative;
      negative = (~sum_j_[p] & sum_i_[p]) | (~half & negative);
    }
    Wide carry = negative;
    NHOT_UNROLL(4)
    for (unsigned p = 0; p < digits; ++p) half_add(size[p] ^ negative, carry, size[p], carry);
    const Wide gains = negative ^ own_j_ ^ flip_;
    Wide level[Kind::degree + 2];
    find_levels(size, level);
    Wide heads;
    coins(level, std::integral_constant<unsigned, Kind::degree + 1>{}, unlike, heads);
    accepted = (heads ^ gains) & unlike;
  }

  NHOT_ALWAYS_INLINE void make(const Wide& accepted) {
    own_i_ ^= accepted;
    own_j_ ^= accepted;
  }

  NHOT_ALWAYS_INLINE void next_round() {
    rotate_by_one(own_j_);
    NHOT_UNROLL(4)
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

  /// level[v] is set where the digits hold v, which is never more than the degree: the last one
  /// is nobody's.
  NHOT_ALWAYS_INLINE static void find_levels(const Wide (&size)[digits],
                                             Wide (&level)[Kind::degree + 2]) {
    static_assert(Kind::degree == 4 || Kind::degree == 6);
    const Wide& one = size[0];
    const Wide& two = size[1];
    const Wide& four = size[2];
    level[0] = ~(one | two | four);
    level[3] = one & two;
    if constexpr (Kind::degree == 4) {
      level[1] = one & ~two;
      level[2] = two & ~one;
      level[4] = four;
    } else {
      level[1] = one & ~(two | four);
      level[2] = two & ~(one | four);
      level[4] = four & ~(one | two);
      level[5] = four & one;
      level[6] = four & two;
    }
    level[Kind::degree + 1] = Wide{};
  }

  NHOT_ALWAYS_INLINE static void gather(const ReplicaTerms& terms, const Word* u, const Site* sites,
                                        Wide& own, Wide (&sum)[digits]) {
    constexpr unsigned degree = Kind::degree;
    alignas(64) Word line[degree + 1][PairBatch::most];
    for (std::uint32_t e = 0; e < PairBatch::most; ++e) {
      const std::size_t row = std::size_t{degree} * sites[e];
      line[degree][e] = u[sites[e]];
      NHOT_UNROLL(8)
      for (unsigned k = 0; k < degree; ++k) {
        Word word = u[terms.neighbours[row + k]];
        if constexpr (!Kind::one_sign) word ^= terms.negative[row + k];
        line[k][e] = word;
      }
    }
    Wide words[degree];
    NHOT_UNROLL(8)
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
    count_rounds();
    data_.last.word[0] = last_;
  }

 private:
  /// Decides and makes rounds while the batch and the moves last. Returns the moves made.
  NHOT_ALWAYS_INLINE std::uint64_t run_rounds(std::uint64_t moves, Coins& coins) {
    constexpr std::uint32_t most = PairBatch::most;
    static_assert(PairBatch::rounds == RoundCounts::rounds);
    BatchWords<Kind> words(terms_, u_, batch_);
    Wide met[PairBatch::rounds];
    Wide changed[PairBatch::rounds];
    std::uint64_t made = 0;
    std::uint32_t rounds_done = 0;
    for (; batch_.rounds_left > 0 && moves - made >= most; --batch_.rounds_left) {
      words.decide(coins, met[rounds_done], changed[rounds_done]);
      words.make(changed[rounds_done]);
      words.next_round();
      made += most;
      ++rounds_done;
    }
    if (made > 0) {
      Word last[most];
      std::memcpy(last, &changed[rounds_done - 1], sizeof(Wide));
      last_ = last[most - 1];
      for (std::uint32_t r = rounds_done; r < PairBatch::rounds; ++r) met[r] = changed[r] = Wide{};
      rounds_met_.add(met);
      rounds_changed_.add(changed);
      if (rounds_met_.full()) [[unlikely]]
        count_rounds();
    }
    rotate(rounds_done);
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
      redraw<3>(terms_, u_, i, j, batch_.unlike[0], other, batch_.accepted[0]);
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
      if (batch_.size == PairBatch::most) rotate(1);
      batch_.size = 0;
      batch_.made = 0;
    }
    return made;
  }

  /// The j of the round after `rounds` rounds.
  void rotate(std::uint32_t rounds) {
    const std::array<Site, PairBatch::most> old = batch_.j;
    for (std::uint32_t k = 0; k < PairBatch::most; ++k)
      batch_.j[k] = old[(k + rounds) % PairBatch::most];
  }

  void count() {
    add_masks(unlike_, number_, data_.attempted);
    add_masks(accepted_, number_, data_.accepted);
    number_ = 0;
  }
  void count_rounds() {
    rounds_met_.move_to(data_.attempted);
    rounds_changed_.move_to(data_.accepted);
  }

  ReplicaData& data_;
  const ReplicaTerms terms_;
  Word* u_;
  PairBatch& batch_;
  std::size_t number_ = 0;
  Word last_ = 0;
  Word unlike_[count_room];
  Word accepted_[count_room];
  RoundCounts rounds_met_;
  RoundCounts rounds_changed_;
};
