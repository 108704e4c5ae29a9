// A polynomial of any degree in binary variables ("HUBO", PUBO, pseudo-Boolean function), of bits
// or of spins.
//
//     const Model model = hubo("cubic", {4, Convention::binary, 0.5, {{{0, 1, 2}, -1}, {{3}, 2}}});
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nhot/model/fixed_point.hpp"
#include "nhot/model/known_energy.hpp"
#include "nhot/model/model.hpp"

namespace nhot {

struct PolynomialTerm {
  std::vector<Site> sites;  // different ones
  double value = 0;
};

/// offset + sum of value * product of the variables, x in {0, 1} or s = 2 x - 1.
struct Polynomial {
  Site sites = 0;
  Convention convention = Convention::binary;
  double offset = 0;
  std::vector<PolynomialTerm> terms;
};

/// Values are whole numbers of a FixedPoint: energies and changes are exact sums, integers without
/// any rounding, whatever the path to a state. A flip of site i costs O(size of the terms that hold
/// i), plus the number of sites in them.
class Hubo final : public KnownEnergy {
 public:
  /// InputError when a term holds a site twice or one that does not exist, or a value is not
  /// finite. Terms of the same sites are added up.
  explicit Hubo(Polynomial polynomial);

  Site sites() const override { return polynomial_.sites; }
  double energy(std::span<const Bit> bits) const override;
  double change(std::span<const Bit> bits, Site i) const override;
  std::optional<std::span<const Site>> touched(Site i) const override { return touched_[i]; }
  std::unique_ptr<ChangeTable> make_table() const override;

  std::string kind() const override { return "hubo"; }
  double largest_change() const override { return largest_change_; }
  void add_to(Digest& digest) const override;
  void describe(Facts& facts) const override;

  /// Terms in increasing order of their sites, each once.
  const Polynomial& polynomial() const { return polynomial_; }
  std::size_t degree() const { return degree_; }
  /// Terms that hold a site, by index.
  const std::vector<std::uint32_t>& terms_of(Site i) const { return of_site_[i]; }
  /// The value of a term as changes of the energy count it.
  double step_value(std::uint32_t term) const { return step_values_[term]; }

 private:
  void add_equal_terms();

  Polynomial polynomial_;
  FixedPoint fixed_point_;
  std::vector<double> step_values_;
  std::vector<std::vector<std::uint32_t>> of_site_;
  std::vector<std::vector<Site>> touched_;
  double largest_change_ = 0;
  std::size_t degree_ = 0;
};

/// A polynomial of degree 2 or less becomes a quadratic model, for which there are faster engines.
Model hubo(std::string name, Polynomial polynomial);

}  // namespace nhot
