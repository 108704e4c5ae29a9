#include "nhot/run/logz/cooled_population.hpp"

#include <algorithm>
#include <cmath>

namespace nhot {
namespace {

constexpr double resample_below = 0.5;  // ESS / size
constexpr std::uint64_t moves_per_piece = 1024;

/// How far a population has come, beside its members.
struct Stage {
  std::uint64_t steps = 0;     // in temperature, done
  std::uint64_t finished = 0;  // 1: only the result is kept
  PopulationResult result;
};
static_assert(std::is_trivially_copyable_v<Stage>);

}  // namespace

bool advance_unless_stopped(Population& population, std::uint64_t moves,
                            const std::function<bool()>& stop) {
  for (std::uint64_t left = moves; left > 0;) {
    const std::uint64_t now = std::min(left, moves_per_piece);
    population.advance(now);
    left -= now;
    if (left > 0 && stop()) return false;
  }
  return true;
}

std::optional<CooledPopulation> PopulationCooler::cool(
    std::size_t p, const std::function<bool()>& stop,
    const std::function<bool(double)>& tick) const {
  if (stop()) return std::nullopt;
  const std::string name = name_of_population(task_, p);
  const std::vector<double>& betas = task_.betas;
  Stage stage;
  const auto bytes = store_ ? store_->find(name) : std::nullopt;
  std::optional<Restoring> restoring;
  if (bytes) {
    restoring.emplace(*bytes);
    (*restoring)(stage);
    if (stage.steps >= betas.size()) ByteReader::damaged();
    if (stage.steps > 0 && !tick(static_cast<double>(stage.steps))) return std::nullopt;
  }
  const double log_states = factory_.shell().log_states();
  std::vector<double> path(1, log_states);
  if (stage.steps > 0 || stage.finished != 0) restore_values(store_, name_of_path(task_, p), path);
  if (stage.finished != 0) return CooledPopulation{stage.result, path};
  Population population(factory_, task_.seed, task_.first_stream + 1 + p, task_.members);
  if (restoring) population.restore(*restoring);
  path.resize(std::min<std::size_t>(path.size(), stage.steps + 1));
  for (std::size_t k = stage.steps + 1; k < betas.size(); ++k) {
    population.reweight(betas[k]);
    path.push_back(log_states + population.log_ratio());
    if (task_.resampling && population.effective_share() < resample_below) population.resample();
    // Moves at the last beta change no weight: only Bennett's sum needs them.
    if ((k + 1 < betas.size() || task_.flip_side) &&
        !advance_unless_stopped(population, task_.moves, stop))
      return std::nullopt;
    stage.steps = k;
    if (store_ && store_->due()) {
      save_values(store_, name_of_path(task_, p), path);
      Saving saving;
      saving(stage);
      population.save(saving);
      store_->save(name, saving.take());
    }
    if (!tick(1)) return std::nullopt;
  }
  PopulationResult& result = stage.result;
  result.log_ratio = population.log_ratio();
  result.effective_share = population.effective_share();
  result.families = static_cast<double>(population.families());
  if (task_.flip_side) result.log_bridge = log_bridge(population);
  stage.finished = 1;
  save_values(store_, name_of_path(task_, p), path);
  save_values(store_, name, stage);
  return CooledPopulation{result, path};
}

double PopulationCooler::log_bridge(const Population& population) const {
  const Shell& shell = factory_.shell();
  double sum = 0;
  for (std::size_t k = 0; k < population.size(); ++k) {
    const Bits bits = population.member(k).bits();
    const std::vector<double> costs = factory_.model().data().flip_costs(bits);
    for (Site i = 0; i < shell.sites(); ++i)
      if ((bits[i] ^ shell.reference()[i]) == *task_.flip_side)
        sum += population.weights()[k] / (1 + std::exp(factory_.beta() * costs[i] + task_.shift));
  }
  return std::log(sum);
}

}  // namespace nhot
