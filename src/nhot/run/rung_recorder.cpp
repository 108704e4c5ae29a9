#include "nhot/run/rung_recorder.hpp"

#include <algorithm>

namespace nhot {

RungRecorder::RungRecorder(const Observables& observables, Shape shape)
    : observables_(observables), shape_(std::move(shape)), traces_(shape_.betas.size()) {
  if (shape_.ladders >= 2)
    states_.assign(shape_.betas.size(),
                   std::vector(shape_.ladders, std::vector<Bits>(shape_.draws)));
  for (std::size_t k = 0; k < traces_.size(); ++k) {
    Trace& trace = traces_[k];
    trace.beta = shape_.betas[k];
    trace.thin = shape_.thin;
    trace.chains.resize(shape_.ladders);
    trace.states.resize(shape_.ladders);
    for (ChainColumns& columns : trace.chains) {
      columns.energy.resize(shape_.draws);
      columns.accepted.resize(shape_.draws);
      columns.acceptance_rate.resize(shape_.draws);
      columns.saw_length.resize(shape_.draws);
      columns.hamming_move.resize(shape_.draws);
    }
    for (const auto& observable : observables_)
      trace.observables.push_back({observable->name(), observable->help(),
                                   std::vector(shape_.ladders, std::vector<double>(shape_.draws)),
                                   false});
  }
  traces_[shape_.target].state_draws = shape_.keep;
}

void RungRecorder::record(std::size_t c, std::size_t rung, std::uint64_t d, const AnyChain& chain,
                          double rate) {
  Trace& trace = traces_[rung];
  ChainColumns& columns = trace.chains[c];
  const LastMove last = chain.last_move();
  columns.energy[d] = chain.energy();
  columns.accepted[d] = last.accepted;
  columns.acceptance_rate[d] = rate;
  columns.saw_length[d] = static_cast<std::int32_t>(last.length);
  columns.hamming_move[d] = static_cast<std::int32_t>(last.hamming);
  Bits bits = chain.bits();
  for (std::size_t k = 0; k < observables_.size(); ++k)
    trace.observables[k].series[c][d] = observables_[k]->measure(bits);
  if (rung == shape_.target && std::binary_search(shape_.keep.begin(), shape_.keep.end(), d))
    trace.states[c].push_back(bits);
  if (!states_.empty()) states_[rung][c][d] = std::move(bits);
}

void RungRecorder::measure_overlaps(std::size_t rung) {
  if (states_.empty()) return;
  const auto& states = states_[rung];
  ObservableColumn column{"overlap", "overlap of ladders 2k and 2k + 1", {}, true};
  for (std::size_t c = 0; c + 1 < states.size(); c += 2) {
    std::vector<double> series;
    for (std::size_t d = 0; d < states[c].size(); ++d)
      series.push_back(overlap(states[c][d], states[c + 1][d]));
    column.series.push_back(std::move(series));
  }
  traces_[rung].observables.push_back(std::move(column));
}

}  // namespace nhot
