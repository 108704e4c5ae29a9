// Counting ones in every replica at once. Included after replica_step.inl.

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
