// Counting ones in every replica at once. Included after step.inl.

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
    NHOT_UNROLL(3)
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

/// Ones of the masks of whole rounds, eight pairs side by side: counted in every element of vectors
/// first, and together with the others only now and then.
class RoundCounts {
 public:
  static constexpr std::size_t rounds = 8;

  /// Rounds that were not made hold zeros.
  NHOT_ALWAYS_INLINE void add(const Wide (&masks)[rounds]) {
    Wide sum[4];
    count_ones<0>(masks, sum);
    Wide carry;
    half_add(planes_[0], sum[0], planes_[0], carry);
    NHOT_UNROLL(3)
    for (std::size_t p = 1; p < 4; ++p) full_add(planes_[p], sum[p], carry, planes_[p], carry);
    NHOT_UNROLL(8)
    for (std::size_t p = 4; p < room; ++p) half_add(planes_[p], carry, planes_[p], carry);
    full_ = ++added_ == most;
  }
  bool full() const { return full_; }

  /// Moves everything to the counts of words.
  void move_to(SlicedCounts& counts) {
    for (std::size_t p = 0; p < room; ++p) {
      Word words[PairBatch::most];
      std::memcpy(words, &planes_[p], sizeof(Wide));
      for (const Word word : words) {
        Word carry = word;
        for (std::size_t q = p; carry != 0 && q < count_planes; ++q) {
          Word& total = counted<Word>(counts.plane[q]);
          half_add(Word{total}, carry, total, carry);
        }
      }
      planes_[p] = Wide{};
    }
    added_ = 0;
    full_ = false;
  }

 private:
  static constexpr std::size_t room = 10;
  static constexpr std::size_t most = ((std::size_t{1} << room) - 1) / rounds;

  Wide planes_[room] = {};
  std::size_t added_ = 0;
  bool full_ = false;
};
