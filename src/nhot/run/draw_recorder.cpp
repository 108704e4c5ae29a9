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

void DrawRecorder::record(Trace& block, std::size_t chain_index, std::size_t draw,
                          const ChainView& chain, double rate, PackedBits& state) const {
  ChainColumns& columns = block.chains[chain_index];
  const LastMove last = chain.last_move();
  columns.energy[draw] = chain.energy();
  columns.accepted[draw] = last.accepted;
  columns.acceptance_rate[draw] = rate;
  columns.saw_length[draw] = static_cast<std::int32_t>(last.length);
  columns.hamming_move[draw] = static_cast<std::int32_t>(last.hamming);
  chain.read(state);
  for (std::size_t k = 0; k < observables_.size(); ++k)
    block.observables[k].series[chain_index][draw] = observables_[k]->measure(state);
}

ObservableColumn overlap_column(const std::string& what, std::size_t chains) {
  return {"overlap", "overlap of " + what + " 2k and 2k + 1",
          std::vector<std::vector<double>>(chains / 2), true};
}

ObservableColumn overlap_column(const std::string& what,
                                const std::vector<std::vector<PackedBits>>& states) {
  ObservableColumn column = overlap_column(what, states.size());
  for (std::size_t k = 0; k < column.series.size(); ++k)
    for (std::size_t d = 0; d < states[2 * k].size(); ++d)
      column.series[k].push_back(overlap(states[2 * k][d], states[2 * k + 1][d]));
  return column;
}

}  // namespace nhot
