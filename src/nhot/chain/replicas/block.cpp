#include "nhot/chain/replicas/block.hpp"

#include <algorithm>

#include "nhot/base/contracts.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

constexpr std::size_t wide_replicas = 64 * wide_words;

/// counts[replica] from sliced counts.
void unslice(const SlicedCounts& counts, std::size_t replicas, std::vector<std::int64_t>& totals,
             std::int64_t weight) {
  for (std::size_t p = 0; p < count_planes; ++p)
    for (std::size_t w = 0; 64 * w < replicas; ++w) {
      const std::uint64_t word = counts.plane[p].word[w];
      if (word == 0) continue;
      const std::size_t end = std::min<std::size_t>(64, replicas - 64 * w);
      for (std::size_t b = 0; b < end; ++b)
        totals[64 * w + b] += weight * static_cast<std::int64_t>(((word >> b) & 1) << p);
    }
}

}  // namespace

std::vector<std::size_t> replica_block_sizes(std::size_t chains, bool wide_pays) {
  std::vector<std::size_t> sizes;
  while (chains > 0) {
    const std::size_t room = wide_pays && 2 * chains >= wide_replicas ? wide_replicas : 64;
    sizes.push_back(std::min(chains, room));
    chains -= sizes.back();
  }
  return sizes;
}

/// One replica of the block as a chain. The first also carries what all share.
class ReplicaBlock::Replica final : public ChainView {
 public:
  Replica(ReplicaBlock& block, std::size_t number) : block_(&block), number_(number) {}

  double energy() const override { return block_->energy(number_); }
  Bits bits() const override { return block_->shell_->relative(block_->read(number_)); }

  const ChainCounters& counters() const override { return counters_; }
  void reset_counters() override {
    counters_ = {};
    counters_.best_energy = energy();
  }
  LastMove last_move() const override {
    const bool accepted = block_->bit(block_->data_.last, number_);
    return {accepted, 1, accepted ? 2U : 0U};
  }

  void save(ByteWriter& out) const override {
    out.put(counters_);
    out.put(block_->read(number_));
    out.put(std::uint8_t{block_->bit(block_->data_.last, number_)});
    if (number_ == 0) block_->save_shared(out);
  }

  void restore(ByteReader& in) override {
    in.get(counters_);
    Bits u;
    in.get_sized(u, block_->shell_->sites());
    for (const Bit bit : u)
      if (bit > 1) ByteReader::damaged();
    if (!block_->shell_->contains(block_->shell_->relative(u))) ByteReader::damaged();
    block_->write(number_, u);
    std::uint64_t& last = block_->data_.last.word[number_ / 64];
    const std::uint64_t mask = std::uint64_t{1} << (number_ % 64);
    last = in.get<std::uint8_t>() != 0 ? last | mask : last & ~mask;
    if (number_ == 0) block_->restore_shared(in);
  }

  ChainCounters& totals() { return counters_; }

 private:
  ReplicaBlock* block_;
  std::size_t number_;
  ChainCounters counters_;
};

ReplicaBlock::ReplicaBlock(std::shared_ptr<const ReplicaModel> model,
                           std::shared_ptr<const Shell> shell, double beta,
                           const std::vector<Bits>& starts, std::uint64_t seed, std::uint64_t first,
                           ReplicaLoops loops)
    : model_(std::move(model)), shell_(std::move(shell)), loops_(loops) {
  NHOT_EXPECTS(!starts.empty() && starts.size() <= wide_replicas);
  data_.terms = model_->terms();
  data_.words = starts.size() <= 64 ? 1 : wide_words;
  // The pairs of a batch are not coupled, so that each costs at most its neighbours.
  table_.set(beta, model_->unit(), data_.words == 1 ? data_.terms.degree : data_.terms.levels);
  data_.table = &table_;
  data_.states.resize((std::size_t{shell_->sites()} * data_.words + 7) / 8 + 1);
  data_.marks.assign(shell_->sites(), 0);
  data_.pairs = make_stream(seed, 0, first, Purpose::pairs);
  for (std::size_t k = 0; k < WideXoshiro::width; ++k)
    data_.coins.set_stream(k, make_stream(seed, k, first, Purpose::coins));
  units_.resize(starts.size());
  replicas_.reserve(starts.size());
  for (std::size_t k = 0; k < starts.size(); ++k) {
    NHOT_EXPECTS(shell_->contains(starts[k]));
    write(k, shell_->relative(starts[k]));
    replicas_.emplace_back(*this, k);
  }
  for (Replica& replica : replicas_) replica.reset_counters();
}

ReplicaBlock::~ReplicaBlock() = default;

std::size_t ReplicaBlock::size() const { return replicas_.size(); }
ChainView& ReplicaBlock::chain(std::size_t k) { return replicas_[k]; }

void ReplicaBlock::advance(std::uint64_t moves) {
  for (Replica& replica : replicas_) replica.totals().moves += moves;
  if (shell_->sites() < 2) return;  // no pair to try
  while (moves > 0) {
    const std::uint64_t now = std::min(moves, max_replica_moves);
    loops_.advance(data_, now);
    flush(data_.attempted, &ChainCounters::steps);
    flush(data_.accepted, &ChainCounters::accepted);
    for (Replica& replica : replicas_) replica.totals().changed = replica.totals().accepted;
    units_known_ = false;
    moves -= now;
  }
}

void ReplicaBlock::note_draw() {
  for (std::size_t k = 0; k < replicas_.size(); ++k) {
    ChainCounters& totals = replicas_[k].totals();
    totals.best_energy = std::min(totals.best_energy, energy(k));
  }
}

void ReplicaBlock::write(std::size_t replica, const Bits& u) {
  const std::uint64_t mask = std::uint64_t{1} << (replica % 64);
  for (Site i = 0; i < shell_->sites(); ++i) {
    std::uint64_t& word = data_.word(i)[replica / 64];
    word = u[i] ? word | mask : word & ~mask;
  }
  units_known_ = false;
}

Bits ReplicaBlock::read(std::size_t replica) const {
  Bits u(shell_->sites());
  const std::uint64_t* word = data_.word(0) + replica / 64;
  const std::size_t words = data_.words;
  const unsigned shift = replica % 64;
  for (std::size_t i = 0; i < u.size(); ++i)
    u[i] = static_cast<Bit>((word[i * words] >> shift) & 1);
  return u;
}

bool ReplicaBlock::bit(const WordLine& line, std::size_t replica) const {
  return ((line.word[replica / 64] >> (replica % 64)) & 1) != 0;
}

void ReplicaBlock::flush(SlicedCounts& counts, std::uint64_t ChainCounters::*total) {
  std::vector<std::int64_t> numbers(replicas_.size(), 0);
  unslice(counts, replicas_.size(), numbers, 1);
  for (std::size_t k = 0; k < replicas_.size(); ++k)
    replicas_[k].totals().*total += static_cast<std::uint64_t>(numbers[k]);
  counts = {};
}

double ReplicaBlock::energy(std::size_t replica) const {
  if (!units_known_) {
    std::fill(units_.begin(), units_.end(), 0);
    for (const EnergyPart& part : model_->energy_parts()) {
      // Counts have a limited number of digits.
      for (std::size_t begin = 0; begin < part.pairs.size(); begin += max_replica_moves) {
        SlicedCounts counts;
        loops_.count_pairs(data_, part.pairs.data() + begin,
                           std::min<std::size_t>(max_replica_moves, part.pairs.size() - begin),
                           counts);
        unslice(counts, replicas_.size(), units_, part.weight);
      }
    }
    units_known_ = true;
  }
  return model_->energy(units_[replica]);
}

void ReplicaBlock::save_shared(ByteWriter& out) const {
  out.put(data_.pairs.state());
  out.put(data_.coins.part);
  out.put(data_.batch);
}

void ReplicaBlock::restore_shared(ByteReader& in) {
  const auto pairs = in.get<Xoshiro256::State>();
  in.get(data_.coins.part);
  in.get(data_.batch);
  const PairBatch& batch = data_.batch;
  bool sound = pairs != Xoshiro256::State{} && batch.rounds_left <= PairBatch::rounds &&
               batch.size <= PairBatch::most && batch.made <= batch.size;
  for (std::size_t k = 0; k < WideXoshiro::width; ++k)
    sound = sound && data_.coins.stream(k).state() != Xoshiro256::State{};
  for (std::size_t k = 0; k < PairBatch::most; ++k)
    sound = sound && batch.i[k] < shell_->sites() && batch.j[k] < shell_->sites();
  if (!sound) ByteReader::damaged();
  data_.pairs.set_state(pairs);
}

}  // namespace nhot
