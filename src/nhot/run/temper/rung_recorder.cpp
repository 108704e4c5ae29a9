#include "nhot/run/temper/rung_recorder.hpp"

#include <algorithm>
#include <utility>

namespace nhot {

RungRecorder::RungRecorder(const DrawRecorder& recorder, Shape shape)
    : recorder_(recorder), shape_(std::move(shape)) {
  if (shape_.ladders >= 2)
    states_.assign(shape_.betas.size(),
                   std::vector(shape_.ladders, std::vector<PackedBits>(shape_.draws)));
  for (const double beta : shape_.betas)
    traces_.push_back(recorder.make_block(shape_.ladders, shape_.draws, beta, shape_.thin));
  traces_[shape_.target].state_draws = shape_.keep;
}

void RungRecorder::record(std::size_t c, std::size_t rung, std::uint64_t d, const ChainView& chain,
                          double rate) {
  Trace& trace = traces_[rung];
  PackedBits state;
  recorder_.record(trace, c, d, chain, rate, state);
  if (rung == shape_.target && std::binary_search(shape_.keep.begin(), shape_.keep.end(), d))
    trace.states[c].push_back(state);
  if (!states_.empty()) states_[rung][c][d] = std::move(state);
}

void RungRecorder::measure_overlaps(std::size_t rung) {
  if (states_.empty()) return;
  traces_[rung].observables.push_back(overlap_column("ladders", states_[rung]));
}

bool RungRecorder::continues(const Trace& trace, std::size_t rung) const {
  const Trace& own = traces_[rung];
  bool same = trace.beta == own.beta && trace.thin == own.thin &&
              trace.chains.size() == own.chains.size() &&
              trace.states.size() == own.states.size() &&
              trace.observables.size() == own.observables.size();
  for (std::size_t k = 0; same && k < own.observables.size(); ++k)
    same = trace.observables[k].name == own.observables[k].name &&
           trace.observables[k].series.size() == own.observables[k].series.size();
  return same;
}

}  // namespace nhot
