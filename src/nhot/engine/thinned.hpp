// Engine `thinned`: selection by rejection among the sites of a side.
#pragma once

#include "nhot/engine/rejection.hpp"
#include "nhot/state/sides.hpp"

namespace nhot {

/// The sites of a side, in lists.
class ListedCandidates {
 public:
  static constexpr bool one_side = true;
  static constexpr bool marks_rows = false;

  void build(const Shell& shell, const Bits& u) { lists_.build(shell, u); }
  void flipped(Group g, Site i, Bit now) { lists_.flipped(g, i, now); }
  Site size(Side side) const { return lists_.size(side); }
  const Site* of(Side side) const { return lists_.begin(side); }

  class Cursor {
   public:
    explicit Cursor(ListedCandidates& own) : lists_(own.lists_) {}
    NHOT_ALWAYS_INLINE Site size(Side side) const { return lists_.size(side); }
    NHOT_ALWAYS_INLINE const Site* of(Side side) const { return lists_.begin(side); }
    NHOT_ALWAYS_INLINE void flipped(Site i, Bit now) { lists_.flipped(i, now); }
    void finish() const { lists_.finish(); }

   private:
    SideLists::Cursor lists_;
  };

  void save(ByteWriter& out) const { lists_.save(out); }
  void restore(ByteReader& in) { lists_.restore(in); }

 private:
  SideLists lists_;
};

/// A selection takes largest / mean weight tries. Best where weights are of similar size (high
/// temperature).
template <class Kernel>
class ThinnedEngine : public RejectionEngine<Kernel, ListedCandidates> {
 public:
  static constexpr const char* name = "thinned";
  using RejectionEngine<Kernel, ListedCandidates>::RejectionEngine;
};

}  // namespace nhot
