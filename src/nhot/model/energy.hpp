// An energy given as code, for models that are neither quadratic nor an RBM.
//
//   class Mine : public nhot::Energy {
//     nhot::Site sites() const override { return 40; }
//     double energy(std::span<const nhot::Bit> x) const override { ... }
//   };
//   const nhot::Model model("mine", std::make_shared<const Mine>());
//
// That is enough. Giving change() as well makes chains faster, touched() or make_table() much
// faster.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "nhot/base/bytes.hpp"
#include "nhot/base/types.hpp"

namespace nhot {

/// What all flips of one state cost, kept up to date from flip to flip: for energies where that is
/// much less work than computing the changes of a new state. A chain has one of its own.
class ChangeTable {
 public:
  ChangeTable() = default;
  ChangeTable(const ChangeTable&) = default;
  ChangeTable& operator=(const ChangeTable&) = default;
  virtual ~ChangeTable() = default;

  /// Begins anew from a state.
  virtual void set(std::span<const Bit> bits) = 0;
  /// Flips a site.
  virtual void flip(Site i) = 0;
  /// Energy::change() of every site, to within the rounding of the updates since set().
  virtual std::span<const double> changes() const = 0;
  /// E with both sites flipped minus E, i and j being different sites.
  virtual double pair_change(Site i, Site j) const = 0;
  /// All that the next changes depend on, so that a chain goes on as it would have.
  virtual void save(ByteWriter& out) const = 0;
  virtual void restore(ByteReader& in) = 0;
};

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
  /// A table for one chain, in no state yet. Unless given, none: chains ask change() and changes().
  virtual std::unique_ptr<ChangeTable> make_table() const { return nullptr; }
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
