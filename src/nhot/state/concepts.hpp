// What a kernel and an engine must have to be part of a State, checked where a State is made: a
// compiler names the member that is missing. Optional members are not here; State detects them.
#pragma once

#include <concepts>
#include <cstddef>

#include "nhot/base/bytes.hpp"
#include "nhot/base/types.hpp"
#include "nhot/state/configuration.hpp"
#include "nhot/state/weight.hpp"

namespace nhot {

/// A model in the frame of a reference (see model/frame.hpp): u = x xor c, and a field F_i for each
/// site, dE_i = F_i where u_i = 0 and -F_i where u_i = 1.
template <class K>
concept ModelKernel = requires(const K& kernel, Site i, const Bits& u,
                               typename FieldsOf<K>::type& fields, std::size_t k) {
  typename K::Field;                          // the type of a field
  { K::exact } -> std::convertible_to<bool>;  // fields are whole numbers of quantum()
  { kernel.sites() } -> std::same_as<Site>;
  { kernel.quantum() } -> std::convertible_to<double>;  // energy of one unit of a field
  kernel.compute_fields(u, fields);                     // all fields from scratch
  {
    kernel.degree(i)
    } -> std::convertible_to<std::size_t>;           // sites whose fields a flip of i changes,
  { kernel.neighbour(i, k) } -> std::same_as<Site>;  // and the k-th of them
};

/// Follows a configuration, to select its sites by weight.
template <class E, class K>
concept SelectionEngine = requires(E engine, const E& same, const Configuration<K>& configuration,
                                   WeightSet weight_set, ByteWriter& out, ByteReader& in) {
  requires std::constructible_from < E, const Configuration<K>
  &, WeightSet > ;
  { E::name } -> std::convertible_to<const char*>;
  engine.rebuild(configuration);                  // everything from scratch
  engine.set_weights(configuration, weight_set);  // other weights for the same configuration
  same.save(out);                                 // what is no function of the configuration
  engine.restore(configuration, in);
};

/// What engines that select have in addition. (NoEngine does not.)
template <class E, class K>
concept WeightedEngine = SelectionEngine<E, K> &&
    requires(const E& engine, const Configuration<K>& configuration, Side side, unsigned index) {
  {
    engine.total(configuration, side, index)
    } -> std::same_as<ScaledWeight>;  // sum of weights of a side
};

}  // namespace nhot
