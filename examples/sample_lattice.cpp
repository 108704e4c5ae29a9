// Samples a ferromagnet with half of its spins up, and says whether to trust the result.
#include <cstdio>
#include <nhot/nhot.hpp>

int main() {
  const nhot::Model model = nhot::model_from_spec("ferromagnet:16x16");
  const nhot::Shell shell(nhot::Bits(model.sites(), 0), 128);  // 128 spins up
  const nhot::ChainFactory chains(model, shell, "im:length=1..10", 0.35);

  nhot::RunPlan plan;
  plan.moves = 50'000;
  plan.seed = 1;
  const nhot::RunReport report = nhot::sample(chains, plan).report;

  for (const nhot::ObservableReport& observable : report.observables)
    std::printf("%-14s %9.3f +- %.3f   R-hat %.4f\n", observable.name.c_str(),
                observable.summary.mean, observable.summary.mcse, observable.summary.rhat);
  std::printf("converged: %s\n", report.verdict.converged ? "yes" : "no");
  for (const std::string& reason : report.verdict.reasons) std::printf("  - %s\n", reason.c_str());
  return report.verdict.converged ? 0 : 1;
}
