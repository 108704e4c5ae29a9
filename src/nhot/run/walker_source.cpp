#include "nhot/run/walker_source.hpp"

#include <limits>

#include "nhot/chain/setup.hpp"
#include "nhot/run/anneal/band_walk.hpp"
#include "nhot/run/sweep.hpp"
#include "nhot/run/visited_states.hpp"

namespace nhot {
namespace {

/// A chain of any move as a walker.
class ChainWalker final : public Walker {
 public:
  ChainWalker(const ChainFactory& factory, std::uint64_t moves_per_sweep, const Xoshiro256& stream)
      : factory_(factory), moves_per_sweep_(moves_per_sweep), stream_(stream) {}

  void tell(VisitedStates& visited) override { visited_ = &visited; }

  void start(const Bits& bits) override {
    if (chain_)
      chain_->set_bits(bits);
    else
      chain_ = factory_.make(stream_, bits);
    forget_best();
    if (visited_) visited_->visit(chain_->energy(), bits);
  }

  void sweep(double beta, std::uint64_t count) override {
    chain_->set_beta(beta);
    const std::uint64_t moves = count * moves_per_sweep_;
    if (!visited_)
      chain_->advance(moves);
    else
      for (std::uint64_t k = 0; k < moves; ++k) advance_and_record(*chain_, *visited_);
  }

  void forget_best() override {
    start_ = chain_->bits();
    chain_->reset_counters();
    chain_->record_below(std::numeric_limits<double>::infinity());
  }

  double energy() const override { return chain_->energy(); }
  double best_energy() const override { return chain_->counters().best_energy; }
  Bits best_bits() const override {
    return chain_->recorded().empty() ? start_ : chain_->recorded();
  }
  /// Unknown: a chain does not tell.
  double uphill_share() const override { return 1; }

 private:
  const ChainFactory& factory_;
  std::uint64_t moves_per_sweep_;
  Xoshiro256 stream_;
  std::unique_ptr<AnyChain> chain_;
  VisitedStates* visited_ = nullptr;
  Bits start_;
};

}  // namespace

void advance_and_record(AnyChain& chain, VisitedStates& visited) {
  const std::uint64_t accepted = chain.counters().accepted;
  chain.advance(1);
  if (chain.counters().accepted != accepted && visited.wanted(chain.energy()))
    visited.visit(chain.energy(), chain.bits());
}

WalkerSource::WalkerSource(const Model& model, const Shell& shell, std::string_view move,
                           std::uint64_t seed)
    : shell_(std::make_shared<const Shell>(shell)),
      // Set up for swap, whose kernel is chosen without an engine, as the band walk needs it.
      band_(std::make_unique<const ChainSetup>(model, shell_, "swap", 1.0)) {
  if (move == "auto") return;
  factory_.emplace(model, shell, move, 1.0);
  move_ = factory_->move();
  moves_per_sweep_ = moves_per_sweep(*factory_, seed);
}

WalkerSource::~WalkerSource() = default;

std::unique_ptr<Walker> WalkerSource::make(const Xoshiro256& stream) const {
  if (factory_) return std::make_unique<ChainWalker>(*factory_, moves_per_sweep_, stream);
  return make_band(stream);
}

std::unique_ptr<Walker> WalkerSource::make_band(const Xoshiro256& stream) const {
  return std::visit(
      [&]<class Kernel>(const std::shared_ptr<const Kernel>& kernel) -> std::unique_ptr<Walker> {
        if (shell_->grouped())
          return std::make_unique<BandWalk<Grouped<Kernel>>>(
              std::static_pointer_cast<const Grouped<Kernel>>(kernel), shell_, stream);
        return std::make_unique<BandWalk<Kernel>>(kernel, shell_, stream);
      },
      band_->kernel());
}

}  // namespace nhot
