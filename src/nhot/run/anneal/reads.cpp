#include "nhot/run/anneal/reads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/anneal/blocks.hpp"
#include "nhot/run/anneal/quench.hpp"
#include "nhot/run/start.hpp"
#include "nhot/run/sweep.hpp"

namespace nhot {
namespace {

constexpr std::uint64_t tries_per_block = 4096;  // between looks at the clock, about
constexpr double share_kept = 0.9;               // conditional ESS / size of a temperature step

}  // namespace

ReadMaker::ReadMaker(const Model& model, const Shell& shell, const AnnealingPlan& plan,
                     Search& search, const GoodStates& good, bool keep_offers)
    : model_(model),
      shell_(shell),
      plan_(plan),
      search_(search),
      good_(good),
      keep_offers_(keep_offers),
      walkers_(model, shell, plan.population ? "auto" : plan.move, plan.seed) {}

void ReadMaker::cool_along(CoolingSchedule schedule) {
  schedule_ = std::move(schedule);
  if (!plan_.population) return;
  populations_.emplace(model_, shell_, plan_.move == "auto" ? "im" : plan_.move,
                       schedule_->coldest());
  moves_per_sweep_ = moves_per_sweep(*populations_, plan_.seed);
}

bool ReadMaker::can_merge() const {
  constexpr std::size_t most_neighbours = 64;  // on average: dense models do not fall into blocks
  return plan_.move == "auto" && !plan_.population && model_.quadratic() && !shell_.grouped() &&
         2 * model_.data().couplings() <= most_neighbours * shell_.sites();
}

Bits ReadMaker::start_of(std::uint64_t number) const {
  return plan_.start ? *plan_.start : uniform_start(shell_, plan_.seed, 0, number);
}

ReadRecord ReadMaker::make(std::uint64_t number, const ReadBatch& batch, const Tell& tell) {
  ReadRecord record;
  if (populations_)
    cool_population(number, tell, record);
  else if (batch.kind == ReadKind::blocks && !good_.elite.list().empty())
    cool_blocks(number, batch.sweeps, tell, record);
  else
    cool(number, opening(number, batch), batch.sweeps, tell, record);
  return record;
}

/// Reheating takes better states more often, each to a temperature of its own. Multiples of
/// irrational numbers, a low-discrepancy sequence, make both choices.
ReadMaker::Opening ReadMaker::opening(std::uint64_t number, const ReadBatch& batch) const {
  const std::vector<FoundState>& elite = good_.elite.list();
  if (batch.kind == ReadKind::anew || elite.empty()) return {start_of(number), 0.0};
  const auto spread = [&](double irrational) {
    const double x = irrational * static_cast<double>(number);
    return x - std::floor(x);
  };
  const double u = spread(0.7548776662466927);
  const auto rank = static_cast<std::size_t>(u * u * static_cast<double>(elite.size()));
  return {elite[std::min(rank, elite.size() - 1)].bits, 0.25 + 0.5 * spread(0.6180339887498949)};
}

/// One read.
void ReadMaker::cool(std::uint64_t number, const Opening& opening, std::uint64_t sweeps,
                     const Tell& tell, ReadRecord& record) {
  const auto walker = walkers_.make(make_stream(plan_.seed, 0, number, Purpose::moves));
  VisitedStates visited(plan_.keep, search_.bound());
  if (keeps_many()) walker->tell(visited);
  walker->start(opening.bits);
  const std::uint64_t block =
      std::clamp<std::uint64_t>(tries_per_block / std::max<Site>(1, shell_.sites()), 1, sweeps);
  // A reheated state's old energy does not count: recombination needs where the read ends.
  bool warming = opening.progress > 0;
  std::uint64_t done = 0;
  while (done < sweeps) {
    const std::uint64_t count = std::min(block, sweeps - done);
    const double share =
        sweeps > count ? static_cast<double>(done) / static_cast<double>(sweeps - count) : 1.0;
    walker->sweep(schedule_->at(opening.progress + (1 - opening.progress) * share), count);
    done += count;
    if (warming && 8 * done >= sweeps) {
      offer(walker->best_bits(), record);
      walker->forget_best();
      warming = false;
    }
    if (walker->best_energy() < search_.best_energy()) search_.sight(walker->best_bits());
    tell(static_cast<double>(done));
    if (search_.over()) break;
  }
  record.end = walker->best_bits();
  descend(record.end, visited, record);
  hand_in(visited, record);
  record.sweeps = static_cast<double>(done);
}

/// Of a base among the best, blocks by so many other states that there are as many blocks as
/// wanted, a number drawn anew for each read: few large blocks or many small ones.
void ReadMaker::cool_blocks(std::uint64_t number, std::uint64_t sweeps, const Tell& tell,
                            ReadRecord& record) {
  RandomDraws draws(make_stream(plan_.seed, 0, number, Purpose::start));
  const std::vector<FoundState>& elite = good_.elite.list();
  const double u = draws.uniform();
  const auto rank = static_cast<std::size_t>(u * u * static_cast<double>(elite.size()));
  const Bits& base = elite[std::min(rank, elite.size() - 1)].bits;
  std::vector<const Bits*> others;
  for (const Bits& bits : good_.recent) others.push_back(&bits);
  for (const FoundState& state : elite)
    if (&state.bits != &base) others.push_back(&state.bits);
  const auto sites = static_cast<double>(shell_.sites());
  const double wanted = sites * std::exp2(-1 - 4 * draws.uniform());
  std::vector<const Bits*> states = {&base};
  Blocks blocks;
  while (!others.empty() && static_cast<double>(blocks.count) < wanted) {
    const std::size_t k = draws.below(others.size());
    states.push_back(others[k]);
    others[k] = others.back();
    others.pop_back();
    blocks = merge_sites(*model_.quadratic(), states);
  }
  record.end = base;
  if (blocks.count < 2) return;
  const auto block_sweeps = static_cast<std::uint64_t>(
      std::ceil(static_cast<double>(sweeps) * sites / static_cast<double>(blocks.count)));
  record.sweeps = static_cast<double>(sweeps);
  VisitedStates visited(plan_.keep, search_.bound());
  record.end =
      search_blocks(model_, shell_, base, blocks, *schedule_, 0.5 * draws.uniform(), block_sweeps,
                    make_stream(plan_.seed, 0, number, Purpose::moves), [&](double share) {
                      tell(share * static_cast<double>(sweeps));
                      if (!search_.over()) return true;
                      record.sweeps = share * static_cast<double>(sweeps);
                      return false;
                    });
  descend(record.end, visited, record);
  hand_in(visited, record);
}

/// Quenches the state and hands it in.
void ReadMaker::descend(Bits& bits, VisitedStates& visited, ReadRecord& record) {
  quench(model_, shell_, bits, [&, late = overdue()] {
    if (keeps_many()) visited.visit(model_.energy(bits), bits);
    return late();
  });
  offer(bits, record);
}

void ReadMaker::hand_in(VisitedStates& visited, ReadRecord& record) {
  visited.for_each([&](const Bits& bits) { offer(bits, record); });
}

void ReadMaker::offer(const Bits& bits, ReadRecord& record) {
  if (keep_offers_) record.offers.push_back(bits);
  search_.offer(bits);
}

/// A descent may outlast the search a little: in a read that was ended early it is what makes its
/// state worth having, and on small models it takes no time.
std::function<bool()> ReadMaker::overdue() {
  return [this, begin = std::optional<double>()]() mutable {
    if (!search_.over()) return false;
    if (!begin) begin = search_.elapsed();
    return search_.elapsed() - *begin > 0.02 + 0.01 * plan_.seconds.value_or(0);
  };
}

/// One population as one read. The number of sweeps follows from the steps.
void ReadMaker::cool_population(std::uint64_t number, const Tell& tell, ReadRecord& record) {
  Population population(*populations_, plan_.seed, 1 + number, plan_.population);
  VisitedStates visited(plan_.keep, search_.bound());
  for (std::size_t k = 0; k < population.size(); ++k) {
    population.member(k).reset_counters();
    population.member(k).record_below(std::numeric_limits<double>::infinity());
    if (keeps_many()) visited.visit(population.member(k).energy(), population.member(k).bits());
  }
  double done = 0;
  while (population.beta() < schedule_->coldest() && !search_.over()) {
    population.reweight(population.next_beta(schedule_->coldest(), share_kept));
    population.resample();
    if (keeps_many())
      advance_and_record(population, visited);
    else
      population.advance(moves_per_sweep_);
    done += static_cast<double>(population.size());
    tell(done);
  }
  std::vector<std::size_t> order(population.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  const auto best_of = [&](std::size_t k) { return population.member(k).counters().best_energy; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return best_of(a) < best_of(b); });
  order.resize(std::min(order.size(), std::max<std::size_t>(plan_.keep, 8)));
  for (const std::size_t k : order) {
    const AnyChain& member = population.member(k);
    Bits bits = member.recorded().empty() ? member.bits() : member.recorded();
    descend(bits, visited, record);
    if (k == order.front()) record.end = bits;
  }
  hand_in(visited, record);
  record.sweeps = done;
}

void ReadMaker::advance_and_record(Population& population, VisitedStates& visited) const {
  for (std::size_t k = 0; k < population.size(); ++k)
    for (std::uint64_t m = 0; m < moves_per_sweep_; ++m)
      nhot::advance_and_record(population.member(k), visited);
}

}  // namespace nhot
