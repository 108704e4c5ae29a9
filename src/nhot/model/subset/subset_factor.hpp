// The span of a chosen subset of vectors, with what adding or removing any vector does to its
// volume, and to the distance of one more vector (a response) from it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/types.hpp"
#include "nhot/model/subset/gram.hpp"

namespace nhot {

/// What a flip or a pair of flips does.
struct SubsetChange {
  double log_volume = 0;  // log det of the new G_S minus that of the old one
  double rest = 0;        // squared distance of the response from the new span
};

/// For the subset S, an orthonormal basis of its span, in which every vector j has coordinates v_j
/// and a rest d_j = G_jj - |v_j|^2, its squared distance from the span; and, for every member m,
/// the vector w_m in the span with w_m . v_m = 1 that is orthogonal to the other members. Then
///
///     adding j       det G_S * d_j        rest of the response - b_j^2 / d_j
///     removing m     det G_S * |w_m|^2    rest of the response + (w_m . c)^2 / |w_m|^2
///
/// with c the response's coordinates and b_j its inner product with the rest of vector j. Adding a
/// vector appends a direction to the basis; removing m reflects the basis so that its last
/// direction is w_m's, and drops that. Both cost O(|S| N) for N vectors, besides the row of G.
///
/// Reflections keep lengths, so that rounding adds up and does not grow: with G_jj = 1, d_j is off
/// by a few 1e-16 after each flip. Everything is computed anew after 512 flips; `drift` bounds the
/// error of d_j and of the rest until then, and log d_j is off by at most drift / ridge = 2e-6
/// where vectors are dependent, and by drift / d_j elsewhere. Where a walk goes through dependent
/// subsets and back, that error cancels: what d_j is too large when j joins, |w|^2 is too small
/// when another vector leaves.
class SubsetFactor {
 public:
  static constexpr std::uint32_t refresh_interval = 512;
  static constexpr double drift = 1e-13;

  /// `response` holds the inner products of a vector of length 1 with all others; empty: none.
  SubsetFactor(std::shared_ptr<const Gram> gram, std::vector<double> response);

  /// Everything from scratch.
  void set(std::span<const Bit> bits);
  void flip(Site i);

  std::span<const Site> members() const { return members_; }
  bool contains(Site i) const { return place_[i] != outside; }
  /// Squared distance of the response from the span.
  double rest() const;
  /// What one flip, or flips of two different sites, would do.
  SubsetChange change(Site i) const;
  SubsetChange change(Site i, Site j) const;
  /// One half of change(i), without the logarithm of the other.
  double rest_after(Site i) const;

  void save(ByteWriter& out) const;
  /// Into a factor set() to the same subset: refuses what lies far from it.
  void restore(ByteReader& in);

 private:
  static constexpr Site outside = ~Site{0};

  std::size_t rank() const { return members_.size(); }
  double* row(std::size_t r) { return rows_.data() + r * columns_; }
  const double* row(std::size_t r) const { return rows_.data() + r * columns_; }
  /// w_m, for the m-th member.
  const std::vector<double>& dual(Site i) const { return duals_[place_[i]]; }
  double rest_of(Site j) const;
  double dot_coordinates(const std::vector<double>& dual, std::size_t column) const;

  void add(Site i);
  void remove(Site i);

  std::shared_ptr<const Gram> gram_;
  std::vector<double> response_;
  Site sites_;
  std::size_t columns_;  // of a row: sites, and the response

  std::vector<Site> members_;               // in the order of duals_
  std::vector<Site> place_;                 // of a site among the members
  std::vector<double> rows_;                // v, a row for every direction of the basis
  std::vector<std::vector<double>> duals_;  // w of every member
  std::vector<double> rest_;                // d of every column
  std::vector<double> cross_;               // b of every column; empty: no response
  std::uint32_t flips_ = 0;                 // since set()
  std::vector<double> work_;                // for the length of a call
};

}  // namespace nhot
