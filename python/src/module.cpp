// The module nhot._core: errors, facts, and the parts in the other files.
#include <nanobind/stl/string.h>

#include <cmath>

#include "common.hpp"
#include "nhot/base/error.hpp"
#include "nhot/base/option_words.hpp"
#include "nhot/base/simd_path.hpp"
#include "nhot/base/version.hpp"

namespace nhot::python {
namespace {

struct ToPython {
  nb::object operator()(std::monostate) const { return nb::none(); }
  nb::object operator()(bool truth) const { return nb::cast(truth); }
  nb::object operator()(std::int64_t number) const { return nb::cast(number); }
  nb::object operator()(std::uint64_t number) const { return nb::cast(number); }
  nb::object operator()(double number) const {
    return std::isfinite(number) ? nb::cast(number) : nb::none();
  }
  nb::object operator()(const std::string& text) const { return nb::cast(with_keywords(text)); }
  nb::object operator()(const Fact::List& list) const {
    nb::list result;
    for (const Fact& fact : list) result.append(std::visit(*this, fact.value()));
    return std::move(result);
  }
  nb::object operator()(const Facts& facts) const { return to_python(facts); }
};

std::string message_of(const Error& error) {
  std::string text = with_keywords(error.what());
  if (!error.hint().empty()) text += "; try: " + with_keywords(error.hint());
  return text;
}

}  // namespace

nb::dict to_python(const Facts& facts) {
  nb::dict result;
  for (const auto& [name, fact] : facts)
    result[name.c_str()] = std::visit(ToPython(), fact.value());
  return result;
}

std::string with_keywords(std::string_view text) {
  return spell_options(text, [](std::string_view name, std::string_view value) {
    std::string spelled(name);
    for (char& letter : spelled)
      if (letter == '-') letter = '_';
    if (!value.empty()) spelled.append("=").append(value);
    return spelled;
  });
}

}  // namespace nhot::python

namespace nb = nanobind;

NB_MODULE(_core, module) {
  using namespace nhot;
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const InputError& error) {
      PyErr_SetString(PyExc_ValueError, python::message_of(error).c_str());
    } catch (const EnvironmentError& error) {
      PyErr_SetString(PyExc_OSError, python::message_of(error).c_str());
    } catch (const Error& error) {
      PyErr_SetString(PyExc_RuntimeError, python::message_of(error).c_str());
    }
  });
  module.attr("version") = version();
  module.def("simd_path", [] { return std::string(to_text(simd_path())); });
  python::add_models(module);
  python::add_energies(module);
  python::add_statistics(module);
  python::add_runs(module);
  python::add_ranks(module);
  python::add_other_drivers(module);
  python::add_tuning(module);
}
