#include "nhot/result/run_report.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nhot/base/types.hpp"

namespace nhot {
namespace {

double ratio(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : nan;
}

double all_moves(const RunRecord& run) {
  return static_cast<double>(run.moves) * static_cast<double>(run.chains);
}

ObservableReport report_on(std::string name, std::string help, const ChainsView& draws,
                           const RunRecord& run, std::uint64_t thin) {
  ObservableReport report{std::move(name), std::move(help), summarise(draws)};
  report.tau_moves = report.summary.tau * static_cast<double>(thin);
  report.tau_seconds = report.tau_moves * ratio(run.cpu_seconds, all_moves(run));
  report.ess_per_second = ratio(report.summary.ess_bulk, run.cpu_seconds);
  return report;
}

void forget_speed(ObservableReport& observable) {
  ObservableSummary& s = observable.summary;
  for (double* field :
       {&s.tau, &s.tau_geyer, &s.ess_bulk, &s.ess_tail, &s.ess_mean, &s.mcse, &s.mcse_sd,
        &observable.tau_moves, &observable.tau_seconds, &observable.ess_per_second})
    *field = nan;
}

}  // namespace

double RunReport::acceptance() const {
  return ratio(static_cast<double>(run.accepted), all_moves(run));
}
bool RunReport::stuck() const {
  return !run.single_state() &&
         std::count(run.chain_changed.begin(), run.chain_changed.end(), 0.0) > 0;
}
double RunReport::ns_per_step() const {
  return ratio(1e9 * run.cpu_seconds, static_cast<double>(run.steps));
}
double RunReport::move_share() const { return 1 - ratio(run.recording_seconds, run.cpu_seconds); }
double RunReport::ns_per_move() const { return ratio(1e9 * run.cpu_seconds, all_moves(run)); }

void add_notes(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void describe_states(RunReport& report, bool lattice, const Trace& trace) {
  if (report.run.sites <= most_listed_sites) report.site_means = site_means(trace.states);
  report.lattice = lattice;
  const PackedBits* best = nullptr;
  for (std::size_t c = 0; c < trace.states.size(); ++c)
    for (std::size_t s = 0; s < trace.states[c].size(); ++s) {
      const double energy = trace.chains[c].energy[trace.state_draws[s]];
      if (best && energy >= report.best_state.energy) continue;
      best = &trace.states[c][s];
      report.best_state.energy = energy;
    }
  if (best) report.best_state.bits = best->unpacked();
}

void offer_best(RunReport& report, double energy, const PackedBits& draw) {
  if (draw.empty() || (!report.best_state.bits.empty() && energy > report.best_state.energy))
    return;
  report.best_state = {energy, draw.unpacked()};
}

std::string ones_text(const Bits& bits, const SiteNames& names, std::size_t most) {
  std::string text;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (!bits[i]) continue;
    if (shown++ == most) return text + " ...";
    if (!text.empty()) text += names.empty() ? " " : ", ";
    text += names[i];
  }
  return text.empty() ? "none" : text;
}

std::string reference_name(const Shell& shell) {
  const Bits& bits = shell.reference();
  const auto ones = std::count(bits.begin(), bits.end(), Bit{1});
  if (ones == 0) return "zeros";
  return ones == static_cast<std::ptrdiff_t>(bits.size()) ? "ones" : "given";
}

void add_model(RunRecord& run, const Model& model) {
  run.model = model.name();
  run.kind = model.kind();
  run.hash = model.hash();
  run.names = model.names();
  run.sites = model.sites();
  run.couplings = model.couplings();
}

RunRecord record_of(const ChainFactory& factory) {
  RunRecord run;
  add_model(run, factory.model());
  run.distance = factory.shell().distance();
  run.groups = summary_of_groups(factory.shell());
  run.reference = reference_name(factory.shell());
  run.beta = factory.beta();
  run.move = factory.move();
  run.engine = factory.engine();
  run.unreachable_reason = factory.unreachable_reason();
  return run;
}

void add_result(RunRecord& run, std::uint64_t chains, std::uint64_t seed, const RunResult& result) {
  run.chains = chains;
  run.moves = result.moves;
  run.warmup = result.warmup_moves;
  run.seed = seed;
  run.seconds = result.seconds;
  run.cpu_seconds = result.cpu_seconds;
  run.recording_seconds = result.recording_seconds;
  run.steps = result.steps;
  run.accepted = result.accepted;
  run.changed = ratio(static_cast<double>(result.changed), all_moves(run));
  run.chain_acceptance = result.chain_acceptance;
  run.chain_changed = result.chain_changed;
  run.best_energy = result.best_energy;
  run.interrupted = result.interrupted;
}

RunRecord record_of(const ChainFactory& factory, std::uint64_t chains, std::uint64_t seed,
                    const RunResult& result) {
  RunRecord run = record_of(factory);
  add_result(run, chains, seed, result);
  return run;
}

ChainsView energies_of(const Trace& trace) {
  std::vector<ChainsView::Chain> energies;
  for (const ChainColumns& chain : trace.chains) energies.emplace_back(chain.energy);
  return ChainsView(std::move(energies));
}

RunReport make_report(RunRecord record, const Trace& trace, std::uint64_t stride) {
  RunReport report;
  report.run = std::move(record);
  report.thin = trace.thin;
  report.draws = trace.draws();

  report.observables.push_back(
      report_on("energy", "energy, offset included", energies_of(trace), report.run, trace.thin));
  for (const ObservableColumn& column : trace.observables)
    report.observables.push_back(report_on(column.name, column.help, ChainsView(column.series),
                                           report.run, trace.thin * stride));

  if (report.stuck())
    for (ObservableReport& observable : report.observables) forget_speed(observable);
  if (report.draws == 0) {
    report.verdict = {false, {"Nothing was sampled."}};
    return report;
  }
  report.comparison = compare_chains(trace.states);
  std::vector<NamedSummary> summaries;
  for (const ObservableReport& observable : report.observables)
    summaries.push_back({observable.name, observable.summary});
  report.verdict = judge(summaries, judged_run(report));
  return report;
}

std::string advice_on(const RunReport& report) {
  const Verdict& verdict = report.verdict;
  if (verdict.converged || report.draws == 0) return {};
  if (verdict.trapped)
    return "Longer chains will not help: they do not move, or each stays in a valley of its own. "
           "Parallel tempering (temper) gets chains out of valleys.";
  if (!(verdict.longer > 1)) return {};
  if (verdict.longer > 1000)
    return "More than a thousand times as many moves would be needed; parallel tempering (temper) "
           "may take fewer.";
  // Rounded up to two digits: an estimate from a run that was too short.
  const double times = verdict.longer;
  const double moves = times * static_cast<double>(report.run.moves);
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(moves)) - 1));
  return "About " + significant(times, 2) + " times as long would do: " +
         with_commas(static_cast<std::uint64_t>(unit * std::ceil(moves / unit))) +
         " moves per chain.";
}

JudgedRun judged_run(const RunReport& report) {
  const RunRecord& run = report.run;
  return {run.chains,         run.chain_changed, run.single_state(), run.unreachable_reason,
          &report.comparison, run.witness};
}

}  // namespace nhot
