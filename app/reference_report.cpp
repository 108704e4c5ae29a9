#include "reference_report.hpp"

#include <cmath>

#include "again.hpp"
#include "nhot/base/options.hpp"
#include "text_table.hpp"

namespace nhot::app {
namespace {

constexpr double many_errors = 4;

// The same run by `nhot temper`.
std::string command_of(const ReferenceEnergy& reference, const ChainFactory& factory) {
  if (reference.move.empty()) return {};
  std::string text = "nhot temper " + shell_word(factory.model().name());
  const auto add = [&](const std::string& name, const std::string& value) {
    text += " --" + name + " " + shell_word(value);
  };
  add("distance", std::to_string(factory.shell().distance()));
  add("beta", format_real(factory.beta()));
  add("move", reference.move);
  if (reference.betas.size() > 1)
    add("beta-hot", format_real(reference.betas.front()));
  else
    add("betas", format_real(factory.beta()));
  add("sweep", std::to_string(reference.sweep));
  add("moves", std::to_string(reference.moves));
  add("chains", std::to_string(reference.chains));
  add("seed", std::to_string(reference.seed));
  return text;
}

std::string sentence_on(const ReferenceEnergy& reference) {
  if (!reference.verdict.converged)
    return "No reference: " + reference.how + " did not converge. " +
           reference.verdict.reasons.front();
  return "The true mean energy is " + to_resolution(reference.mean, reference.mcse) + " +- " +
         significant(reference.mcse, 2) + ", by " + reference.how + ", which converged in " +
         significant(reference.cpu_seconds, 2) + " CPU seconds that no sampler is charged with.";
}

std::string agreement(const std::vector<Finisher>& finishers) {
  std::string off;
  for (const Finisher& finisher : finishers)
    if (finisher.in_figures && std::abs(finisher.errors_from_reference) >= many_errors)
      off += (off.empty() ? "" : "; ") + finisher.label + ", by " +
             significant(finisher.from_reference, 3) + ", " +
             significant(std::abs(finisher.errors_from_reference), 2) + " standard errors";
  if (off.empty()) return "Every sampler of the figures agrees with it within 4 standard errors.";
  return "4 standard errors or more off: " + off + ".";
}

}  // namespace

void hold_against(const ReferenceEnergy& reference, std::vector<Finisher>& finishers) {
  if (!reference.verdict.converged) return;
  for (Finisher& finisher : finishers) {
    const ObservableSummary& energy = finisher.report.observables.front().summary;
    finisher.from_reference = energy.mean - reference.mean;
    finisher.errors_from_reference =
        finisher.from_reference / std::hypot(energy.mcse, reference.mcse);
  }
}

Json to_json(const ReferenceEnergy& reference, const ChainFactory& factory) {
  return {{"mean", reference.mean},
          {"mcse", reference.mcse},
          {"converged", reference.verdict.converged},
          {"reasons", reference.verdict.reasons},
          {"how", reference.how},
          {"command", command_of(reference, factory)},
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

std::vector<std::string> conclusions_with(const ReferenceEnergy& reference,
                                          const std::vector<Finisher>& finishers) {
  std::vector<std::string> sentences = {sentence_on(reference)};
  if (reference.verdict.converged) sentences.push_back(agreement(finishers));
  for (std::string& sentence : conclusions(finishers)) sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace nhot::app
