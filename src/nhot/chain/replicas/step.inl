// One move of a block of replicas, on words W that hold one site in many replicas: 64 (an integer)
// or 512 (a vector). Included inside a namespace, once per instruction set, after data.hpp,
// draws.hpp and inline.hpp; the including file sets the target.
//
// A move picks two sites, the same for all replicas, and in every replica where they are unlike
// redraws them from their conditional law: exchanged with probability 1 / (1 + exp(beta dE)).
//
// NOLINTBEGIN(misc-definitions-in-headers)

// --- adders

template <class W>
NHOT_ALWAYS_INLINE void full_add(const W& a, const W& b, const W& c, W& sum, W& carry) {
  const W half = a ^ b;
  const W out = (a & b) | (half & c);
  sum = half ^ c;
  carry = out;
}

template <class W>
NHOT_ALWAYS_INLINE void half_add(const W& a, const W& b, W& sum, W& carry) {
  const W out = a & b;
  sum = a ^ b;
  carry = out;
}

/// The number of ones among `Count` words, in every replica: planes[First], planes[First + 1], ...
template <unsigned First, std::size_t Count, std::size_t Planes, class W>
NHOT_ALWAYS_INLINE void count_ones(const W (&in)[Count], W (&planes)[Planes]) {
  static_assert(First < Planes);
  W sum = in[0];
  if constexpr (Count > 1) {
    W carries[Count / 2];
    NHOT_UNROLL(8)
    for (std::size_t k = 1; k + 1 < Count; k += 2)
      full_add(sum, in[k], in[k + 1], sum, carries[k / 2]);
    if constexpr (Count % 2 == 0) half_add(sum, in[Count - 1], sum, carries[Count / 2 - 1]);
    planes[First] = sum;
    count_ones<First + 1>(carries, planes);
  } else {
    planes[First] = sum;
    NHOT_UNROLL(8)
    for (std::size_t p = First + 1; p < Planes; ++p) planes[p] = sum ^ sum;
  }
}

/// planes += weight where `word` is set. The sum must fit.
template <std::size_t Planes, class W>
NHOT_ALWAYS_INLINE void add_weighted(W (&planes)[Planes], unsigned weight, const W& word) {
  for (unsigned bit = 0; (weight >> bit) != 0; ++bit) {
    if (((weight >> bit) & 1) == 0) continue;
    W carry = word;
    for (std::size_t p = bit; p < Planes; ++p) half_add(planes[p], carry, planes[p], carry);
  }
}

/// planes becomes |planes - constant|, and `negative` is set where that was less than 0.
template <std::size_t Planes, class W>
NHOT_ALWAYS_INLINE void subtract(W (&planes)[Planes], unsigned constant, W& negative) {
  W borrow = planes[0] ^ planes[0];
  NHOT_UNROLL(8)
  for (std::size_t p = 0; p < Planes; ++p) {
    const W digit = planes[p];
    if ((constant >> p) & 1) {
      planes[p] = ~(digit ^ borrow);
      borrow = ~digit | borrow;
    } else {
      planes[p] = digit ^ borrow;
      borrow = ~digit & borrow;
    }
  }
  negative = borrow;
  W carry = borrow;
  NHOT_UNROLL(8)
  for (std::size_t p = 0; p < Planes; ++p) half_add(planes[p] ^ negative, carry, planes[p], carry);
}

/// level[v] is set where the planes hold v and `among` is set.
template <unsigned Digits, std::size_t Planes, std::size_t Room, class W>
NHOT_ALWAYS_INLINE void one_hot(const W (&planes)[Planes], const W& among, W (&level)[Room]) {
  static_assert(Digits <= Planes && (std::size_t{1} << Digits) <= Room);
  level[0] = among;
  NHOT_UNROLL(8)
  for (unsigned p = 0; p < Digits; ++p) {
    const std::size_t power = std::size_t{1} << p;
    NHOT_UNROLL(64)
    for (std::size_t v = 0; v < power; ++v) {
      const W below = level[v];
      level[v + power] = below & planes[p];
      level[v] = below & ~planes[p];
    }
  }
}

// --- the exchange of two sites

constexpr unsigned digits_of(unsigned number) {
  unsigned digits = 0;
  for (; number != 0; number >>= 1) ++digits;
  return digits;
}

/// All ones or all zeros.
NHOT_ALWAYS_INLINE constexpr std::uint64_t all_if(bool wanted) {
  return std::uint64_t{0} - std::uint64_t{wanted};
}

/// Decides in the replicas of `unlike`: an exchange costs dE = +-v where the planes hold v, with
/// the sign in `negative`. coins(level, levels, among, heads) sets `heads` in every replica of
/// `among` by an independent coin of the probability of the replica's level.
template <unsigned Digits, std::size_t Planes, class W, class Coins, class Levels>
NHOT_ALWAYS_INLINE void decide_levels(const W (&planes)[Planes], const W& negative, Levels levels,
                                      const W& unlike, Coins& coins, W& accepted) {
  W level[std::size_t{1} << Digits];
  one_hot<Digits>(planes, unlike, level);
  W heads;
  coins(level, levels, unlike, heads);
  accepted = (heads ^ negative) & unlike;
}

/// Redraws sites i and j where they are unlike, for any couplings and fields.
template <unsigned Digits, class W, class Coins>
NHOT_ALWAYS_INLINE void redraw(const ReplicaTerms& terms, const W* u, Site i, Site j,
                               const W& unlike, Coins& coins, W& accepted) {
  const W s = u[j];
  W planes[Digits + 1] = {};
  unsigned twice = 0;       // C + |R|
  std::int32_t mutual = 0;  // Q_ij
  const auto add_row = [&](Site site, Site other, bool own_sign) {
    for (std::uint32_t k = terms.row_begin[site]; k < terms.row_begin[site + std::size_t{1}]; ++k) {
      const ReplicaCoupling& c = terms.couplings[k];
      if (c.site == other) mutual = c.weight;
      const auto weight = static_cast<unsigned>(c.weight < 0 ? -c.weight : c.weight);
      add_weighted(planes, weight, W(u[c.site] ^ s ^ all_if((c.weight < 0) == own_sign)));
      twice += weight;
    }
  };
  add_row(j, i, true);
  add_row(i, j, false);
  const std::int32_t field = terms.doubled_field[j] - terms.doubled_field[i];
  if (field != 0) {
    const auto weight = static_cast<unsigned>(field < 0 ? -field : field);
    add_weighted(planes, weight, W(s ^ all_if(field > 0)));
    twice += weight;
  }
  W negative;
  subtract(planes, static_cast<unsigned>(static_cast<std::int32_t>(twice / 2) + mutual), negative);
  decide_levels<Digits>(planes, negative, terms.levels + 1, unlike, coins, accepted);
}

/// One move: sites i and j of every replica. Sets where they were unlike and where they changed.
template <unsigned Digits, class W, class Coins>
NHOT_ALWAYS_INLINE void exchange_pair(const ReplicaTerms& terms, W* u, Site i, Site j, Coins& coins,
                                      W& unlike, W& accepted) {
  unlike = u[i] ^ u[j];
  redraw<Digits>(terms, u, i, j, unlike, coins, accepted);
  u[i] ^= accepted;
  u[j] ^= accepted;
}

/// A uniform ordered pair of different sites; there are at least two.
template <DrawSource Draws>
NHOT_ALWAYS_INLINE std::pair<Site, Site> draw_sites(Draws& draws, Site sites) {
  const auto [i, rest] = draw_pair(draws, sites, sites - 1);
  return {i, rest + (rest >= i ? 1U : 0U)};
}

// NOLINTEND(misc-definitions-in-headers)
