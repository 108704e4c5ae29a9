#include "nhot/run/independent.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/thread_team.hpp"

namespace nhot {
namespace {

constexpr double round_seconds = 0.1;  // rounds are short enough for progress and Ctrl-C
constexpr std::uint64_t round_bytes = 64ULL << 20;  // states held for overlaps within a round

/// Runs one phase after the other over a fixed set of chains.
class Driver {
 public:
  Driver(const ChainFactory& factory, const RunPlan& plan, const RunHooks& hooks)
      : factory_(factory),
        plan_(plan),
        hooks_(hooks),
        observables_(observables_for(factory.model())),
        team_(thread_count(plan)) {
    for (std::uint64_t k = 0; k < plan.chains; ++k) {
      RandomDraws draws(make_stream(plan.seed, 0, k, Purpose::start));
      const Bits start = plan.start ? *plan.start : factory.shell().draw_uniform(draws);
      chains_.push_back(factory.make(make_stream(plan.seed, 0, k, Purpose::moves), start));
    }
    cpu_.assign(plan.chains, 0.0);
  }

  RunResult run() {
    RunResult result;
    result.warmup_moves = warm_up(result);
    double best = best_energy();
    for (auto& chain : chains_) chain->reset_counters();
    cpu_.assign(cpu_.size(), 0.0);
    if (!stopped_) sample(result);
    collect(result, best);
    return result;
  }

 private:
  static std::size_t thread_count(const RunPlan& plan) {
    const std::uint64_t wanted =
        plan.threads ? plan.threads : std::max(1U, std::thread::hardware_concurrency());
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(wanted, 1, plan.chains));
  }

  // --- phases
  // --------------------------------------------------------------------------------------

  std::uint64_t warm_up(RunResult& result) {
    begin_phase(true);
    if (plan_.seconds && !plan_.warmup) {
      // By time; the rate seen here decides how to thin.
      const double limit = 0.1 * *plan_.seconds;
      std::uint64_t chunk = 1;
      while (elapsed() < limit && !stop()) {
        const double before = elapsed();
        run_round(1, chunk, nullptr);
        if (elapsed() - before < round_seconds / 4) chunk *= 2;
        report(elapsed() / limit);
      }
      if (!plan_.thin && phase_moves_ > 0) {
        const double rate = static_cast<double>(phase_moves_) / elapsed();
        const double expected = rate * *plan_.seconds;
        // Half of the room: chains may be faster once warm.
        thin_ = static_cast<std::uint64_t>(
            std::max(1.0, std::ceil(2 * expected / static_cast<double>(plan_.max_draws))));
      }
    } else {
      const std::uint64_t moves = plan_.warmup ? *plan_.warmup : *plan_.moves / 10;
      thin_ = plan_.thin ? plan_.thin : thin_for(plan_.moves ? *plan_.moves : moves);
      run_moves(moves, result.warmup, true);
      if (plan_.seconds && !plan_.thin && elapsed() > 0 && moves > 0) {
        const double expected = static_cast<double>(moves) / elapsed() * *plan_.seconds;
        thin_ = static_cast<std::uint64_t>(
            std::max(1.0, std::ceil(2 * expected / static_cast<double>(plan_.max_draws))));
      }
    }
    if (plan_.thin) thin_ = plan_.thin;
    report(1.0);
    return phase_moves_;
  }

  void sample(RunResult& result) {
    begin_phase(false);
    if (plan_.moves) {
      run_moves(*plan_.moves, result.trace, false);
    } else {
      state_stride_ = std::max<std::uint64_t>(
          1, plan_.max_draws / 2 / std::max<std::uint64_t>(1, plan_.states));
      while (elapsed() < *plan_.seconds && !stop()) {
        Trace block;
        run_round(round_draws(std::max(0.0, *plan_.seconds - elapsed())), thin_, &block);
        keep(result.trace, block, false);
        if (!plan_.thin && result.trace.draws() >= plan_.max_draws) {
          result.trace.halve();
          thin_ *= 2;
          if (hooks_.sink) hooks_.sink->replace(result.trace);
        }
        report(std::min(1.0, elapsed() / *plan_.seconds));
      }
    }
    result.moves = phase_moves_;
    result.seconds = elapsed();
    if (!plan_.thin && thin_ > 1)
      result.notes.push_back("thinned: one draw kept every " + std::to_string(thin_) + " moves (" +
                             std::to_string(result.trace.draws()) + " draws per chain)");
  }

  /// A phase of a known number of moves: whole draws first, then the moves that make no draw.
  void run_moves(std::uint64_t moves, Trace& trace, bool warming) {
    const std::uint64_t draws = moves / thin_;
    state_stride_ = warming || plan_.states == 0
                        ? 0
                        : std::max<std::uint64_t>(1, (draws + plan_.states - 1) / plan_.states);
    std::uint64_t done = 0;
    while (done < draws && !stop()) {
      const std::uint64_t count = std::min(draws - done, round_draws(1e300));
      Trace block;
      run_round(count, thin_, &block);
      keep(trace, block, warming);
      done += count;
      report(static_cast<double>(done) / static_cast<double>(draws));
    }
    if (done == draws && moves % thin_ > 0) run_round(1, moves % thin_, nullptr);
  }

  std::uint64_t thin_for(std::uint64_t moves) const {
    return std::max<std::uint64_t>(1, (moves + plan_.max_draws - 1) / plan_.max_draws);
  }

  /// Draws in the next round: about round_seconds, by the pace of the rounds before.
  std::uint64_t round_draws(double seconds_left) const {
    const std::uint64_t by_memory = std::max<std::uint64_t>(
        1, round_bytes / std::max<std::uint64_t>(1, factory_.model().sites() * plan_.chains));
    if (seconds_per_move_ <= 0) return 1;
    const double wanted =
        std::min(round_seconds, seconds_left) / (seconds_per_move_ * static_cast<double>(thin_));
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::min(wanted, 1e9)), 1,
                                     std::min<std::uint64_t>(by_memory, 1 << 16));
  }

  // --- one round
  // -------------------------------------------------------------------------------------

  /// Advances every chain by `draws` times `thin` moves and records the draws, unless block is
  /// null.
  void run_round(std::uint64_t draws, std::uint64_t thin, Trace* block) {
    const double begin = wall_seconds();
    const bool pairs = block && chains_.size() >= 2;
    if (block) prepare(*block, draws, thin);
    std::vector<std::vector<Bits>> states(pairs ? chains_.size() : 0);
    team_.run(chains_.size(), [&](std::size_t c) {
      AnyChain& chain = *chains_[c];
      const double cpu_begin = thread_cpu_seconds();
      double measuring = 0;
      double usual = 0;
      for (std::uint64_t d = 0; d < draws; ++d) {
        const std::uint64_t accepted_before = chain.counters().accepted;
        chain.advance(thin);
        if (!block) continue;
        const double measure_begin = wall_seconds();
        const std::uint64_t accepted = chain.counters().accepted - accepted_before;
        Bits bits =
            record(*block, c, d, chain, static_cast<double>(accepted) / static_cast<double>(thin));
        if (pairs) states[c].push_back(std::move(bits));
        // The wall clock is cheap to read but goes on while the thread waits for a core; such a
        // wait must not be taken for measuring.
        double took = wall_seconds() - measure_begin;
        if (usual > 0) took = std::min(took, 4 * usual);
        usual = usual > 0 ? 0.9 * usual + 0.1 * took : took;
        measuring += took;
      }
      cpu_[c] += std::max(0.0, thread_cpu_seconds() - cpu_begin - measuring);
    });
    if (pairs) measure_overlaps(*block, states);
    phase_moves_ += draws * thin;
    phase_draws_ += draws;
    const double pace = (wall_seconds() - begin) / static_cast<double>(draws * thin);
    seconds_per_move_ = pace;
  }

  void prepare(Trace& block, std::uint64_t draws, std::uint64_t thin) const {
    block.beta = factory_.beta();
    block.thin = thin;
    block.chains.resize(chains_.size());
    for (ChainColumns& columns : block.chains) {
      columns.energy.resize(draws);
      columns.accepted.resize(draws);
      columns.acceptance_rate.resize(draws);
      columns.saw_length.resize(draws);
      columns.hamming_move.resize(draws);
    }
    for (const auto& observable : observables_)
      block.observables.push_back({observable->name(), observable->help(),
                                   std::vector(chains_.size(), std::vector<double>(draws)), false});
    block.states.resize(chains_.size());
    if (state_stride_ > 0)
      for (std::uint64_t d = 0; d < draws; ++d)
        if ((phase_draws_ + d + 1) % state_stride_ == 0) block.state_draws.push_back(d);
  }

  Bits record(Trace& block, std::size_t c, std::uint64_t d, const AnyChain& chain,
              double rate) const {
    ChainColumns& columns = block.chains[c];
    const LastMove last = chain.last_move();
    columns.energy[d] = chain.energy();
    columns.accepted[d] = last.accepted;
    columns.acceptance_rate[d] = rate;
    columns.saw_length[d] = static_cast<std::int32_t>(last.length);
    columns.hamming_move[d] = static_cast<std::int32_t>(last.hamming);
    Bits bits = chain.bits();
    for (std::size_t k = 0; k < observables_.size(); ++k)
      block.observables[k].series[c][d] = observables_[k]->measure(bits);
    if (state_stride_ > 0 && (phase_draws_ + d + 1) % state_stride_ == 0)
      block.states[c].push_back(bits);
    return bits;
  }

  static void measure_overlaps(Trace& block, const std::vector<std::vector<Bits>>& states) {
    ObservableColumn column{"overlap", "overlap of chains 2k and 2k + 1", {}, true};
    for (std::size_t c = 0; c + 1 < states.size(); c += 2) {
      std::vector<double> series;
      for (std::size_t d = 0; d < states[c].size(); ++d)
        series.push_back(overlap(states[c][d], states[c + 1][d]));
      column.series.push_back(std::move(series));
    }
    block.observables.push_back(std::move(column));
  }

  void keep(Trace& trace, const Trace& block, bool warming) {
    trace.append(block);
    if (!hooks_.sink) return;
    if (warming)
      hooks_.sink->append_warmup(block);
    else
      hooks_.sink->append(block);
  }

  // --- bookkeeping
  // -----------------------------------------------------------------------------------

  void begin_phase(bool warming) {
    warming_ = warming;
    phase_begin_ = wall_seconds();
    phase_moves_ = 0;
    phase_draws_ = 0;
    state_stride_ = 0;
  }

  double elapsed() const { return wall_seconds() - phase_begin_; }

  bool stop() {
    if (!stopped_ && hooks_.stop && hooks_.stop()) stopped_ = true;
    return stopped_;
  }

  void report(double fraction) const {
    if (hooks_.progress)
      hooks_.progress({warming_, std::min(1.0, fraction), elapsed(), phase_moves_});
  }

  double best_energy() const {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& chain : chains_) best = std::min(best, chain->counters().best_energy);
    return best;
  }

  void collect(RunResult& result, double best_of_warmup) {
    for (const auto& chain : chains_) {
      const ChainCounters& counters = chain->counters();
      result.steps += counters.steps;
      result.accepted += counters.accepted;
      result.chain_acceptance.push_back(counters.moves ? static_cast<double>(counters.accepted) /
                                                             static_cast<double>(counters.moves)
                                                       : 0.0);
      ByteWriter bytes;
      chain->save(bytes);
      result.final_states.push_back(bytes.take());
    }
    for (const double seconds : cpu_) result.cpu_seconds += seconds;
    result.best_energy = std::min(best_of_warmup, best_energy());
    result.interrupted = stopped_;
  }

  const ChainFactory& factory_;
  const RunPlan& plan_;
  const RunHooks& hooks_;
  std::vector<std::unique_ptr<Observable>> observables_;
  std::vector<std::unique_ptr<AnyChain>> chains_;
  std::vector<double> cpu_;  // of the moves, by chain, in this phase
  ThreadTeam team_;
  bool warming_ = false;
  bool stopped_ = false;
  double phase_begin_ = 0;
  std::uint64_t phase_moves_ = 0;
  std::uint64_t phase_draws_ = 0;
  std::uint64_t thin_ = 1;
  std::uint64_t state_stride_ = 0;  // draws between kept states; 0: none
  double seconds_per_move_ = 0;
};

}  // namespace

RunResult run_independent(const ChainFactory& factory, const RunPlan& plan, const RunHooks& hooks) {
  if (plan.moves.has_value() == plan.seconds.has_value())
    throw InputError("a run needs either a number of moves or a number of seconds",
                     "give --moves N or --seconds S");
  if (plan.chains == 0) throw InputError("a run needs at least one chain", "give --chains 4");
  if (plan.start) check_start(factory.shell(), *plan.start);
  return Driver(factory, plan, hooks).run();
}

}  // namespace nhot
