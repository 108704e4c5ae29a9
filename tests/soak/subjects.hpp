// What is soaked: every kernel with every engine of it, on an ordinary model and on extreme ones.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "engine/kernels.hpp"
#include "nhot/chain/setup.hpp"
#include "support/custom_energies.hpp"

namespace nhot::soak {

/// A chain to be made. An extreme one may be refused, with an InputError.
struct Case {
  std::string name;
  Model model;
  Site distance = 0;
  double beta = 0;
};

struct Subject {
  std::string kernel;
  std::string engine;  // "none": moves that choose no site by weight
  std::vector<Case> ordinary;
  std::vector<Case> extremes;

  std::string move() const {
    if (engine == "none") return "0.6*swap + 0.4*kawasaki";
    return "im:length=1..6,engine=" + engine;
  }
};

/// Another energy, times a factor that may differ from site to site.
class ScaledEnergy : public Energy {
 public:
  ScaledEnergy(std::shared_ptr<const Energy> energy, double factor)
      : energy_(std::move(energy)), factor_(factor) {}
  Site sites() const override { return energy_->sites(); }
  double energy(std::span<const Bit> bits) const override {
    return factor_ * energy_->energy(bits);
  }
  std::optional<std::span<const Site>> touched(Site i) const override {
    return energy_->touched(i);
  }

 private:
  std::shared_ptr<const Energy> energy_;
  double factor_;
};

/// The model with value(v, k) in the place of its k-th number v.
template <class Value>
Model changed(const Model& model, const std::string& name, Value&& value) {
  std::size_t k = 0;
  if (const Rbm* rbm = model.rbm()) {
    RbmWeights weights = rbm->weights();
    for (auto* list : {&weights.weights, &weights.hidden_bias, &weights.visible_bias})
      for (double& v : *list) v = value(v, k++);
    return {name, Rbm(weights)};
  }
  if (model.custom())
    return {name, std::make_shared<const ScaledEnergy>(model.shared_custom(), value(1.0, 0))};
  QuadraticTerms terms = model.quadratic()->terms();
  for (double& v : terms.linear) v = value(v, k++);
  for (Coupling& coupling : terms.couplings) coupling.value = value(coupling.value, k++);
  return {name, QuadraticModel(terms)};
}

/// One site and its field.
inline Model one_site(std::string_view kernel) {
  if (kernel == "rbm") return {"one unit each", Rbm(RbmWeights{1, 1, {0.5}, {0.25}, {-0.5}})};
  if (kernel == "custom")
    return {"one site", std::make_shared<const test::LocalTriples>(
                            std::vector<double>{0.5}, std::vector<test::Triples::Term>{})};
  return {"one site", QuadraticModel(QuadraticTerms{1, Convention::binary, 0, {1.0}, {}})};
}

inline std::vector<Case> extremes_of(const Model& model, std::string_view kernel) {
  const Site third = model.sites() / 3;
  std::vector<Case> cases;
  for (const double beta : {0.0, 1e-300, 1e6, 1e300})
    cases.push_back({"beta " + std::to_string(beta), model, third, beta});
  for (const double factor : {1e-300, 1e-150, 1e150, 1e300})
    for (const double beta : {0.0, 0.5, 1e6, 0.5 / factor}) {
      const Model scaled =
          changed(model, "scaled", [&](double v, std::size_t) { return factor * v; });
      cases.push_back({"couplings of other units", scaled, third, beta});
    }
  // Every number of another size, from 1e-300 to 1e300, and up to 1e12 apart.
  for (const double widest : {300.0, 6.0})
    for (const double beta : {0.0, 0.5}) {
      const Model mixed = changed(model, "mixed", [&](double v, std::size_t k) {
        return v * std::pow(10.0, widest * std::sin(static_cast<double>(k)));
      });
      cases.push_back({"couplings of many sizes", mixed, third, beta});
    }
  const Model equal = changed(model, "equal", [](double, std::size_t) { return 1.0; });
  cases.push_back({"all couplings equal", equal, third, 0.3});
  for (const Site distance : {Site{0}, Site{1}, model.sites() - 1, model.sites()})
    cases.push_back({"distance " + std::to_string(distance), model, distance, 0.4});
  const Model one = one_site(kernel);
  for (Site distance = 0; distance <= one.sites(); ++distance)
    cases.push_back({"one site, distance " + std::to_string(distance), one, distance, 0.4});
  return cases;
}

inline std::vector<Subject> make_subjects() {
  std::vector<Subject> subjects;
  const auto add = [&](const std::string& kernel, const std::vector<Model>& models) {
    std::vector<std::string> engines = engines_for(kernel);
    engines.emplace_back("none");
    for (const std::string& engine : engines) {
      Subject subject{kernel, engine, {}, extremes_of(models.front(), kernel)};
      for (const Model& model : models)
        subject.ordinary.push_back({model.name(), model, model.sites() / 3, 0.4});
      subjects.push_back(std::move(subject));
    }
  };
  add("integer", {test::integer_model(), test::few_levels_model()});
  add("real", {test::gaussian_model()});
  add("dense", {test::complete_model()});
  add("rbm", {test::rbm_model()});
  add("custom", {test::ring_of_triples()});
  return subjects;
}

}  // namespace nhot::soak
