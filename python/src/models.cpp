// Models: made from arrays, spec strings and text files.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "common.hpp"
#include "nhot/base/error.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/model/describe.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/model/model.hpp"

namespace nhot::python {
namespace {

Model quadratic(const std::string& name, std::uint64_t sites, bool spin, double offset,
                const ArrayIn<double, 1>& linear, const ArrayIn<std::int64_t, 1>& i,
                const ArrayIn<std::int64_t, 1>& j, const ArrayIn<double, 1>& values,
                std::vector<Site> sides, bool periodic) {
  if (sites > max_sites)
    throw InputError("a model of " + std::to_string(sites) + " sites is too large",
                     "give at most " + std::to_string(max_sites) + " sites");
  QuadraticTerms terms;
  terms.sites = static_cast<Site>(sites);
  terms.convention = spin ? Convention::spin : Convention::binary;
  terms.offset = offset;
  terms.linear.assign(linear.data(), linear.data() + linear.size());
  terms.couplings.reserve(values.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    terms.couplings.push_back(
        {static_cast<Site>(i.data()[k]), static_cast<Site>(j.data()[k]), values.data()[k]});
  nb::gil_scoped_release free;
  return Model(name, QuadraticModel(std::move(terms)), {std::move(sides), periodic});
}

// W is visible x hidden.
Model rbm(const std::string& name, const ArrayIn<double, 2>& w, const ArrayIn<double, 1>& b,
          const ArrayIn<double, 1>& c) {
  if (!rbm_fits(w.shape(0), w.shape(1)))
    throw InputError("an RBM of " + std::to_string(w.shape(0)) + " x " +
                         std::to_string(w.shape(1)) + " units cannot be made",
                     "give at least one visible and one hidden unit, and fewer than 2^32 weights");
  RbmWeights weights;
  weights.visible = static_cast<Site>(w.shape(0));
  weights.hidden = static_cast<Site>(w.shape(1));
  weights.weights.resize(w.size());
  for (std::size_t v = 0; v < w.shape(0); ++v)
    for (std::size_t h = 0; h < w.shape(1); ++h)
      weights.weights[h * w.shape(0) + v] = w.data()[v * w.shape(1) + h];
  weights.hidden_bias.assign(b.data(), b.data() + b.size());
  weights.visible_bias.assign(c.data(), c.data() + c.size());
  return Model(name, Rbm(std::move(weights)));
}

nb::object energies(const Model& model, const ArrayIn<std::uint8_t, 2>& states) {
  return make_array<double>({states.shape(0)}, [&](double* out) {
    for (std::size_t k = 0; k < states.shape(0); ++k)
      out[k] = model.energy({states.data() + k * states.shape(1), states.shape(1)});
  });
}

// Convention, offset, linear, and the couplings as three arrays.
nb::tuple terms_of(const Model& model) {
  const QuadraticTerms terms = quadratic_terms(model);
  const auto& couplings = terms.couplings;
  const auto column = [&](auto member) {
    return make_array<std::int64_t>({couplings.size()}, [&](std::int64_t* out) {
      for (const Coupling& coupling : couplings) *out++ = coupling.*member;
    });
  };
  return nb::make_tuple(terms.convention == Convention::spin ? "SPIN" : "BINARY", terms.offset,
                        make_array<double>({terms.sites},
                                           [&](double* out) {
                                             std::fill(out, out + terms.sites, 0.0);
                                             std::copy(terms.linear.begin(), terms.linear.end(),
                                                       out);
                                           }),
                        column(&Coupling::i), column(&Coupling::j),
                        make_array<double>({couplings.size()}, [&](double* out) {
                          for (const Coupling& coupling : couplings) *out++ = coupling.value;
                        }));
}

// W (visible x hidden), b and c, as rbm() takes them; None for a model of another kind.
nb::object weights_of(const Model& model) {
  if (!model.rbm()) return nb::none();
  const RbmWeights& own = model.rbm()->weights();
  return nb::make_tuple(make_array<double>({own.visible, own.hidden},
                                           [&](double* out) {
                                             for (std::size_t v = 0; v < own.visible; ++v)
                                               for (std::size_t h = 0; h < own.hidden; ++h)
                                                 *out++ = own.weights[h * own.visible + v];
                                           }),
                        array_of(own.hidden_bias), array_of(own.visible_bias));
}

// The lists that an energy was given with; empty without.
std::vector<std::vector<Site>> touched_of(const Model& model) {
  std::vector<std::vector<Site>> lists;
  for (Site i = 0; model.custom() && i < model.sites(); ++i) {
    const auto own = model.custom()->touched(i);
    if (!own) return {};
    lists.emplace_back(own->begin(), own->end());
  }
  return lists;
}

}  // namespace

void add_models(nb::module_& module) {
  nb::class_<Model>(module, "Model")
      .def_prop_ro("name", &Model::name)
      .def_prop_ro("kind", &Model::kind)
      .def_prop_ro("sites", &Model::sites)
      .def_prop_ro("couplings", &Model::couplings)
      .def_prop_ro("sides", [](const Model& model) { return model.lattice().sides; })
      .def_prop_ro("periodic", [](const Model& model) { return model.lattice().periodic; })
      .def_prop_ro("visible",
                   [](const Model& model) { return model.rbm() ? model.rbm()->visible() : 0; })
      .def_prop_ro("names",
                   [](const Model& model) {
                     std::vector<std::string> names;
                     for (std::size_t i = 0; i < model.names().size(); ++i)
                       names.push_back(model.names()[i]);
                     return names;
                   })
      .def("with_names", &Model::with_names)
      .def("hash", &Model::hash)
      .def("energies", energies)
      .def("terms", terms_of)
      .def("weights", weights_of)
      .def("touched", touched_of)
      .def("describe", [](const Model& model) { return to_python(describe(model)); });
  module.def("model_from_spec", [](const std::string& spec) { return model_from_spec(spec); });
  module.def("quadratic", quadratic, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg(), nb::arg(), nb::arg(), nb::arg("sides") = std::vector<Site>(),
             nb::arg("periodic") = true);
  module.def("rbm", rbm);
  module.def("read_text_model", [](const std::string& path, const std::string& format) {
    nb::gil_scoped_release free;
    ReadResult read = load_model(text_formats(), path, format);
    return std::pair(std::move(read.model), std::move(read.notes));
  });
}

}  // namespace nhot::python
