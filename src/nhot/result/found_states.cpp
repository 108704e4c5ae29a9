#include "nhot/result/found_states.hpp"

#include <string>

#include "nhot/base/options.hpp"
#include "nhot/base/text_layout.hpp"
#include "nhot/result/run_report.hpp"

namespace nhot {

std::vector<KeptState> best_kept_states(const Trace& trace, const FoundState& best,
                                        std::size_t most) {
  BestStates found(most);
  if (!best.bits.empty()) found.offer(best.energy, best.bits);
  const auto energy_of = [&](std::size_t c, std::size_t s) {
    return trace.chains[c].energy[trace.state_draws[s]];
  };
  std::size_t kept = 0;
  for (std::size_t c = 0; c < trace.states.size(); ++c)
    for (std::size_t s = 0; s < trace.states[c].size(); ++s, ++kept)
      if (energy_of(c, s) <= found.bound())
        found.offer(energy_of(c, s), trace.states[c][s].unpacked());

  std::vector<KeptState> list;
  std::vector<PackedBits> packed;
  for (const FoundState& state : found.list()) {
    list.push_back({state, 0});
    packed.emplace_back(state.bits);
  }
  if (list.empty()) return list;
  for (std::size_t c = 0; c < trace.states.size(); ++c)
    for (std::size_t s = 0; s < trace.states[c].size(); ++s) {
      const double energy = energy_of(c, s);
      if (energy > list.back().found.energy) continue;
      for (std::size_t k = 0; k < list.size(); ++k)
        if (list[k].found.energy == energy && packed[k] == trace.states[c][s])
          list[k].share += 1 / static_cast<double>(kept);
    }
  return list;
}

TextRows state_rows(const std::vector<KeptState>& states, const SiteNames& names,
                    bool lists_sites) {
  TextRows rows = {{"state", "energy", "share"}};
  if (lists_sites) rows.front().emplace_back("ones at");
  for (std::size_t k = 0; k < states.size(); ++k) {
    rows.push_back({std::to_string(k + 1), short_real(states[k].found.energy),
                    significant(states[k].share, 3)});
    if (lists_sites) rows.back().push_back(ones_text(states[k].found.bits, names));
  }
  return rows;
}

}  // namespace nhot
