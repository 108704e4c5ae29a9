#include "nhot/trace/trace.hpp"

#include <utility>

#include "nhot/base/contracts.hpp"
#include "nhot/trace/halving.hpp"

namespace nhot {
namespace {

template <class T>
void extend(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void Trace::append(Trace block) {
  if (chains.empty()) {
    *this = std::move(block);
    return;
  }
  NHOT_EXPECTS(chains.size() == block.chains.size());
  NHOT_EXPECTS(observables.size() == block.observables.size());
  const std::size_t offset = draws();
  for (std::size_t c = 0; c < chains.size(); ++c) {
    extend(chains[c].energy, block.chains[c].energy);
    extend(chains[c].accepted, block.chains[c].accepted);
    extend(chains[c].acceptance_rate, block.chains[c].acceptance_rate);
    extend(chains[c].saw_length, block.chains[c].saw_length);
    extend(chains[c].hamming_move, block.chains[c].hamming_move);
  }
  for (std::size_t k = 0; k < observables.size(); ++k)
    for (std::size_t s = 0; s < observables[k].series.size(); ++s)
      extend(observables[k].series[s], block.observables[k].series[s]);
  for (const std::uint64_t draw : block.state_draws) state_draws.push_back(draw + offset);
  for (std::size_t c = 0; c < states.size(); ++c)
    for (PackedBits& state : block.states[c]) states[c].push_back(std::move(state));
}

void Trace::halve() {
  for (ChainColumns& chain : chains) {
    // The rate between kept draws is the mean of the two halves.
    for (std::size_t k = 0; 2 * k + 1 < chain.acceptance_rate.size(); ++k)
      chain.acceptance_rate[2 * k + 1] =
          0.5 * (chain.acceptance_rate[2 * k] + chain.acceptance_rate[2 * k + 1]);
    keep_second(chain.energy);
    keep_second(chain.accepted);
    keep_second(chain.acceptance_rate);
    keep_second(chain.saw_length);
    keep_second(chain.hamming_move);
  }
  for (ObservableColumn& column : observables)
    for (std::vector<double>& series : column.series) keep_second(series);
  // A state stays only if its draw stays.
  std::size_t kept = 0;
  for (std::size_t s = 0; s < state_draws.size(); ++s) {
    if (state_draws[s] % 2 == 0 || state_draws[s] / 2 >= draws()) continue;
    state_draws[kept] = state_draws[s] / 2;
    if (kept != s)  // a self-move would empty it
      for (std::vector<PackedBits>& list : states) list[kept] = std::move(list[s]);
    ++kept;
  }
  state_draws.resize(kept);
  for (std::vector<PackedBits>& list : states) list.resize(kept);
  thin *= 2;
}

Trace Trace::without_states() const {
  Trace copy;
  copy.beta = beta;
  copy.thin = thin;
  copy.chains = chains;
  copy.observables = observables;
  copy.states.resize(states.size());
  return copy;
}

void Trace::cut(std::size_t draws) {
  for (ChainColumns& chain : chains) {
    NHOT_EXPECTS(draws <= chain.draws());
    chain.energy.resize(draws);
    chain.accepted.resize(draws);
    chain.acceptance_rate.resize(draws);
    chain.saw_length.resize(draws);
    chain.hamming_move.resize(draws);
  }
  for (ObservableColumn& column : observables)
    for (std::vector<double>& series : column.series) series.resize(draws);
  while (!state_draws.empty() && state_draws.back() >= draws) {
    state_draws.pop_back();
    for (std::vector<PackedBits>& list : states) list.pop_back();
  }
}

}  // namespace nhot
