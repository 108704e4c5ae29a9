// Writes draws of several chains into the columns of a block.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nhot/chain/chain_view.hpp"
#include "nhot/model/model.hpp"
#include "nhot/trace/observables.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

/// Chains may be recorded from several threads: each writes to its own columns.
class DrawRecorder {
 public:
  explicit DrawRecorder(const Model& model, const Observables& own = {})
      : observables_(observables_for(model, own)) {}

  /// A block with room for `draws` draws of every chain.
  Trace make_block(std::size_t chains, std::size_t draws, double beta, std::uint64_t thin) const;

  /// Records the chain as draw `draw`, and reads its state into `state`. `rate` is the share of
  /// moves accepted since the draw before.
  void record(Trace& block, std::size_t chain_index, std::size_t draw, const ChainView& chain,
              double rate, PackedBits& state) const;

 private:
  Observables observables_;
};

/// For the overlaps of chains (or `what` they are) 2k and 2k + 1; the series are empty.
ObservableColumn overlap_column(const std::string& what, std::size_t chains);
/// With the series, from [chain][draw] states.
ObservableColumn overlap_column(const std::string& what,
                                const std::vector<std::vector<PackedBits>>& states);

}  // namespace nhot
