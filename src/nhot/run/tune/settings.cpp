#include "nhot/run/tune/settings.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "nhot/base/error.hpp"
#include "nhot/base/text_layout.hpp"
#include "nhot/chain/factory.hpp"

namespace nhot {
namespace {

enum class Fit { refused, partial, whole };

Fit fit_of(const Model& model, const Shell& shell, double beta, const std::string& move) {
  try {
    return ChainFactory(model, shell, move, beta).unreachable_reason().empty() ? Fit::whole
                                                                               : Fit::partial;
  } catch (const InputError&) {
    return Fit::refused;
  }
}

/// Gamma in units of beta at which the energy leaves the acceptance.
double balanced(Bias bias) { return bias == Bias::exp ? 0.5 : 1; }

double mean_length(LengthRange length) { return 0.5 * (length.min + length.max); }

}  // namespace

std::string WalkSetting::text() const {
  std::string text = kind + ":length=" + to_text(length);
  if (bias != Bias::logistic) text += ",bias=" + to_text(bias);
  if (gamma != 1 || bias != Bias::logistic)
    text += ",gamma=" + (gamma == 1 ? "" : significant(gamma, 3)) + "beta";
  if (order == WalkOrder::up_down) text += ",order=up-down";
  if (order == WalkOrder::down_up) text += ",order=down-up";
  return text;
}

std::vector<double> WalkSetting::place() const {
  const bool fixed = length.min == length.max && length.max > 1;
  const auto apart = [](bool differs) { return differs ? 0.5 : 0.0; };
  return {std::log(mean_length(length)),
          std::log(gamma / balanced(bias)) / 0.3,
          fixed ? 0.7 : 0.0,
          apart(bias == Bias::exp),
          apart(bias == Bias::min),
          apart(order == WalkOrder::up_down),
          apart(order == WalkOrder::down_up)};
}

SearchSpace search_space(const Model& model, const Shell& shell, double beta, bool thorough) {
  SearchSpace space;
  space.longest = shell.longest_walk(Shell::Start::both);
  space.moves.emplace_back("swap");
  for (const char* const move : {"kawasaki", "cluster", "block", "joint"}) {
    const Fit fit = fit_of(model, shell, beta, move);
    if (fit == Fit::whole) space.moves.emplace_back(move);
    if (fit == Fit::partial) space.partial.emplace_back(move);
  }
  const auto add = [&](const std::string& kind, Site min, Site max, Bias bias, double gamma) {
    const WalkSetting walk{kind, {min, max}, bias, gamma};
    if (max <= space.longest && fit_of(model, shell, beta, walk.text()) == Fit::whole)
      space.walks.push_back(walk);
  };
  const auto short_range = std::min<Site>(10, space.longest);
  add("im", 1, short_range, Bias::logistic, 1);
  add("im", 1, 40, Bias::logistic, 1);
  add("path", 1, short_range, Bias::logistic, 1);
  if (!thorough) return space;
  add("im", 1, 3, Bias::logistic, 1);
  add("im", 1, 120, Bias::logistic, 1);
  for (const Site length : {1, 4, 12, 36, 108}) add("im", length, length, Bias::logistic, 1);
  add("im", 1, short_range, Bias::logistic, 0.7);
  add("im", 1, short_range, Bias::exp, 0.5);
  add("im", 1, short_range, Bias::min, 1);
  add("path", 1, 40, Bias::logistic, 1);
  add("path", 1, short_range, Bias::exp, 0.5);
  return space;
}

std::vector<std::string> other_engines(const Model& model, const Shell& shell, double beta) {
  constexpr Site largest_matrix = 2000;
  std::vector<std::string> engines;
  if (model.custom() || fit_of(model, shell, beta, "im:length=1") == Fit::refused) return engines;
  const std::string chosen = ChainFactory(model, shell, "im:length=1", beta).engine();
  for (const std::string engine : {"classes", "thinned", "sums", "dense", "tree"})
    if (engine != chosen && (engine != "dense" || model.sites() <= largest_matrix) &&
        fit_of(model, shell, beta, "im:length=1,engine=" + engine) == Fit::whole)
      engines.push_back(engine);
  return engines;
}

std::vector<WalkSetting> variants(const WalkSetting& of) {
  std::vector<WalkSetting> found;
  for (const Bias bias : {Bias::logistic, Bias::exp, Bias::min}) {
    if (bias == of.bias) continue;
    WalkSetting& other = found.emplace_back(of);
    other.bias = bias;
    other.gamma = of.gamma / balanced(of.bias) * balanced(bias);
  }
  for (const WalkOrder order : {WalkOrder::random, WalkOrder::up_down, WalkOrder::down_up})
    if (order != of.order && of.kind == "im") found.emplace_back(of).order = order;
  return found;
}

std::vector<WalkSetting> walk_grid(const WalkSetting& like, Site longest) {
  std::vector<WalkSetting> grid;
  const Site last = std::min<Site>(longest, 400);
  Site before = 0;
  for (double length = 1; before < last; length *= 1.35) {
    const Site now = std::min(static_cast<Site>(std::lround(length)), last);
    if (now == before) continue;
    before = now;
    for (const double ratio : {0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5})
      for (const bool fixed : {false, true}) {
        if (fixed && now == 1) continue;
        WalkSetting walk = like;
        walk.length = {fixed ? now : 1, now};
        walk.gamma = ratio * balanced(like.bias);
        grid.push_back(walk);
      }
  }
  return grid;
}

std::string mixture_text(const std::string& a, double a_seconds, const std::string& b,
                         double b_seconds, double share) {
  const double of_a = share / a_seconds;
  const double of_b = (1 - share) / b_seconds;
  const double weight = std::clamp(of_a / (of_a + of_b), 1e-5, 1 - 1e-5);
  return significant(weight, 3) + "*(" + a + ") + " + significant(1 - weight, 3) + "*(" + b + ")";
}

}  // namespace nhot
