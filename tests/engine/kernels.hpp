// Kernels of moderate size for tests of engines and states: large enough for several blocks of the
// dense engine and several levels of the tree.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "nhot/chain/setup.hpp"
#include "nhot/engine/engines.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"

namespace nhot::test {

inline Bits random_bits(Site sites, std::uint64_t seed) {
  Xoshiro256 engine = make_stream(seed, 0, 0, Purpose::test);
  Bits bits(sites, 0);
  for (Bit& bit : bits) bit = static_cast<Bit>(engine() >> 63);
  return bits;
}

/// +-J couplings on a lattice with small integer fields.
inline Model integer_model() {
  QuadraticTerms terms =
      spin_glass({{6, 7}, true}, CouplingLaw::plus_minus, 3).quadratic()->terms();
  terms.linear.assign(terms.sites, 0.0);
  Xoshiro256 engine = make_stream(11, 0, 0, Purpose::test);
  for (double& h : terms.linear) h = double(engine() % 5) - 2;
  return {"integer", QuadraticModel(terms)};
}

/// The same without fields: five values of the field, as on the lattices that people use.
inline Model few_levels_model() { return model_from_spec("spin-glass:6x7,seed=3"); }

/// Couplings of many sizes: more classes than a byte can number.
inline Model wide_model() {
  QuadraticTerms terms =
      spin_glass({{6, 7}, true}, CouplingLaw::plus_minus, 4).quadratic()->terms();
  Xoshiro256 engine = make_stream(14, 0, 0, Purpose::test);
  for (Coupling& c : terms.couplings) c.value *= 1 + double(engine() % 40);
  return {"wide", QuadraticModel(terms)};
}

inline Model gaussian_model() {
  QuadraticTerms terms =
      spin_glass({{4, 3, 4}, true}, CouplingLaw::gaussian, 5).quadratic()->terms();
  Xoshiro256 engine = make_stream(12, 0, 0, Purpose::test);
  NormalSource normal(engine);
  terms.linear.assign(terms.sites, 0.0);
  for (double& h : terms.linear) h = normal();
  return {"gaussian", QuadraticModel(terms)};
}

/// Every pair of 70 sites coupled.
inline Model complete_model() {
  QuadraticTerms terms;
  terms.sites = 70;
  terms.convention = Convention::binary;
  Xoshiro256 engine = make_stream(13, 0, 0, Purpose::test);
  NormalSource normal(engine);
  for (Site i = 0; i < terms.sites; ++i) {
    terms.linear.push_back(normal());
    for (Site j = i + 1; j < terms.sites; ++j) terms.couplings.push_back({i, j, 0.2 * normal()});
  }
  return {"complete", QuadraticModel(terms)};
}

inline Model rbm_model() { return model_from_spec("rbm:40x35,seed=1"); }

template <class Kernel>
std::shared_ptr<const Kernel> make_kernel(const Model& model, const Bits& reference) {
  if constexpr (std::is_same_v<Kernel, RbmKernel>)
    return std::make_shared<const Kernel>(model.shared_rbm(), reference);
  else if constexpr (std::is_same_v<Kernel, DenseKernel>)
    return std::make_shared<const Kernel>(model.shared_quadratic(), reference);
  else if constexpr (Kernel::exact)
    return std::make_shared<const Kernel>(model.shared_quadratic(), reference,
                                          find_grid(*model.quadratic(), reference, 1 << 24));
  else
    return std::make_shared<const Kernel>(model.shared_quadratic(), reference, Grid{});
}

template <class Kernel>
Model model_for() {
  if constexpr (std::is_same_v<Kernel, RbmKernel>) return rbm_model();
  if constexpr (std::is_same_v<Kernel, DenseKernel>) return complete_model();
  if constexpr (std::is_same_v<Kernel, IntegerKernel>) return integer_model();
  return gaussian_model();
}

/// A kernel with an engine, as one type for typed tests.
template <class KernelType, template <class> class EngineType,
          Model (*make)() = model_for<KernelType>>
struct Pairing {
  using Kernel = KernelType;
  using State = nhot::State<KernelType, EngineType>;
  static Model model() { return make(); }
};

using AllPairings = testing::Types<
    Pairing<IntegerKernel, LinearEngine>, Pairing<IntegerKernel, TreeEngine>,
    Pairing<IntegerKernel, ClassesEngine>, Pairing<IntegerKernel, ThinnedEngine>,
    Pairing<IntegerKernel, CompactEngine>, Pairing<IntegerKernel, ClassesEngine, few_levels_model>,
    Pairing<IntegerKernel, CompactEngine, few_levels_model>,
    Pairing<IntegerKernel, CompactEngine, wide_model>,
    Pairing<IntegerKernel, ThinnedEngine, wide_model>, Pairing<RealKernel, LinearEngine>,
    Pairing<RealKernel, TreeEngine>, Pairing<RealKernel, SumsEngine>,
    Pairing<DenseKernel, LinearEngine>, Pairing<DenseKernel, DenseEngine>,
    Pairing<RbmKernel, LinearEngine>, Pairing<RbmKernel, DenseEngine>>;

}  // namespace nhot::test
