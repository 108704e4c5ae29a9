// The interface that all kinds of energy share. A model holds one; code that does not depend on the
// kind goes through it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nhot/base/facts.hpp"
#include "nhot/base/types.hpp"
#include "nhot/model/digest.hpp"
#include "nhot/model/fixed_point.hpp"

namespace nhot {

class QuadraticModel;
class Rbm;
class Energy;

/// Immutable. Bits are the model's own x, not difference bits.
class ModelData {
 public:
  ModelData() = default;
  ModelData(const ModelData&) = delete;
  ModelData& operator=(const ModelData&) = delete;
  virtual ~ModelData() = default;

  virtual std::string kind() const = 0;
  virtual Site sites() const = 0;
  virtual double energy(std::span<const Bit> bits) const = 0;
  /// dE_i = E(state with site i flipped) - E(state) for every site, in one pass.
  virtual std::vector<double> flip_costs(std::span<const Bit> bits) const = 0;
  /// An upper bound on |dE_i|; for code, the largest over some random states.
  virtual double largest_change() const = 0;
  /// dE_ij - dE_i - dE_j: what flipping both sites costs beyond the two flips alone. `bits` are
  /// restored.
  virtual double pair_correction(Bits& bits, Site i, Site j) const = 0;
  /// An upper bound on |pair_correction()|; infinity where none is known.
  virtual double largest_correction() const = 0;
  /// Calls visit(i, j) for the edges of the coupling graph, in no order, some perhaps twice; or for
  /// enough of them to have the same connected components.
  virtual void visit_pairs(const std::function<void(Site, Site)>& visit) const = 0;
  /// The number of coupled pairs.
  virtual std::size_t couplings() const = 0;
  /// The grid that energies are summed on.
  virtual const FixedPoint& fixed_point() const = 0;
  /// Hashes everything that enters the energy.
  virtual void add_to(Digest& digest) const = 0;
  /// Adds facts of this kind beside name, kind and size.
  virtual void describe(Facts& facts) const = 0;
};

std::shared_ptr<const ModelData> model_data(std::shared_ptr<const QuadraticModel> quadratic);
std::shared_ptr<const ModelData> model_data(std::shared_ptr<const Rbm> rbm);
std::shared_ptr<const ModelData> model_data(std::shared_ptr<const Energy> energy);

}  // namespace nhot
