#include "nhot/run/draw_recorder.hpp"

namespace nhot {

Trace DrawRecorder::make_block(std::size_t chains, std::size_t draws, double beta,
                               std::uint64_t thin) const {
  Trace block;
  block.beta = beta;
  block.thin = thin;
  block.chains.resize(chains);
  for (ChainColumns& columns : block.chains) {
    columns.energy.resize(draws);
    columns.accepted.resize(draws);
    columns.acceptance_rate.resize(draws);
    columns.saw_length.resize(draws);
    columns.hamming_move.resize(draws);
  }
  for (const auto& observable : observables_)
    block.observables.push_back({observable->name(), observable->help(),
                                 std::vector(chains, std::vector<double>(draws)), false});
  block.states.resize(chains);
  return block;
}

Bits DrawRecorder::record(Trace& block, std::size_t chain_index, std::size_t draw,
                          const ChainView& chain, double rate) const {
  ChainColumns& columns = block.chains[chain_index];
  const LastMove last = chain.last_move();
  columns.energy[draw] = chain.energy();
  columns.accepted[draw] = last.accepted;
  columns.acceptance_rate[draw] = rate;
  columns.saw_length[draw] = static_cast<std::int32_t>(last.length);
  columns.hamming_move[draw] = static_cast<std::int32_t>(last.hamming);
  Bits bits = chain.bits();
  for (std::size_t k = 0; k < observables_.size(); ++k)
    block.observables[k].series[chain_index][draw] = observables_[k]->measure(bits);
  return bits;
}

ObservableColumn overlap_column(const std::vector<std::vector<Bits>>& states,
                                const std::string& what) {
  ObservableColumn column{"overlap", "overlap of " + what + " 2k and 2k + 1", {}, true};
  for (std::size_t c = 0; c + 1 < states.size(); c += 2) {
    std::vector<double> series;
    for (std::size_t d = 0; d < states[c].size(); ++d)
      series.push_back(overlap(states[c][d], states[c + 1][d]));
    column.series.push_back(std::move(series));
  }
  return column;
}

}  // namespace nhot
