// One exact check: the transition matrix of a move against the law it must keep.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "nhot/base/error.hpp"
#include "nhot/chain/setup.hpp"
#include "nhot/exact/transition_matrix.hpp"
#include "nhot/model/model.hpp"

namespace nhot::exact {

/// What the suite allows: rounding of sums over at most a few thousand branches.
inline constexpr double exact_tolerance = 1e-12;

struct ExactErrors {
  double stationarity = 0;  // max |pi P - pi|
  double row_sum = 0;

  double worst() const { return std::max(stationarity, row_sum); }
  bool passed() const { return worst() <= exact_tolerance; }
};

inline ExactErrors errors_of(const TransitionMatrix& matrix, const std::vector<double>& law) {
  return {stationarity_error(matrix, law), row_sum_error(matrix)};
}

/// A model, shell and temperature with everything about them that does not depend on the move.
class ExactCase {
 public:
  ExactCase(Model model, std::string_view kernel, Bits reference, Site distance, double beta)
      : ExactCase(std::move(model), kernel, Shell(std::move(reference), distance), beta) {}
  ExactCase(Model model, std::string_view kernel, Shell shell, double beta)
      : model_(std::move(model)),
        kernel_(kernel),
        shell_(std::make_shared<const Shell>(std::move(shell))),
        beta_(beta),
        states_(*shell_),
        law_(boltzmann_law(model_, states_, beta)) {}

  const Model& model() const { return model_; }
  const std::shared_ptr<const Shell>& shell() const { return shell_; }
  double beta() const { return beta_; }
  const StateIndex& states() const { return states_; }
  const std::vector<double>& law() const { return law_; }

  ChainSetup setup(const std::string& move) const {
    return ChainSetup(model_, shell_, move, beta_, kernel_);
  }
  TransitionMatrix matrix(const std::string& move, std::uint64_t moves = 1) const {
    return transition_matrix(setup(move), states_, moves);
  }
  ExactErrors check(const std::string& move) const { return errors_of(matrix(move), law_); }

 private:
  Model model_;
  std::string_view kernel_;
  std::shared_ptr<const Shell> shell_;
  double beta_;
  StateIndex states_;
  std::vector<double> law_;
};

/// The text of a move with its engine, where the kind has one to choose.
inline std::string move_text(const MoveKind& kind, const std::string& parameters,
                             const std::string& engine) {
  std::string text = kind.name;
  if (!parameters.empty()) text += ":" + parameters;
  if (!engine.empty()) text += (parameters.empty() ? ":" : ",") + ("engine=" + engine);
  return text;
}

/// Whether a kind can be asked for one of the engines that pick sites by weight. (Engine bits of
/// swap is no such engine; it has tests of its own.)
inline bool has_engine(const MoveKind& kind) {
  return std::any_of(kind.options.begin(), kind.options.end(), [](const OptionSpec& option) {
    return option.name == "engine" && std::find(option.choices.begin(), option.choices.end(),
                                                "linear") != option.choices.end();
  });
}

/// The largest length that a refusal offers; 0 when it says that none fits; nothing when the
/// refusal is not about lengths.
inline std::optional<Site> length_offered(const InputError& refusal) {
  if (std::string(refusal.what()).find("does not fit the shell") == std::string::npos)
    return std::nullopt;
  const std::string words = "the largest length that fits is ";
  const std::size_t at = refusal.hint().find(words);
  if (at != std::string::npos)
    return static_cast<Site>(std::stoul(refusal.hint().substr(at + words.size())));
  if (refusal.hint().find("no walk fits") != std::string::npos) return Site{0};
  return std::nullopt;
}

/// The parameters with another value for "length".
inline std::string with_length(std::string parameters, Site length) {
  const std::size_t at = parameters.find("length=");
  if (at == std::string::npos) throw DrawError("'" + parameters + "' has no length to shorten");
  const std::size_t end = std::min(parameters.find(',', at), parameters.size());
  return parameters.replace(at, end - at, "length=" + std::to_string(length));
}

}  // namespace nhot::exact
