// Engine `compact`: selection by rejection among all sites.
#pragma once

#include "nhot/engine/rejection.hpp"

namespace nhot {

/// All sites: nothing to store.
class AllCandidates {
 public:
  static constexpr bool one_side = false;
  static constexpr bool marks_rows = true;

  void build(const Shell&, const Bits& u) { sites_ = static_cast<Site>(u.size()); }
  void flipped(Group, Site, Bit) {}
  Site size(Side) const { return sites_; }
  /// Candidate k is site k.
  struct Sites {
    NHOT_ALWAYS_INLINE Site operator[](std::uint64_t k) const { return static_cast<Site>(k); }
  };
  Sites of(Side) const { return {}; }

  class Cursor {
   public:
    explicit Cursor(const AllCandidates& own) : sites_(own.sites_) {}
    NHOT_ALWAYS_INLINE Site size(Side) const { return sites_; }
    NHOT_ALWAYS_INLINE Sites of(Side) const { return {}; }
    NHOT_ALWAYS_INLINE void flipped(Site, Bit) const {}
    void finish() const {}

   private:
    Site sites_;
  };

  void save(ByteWriter&) const {}
  void restore(ByteReader&) const {}

 private:
  Site sites_ = 0;
};

/// Takes more tries than `thinned`, by the share of the side among all sites, but a try reads one
/// byte at an address that depends on no state, and a flip changes the bytes of the site and of its
/// neighbours and nothing else. Best beyond the caches: no lists, no places of sites in them, and
/// candidates are prefetched (LookaheadDraws).
template <class Kernel>
class CompactEngine : public RejectionEngine<Kernel, AllCandidates> {
 public:
  static constexpr const char* name = "compact";
  /// Selections draw among all sites, so that draws to come tell which sites they will read.
  static constexpr bool looks_ahead = true;
  using RejectionEngine<Kernel, AllCandidates>::RejectionEngine;
};

}  // namespace nhot
