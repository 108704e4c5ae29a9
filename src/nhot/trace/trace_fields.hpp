// The columns of a trace, for archives.
#pragma once

#include "nhot/base/archive.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

template <class Archive>
void visit_fields(Archive& archive, ChainColumns& c) {
  archive(c.energy, c.accepted, c.acceptance_rate, c.saw_length, c.hamming_move);
}

template <class Archive>
void visit_fields(Archive& archive, ObservableColumn& c) {
  archive(c.name, c.help, c.series, c.per_pair);
}

template <class Archive>
void visit_fields(Archive& archive, Trace& t) {
  archive(t.beta, t.thin, t.chains, t.observables, t.state_draws, t.states);
}

}  // namespace nhot
