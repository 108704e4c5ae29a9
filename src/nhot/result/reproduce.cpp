#include "nhot/result/reproduce.hpp"

#include <cmath>
#include <optional>

#include "nhot/base/options.hpp"
#include "nhot/run/state_store.hpp"

namespace nhot {
namespace {

constexpr double many_errors = 4;

std::string sentence_on(const ReferenceEnergy& reference) {
  if (!reference.verdict.converged)
    return "No reference: " + reference.how + " did not converge. " +
           reference.verdict.reasons.front();
  return "The true mean energy is " + to_resolution(reference.mean, reference.mcse) + " +- " +
         significant(reference.mcse, 2) + ", by " + reference.how + ", which converged in " +
         significant(reference.cpu_seconds, 2) + " CPU seconds that no sampler is charged with.";
}

std::string agreement(const std::vector<SamplerReport>& samplers) {
  std::string off;
  for (const SamplerReport& sampler : samplers)
    if (sampler.in_figures && std::abs(sampler.errors_from_reference) >= many_errors)
      off += (off.empty() ? "" : "; ") + sampler.label + ", by " +
             significant(sampler.from_reference, 3) + ", " +
             significant(std::abs(sampler.errors_from_reference), 2) + " standard errors";
  if (off.empty()) return "Every sampler of the figures agrees with it within 4 standard errors.";
  return "4 standard errors or more off: " + off + ".";
}

// How far the samplers' mean energies are from the reference.
void hold_against(const ReferenceEnergy& reference, std::vector<SamplerReport>& samplers) {
  if (!reference.verdict.converged) return;
  for (SamplerReport& sampler : samplers) {
    const ObservableSummary& energy = sampler.energy().summary;
    sampler.from_reference = energy.mean - reference.mean;
    sampler.errors_from_reference =
        sampler.from_reference / std::hypot(energy.mcse, reference.mcse);
  }
}

}  // namespace

ExperimentReport reproduce(const Experiment& experiment, const Model& model,
                           const ReproductionPlan& plan, const ComparisonHooks& comparison_hooks,
                           const RunHooks& run_hooks) {
  ComparisonHooks hooks = comparison_hooks;
  RunHooks reference_hooks = run_hooks;
  // Every experiment has names of its own in the store.
  std::optional<StorePart> part;
  if (hooks.store) part.emplace(*hooks.store, experiment.key + ": ");
  hooks.store = reference_hooks.store = part ? &*part : nullptr;
  ExperimentReport report;
  report.experiment = &experiment;
  report.title = title_of(experiment, model);
  report.run = run_experiment(experiment, model, plan, hooks);
  report.reference = find_reference(experiment, model, plan, reference_hooks);
  for (std::size_t k = 0; k < report.run.results.size(); ++k) {
    const SamplerSetting& sampler = experiment.samplers[k];
    report.samplers.push_back({sampler.key,
                               sampler.label,
                               report.run.factories[k].get(),
                               &report.run.results[k],
                               sampler.in_figures,
                               {},
                               1});
  }
  judge_samplers(report.samplers, plan.trials, plan.seed);
  hold_against(report.reference, report.samplers);
  report.interrupted = report.run.results.front().run.interrupted || report.reference.interrupted;
  report.conclusions = {sentence_on(report.reference)};
  if (report.reference.verdict.converged) report.conclusions.push_back(agreement(report.samplers));
  for (std::string& sentence : conclusions(report.samplers))
    report.conclusions.push_back(std::move(sentence));
  report.notes = report.run.notes;
  for (const SamplerReport& sampler : report.samplers)
    add_notes(report.notes, sampler.report.notes);
  return report;
}

Facts facts_of(const ReferenceEnergy& reference) {
  return {{"mean", reference.mean},
          {"mcse", reference.mcse},
          {"converged", reference.verdict.converged},
          {"reasons", reference.verdict.reasons},
          {"how", reference.how},
          {"move", reference.move},
          {"betas", reference.betas},
          {"chains", reference.chains},
          {"moves", reference.moves},
          {"warmup", reference.warmup},
          {"sweep", reference.sweep},
          {"seed", reference.seed},
          {"round_trips", reference.round_trips},
          {"cpu_seconds", reference.cpu_seconds},
          {"interrupted", reference.interrupted}};
}

Facts facts_of(const ExperimentReport& report) {
  const SamplerReport& first = report.samplers.front();
  Facts differences;
  for (const SamplerReport& sampler : report.samplers)
    if (sampler.in_figures && &sampler != &first)
      differences.emplace_back(sampler.key, energy_difference(first, sampler));
  const RunRecord& run = first.report.run;
  return {{"title", report.title},
          {"figure", report.experiment->figure},
          {"model", run.model},
          {"sites", run.sites},
          {"couplings", run.couplings},
          {"distance", run.distance},
          {"beta", report.experiment->beta},
          {"reference", facts_of(report.reference)},
          {"conclusions", report.conclusions},
          {"energy_difference_in_errors", std::move(differences)},
          {"notes", report.notes}};
}

std::string to_text(const ExperimentReport& report, const TextLayout& layout) {
  const RunRecord& record = report.samplers.front().report.run;
  std::string text = report.title + ": " + record.model + ", distance " +
                     with_commas(record.distance) + ", beta " + significant(record.beta, 4) +
                     "\n\n";
  text += layout.table(sampler_rows(report.samplers)) + "\n";
  for (const std::string& sentence : report.conclusions) text += layout.wrap(sentence, "") + "\n";
  for (const SamplerReport& sampler : report.samplers)
    if (sampler.in_figures && !sampler.report.verdict.converged)
      text += layout.wrap(
                  "not converged, " + sampler.label + ": " + sampler.report.verdict.reasons.front(),
                  "    ") +
              "\n";
  return text + "\n";
}

std::vector<std::pair<std::string, std::string>> reference_options(const ExperimentReport& report) {
  const ReferenceEnergy& reference = report.reference;
  if (reference.move.empty()) return {};
  const ChainFactory& factory = *report.samplers.front().factory;
  const bool ladder = reference.betas.size() > 1;
  return {{"model", factory.model().name()},
          {"distance", std::to_string(factory.shell().distance())},
          {"beta", format_real(factory.beta())},
          {"move", reference.move},
          {ladder ? "beta-hot" : "betas",
           format_real(ladder ? reference.betas.front() : factory.beta())},
          {"sweep", std::to_string(reference.sweep)},
          {"moves", std::to_string(reference.moves)},
          {"chains", std::to_string(reference.chains)},
          {"seed", std::to_string(reference.seed)}};
}

}  // namespace nhot
