// A model as the rest of nhot sees it: quadratic, RBM or an energy given as code, with its name and
// what is known of its shape.
//
//     const Model lattice = model_from_spec("ferromagnet:16x16");    // generators.hpp
//     const Model mine("mine", QuadraticModel(terms));               // couplings, quadratic.hpp
//     const Model code("code", std::make_shared<const MyEnergy>());  // energy.hpp
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nhot/model/energy.hpp"
#include "nhot/model/model_data.hpp"
#include "nhot/model/quadratic.hpp"
#include "nhot/model/rbm.hpp"
#include "nhot/model/site_names.hpp"

namespace nhot {

/// Shape of a lattice model. Site index: the last dimension runs fastest.
struct LatticeShape {
  std::vector<Site> sides;
  bool periodic = true;
};

/// An immutable model, cheap to copy (the data is shared).
class Model {
 public:
  Model(std::string name, QuadraticModel quadratic, LatticeShape lattice = {});
  Model(std::string name, Rbm rbm);
  /// InputError when the members of the energy contradict each other, see check_energy(). A
  /// KnownEnergy is not checked.
  Model(std::string name, std::shared_ptr<const Energy> energy);

  /// The spec string or the file the model came from.
  const std::string& name() const { return name_; }
  /// The interface that all kinds of energy share.
  const ModelData& data() const { return *data_; }
  Site sites() const { return data_->sites(); }
  std::size_t couplings() const { return data_->couplings(); }
  double energy(std::span<const Bit> bits) const { return data_->energy(bits); }
  const FixedPoint& fixed_point() const { return data_->fixed_point(); }
  /// quadratic, rbm, custom, or what a KnownEnergy says.
  std::string kind() const { return data_->kind(); }

  /// For code that handles one kind only, such as its file formats. Null when the model is of
  /// another kind.
  const QuadraticModel* quadratic() const { return quadratic_.get(); }
  const Rbm* rbm() const { return rbm_.get(); }
  const Energy* custom() const { return custom_.get(); }
  /// The same with shared ownership.
  std::shared_ptr<const QuadraticModel> shared_quadratic() const { return quadratic_; }
  std::shared_ptr<const Rbm> shared_rbm() const { return rbm_; }
  std::shared_ptr<const Energy> shared_custom() const { return custom_; }
  /// Sides are empty when the model is not a lattice.
  const LatticeShape& lattice() const { return lattice_; }
  /// What the user calls the sites; they do not enter the energy or the hash.
  const SiteNames& names() const { return names_; }
  /// The same model with names for its sites. InputError unless there is one for every site, and no
  /// two are the same.
  Model with_names(std::vector<std::string> names) const;

  /// 64-bit digest of everything that enters the energy, as 16 hex digits: the same on every
  /// machine. Of an energy given as code, of its values on some states.
  std::string hash() const;

 private:
  std::string name_;
  std::shared_ptr<const QuadraticModel> quadratic_;  // one of these three
  std::shared_ptr<const Rbm> rbm_;
  std::shared_ptr<const Energy> custom_;
  std::shared_ptr<const ModelData> data_;
  LatticeShape lattice_;
  SiteNames names_;
};

/// The energy as one quadratic polynomial. Exact where there is one: an RBM is a quadratic model of
/// 0/1 variables whose couplings join visible and hidden units. InputError for an energy given as
/// code.
QuadraticTerms quadratic_terms(const Model& model);

}  // namespace nhot
