// Models of statistics, from arrays: k-DPPs, regressions, polynomials. And back, for pickle.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "common.hpp"
#include "nhot/base/error.hpp"
#include "nhot/model/hubo/hubo.hpp"
#include "nhot/model/kdpp/kdpp.hpp"
#include "nhot/model/regression/regression.hpp"

namespace nhot::python {
namespace {

/// L, or the features B of L = B B', a row for every item.
Model make_kdpp(const std::string& name, const ArrayIn<double, 2>& matrix, bool features) {
  KernelMatrix kernel;
  kernel.values.assign(matrix.data(), matrix.data() + matrix.size());
  kernel.features = features ? matrix.shape(1) : 0;
  nb::gil_scoped_release free;
  return kdpp(name, std::move(kernel));
}

/// X is rows x columns.
Model make_regression(const std::string& name, const ArrayIn<double, 2>& x,
                      const ArrayIn<double, 1>& y, std::vector<std::string> names,
                      const std::string& prior) {
  RegressionData data;
  data.rows = x.shape(0);
  data.names = std::move(names);
  for (std::size_t c = 0; c < x.shape(1); ++c)
    for (std::size_t r = 0; r < x.shape(0); ++r)
      data.predictors.push_back(x.data()[r * x.shape(1) + c]);
  data.response.assign(y.data(), y.data() + y.size());
  const CoefficientPrior known = prior_from(prior);
  nb::gil_scoped_release free;
  return regression(name, std::move(data), known);
}

/// The sites of all terms one after the other, and how many each term has.
Model make_hubo(const std::string& name, std::uint64_t sites, bool spin, double offset,
                const ArrayIn<std::int64_t, 1>& all, const ArrayIn<std::int64_t, 1>& lengths,
                const ArrayIn<double, 1>& values) {
  Polynomial polynomial{
      static_cast<Site>(sites), spin ? Convention::spin : Convention::binary, offset, {}};
  const std::int64_t* at = all.data();
  for (std::size_t t = 0; t < values.size(); ++t) {
    const auto length = static_cast<std::size_t>(lengths.data()[t]);
    polynomial.terms.push_back({std::vector<Site>(at, at + length), values.data()[t]});
    at += length;
  }
  nb::gil_scoped_release free;
  return hubo(name, std::move(polynomial));
}

/// The arguments, without the name, of the function above that makes the model; None for models of
/// other kinds.
nb::object made_of(const Model& model) {
  if (const auto* own = dynamic_cast<const KDpp*>(model.custom())) {
    const KernelMatrix& kernel = own->kernel();
    const std::size_t columns = kernel.features > 0 ? kernel.features : own->sites();
    return nb::make_tuple(
        make_array<double>({own->sites(), columns},
                           [&](double* out) { std::ranges::copy(kernel.values, out); }),
        kernel.features > 0);
  }
  if (const auto* own = dynamic_cast<const Regression*>(model.custom())) {
    const RegressionData& data = own->data();
    return nb::make_tuple(make_array<double>({data.rows, data.names.size()},
                                             [&](double* out) {
                                               for (std::size_t r = 0; r < data.rows; ++r)
                                                 for (std::size_t c = 0; c < data.names.size(); ++c)
                                                   *out++ = data.predictors[c * data.rows + r];
                                             }),
                          array_of(data.response), data.names,
                          std::string(prior_names[static_cast<std::size_t>(own->prior())]));
  }
  if (const auto* own = dynamic_cast<const Hubo*>(model.custom())) {
    const Polynomial& polynomial = own->polynomial();
    std::vector<std::int64_t> all;
    std::vector<std::int64_t> lengths;
    std::vector<double> values;
    for (const PolynomialTerm& term : polynomial.terms) {
      all.insert(all.end(), term.sites.begin(), term.sites.end());
      lengths.push_back(static_cast<std::int64_t>(term.sites.size()));
      values.push_back(term.value);
    }
    const auto whole = [](const std::vector<std::int64_t>& list) {
      return make_array<std::int64_t>({list.size()},
                                      [&](std::int64_t* out) { std::ranges::copy(list, out); });
    };
    return nb::make_tuple(polynomial.sites, polynomial.convention == Convention::spin,
                          polynomial.offset, whole(all), whole(lengths), array_of(values));
  }
  return nb::none();
}

}  // namespace

void add_statistics(nb::module_& module) {
  module.def("kdpp", make_kdpp);
  module.def("regression", make_regression);
  module.def("hubo", make_hubo);
  module.def("made_of", made_of);
}

}  // namespace nhot::python
