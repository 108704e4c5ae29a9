// An energy given as code, for models that are neither quadratic nor an RBM.
//
//   class Mine : public nhot::Energy {
//     nhot::Site sites() const override { return 40; }
//     double energy(std::span<const nhot::Bit> x) const override { ... }
//   };
//   const nhot::Model model("mine", std::make_shared<const Mine>());
//
// That is enough. Giving change() as well makes chains faster, and touched() much faster.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "nhot/base/types.hpp"

namespace nhot {

/// Members are functions of their arguments alone: the same state always has the same energy.
/// Chains call them from several threads at once.
class Energy {
 public:
  Energy() = default;
  Energy(const Energy&) = default;
  Energy& operator=(const Energy&) = default;
  virtual ~Energy() = default;

  virtual Site sites() const = 0;
  /// E(x), a finite number for every state.
  virtual double energy(std::span<const Bit> bits) const = 0;
  /// E with site i flipped minus E. Unless given, the difference of two energies.
  virtual double change(std::span<const Bit> bits, Site i) const;
  /// change() of every site. Unless given, asked for one by one.
  virtual void changes(std::span<const Bit> bits, std::span<double> all) const;
  /// The sites, without i and in increasing order, whose change() can depend on bit i. With j among
  /// those of i, i is among those of j. Unless given, all sites.
  virtual std::optional<std::span<const Site>> touched(Site /*i*/) const { return std::nullopt; }
};

/// InputError when the members contradict each other: lists of sites that are out of order or
/// one-sided, energies that are not finite, and, on some random states, changes that are not
/// differences of energies or that depend on sites outside the lists.
void check_energy(const Energy& energy, const std::string& name);

/// Largest |change()| over some random states: an estimate of the range of dE.
double largest_change(const Energy& energy);

/// Whether the cost of j can depend on bit i.
bool touches(const Energy& energy, Site i, Site j);

/// The number of pairs of sites that touch each other.
std::size_t touching_pairs(const Energy& energy);

/// 64-bit digest of the energies of some random states.
std::uint64_t fingerprint(const Energy& energy);

}  // namespace nhot
