// A model as blocks of replicas want it: few levels of dE, and words that hold one site in many
// replicas.
//
// Bit r of the word of site i is u_i, the difference bit of replica r. Exchanging the unlike sites
// i and j costs, in every replica,
//
//     dE = N - (C + |R|) / 2 - Q_ij,   N = sum_t |c_t| (v_t xor s) + |R| (v xor s)
//
// where s = u_j; the sum runs over the couplings Q_jk (as they are) and Q_ik (with the other sign),
// v_t is u_k for c_t > 0 and its complement for c_t < 0, C = sum |c_t|, and R = B_j - B_i with the
// doubled field B_i = 2 a_i + sum_k Q_ik, which vanishes when no external field acts. So N is a sum
// of weighted bits, the same sum in every replica, and can be formed for all of them at once by
// adders that work on whole words.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/model/sparse_kernel.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// |dE| is at most this many units in a model for blocks of replicas.
inline constexpr unsigned max_replica_levels = 32;

/// A neighbour with its coupling, in units.
struct ReplicaCoupling {
  Site site;
  std::int32_t weight;
};

/// What the loops read. Pointers are into a ReplicaModel.
struct ReplicaTerms {
  Site sites = 0;
  unsigned levels = 0;  // |dE| runs from 0 to this
  /// Couplings of every site: those of i are [row_begin[i], row_begin[i + 1]).
  const std::uint32_t* row_begin = nullptr;
  const ReplicaCoupling* couplings = nullptr;
  const std::int32_t* doubled_field = nullptr;  // B_i - B_0
  /// When every coupling is +1 or -1, every site has the same number of them and B is the same
  /// everywhere: that number, otherwise 0. Then these are the neighbours of site i, from element
  /// degree * i on, and all ones where the coupling is negative, all zeros where it is positive.
  unsigned degree = 0;
  const Site* neighbours = nullptr;
  const std::uint64_t* negative = nullptr;
  /// All couplings have one sign, and which. `negative` is then not needed.
  bool one_sign = false;
  bool all_negative = false;
};

/// Pairs of sites that add weight * u_i u_j to the energy, in quanta; a single site is a pair with
/// itself.
struct EnergyPart {
  std::int64_t weight = 0;
  std::vector<std::array<Site, 2>> pairs;
};

class ReplicaModel {
 public:
  /// InputError when dE can take too many values.
  ReplicaModel(const SparseKernel<std::int32_t>& kernel, const Shell& shell);

  ReplicaTerms terms() const;
  /// Energy of one level of dE.
  double unit() const { return unit_; }

  /// The energy of a state, from the sum over the parts.
  const std::vector<EnergyPart>& energy_parts() const { return parts_; }
  double energy(std::int64_t units) const { return energies_.energy(units_at_distance_ + units); }

 private:
  void find_units(const SparseKernel<std::int32_t>& kernel);
  void find_levels();
  void find_degree();
  void find_energy_parts(const SparseKernel<std::int32_t>& kernel, Site distance);

  Site sites_;
  double quantum_;
  double unit_ = 0;
  unsigned levels_ = 0;
  std::vector<std::uint32_t> row_begin_;
  std::vector<ReplicaCoupling> couplings_;
  std::vector<std::int32_t> doubled_field_;
  unsigned degree_ = 0;
  bool one_sign_ = false;
  bool all_negative_ = false;
  std::vector<Site> neighbours_;
  std::vector<std::uint64_t> negative_;
  std::vector<EnergyPart> parts_;
  EnergyScale energies_;
  std::int64_t units_at_distance_ = 0;
};

}  // namespace nhot
