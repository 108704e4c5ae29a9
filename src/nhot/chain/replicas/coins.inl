// The coins that decide exchanges: independent for every replica, of few probabilities. Included
// after replica_words.inl.

/// Eight generators in vector registers for as long as a loop runs.
class Generators {
 public:
  explicit Generators(WideXoshiro& home) : home_(home) { load(); }
  ~Generators() { store(); }
  Generators(const Generators&) = delete;
  Generators& operator=(const Generators&) = delete;

  /// The state of the generators. Who draws many numbers takes a copy, which the compiler keeps in
  /// registers, and gives it back.
  struct State {
    Wide part[4];

    /// The step of Xoshiro256, eight times.
    NHOT_ALWAYS_INLINE Wide next() {
      const Wide result = rotated(part[0] + part[3], 23) + part[0];
      const Wide kept = shifted(part[1], 17);
      const Wide second = part[2] ^ part[0];
      const Wide third = part[3] ^ part[1];
      part[1] ^= second;
      part[0] ^= third;
      part[2] = second ^ kept;
      part[3] = rotated(third, 45);
      return result;
    }
  };

  NHOT_ALWAYS_INLINE void load() {
    for (std::size_t p = 0; p < 4; ++p)
      std::memcpy(&state.part[p], home_.part[p].data(), sizeof(Wide));
  }
  NHOT_ALWAYS_INLINE void store() const {
    for (std::size_t p = 0; p < 4; ++p)
      std::memcpy(home_.part[p].data(), &state.part[p], sizeof(Wide));
  }
  WideXoshiro& home() const { return home_; }

  State state;

 private:
  WideXoshiro& home_;
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
    NHOT_UNROLL(2)
    for (std::size_t k = 0; k < Parts / 2; ++k) {
      half[k] = differs[k] | differs[k + Parts / 2];
      first[k] = first_of(differs[k], digits[k], digits[k + Parts / 2]);
    }
    return fold(half, first);
  }
}

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
      NHOT_UNROLL(8)
      for (unsigned l = 0; l < number; ++l) threshold |= Wide::at(digits[l]) & level[l];
      const Wide differs = generators_.state.next() ^ threshold;
      const FirstDifference first = fold(differs.part, threshold.part);
      heads |= open & first.decided & first.digit;
      open &= ~first.decided;
    } while (open != 0 && ++group < HeatBathTable::digits / 8);
  }

  /// 512 replicas: one place at a time. After as many places as there are bits in 512 a replica is
  /// left on average, so that nobody asks before.
  template <std::size_t Room, class Levels>
  NHOT_ALWAYS_INLINE void operator()(const Wide (&level)[Room], Levels levels, const Wide& among,
                                     Wide& heads) {
    Generators::State state = generators_.state;
    Wide below = {};
    Wide open = among;
    const auto compare = [&](std::size_t place) NHOT_INLINE_LAMBDA {
      const Wide random = state.next();
      const Wide threshold = threshold_at(level, levels, place);
      below |= open & threshold & ~random;
      open &= ~(random ^ threshold);
    };
    NHOT_UNROLL(16)
    for (std::size_t place = 0; place < HeatBathTable::unchecked; ++place) compare(place);
    for (std::size_t place = HeatBathTable::unchecked; place < HeatBathTable::digits && any(open);
         ++place)
      compare(place);
    heads = below;
    generators_.state = state;
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
  /// The digit at a place of every replica's threshold, of many levels.
  template <std::size_t Room>
  NHOT_ALWAYS_INLINE Wide threshold_at(const Wide (&level)[Room], unsigned,
                                       std::size_t place) const {
    Wide threshold = {};
    const HeatBathTable::Ones& ones = table_.ones(place);
    for (std::uint32_t k = 0; k < ones.number; ++k) threshold |= level[ones.level[k]];
    return threshold;
  }

  /// The same of at most seven levels, without a branch. What it says of replicas that take no
  /// part is of no account.
  template <std::size_t Room, unsigned Levels>
  NHOT_ALWAYS_INLINE Wide threshold_at(const Wide (&level)[Room],
                                       std::integral_constant<unsigned, Levels>,
                                       std::size_t place) const {
    static_assert(Levels + 1 == Room && Levels <= 2 * HeatBathTable::few_levels + 1);
    const HeatBathTable::Few& few = table_.few(place);
    Wide threshold = level[few.level[0]] | level[few.level[1]];
    if constexpr (Levels > 5) threshold |= level[few.level[2]];
    return threshold ^ few.flip;
  }

  template <class Use>
  [[gnu::noinline]] static void apart(WideXoshiro& home, const HeatBathTable& table, Use& use) {
    Generators generators(home);
    Coins coins(generators, table);
    use(coins);
  }

  Generators& generators_;
  const HeatBathTable& table_;
};
