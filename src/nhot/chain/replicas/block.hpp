// Many chains of one model in the bits of words: engine `bits` of the move `swap`.
#pragma once

#include <memory>
#include <vector>

#include "nhot/chain/chain_group.hpp"
#include "nhot/chain/replicas/data.hpp"
#include "nhot/chain/replicas/model.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// Replicas per block: 64, or 512 where the model makes that faster and at least half of those are
/// wanted.
std::vector<std::size_t> replica_block_sizes(std::size_t chains, bool wide_pays);

/// Every replica samples pi_n(x) ~ exp(-beta E(x)) on the shell. A move takes two sites, the same
/// in all replicas and chosen without a look at them, and redraws the two bits of every replica in
/// which they are unlike from their law given the rest, with randomness of its own: a heat bath,
/// under which each replica keeps pi_n and all together keep the product of pi_n. Given the sites
/// tried, replicas are independent.
///
/// A step is a move that met unlike sites. The lowest energy is that of the draws (note_draw).
/// About 10 to 20 ns per move of 64 replicas on machines with vector instructions.
class ReplicaBlock final : public ChainGroup {
 public:
  /// One start per replica, in the model's bits and on the shell. `first` is the number of the
  /// first chain: streams are hashed from (seed, first).
  ReplicaBlock(std::shared_ptr<const ReplicaModel> model, std::shared_ptr<const Shell> shell,
               double beta, const std::vector<Bits>& starts, std::uint64_t seed,
               std::uint64_t first, ReplicaLoops loops);
  ~ReplicaBlock() override;

  std::size_t size() const override;
  ChainView& chain(std::size_t k) override;
  void advance(std::uint64_t moves) override;
  void note_draw() override;
  /// What the loops of this block run on.
  SimdPath path() const { return loops_.path; }

 private:
  class Replica;

  void write(std::size_t replica, const Bits& u);
  Bits read(std::size_t replica) const;
  bool bit(const WordLine& line, std::size_t replica) const;
  void flush(SlicedCounts& counts, std::uint64_t ChainCounters::*total);
  double energy(std::size_t replica) const;
  void save_shared(ByteWriter& out) const;
  void restore_shared(ByteReader& in);

  std::shared_ptr<const ReplicaModel> model_;
  std::shared_ptr<const Shell> shell_;
  ReplicaLoops loops_;
  HeatBathTable table_;
  ReplicaData data_;
  std::vector<Replica> replicas_;
  // Energies in units, formed for all replicas at once when first asked for.
  mutable std::vector<std::int64_t> units_;
  mutable bool units_known_ = false;
};

}  // namespace nhot
