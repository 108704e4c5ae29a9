#include "nhot/chain/setup.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "nhot/chain/checks.hpp"
#include "nhot/model/describe.hpp"

namespace nhot {
namespace {

// Fields of up to this many quanta are kept as integers.
constexpr std::int64_t max_grid = 1 << 24;
// A total costs one multiply-add per level, so buckets by level pay only while levels are few.
constexpr std::int64_t max_class_field = 2048;
constexpr std::int64_t auto_class_field = 128;
// Engine dense evaluates the weights of every group in each step.
constexpr Group most_dense_groups = 64;
// A full matrix of more sites would not fit in memory.
constexpr Site max_dense_sites = 30'000;

bool needs_weights(const std::vector<WeightedMove>& moves) {
  return std::any_of(moves.begin(), moves.end(), [](const WeightedMove& m) {
    return std::visit([](const auto& move) { return move.needs_weights; }, m.move);
  });
}

/// Ends the message that an engine needs an integer grid.
std::string without_grid(const Model& model) {
  if (model.kind() == "custom") return ", which an energy given as code does not have";
  if (model.custom()) return ", which a model of the kind " + model.kind() + " does not have";
  return model.rbm() ? ", which an RBM does not have" : "";
}

bool mostly_coupled(const QuadraticModel& model) {
  const double pairs = 0.5 * model.sites() * (model.sites() - 1.0);
  return model.sites() >= 32 && model.sites() <= max_dense_sites &&
         static_cast<double>(model.couplings()) > 0.25 * pairs;
}

}  // namespace

std::vector<std::string> engines_for(std::string_view kernel, bool grouped) {
  if ((kernel == "integer" || kernel == "real") && grouped) return {"tree", "linear"};
  if (kernel == "integer") return {"classes", "thinned", "compact", "tree", "linear"};
  if (kernel == "real") return {"sums", "tree", "linear"};
  if (kernel == "custom") return {"tree", "linear"};
  return {"dense", "linear"};
}

ChainSetup::ChainSetup(const Model& model, std::shared_ptr<const Shell> shell,
                       std::string_view move, double beta, std::string_view kernel)
    : shell_(std::move(shell)), beta_(beta) {
  check_beta(beta);
  std::vector<MoveText> texts = parse_moves(move);
  add_flips(texts);
  const ModelFacts facts{model.couplings(), [&] { return connected_components(model.data()); },
                         &model};
  double total = 0;
  for (const MoveText& text : texts) total += text.weight;
  if (!std::isfinite(total))
    throw InputError("the weights of the mixture '" + std::string(move) + "' add up to infinity",
                     "only their ratios count: give numbers near 1");
  std::vector<std::string> resolved;
  bool free = shell_->single_state();
  for (const MoveText& text : texts) {
    PreparedMove prepared = text.kind->fit(text.values, *shell_, facts);
    free |= prepared.unreachable_reason.empty();
    if (text.kind->name != "flip" || texts.size() == 1) {
      if (!unreachable_reason_.empty()) unreachable_reason_ += "; ";
      unreachable_reason_ += prepared.unreachable_reason;
    }
    moves_.push_back({text.weight / total, std::move(prepared.move)});
    resolved.push_back(std::move(prepared.text));
  }
  if (free) unreachable_reason_.clear();
  note_rounding(model.fixed_point());
  check_number_range(model, moves_, beta);
  if (model.quadratic()) grid_ = find_grid(*model.quadratic(), shell_->reference(), max_grid);
  choose_engine(model, texts, kernel);
  build_kernel(model, kernel == "auto" ? choose_kernel(model) : kernel);

  for (std::size_t k = 0; k < resolved.size(); ++k) {
    if (k) move_ += " + ";
    if (resolved.size() > 1) move_ += format_real(texts[k].weight) + "*";
    move_ += resolved[k];
    const bool weighted = std::visit([](const auto& m) { return m.needs_weights; }, moves_[k].move);
    if (weighted) move_ += ",engine=" + (adaptive_ ? "auto" : engine_);
  }
}

/// As many flips per free site as other moves per site of the groups, unless the mixture has its
/// own share of flips.
void ChainSetup::add_flips(std::vector<MoveText>& texts) const {
  const Site free = shell_->free_sites();
  double total = 0;
  for (const MoveText& text : texts) {
    if (free == 0 || text.kind->name == "flip") return;
    total += text.weight;
  }
  MoveText flips = parse_moves("flip").front();
  flips.weight = total * free / std::max<Site>(1, shell_->movable_sites());
  texts.push_back(std::move(flips));
}

bool ChainSetup::suits_dense(const QuadraticModel& model) const {
  return mostly_coupled(model) && shell_->groups() <= most_dense_groups;
}

void ChainSetup::note_rounding(const FixedPoint& fixed_point) {
  constexpr double worth_a_note = 1e-6;
  if (fixed_point.rounding() <= worth_a_note * fixed_point.smallest()) return;
  notes_.push_back("couplings and fields count in steps of " + format_real(fixed_point.unit()) +
                   ", which is coarse beside the smallest of them, " +
                   format_real(fixed_point.smallest()) +
                   ": beside the largest they hardly change the energy");
}

void ChainSetup::choose_engine(const Model& model, const std::vector<MoveText>& texts,
                               std::string_view kernel) {
  std::string wanted = "auto";
  for (const MoveText& text : texts) {
    const std::string engine = text.engine();
    if (engine == "auto" || engine == wanted) continue;
    if (wanted != "auto")
      throw InputError(
          "the moves of a mixture ask for engines '" + wanted + "' and '" + engine + "'",
          "a chain has one engine: name the same one, or leave the others on auto");
    wanted = engine;
  }
  if (wanted == "bits") {
    choose_bits(model, texts.size());
    return;
  }
  if (!needs_weights(moves_)) {
    engine_ = "none";
    return;
  }
  if (kernel != "auto") {
    const std::vector<std::string> engines = engines_for(kernel, shell_->grouped());
    engine_ = wanted == "auto" ? engines.front() : wanted;
    if (std::find(engines.begin(), engines.end(), engine_) == engines.end())
      throw InputError("engine " + engine_ + " does not work with kernel " + std::string(kernel));
    return;
  }
  const QuadraticModel* quadratic = model.quadratic();
  const bool grid = quadratic && grid_.useful();
  const char* const for_sparse = shell_->grouped() ? "tree" : "sums";
  if (wanted == "auto") {
    adaptive_ = grid && grid_.max_field <= auto_class_field && !mostly_coupled(*quadratic) &&
                !shell_->grouped();
    if (adaptive_)
      engine_ = "classes";
    else if (model.custom())
      engine_ = "tree";
    else
      engine_ = !quadratic || suits_dense(*quadratic) ? "dense" : for_sparse;
    return;
  }
  engine_ = wanted;
  const bool by_level = engine_ == "classes" || engine_ == "thinned" || engine_ == "compact";
  if ((by_level || engine_ == "sums") && shell_->grouped())
    throw InputError("engine " + engine_ + " is for shells with one group of sites",
                     "use engine=tree or engine=auto");
  if (by_level && (!grid || grid_.max_field > max_class_field))
    throw InputError("engine " + engine_ + " needs couplings and fields on a coarse integer grid" +
                         without_grid(model),
                     "use engine=auto; it takes " +
                         std::string(model.custom()                          ? "tree"
                                     : quadratic && !suits_dense(*quadratic) ? for_sparse
                                                                             : "dense") +
                         " for this model");
  if (engine_ == "dense" && model.custom())
    throw InputError("engine dense is for couplings, which this model does not have",
                     "use engine=tree or engine=auto");
  if (engine_ == "sums" && model.custom())
    throw InputError("engine sums is for couplings, which this model does not have",
                     "use engine=tree or engine=auto");
  if ((engine_ == "tree" || engine_ == "sums") && model.rbm())
    throw InputError(
        "engine " + engine_ + " is for sparse couplings, and every flip of an RBM touches a layer",
        "use engine=dense or engine=auto");
  if (engine_ == "dense" && quadratic && quadratic->sites() > max_dense_sites)
    throw InputError("engine dense needs a full matrix, too large for " +
                         std::to_string(quadratic->sites()) + " sites",
                     "use engine=auto");
}

/// Only `swap` has this engine to choose.
void ChainSetup::choose_bits(const Model& model, std::size_t moves) {
  if (shell_->grouped())
    throw InputError("engine bits is for shells with one group of sites", "use {move swap}");
  if (moves > 1)
    throw InputError("engine bits runs one move, swap, and this is a mixture",
                     "use {move swap:engine=bits} alone, or a mixture without it");
  if (!model.quadratic() || !grid_.useful())
    throw InputError(
        "engine bits needs couplings and fields on a coarse integer grid" + without_grid(model),
        "use {move swap}, which takes any model");
  engine_ = "bits";
  notes_.emplace_back(
      "engine bits: all chains of a block try the same pair of sites in a move; where the two are "
      "alike nothing is tried, which counts as a move but not as a step");
}

std::string_view ChainSetup::choose_kernel(const Model& model) const {
  if (model.rbm()) return "rbm";
  if (model.custom()) return "custom";
  if (engine_ == "bits") return "integer";
  if (engine_ == "dense" || (engine_ == "none" && mostly_coupled(*model.quadratic())))
    return "dense";
  return grid_.useful() && engine_ != "sums" ? "integer" : "real";
}

void ChainSetup::build_kernel(const Model& model, std::string_view name) {
  const Bits& reference = shell_->reference();
  const bool fits = name == "rbm"       ? model.rbm() != nullptr
                    : name == "custom"  ? model.custom() != nullptr
                    : name == "integer" ? grid_.useful()
                                        : model.quadratic() != nullptr;
  if (!fits) throw InputError("kernel " + std::string(name) + " does not fit the model");
  const auto make = [&]<class Kernel>(std::type_identity<Kernel>, auto... of) {
    // On a grouped shell it is a Grouped<Kernel>, as make_with() takes it.
    if (shell_->grouped())
      kernel_ = std::shared_ptr<const Kernel>(std::make_shared<const Grouped<Kernel>>(of...));
    else
      kernel_ = std::make_shared<const Kernel>(of...);
  };
  if (name == "rbm")
    make(std::type_identity<RbmKernel>(), model.shared_rbm(), reference);
  else if (name == "custom")
    make(std::type_identity<CustomKernel>(), model.shared_custom(), reference);
  else if (name == "dense")
    make(std::type_identity<DenseKernel>(), model.shared_quadratic(), reference);
  else if (name == "integer")
    make(std::type_identity<IntegerKernel>(), model.shared_quadratic(), reference, grid_);
  else
    make(std::type_identity<RealKernel>(), model.shared_quadratic(), reference, Grid{});
}

}  // namespace nhot
