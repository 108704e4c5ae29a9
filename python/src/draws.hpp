// The draws of a run as NumPy arrays.
#pragma once

#include "common.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot::python {

/// Energy and what else is known of every draw: name -> (chain, draw).
nb::dict columns_of(const Trace& trace);
/// name -> (array (chain or pair, draw), help, True when it belongs to pairs of chains).
nb::dict observables_of(const Trace& trace);
/// (chain, state, site), one byte a site; packed: (chain, state, bytes), bits as of
/// numpy.packbits(bitorder="little").
nb::object states_of(const Trace& trace, std::size_t sites, bool packed);
nb::object state_draws_of(const Trace& trace);
/// (means, errors) of every site over the kept states; without a state, arrays of no sites.
nb::tuple site_means_of(const Trace& trace);

}  // namespace nhot::python
