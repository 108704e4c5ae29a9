#include "nhot/run/compare/chain_recorder.hpp"

#include <utility>

#include "nhot/base/contracts.hpp"
#include "nhot/trace/halving.hpp"

namespace nhot {

ChainRecorder::ChainRecorder(std::uint64_t thin, std::uint64_t stride, std::size_t max_draws,
                             std::size_t max_states, std::size_t observables)
    : max_draws_(max_draws), max_states_(max_states), stride_(stride), observables_(observables) {
  NHOT_EXPECTS(thin > 0 && stride > 0 && max_draws >= 2 && max_states >= 2);
  columns_.thin = thin;
  columns_.chains.resize(1);
}

bool ChainRecorder::record_draw(const AnyChain& chain, std::uint64_t accepted_before) {
  ChainColumns& columns = columns_.chains.front();
  const LastMove last = chain.last_move();
  columns.energy.push_back(chain.energy());
  columns.accepted.push_back(last.accepted);
  columns.acceptance_rate.push_back(
      static_cast<double>(chain.counters().accepted - accepted_before) /
      static_cast<double>(columns_.thin));
  columns.saw_length.push_back(static_cast<std::int32_t>(last.length));
  columns.hamming_move.push_back(static_cast<std::int32_t>(last.hamming));
  return draws() % stride_ == 0;
}

void ChainRecorder::record_state(const AnyChain& chain, double cpu_seconds,
                                 const Observables& observables) {
  const ChainCounters& counters = chain.counters();
  stamps_.push_back({cpu_seconds, counters.accepted, counters.changed, counters.steps});
  chain.read(states_.emplace_back());
  for (std::size_t k = 0; k < observables.size(); ++k)
    observables_[k].push_back(observables[k]->measure(states_.back()));
  if (states_.size() >= max_states_) halve_states();
  // Halving an odd number would drop the last draw: draw d is to be after (d + 1) * thin moves.
  if (draws() + stride_ > max_draws_ && draws() % 2 == 0) halve_draws();
}

void ChainRecorder::bring_to(std::uint64_t thin, std::uint64_t stride) {
  while (columns_.thin < thin) halve_draws();
  while (stride_ < stride) halve_states();
  NHOT_ENSURES(columns_.thin == thin && stride_ == stride);
}

void ChainRecorder::halve_draws() {
  if (stride_ == 1) halve_states();  // now every second draw has a state, and just those stay
  columns_.halve();
  stride_ /= 2;
}

void ChainRecorder::halve_states() {
  keep_second(stamps_);
  keep_second(states_);
  for (std::vector<double>& series : observables_) keep_second(series);
  stride_ *= 2;
}

}  // namespace nhot
