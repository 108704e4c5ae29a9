// The sites that a walk has flipped.
#pragma once

#include <vector>

#include "nhot/base/inline.hpp"
#include "nhot/base/types.hpp"

namespace nhot {

/// The sites of a walk in order; like a vector, with a push that the hot loop can inline.
class FlipPath {
 public:
  void clear() { size_ = 0; }
  NHOT_ALWAYS_INLINE void push(Site i) {
    if (size_ == room_.size()) [[unlikely]]
      room_.resize(2 * size_ + 64);
    room_[size_++] = i;
  }
  /// Where a new path begins, with room for so many sites; end_at() says how far it was used.
  Site* room_for(std::size_t sites) {
    size_ = 0;
    if (room_.size() < sites) room_.resize(sites);
    return room_.data();
  }
  void end_at(const Site* next) { size_ = static_cast<std::size_t>(next - room_.data()); }
  template <class Wanted>
  void keep_if(Wanted&& wanted) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      const Site i = room_[k];
      room_[kept] = i;
      kept += wanted(i);
    }
    size_ = kept;
  }
  void assign(const std::vector<Site>& sites) {
    room_ = sites;
    size_ = sites.size();
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Site operator[](std::size_t k) const { return room_[k]; }
  const Site* begin() const { return room_.data(); }
  const Site* end() const { return room_.data() + size_; }
  operator std::vector<Site>() const {  // NOLINT: a path is a list of sites
    return {begin(), end()};
  }

 private:
  std::vector<Site> room_;
  std::size_t size_ = 0;
};

}  // namespace nhot
