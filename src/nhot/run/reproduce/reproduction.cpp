#include "nhot/run/reproduce/reproduction.hpp"

#include <algorithm>
#include <cmath>

#include "nhot/base/error.hpp"

namespace nhot {
namespace {

// The two baselines of every experiment.
SamplerSetting swap_as_in_paper(std::uint64_t attempts) {
  return {"swap_paper", "swap, the paper's attempts", "swap", 0, 0, attempts, true};
}
SamplerSetting swap_equal_time() {
  return {"swap_equal_time", "swap, equal CPU time", "swap", 0, 0, 0, true};
}
// A hundredth of the moves is enough to see how many it accepts.
SamplerSetting as_printed(Site min_length, Site max_length, const std::string& gamma,
                          std::uint64_t moves) {
  return {"im_printed",
          "IM, weight as printed",
          "im:bias=exp,gamma=" + gamma,
          min_length,
          max_length,
          moves / 100,
          false};
}

Experiment ferromagnet_experiment() {
  constexpr std::uint64_t moves = 100'000;
  return {"ferromagnet",
          "Ferromagnet, 60 x 60, at the critical temperature",
          2,
          "ferromagnet:60x60",
          1 / 2.27,
          2,
          {{"im", "IM", "im:bias=logistic,gamma=beta", 90, 90, moves, true},
           swap_equal_time(),
           swap_as_in_paper(5'000'000),
           as_printed(90, 90, "beta", moves),
           {"im_exp_half", "IM, exp weight, half gamma", "im:bias=exp,gamma=0.5beta", 90, 90,
            moves / 20, false}},
          {"0.2*cluster + 0.8*im:length=5", std::nullopt, 8, 50, 500'000}};
}

Experiment spin_glass_experiment() {
  constexpr std::uint64_t moves = 100'000;
  return {"spin-glass",
          "Spin glass, 9 x 9 x 9, couplings +1 and -1",
          3,
          "spin-glass:9x9x9,seed=7",
          1.0,
          2,
          {{"im", "IM, gamma 0.8 beta", "im:bias=logistic,gamma=0.8beta", 1, 25, moves, true},
           {"im_balanced", "IM, gamma beta", "im:bias=logistic,gamma=beta", 1, 25, moves, true},
           swap_equal_time(),
           swap_as_in_paper(1'000'000),
           as_printed(1, 25, "0.8beta", moves)},
          {"im:length=1..3", 0.4, 4, 10, 2'000'000}};
}

Experiment rbm_experiment() {
  constexpr std::uint64_t moves = 10'000;
  return {"rbm",
          "Restricted Boltzmann machine, 784 visible and 500 hidden units",
          4,
          "rbm:784x500,seed=1",
          1.0,
          3,
          {{"im", "IM", "im:bias=logistic,gamma=0.8beta", 1, 20, moves, true},
           swap_equal_time(),
           swap_as_in_paper(100'000),
           as_printed(1, 20, "0.8beta", moves)},
          {"swap", 0.4, 4, 100, 4'000'000}};
}

// The same on weights that were learned. Of the units a fifth is on, about as many as in a digit
// with its hidden units.
Experiment digits_experiment() {
  Experiment experiment = rbm_experiment();
  experiment.key = "digits";
  experiment.title += ", trained on handwritten digits";
  experiment.model = "rbm:digits";
  experiment.share = 6;
  experiment.reference.sweep = 1284;
  experiment.reference.moves = 20'000'000;
  return experiment;
}

// The move with its walk length, shortened to what the shell allows.
std::string move_text(const SamplerSetting& sampler, const Shell& shell,
                      std::vector<std::string>& notes) {
  if (sampler.max_length == 0) return sampler.move;
  const Site longest = std::max<Site>(1, shell.longest_walk(Shell::Start::both));
  const Site max = std::min(sampler.max_length, longest);
  const Site min = std::min(sampler.min_length, max);
  if (max < sampler.max_length)
    notes.push_back(sampler.label + ": walks of " + std::to_string(sampler.max_length) +
                    " do not fit at distance " + std::to_string(shell.distance()) + " of " +
                    std::to_string(shell.sites()) + " sites; made " + std::to_string(max));
  const std::string length =
      min == max ? std::to_string(max) : std::to_string(min) + ".." + std::to_string(max);
  return sampler.move + ",length=" + length;
}

std::uint64_t scaled(std::uint64_t moves, double scale) {
  if (moves == 0) return 0;
  return static_cast<std::uint64_t>(std::max(10.0, std::round(static_cast<double>(moves) * scale)));
}

}  // namespace

const std::vector<Experiment>& paper_experiments() {
  static const std::vector<Experiment> experiments = {
      ferromagnet_experiment(), spin_glass_experiment(), rbm_experiment(), digits_experiment()};
  return experiments;
}

std::string title_of(const Experiment& experiment, const Model& model) {
  if (model.name() == experiment.model) return experiment.title;
  if (const Rbm* rbm = model.rbm())
    return "Restricted Boltzmann machine, " + std::to_string(rbm->visible()) + " visible and " +
           std::to_string(rbm->hidden()) + " hidden units";
  if (model.name() == experiment.model) return experiment.title;
  return model.name() + ", with the settings of the " + experiment.key + " experiment";
}

namespace {

Shell shell_of(const Experiment& experiment, const Model& model) {
  const Site distance = model.sites() / experiment.share;
  if (distance == 0)
    throw InputError(model.name() + " has " + std::to_string(model.sites()) +
                         " sites, too few for this experiment",
                     "give a larger model");
  return Shell(Bits(model.sites(), 0), distance);
}

}  // namespace

ExperimentRun run_experiment(const Experiment& experiment, const Model& model,
                             const ReproductionPlan& plan, const ComparisonHooks& hooks) {
  ExperimentRun run;
  const Shell shell = shell_of(experiment, model);
  std::vector<Contestant> contestants;
  for (const SamplerSetting& sampler : experiment.samplers) {
    run.factories.push_back(std::make_unique<ChainFactory>(
        model, shell, move_text(sampler, shell, run.notes), experiment.beta));
    contestants.push_back(
        {sampler.key, run.factories.back().get(), scaled(sampler.moves, plan.scale)});
  }
  ComparisonPlan comparison;
  comparison.max_draws = 1 << 15;  // more would cost time beside that of the moves
  comparison.chains = plan.trials;
  comparison.threads = plan.threads;
  comparison.seed = plan.seed;
  run.results = run_comparison(contestants, comparison, hooks);
  return run;
}

ReferenceEnergy find_reference(const Experiment& experiment, const Model& model,
                               const ReproductionPlan& plan, const RunHooks& hooks) {
  ReferenceSetting setting = experiment.reference;
  // Fewer exchanges say nothing at all.
  setting.moves = std::max(scaled(setting.moves, plan.scale), 100 * setting.sweep);
  return find_reference(setting, model, shell_of(experiment, model), experiment.beta, plan.seed,
                        plan.threads, hooks);
}

}  // namespace nhot
