#include "nhot/run/tune/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/move/registry.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/start.hpp"
#include "nhot/run/state_store.hpp"
#include "nhot/run/thread_team.hpp"
#include "nhot/run/tune/move_cost.hpp"
#include "nhot/run/tune/trial.hpp"

namespace nhot {
namespace {

constexpr double warmup_length = 3;        // units of time, of each of some moves, twice
constexpr double least_thorough = 5e-4;    // seconds of a unit and a chain
constexpr double recording_a_site = 1e-6;  // what making a chain, and reading its states, may cost
constexpr double fewest_draws = 8;         // of a unit: no search without them
constexpr double too_high = 0.9;           // correlations that have hardly fallen tell nothing
constexpr double seen = 0.7;               // and those above it little of times as long as a trial
constexpr double forgotten = 0.05;         // what is left of a correlation does not matter
constexpr double recording_share = 1.25;   // what recording and waiting add to the time of moves
constexpr double slice_seconds = 0.01;     // of a chain, at most

/// A trial that has ended.
struct Measured {
  std::size_t round = 0;
  std::vector<std::vector<Variogram>> variograms;
  std::vector<double> within;  // [quantity]: share of its variance that single chains have seen
  std::vector<bool> at_rest;   // [quantity]: its chains go no further, however long they take
  double seconds_per_move = 0;
  double acceptance = 0;
};

template <class Archive>
void visit_fields(Archive& archive, Measured& one) {
  std::vector<std::vector<std::vector<Variogram::Entry>>> entries;
  for (const auto& chains : one.variograms)
    for (auto& list = entries.emplace_back(); const Variogram& chain : chains)
      list.push_back(chain.entries());
  archive(one.round, entries, one.within, one.at_rest, one.seconds_per_move, one.acceptance);
  one.variograms.clear();
  for (const auto& chains : entries)
    for (auto& list = one.variograms.emplace_back(); const auto& chain : chains)
      list.emplace_back(chain);
}

class ChainTrials final : public MoveTrials {
 public:
  ChainTrials(const Model& model, const Shell& shell, double beta, const TuningPlan& plan,
              const TuningHooks& hooks)
      : model_(model),
        shell_(shell),
        beta_(beta),
        plan_(plan),
        hooks_(hooks),
        observables_(observables_for(model, plan.observables)),
        pairs_(chain_pairs(plan.chains)),
        begin_(wall_seconds() - seconds_before(hooks.store)),
        states_(starts_of(shell, plan.seed, plan.chains, plan.start)) {}

  /// Seconds of a chain, and how many units the whole search has.
  void set_unit(double seconds, double units) {
    unit_ = seconds;
    units_ = units;
  }

  /// From the start to states worth looking at, by the move that gets lower.
  void warm_up(const std::vector<std::string>& moves) {
    for (int k = 0; k < 2; ++k) {
      const std::string name = "warm-up " + std::to_string(k);
      if (restore_values(hooks_.store, name, states_, unit_, done_, given_, trials_made_)) continue;
      std::vector<std::unique_ptr<Trial>> trials = tried(moves, warmup_length);
      const Trial* lowest = nullptr;
      double least = std::numeric_limits<double>::infinity();
      for (const auto& trial : trials) {
        if (!trial || trial->moments().scalars.front().front().weight == 0) continue;
        double energy = 0;
        for (const ChainMoments& chain : trial->moments().scalars.front())
          energy += chain.first / chain.weight;
        if (energy >= least) continue;
        least = energy;
        lowest = trial.get();
      }
      if (lowest) states_ = lowest->states();
      if (!stopped_) save_values(hooks_.store, name, states_, unit_, done_, given_, trials_made_);
    }
  }

  bool run(const std::vector<std::string>& moves, double length) override {
    const std::string name = "round " + std::to_string(rounds_);
    bool time = true;
    if (std::vector<Measured> kept; restore_round(name, kept, time)) {
      for (std::size_t k = 0; k < kept.size() && k < moves.size(); ++k)
        if (!kept[k].variograms.empty()) note_cost(moves[k], kept[k]);
      measured_.insert(measured_.end(), kept.begin(), kept.end());
      ++rounds_;
      any_trapped_ = !trapped().empty();
      return time;
    }
    std::vector<std::unique_ptr<Trial>> trials = tried(moves, length);
    const std::size_t before = measured_.size();
    for (const auto& trial : trials) {
      Measured one;
      one.round = rounds_;
      if (trial) {
        one.variograms = trial->variograms();
        one.seconds_per_move = trial->seconds_per_move();
        one.acceptance = trial->acceptance();
        note_cost(moves[measured_.size() - before], one);
        moments_.add(trial->moments(), length);
        one.within = share_within(trial->moments());
        for (const std::vector<Variogram>& chains : one.variograms)
          one.at_rest.push_back(at_rest(pooled(chains)));
      }
      measured_.push_back(std::move(one));
    }
    ++rounds_;
    any_trapped_ = !trapped().empty();
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < trials.size(); ++k) {
      const TrialValue now = value(before + k);
      if (!now.usable || now.log_rate <= most) continue;
      most = now.log_rate;
      states_ = trials[k]->states();
    }
    time = !stopped_ && (count() || wall_seconds() - begin_ < plan_.seconds);
    if (!stopped_) {
      const std::vector<Measured> now(measured_.begin() + static_cast<std::ptrdiff_t>(before),
                                      measured_.end());
      save_values(hooks_.store, name, now, time, states_, unit_, done_, given_, trials_made_,
                  moments_.scalars, moments_.ones, moments_.weight);
    }
    return time;
  }

  TrialValue value(std::size_t k) const override {
    const Measured& one = measured_[k];
    TrialValue result;
    result.seconds_per_move = one.seconds_per_move;
    result.acceptance = one.acceptance;
    if (one.variograms.empty() || moments_.weight.empty() || !(one.seconds_per_move > 0))
      return result;
    const std::vector<double> variances = judged_variances();
    const std::vector<double> levels = levels_of(one.round, variances);
    std::size_t slowest = 0;
    const double time = slowest_time(one, variances, levels, plan_.chains, slowest);
    for (std::size_t q = 0; q < one.variograms.size(); ++q)
      if (judged(q))
        result.log_rates.push_back(
            -std::log(decorrelation_time(pooled(one.variograms[q]), variances[q], levels[q]) *
                      series_seconds(one, q)));
    if (!std::isfinite(time)) return result;
    result.usable = true;
    result.log_rate = -std::log(time);
    result.slowest = name(slowest);
    if (!any_trapped_) {
      std::size_t last = 0;
      result.ess_per_second =
          1 / slowest_time(one, variances, std::vector(variances.size(), forgotten), plan_.chains,
                           last);
    }
    for (std::size_t c = 0; c < plan_.chains; ++c) {
      std::size_t other = 0;
      const double without = slowest_time(one, variances, levels, c, other);
      result.without.push_back(std::isfinite(without) ? -std::log(without) : result.log_rate - 1);
    }
    const auto chains = static_cast<double>(plan_.chains);
    double mean = 0;
    for (const double one_less : result.without) mean += one_less / chains;
    double sum = 0;
    for (const double one_less : result.without) sum += (one_less - mean) * (one_less - mean);
    result.error = std::sqrt(sum * (chains - 1) / chains);
    return result;
  }

  /// Quantities in which the chains of no move mix, and not for lack of time. A single number
  /// differs from chain to chain by chance more easily than all sites do.
  std::vector<std::string> trapped() const {
    const std::size_t sites = observables_.size() + 2;
    const bool everywhere = apart(sites, 0.6);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < sites; ++k)
      if (apart(k, everywhere ? 0.6 : 0.2)) names.push_back(name(k));
    if (everywhere) names.push_back(name(sites));
    return names;
  }

  /// Quantities that are judged by, of which chains of the last round have not forgotten as much.
  std::vector<std::string> above(double level, bool with_overlap) const {
    if (rounds_ == 0 || moments_.weight.empty()) return {name(0)};
    const std::vector<double> levels = levels_of(rounds_ - 1, judged_variances());
    std::vector<std::string> names;
    for (std::size_t k = 0; k < levels.size(); ++k)
      if (judged(k) && levels[k] > level && (with_overlap || !is_overlap(k)))
        names.push_back(name(k));
    return names;
  }

  double seconds() const { return wall_seconds() - begin_; }
  bool stopped() const { return stopped_; }

 private:
  bool count() const { return plan_.objective == TuneObjective::count; }

  void note_cost(const std::string& move, const Measured& trial) {
    if (const std::vector<MoveText> parts = parse_moves(move); parts.size() == 1)
      known_costs_[in_words(parts.front())] = {trial.seconds_per_move, trial.acceptance};
  }

  static std::string in_words(const MoveText& move) {
    std::string text = move.kind->name;
    for (const auto& [name, value] : move.values.resolved()) text += " " + name + "=" + value;
    return text;
  }

  /// A mixture costs what its parts have cost when they were tried alone, and what mixing costs:
  /// its counters do not tell whose steps they are.
  MoveCost nominal_cost(const ChainFactory& factory, const std::string& move) const {
    const std::vector<MoveText> parts = parse_moves(move);
    if (parts.size() == 1) return move_cost(factory);
    MoveCost result;
    double weights = 0;
    for (const MoveText& part : parts) {
      const auto known = known_costs_.find(in_words(part));
      if (known == known_costs_.end()) return move_cost(factory);
      const auto [seconds, acceptance] = known->second;
      result.per_move += part.weight * mixed_seconds(factory, part.kind->name, seconds, acceptance);
      weights += part.weight;
    }
    result.per_move /= weights;
    return result;
  }

  /// What a round left that an earlier start of this search has run.
  bool restore_round(const std::string& name, std::vector<Measured>& measured, bool& time) {
    return restore_values(hooks_.store, name, measured, time, states_, unit_, done_, given_,
                          trials_made_, moments_.scalars, moments_.ones, moments_.weight);
  }

  /// A null pointer for moves that are refused.
  std::vector<std::unique_ptr<Trial>> tried(const std::vector<std::string>& moves, double length) {
    keep_time();
    std::vector<std::unique_ptr<Trial>> trials;
    for (const std::string& move : moves) {
      ++trials_made_;
      try {
        auto factory = std::make_shared<const ChainFactory>(model_, shell_, move, beta_);
        std::optional<MoveCost> nominal;
        if (count()) nominal = nominal_cost(*factory, move);
        trials.push_back(std::make_unique<Trial>(std::move(factory), tune_seed(trials_made_),
                                                 states_, plan_.threads, observables_, nominal));
      } catch (const InputError&) {
        trials.push_back(nullptr);
      }
    }
    // In turn: what slows the machine slows all moves.
    const double slices = std::ceil(std::max(4.0, length * unit_ / slice_seconds));
    for (double s = 0; s < slices && !stopped_; ++s)
      for (const auto& trial : trials) {
        if (stopped_ || (hooks_.stop && hooks_.stop())) {
          stopped_ = true;
          break;
        }
        if (trial && !trial->done()) {
          trial->advance(length * unit_ / slices);
          given_ += length * unit_ / slices;
        }
        done_ += length / slices;
        if (hooks_.progress)
          hooks_.progress({std::min(1.0, done_ / units_), seconds(), trials_made_});
      }
    for (const auto& trial : trials)
      if (trial) trial->finish();
    return trials;
  }

  /// Units as long as fit into what is left, by what the ones before have taken: recording, making
  /// chains and a busy machine cost time, too.
  void keep_time() {
    const double gone = seconds();
    if (count() || !(given_ > 0 && gone > 0)) return;
    const double left = std::max(plan_.seconds - gone, 0.02 * plan_.seconds);
    unit_ = left / std::max(units_ - done_, 1.0) * given_ / gone;
  }

  /// Not the streams of the run that is to come.
  std::uint64_t tune_seed(std::uint64_t trial) const {
    return make_stream(plan_.seed, 0, trial, Purpose::tune)();
  }

  /// In no trial has a chain seen that share of the variance, and most of the last round go no
  /// further.
  bool apart(std::size_t quantity, double share) const {
    std::size_t resting = 0;
    std::size_t trials = 0;
    for (const Measured& one : measured_) {
      if (one.within.size() <= quantity) continue;
      if (one.within[quantity] >= share) return false;
      if (one.round + 1 < rounds_) continue;
      ++trials;
      if (one.at_rest[quantity]) ++resting;
    }
    return trials > 0 && 2 * resting >= trials;
  }

  static std::vector<double> share_within(const StateMoments& moments) {
    if (moments.weight.empty() || !(moments.weight.front() > 0)) return {};
    const std::vector<double> overall = moments.overall();
    std::vector<double> share = moments.within();
    for (std::size_t k = 0; k < share.size(); ++k)
      share[k] = overall[k] > 0 ? share[k] / overall[k] : 1;
    return share;
  }

  /// Of the whole law where the chains have mixed; else of what each chain has seen.
  std::vector<double> judged_variances() const {
    return any_trapped_ ? moments_.within() : moments_.overall();
  }

  /// Chains that wander have differences that grow with time; in a valley they stop growing.
  static bool at_rest(const Variogram& variogram) {
    constexpr double growth = 1.5;  // from a quarter of the longest lag; fourfold where they wander
    const auto& entries = variogram.entries();
    if (entries.empty()) return false;
    const Variogram::Entry& last = entries.back();
    for (const Variogram::Entry& entry : entries)
      if (4 * entry.lag >= last.lag && entry.lag < last.lag)
        return last.half_square() < growth * entry.half_square();
    return false;
  }

  static Variogram pooled(const std::vector<Variogram>& chains) {
    Variogram all;
    for (const Variogram& chain : chains) all += chain;
    return all;
  }

  /// How far correlations have fallen, above their noise, in a quarter of the trials of a round.
  /// Trials of a round are compared by the time they take to get there: beyond it there is little
  /// but noise.
  std::vector<double> levels_of(std::size_t round, const std::vector<double>& variances) const {
    std::vector<double> levels;
    for (std::size_t q = 0; q < variances.size(); ++q) {
      std::vector<double> reached;
      for (const Measured& one : measured_) {
        if (one.round != round || one.variograms.empty()) continue;
        reached.push_back(lowest_correlation(pooled(one.variograms[q]), variances[q]));
      }
      if (reached.empty()) reached.push_back(1);
      const auto quarter = reached.begin() + static_cast<std::ptrdiff_t>(reached.size() / 4);
      std::nth_element(reached.begin(), quarter, reached.end());
      levels.push_back(std::clamp(*quarter, forgotten, 0.95));
    }
    return levels;
  }

  /// Chains that sit in different valleys say little of an observable: it jumps where they do.
  bool judged(std::size_t k) const {
    return !any_trapped_ || k == 0 || k == observables_.size() + 2;
  }

  bool is_overlap(std::size_t k) const { return k == observables_.size() + 1; }

  /// Of a move in a series: runs record one overlap for two chains.
  double series_seconds(const Measured& one, std::size_t k) const {
    return one.seconds_per_move * (is_overlap(k) ? 2 : 1);
  }

  double slowest_time(const Measured& one, const std::vector<double>& variances,
                      const std::vector<double>& levels, std::size_t left_out,
                      std::size_t& slowest) const {
    double longest = 0;
    for (std::size_t k = 0; k < one.variograms.size(); ++k) {
      if (!judged(k)) continue;
      if (is_overlap(k) && pairs_.size() == 1 && left_out < plan_.chains) continue;
      Variogram all;
      for (std::size_t c = 0; c < one.variograms[k].size(); ++c)
        if (!(is_overlap(k) ? pairs_[c].first == left_out || pairs_[c].second == left_out
                            : c == left_out))
          all += one.variograms[k][c];
      const double time = decorrelation_time(all, variances[k], levels[k]) * series_seconds(one, k);
      if (time <= longest) continue;
      longest = time;
      slowest = k;
    }
    return longest;
  }

  std::string name(std::size_t k) const {
    if (k == 0) return "energy";
    if (is_overlap(k)) return "overlap";
    return k <= observables_.size() ? observables_[k - 1]->name() : "sites";
  }

  const Model& model_;
  const Shell& shell_;
  double beta_;
  const TuningPlan& plan_;
  const TuningHooks& hooks_;
  Observables observables_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;  // of the overlaps
  double begin_;
  double unit_ = 0;
  double units_ = 1;
  double done_ = 0;   // units
  double given_ = 0;  // seconds of a chain
  std::uint64_t trials_made_ = 0;
  std::size_t rounds_ = 0;
  bool any_trapped_ = false;
  bool stopped_ = false;
  std::vector<Bits> states_;
  StateMoments moments_;
  std::vector<Measured> measured_;
  std::map<std::string, std::pair<double, double>> known_costs_;  // seconds, acceptance: alone
};

}  // namespace

double TuningResult::ess_per_second() const {
  return search.last.empty() || !unseen.empty() ? std::numeric_limits<double>::quiet_NaN()
                                                : values[search.last.front()].ess_per_second;
}

std::optional<LogRatio> TuningResult::gain_over(const std::string& other) const {
  for (const std::size_t k : search.last)
    if (search.trials[k].move == other) return log_ratio(values[search.last.front()], values[k]);
  return std::nullopt;
}

std::vector<std::string> TuningResult::ties() const {
  std::vector<std::string> moves;
  for (std::size_t n = 1; n < search.last.size(); ++n) {
    const std::size_t k = search.last[n];
    const LogRatio gain = log_ratio(values[search.last.front()], values[k]);
    if (gain.value <= 2 * gain.error) moves.push_back(search.trials[k].move);
  }
  return moves;
}

TuningResult run_tuning(const Model& model, const Shell& shell, double beta, const TuningPlan& plan,
                        const TuningHooks& hooks) {
  if (!(plan.seconds > 0) || !std::isfinite(plan.seconds))
    throw InputError("a search needs a time above zero", "give {seconds 10}");
  if (plan.chains < 2) throw InputError("a search needs two chains", "give {chains 4}");
  const bool clock = plan.objective == TuneObjective::time;
  const double threads = clock ? static_cast<double>(threads_for(plan.threads, plan.chains)) : 2;
  const double chain_seconds =
      plan.seconds * threads / static_cast<double>(plan.chains) / recording_share;
  // Chains are warmed up by the untuned move and those that are no walks, twice.
  const auto units = [&](const SearchSpace& space, bool thorough) {
    return 2 * static_cast<double>(space.moves.size() + 1) * warmup_length +
           search_length(space, thorough);
  };
  const auto unit = [&](const SearchSpace& space, bool thorough) {
    const double trials =
        2 * static_cast<double>(space.moves.size() + 1) + search_trials(space, thorough);
    return (chain_seconds - trials * start_cost(model.sites())) / units(space, thorough);
  };
  TuningResult result;
  result.move = ChainFactory(model, shell, untuned_move, beta).move();
  const auto too_short = [&](double one) { return one < fewest_draws * draw_cost(model.sites()); };
  // Before moves are fitted to the model, which takes its time on a large one: with swap and a
  // walk.
  SearchSpace least;
  least.moves = {"swap"};
  least.walks.resize(1);
  if (too_short(unit(least, false))) return result;
  bool thorough = true;
  SearchSpace space = search_space(model, shell, beta, thorough);
  if (unit(space, thorough) < least_thorough + recording_a_site * model.sites()) {
    thorough = false;
    space = search_space(model, shell, beta, thorough);
  }
  if (too_short(unit(space, thorough))) return result;
  if (thorough && clock) space.engines = other_engines(model, shell, beta);
  ChainTrials trials(model, shell, beta, plan, hooks);
  trials.set_unit(unit(space, thorough), units(space, thorough));
  std::vector<std::string> warming = space.moves;
  warming.emplace_back(untuned_move);
  trials.warm_up(warming);
  result.search = search_moves(space, thorough, trials);
  for (std::size_t k = 0; k < result.search.trials.size(); ++k)
    result.values.push_back(trials.value(k));
  // Of a single move there is nothing to tell, nor of trials much shorter than what they look for;
  // but where only the overlap is slow, the others tell something.
  if (result.search.last.size() < 2 || !trials.above(too_high, false).empty())
    result.search.last.clear();
  result.unseen = trials.above(seen, true);
  if (!result.search.last.empty())
    result.move =
        ChainFactory(model, shell, result.search.trials[result.search.last.front()].move, beta)
            .move();
  result.trapped = trials.trapped();
  result.seconds = trials.seconds();
  result.interrupted = trials.stopped();
  return result;
}

}  // namespace nhot
