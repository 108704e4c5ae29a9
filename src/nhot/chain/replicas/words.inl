// The words of a block: 64 replicas in an integer, 512 in the vectors of the machine. Native is a
// vector type that the including file defines before. Included like step.inl.

using Word = std::uint64_t;

/// Eight words in as many vectors of the machine as they need. Native is a vector type that the
/// including file defines.
struct alignas(64) Wide {
  static constexpr std::size_t parts = 64 / sizeof(Native);
  Native part[parts];

  NHOT_ALWAYS_INLINE static const Wide& at(const WordLine& line) {
    return *reinterpret_cast<const Wide*>(&line);
  }
};

#define NHOT_WIDE_OPERATOR(op)                                                                    \
  NHOT_ALWAYS_INLINE Wide operator op(const Wide& a, const Wide& b) {                             \
    Wide result;                                                                                  \
    NHOT_UNROLL(4)                                                                                \
    for (std::size_t k = 0; k < Wide::parts; ++k) result.part[k] = a.part[k] op b.part[k];        \
    return result;                                                                                \
  }                                                                                               \
  NHOT_ALWAYS_INLINE Wide operator op(const Wide& a, Word b) {                                    \
    Wide result;                                                                                  \
    NHOT_UNROLL(4) for (std::size_t k = 0; k < Wide::parts; ++k) result.part[k] = a.part[k] op b; \
    return result;                                                                                \
  }                                                                                               \
  NHOT_ALWAYS_INLINE Wide& operator op##=(Wide& a, const Wide& b) { return a = a op b; }          \
  NHOT_ALWAYS_INLINE Wide& operator op##=(Wide& a, Word b) { return a = a op b; }
NHOT_WIDE_OPERATOR(&)
NHOT_WIDE_OPERATOR(|)
NHOT_WIDE_OPERATOR(^)
NHOT_WIDE_OPERATOR(+)
#undef NHOT_WIDE_OPERATOR

NHOT_ALWAYS_INLINE Wide operator~(const Wide& a) { return a ^ ~Word{0}; }

NHOT_ALWAYS_INLINE Wide rotated(const Wide& a, int left) {
  Wide result;
  NHOT_UNROLL(4)
  for (std::size_t k = 0; k < Wide::parts; ++k)
    result.part[k] = (a.part[k] << left) | (a.part[k] >> (64 - left));
  return result;
}

NHOT_ALWAYS_INLINE Wide shifted(const Wide& a, int left) {
  Wide result;
  NHOT_UNROLL(4)
  for (std::size_t k = 0; k < Wide::parts; ++k) result.part[k] = a.part[k] << left;
  return result;
}

/// Whether any bit is set.
NHOT_ALWAYS_INLINE bool any(const Wide& words) {
  Native all = words.part[0];
  NHOT_UNROLL(4)
  for (std::size_t k = 1; k < Wide::parts; ++k) all |= words.part[k];
#if defined(HWY_TARGET) && (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3)
  const hwy::HWY_NAMESPACE::FixedTag<Word, sizeof(Native) / sizeof(Word)> lanes;
  const auto loaded = hwy::HWY_NAMESPACE::LoadU(lanes, reinterpret_cast<const Word*>(&all));
  return !hwy::HWY_NAMESPACE::AllTrue(
      lanes, hwy::HWY_NAMESPACE::Eq(loaded, hwy::HWY_NAMESPACE::Zero(lanes)));
#else
  return (all[0] | all[1]) != 0;
#endif
}
