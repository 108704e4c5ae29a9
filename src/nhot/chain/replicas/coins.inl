// The coins that decide exchanges: independent for every replica, of few probabilities. Included
// after replica_words.inl.

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
    NHOT_UNROLL(2)
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
      NHOT_UNROLL(8)
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
      NHOT_UNROLL(8)
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
