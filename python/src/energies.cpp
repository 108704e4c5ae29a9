// Energies given as code: Python functions, called with the interpreter's lock, and addresses of
// compiled functions, called without.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "batched_calls.hpp"
#include "common.hpp"
#include "nhot/base/error.hpp"
#include "nhot/model/model.hpp"

namespace nhot::python {
namespace {

/// Lists of the sites whose cost depends on a site; empty: every site on every other.
using Touched = std::vector<std::vector<Site>>;

class CodeEnergy : public Energy {
 public:
  CodeEnergy(Site sites, Touched touched) : sites_(sites), touched_(std::move(touched)) {}
  Site sites() const override { return sites_; }
  std::optional<std::span<const Site>> touched(Site i) const override {
    if (touched_.empty()) return std::nullopt;
    return touched_[i];
  }

 private:
  Site sites_;
  Touched touched_;
};

/// The functions belong to the package's Model, which outlives this: owned here, they would make
/// cycles (model, function, its globals, model) that Python's collector does not see.
class PythonEnergy : public CodeEnergy {
 public:
  /// `batched`: delta takes the states of several chains at once, as rows.
  PythonEnergy(Site sites, Touched touched, nb::handle energy, nb::handle delta, bool batched)
      : CodeEnergy(sites, std::move(touched)), energy_(energy), delta_(delta), batched_(batched) {}

  double energy(std::span<const Bit> bits) const override {
    const CallLock lock;
    return number_from(energy_(whole_numbers(bits)), "energy(x)");
  }
  double change(std::span<const Bit> bits, Site i) const override {
    if (delta_.is_none()) return Energy::change(bits, i);
    if (batched_) {
      std::vector<double> all(sites());
      ask_batch(bits, all);
      return all[i];
    }
    const CallLock lock;
    return all_changes(bits).data()[i];
  }
  void changes(std::span<const Bit> bits, std::span<double> all) const override {
    if (delta_.is_none()) {
      one_by_one(bits, all);
      return;
    }
    if (batched_) {
      ask_batch(bits, all);
      return;
    }
    const CallLock lock;
    std::memcpy(all.data(), all_changes(bits).data(), all.size_bytes());
  }

 private:
  /// With one energy of the state itself for all of them.
  void one_by_one(std::span<const Bit> bits, std::span<double> all) const {
    const double here = energy(bits);
    Bits flipped(bits.begin(), bits.end());
    for (Site i = 0; i < sites(); ++i) {
      flipped[i] ^= 1;
      all[i] = energy(flipped) - here;
      flipped[i] ^= 1;
    }
  }

  ArrayIn<double, 1> all_changes(std::span<const Bit> bits) const {
    nb::object answer = delta_(whole_numbers(bits));
    ArrayIn<double, 1> array;
    if (!nb::try_cast(answer, array))
      throw InputError("delta(x) does not return an array of numbers",
                       "return a NumPy array of float64, dE for every site");
    if (array.size() != sites())
      throw InputError("delta(x) returned " + std::to_string(array.size()) + " numbers for " +
                           std::to_string(sites()) + " sites",
                       "return dE for every site");
    return array;
  }

  /// Python's own thread holds the interpreter's lock, which the call that it waits for needs.
  void ask_batch(std::span<const Bit> bits, std::span<double> all) const {
    std::optional<nb::gil_scoped_release> free;
    if (PyGILState_Check()) free.emplace();
    batches_.ask(bits, all);
  }

  void evaluate(std::span<BatchedCalls::Request* const> batch) const {
    const CallLock lock;
    const nb::object rows =
        make_array<std::int64_t>({batch.size(), sites()}, [&](std::int64_t* out) {
          for (const auto* request : batch) out = std::ranges::copy(request->bits, out).out;
        });
    const nb::object answer = delta_(rows);
    ArrayIn<double, 2> array;
    if (!nb::try_cast(answer, array))
      throw InputError("a batched delta(x) does not return a matrix of numbers",
                       "return a NumPy array of float64, with the shape of x");
    if (array.shape(0) != batch.size() || array.shape(1) != sites())
      throw InputError("delta(x) returned " + std::to_string(array.shape(0)) + " x " +
                           std::to_string(array.shape(1)) + " numbers for " +
                           std::to_string(batch.size()) + " states of " + std::to_string(sites()) +
                           " sites",
                       "return dE for every site of every row of x");
    const double* next = array.data();
    for (const auto* request : batch) {
      std::copy_n(next, sites(), request->all.data());
      next += sites();
    }
  }

  nb::handle energy_;
  nb::handle delta_;
  bool batched_;
  mutable BatchedCalls batches_{[this](auto batch) { evaluate(batch); }};
};

/// double energy(const uint8_t* x, int64_t sites); void delta(const uint8_t* x, int64_t sites,
/// double* changes); double change(const uint8_t* x, int64_t sites, int64_t i). Null: not given.
struct Functions {
  double (*energy)(const std::uint8_t*, std::int64_t) = nullptr;
  void (*delta)(const std::uint8_t*, std::int64_t, double*) = nullptr;
  double (*change)(const std::uint8_t*, std::int64_t, std::int64_t) = nullptr;
};

class CompiledEnergy : public CodeEnergy {
 public:
  CompiledEnergy(Site sites, Touched touched, Functions functions)
      : CodeEnergy(sites, std::move(touched)), functions_(functions) {}

  double energy(std::span<const Bit> bits) const override {
    return functions_.energy(bits.data(), sites());
  }
  double change(std::span<const Bit> bits, Site i) const override {
    if (functions_.change) return functions_.change(bits.data(), sites(), i);
    if (!functions_.delta) return Energy::change(bits, i);
    std::vector<double> all(sites());
    functions_.delta(bits.data(), sites(), all.data());
    return all[i];
  }
  void changes(std::span<const Bit> bits, std::span<double> all) const override {
    if (functions_.delta)
      functions_.delta(bits.data(), sites(), all.data());
    else
      Energy::changes(bits, all);
  }

 private:
  Functions functions_;
};

Touched checked(Touched touched, Site sites) {
  if (!touched.empty() && touched.size() != sites)
    throw InputError("touched has lists for " + std::to_string(touched.size()) + " of " +
                         std::to_string(sites) + " sites",
                     "give one list of sites per site");
  return touched;
}

Model make(const std::string& name, std::shared_ptr<const Energy> energy) {
  return Model(name, std::move(energy));
}

}  // namespace

void add_energies(nb::module_& module) {
  module.def(
      "python_energy",
      [](const std::string& name, Site sites, Touched touched, nb::handle energy, nb::handle delta,
         bool batched) {
        return make(name, std::make_shared<const PythonEnergy>(
                              sites, checked(std::move(touched), sites), energy, delta, batched));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg());
  module.def("compiled_energy",
             [](const std::string& name, Site sites, Touched touched, std::uintptr_t energy,
                std::uintptr_t delta, std::uintptr_t change) {
               Functions functions;
               functions.energy = reinterpret_cast<decltype(functions.energy)>(energy);
               functions.delta = reinterpret_cast<decltype(functions.delta)>(delta);
               functions.change = reinterpret_cast<decltype(functions.change)>(change);
               return make(name, std::make_shared<const CompiledEnergy>(
                                     sites, checked(std::move(touched), sites), functions));
             });
}

}  // namespace nhot::python
