#include "nhot/run/reproduce/reference_energy.hpp"

#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/temper/stored_tempering.hpp"

namespace nhot {
namespace {

// Streams of its own: the reference shares no draws with the samplers that it judges. Seeds of the
// command line are 63 bits.
std::uint64_t own_seed(std::uint64_t seed) {
  Xoshiro256 stream = make_stream(seed, 0, 0, Purpose::tune);
  return stream() >> 1;
}

std::string plural(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string description_of(const ReferenceSetting& setting, double beta,
                           const TemperingResult& run) {
  const std::string law = " with the move " + setting.move;
  if (!setting.beta_hot) return plural(setting.chains, "chain") + law;
  return "parallel tempering" + law + ", " + plural(setting.chains, "ladder") + " of " +
         plural(run.rungs.size(), "temperature") + " from beta " + format_real(*setting.beta_hot) +
         " to " + format_real(std::round(1e4 * beta) / 1e4);
}

}  // namespace

ReferenceEnergy find_reference(const ReferenceSetting& setting, const Model& model,
                               const Shell& shell, double beta, std::uint64_t seed,
                               std::uint64_t threads, const RunHooks& hooks) {
  ReferenceEnergy reference;
  reference.chains = setting.chains;
  reference.sweep = setting.sweep;
  reference.seed = own_seed(seed);
  TemperingPlan plan;
  plan.chains = setting.chains;
  plan.threads = threads;
  plan.seed = reference.seed;
  plan.moves = setting.moves;
  plan.sweep = setting.sweep;
  if (setting.beta_hot && *setting.beta_hot < beta)
    plan.hottest = *setting.beta_hot;
  else
    plan.betas = {beta};
  try {
    const ChainFactory factory(model, shell, setting.move, beta);
    const TemperingResult run =
        run_stored_tempering(factory, plan, TemperingHooks(hooks), hooks.store);
    reference.move = factory.move();
    reference.how = description_of(setting, beta, run);
    for (const RungResult& rung : run.rungs) reference.betas.push_back(rung.beta);
    reference.moves = run.moves;
    reference.warmup = run.warmup_moves;
    if (run.rungs.size() > 1) reference.round_trips = run.ladder_trips;
    reference.cpu_seconds = run.cpu_seconds;
    reference.interrupted = run.interrupted;
    const RungResult& target = run.rungs[run.target];
    if (run.interrupted || target.trace.draws() == 0) {
      reference.verdict = {false, {"It was interrupted."}};
      return reference;
    }
    const std::vector<NamedSummary> summaries = summarise_rung(target);
    const ChainComparison comparison = compare_chains(target.trace.states);
    reference.verdict = judge_tempering(run, summaries, &comparison);
    if (!reference.verdict.converged) return reference;
    reference.mean = summaries.front().summary.mean;
    reference.mcse = summaries.front().summary.mcse;
  } catch (const InputError& error) {
    reference.how = "the move " + setting.move;
    reference.verdict = {false, {std::string(error.what())}};
  }
  return reference;
}

}  // namespace nhot
