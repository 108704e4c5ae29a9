#include "nhot/model/model.hpp"

#include <string_view>
#include <unordered_set>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/model/known_energy.hpp"

namespace nhot {
namespace {

void check(const std::shared_ptr<const Energy>& energy, const std::string& name) {
  if (!energy)
    throw InputError("the model '" + name + "' has no energy",
                     "give a pointer to an object derived from nhot::Energy");
  if (!dynamic_cast<const KnownEnergy*>(energy.get())) check_energy(*energy, name);
}

}  // namespace

Model::Model(std::string name, QuadraticModel quadratic, LatticeShape lattice)
    : name_(std::move(name)),
      quadratic_(std::make_shared<const QuadraticModel>(std::move(quadratic))),
      data_(model_data(quadratic_)),
      lattice_(std::move(lattice)) {}

Model::Model(std::string name, Rbm rbm)
    : name_(std::move(name)),
      rbm_(std::make_shared<const Rbm>(std::move(rbm))),
      data_(model_data(rbm_)) {}

Model::Model(std::string name, std::shared_ptr<const Energy> energy)
    : name_(std::move(name)), custom_(std::move(energy)) {
  check(custom_, name_);
  data_ = model_data(custom_);
}

Model Model::with_names(std::vector<std::string> names) const {
  if (names.size() != sites())
    throw InputError("there are " + std::to_string(names.size()) + " names for the " +
                         std::to_string(sites()) + " sites of '" + name_ + "'",
                     "give one name per site");
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      throw InputError("two sites of '" + name_ + "' have the name '" + name + "'",
                       "give every site a name of its own");
  Model named = *this;
  named.names_ = SiteNames(std::move(names));
  return named;
}

std::string Model::hash() const {
  Digest digest;
  data_->add_to(digest);
  return digest.hex();
}

QuadraticTerms quadratic_terms(const Model& model) {
  if (model.quadratic()) return model.quadratic()->terms();
  if (model.custom())
    throw InputError("'" + model.name() + "' is " +
                         (model.kind() == "custom" ? "an energy given as code"
                                                   : "a model of the kind " + model.kind()) +
                         ", which has no couplings",
                     "give the model as couplings to write it to a file");
  const RbmWeights& w = model.rbm()->weights();
  QuadraticTerms terms;
  terms.sites = model.sites();
  terms.convention = Convention::binary;
  terms.linear.reserve(terms.sites);
  for (const double c : w.visible_bias) terms.linear.push_back(-c);
  for (const double b : w.hidden_bias) terms.linear.push_back(-b);
  terms.couplings.reserve(w.weights.size());
  for (Site v = 0; v < w.visible; ++v) {
    for (Site h = 0; h < w.hidden; ++h) {
      const double weight = w.weights[std::size_t{h} * w.visible + v];
      if (weight != 0) terms.couplings.push_back({v, w.visible + h, -weight});
    }
  }
  return terms;
}

}  // namespace nhot
