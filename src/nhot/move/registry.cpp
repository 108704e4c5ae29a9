#include "nhot/move/registry.hpp"

#include <algorithm>
#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/base/nearest.hpp"

namespace nhot {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(trimmed(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// --- im ------------------------------------------------------------------------------------------

constexpr Site default_longest = 10;

GammaValue parse_gamma(std::string_view text, std::string_view name) {
  GammaValue gamma;
  std::string_view number = text;
  gamma.relative = text.ends_with("beta");
  if (gamma.relative) {
    number.remove_suffix(4);
    if (number.ends_with('*')) number.remove_suffix(1);
    if (number.empty()) return gamma;
  }
  const auto value = parse_real(number);
  if (!value || *value < 0)
    throw InputError("move im: " + std::string(name) + " has '" + std::string(text) + "'",
                     "give a number >= 0 such as 0.44, 'beta' or '0.8beta'; a schedule by step is "
                     "written 0.6beta/0.8beta/beta");
  gamma.value = *value;
  return gamma;
}

GammaSchedule parse_schedule(std::string_view text, std::string_view name) {
  GammaSchedule schedule;
  for (const std::string_view part : split(text, '/')) schedule.push_back(parse_gamma(part, name));
  return schedule;
}

std::string to_text(const GammaSchedule& schedule) {
  std::string text;
  for (const GammaValue& gamma : schedule) {
    if (!text.empty()) text += '/';
    if (!gamma.relative)
      text += format_real(gamma.value);
    else
      text += gamma.value == 1 ? "beta" : format_real(gamma.value) + "beta";
  }
  return text;
}

struct LengthRange {
  Site min;
  Site max;
};

LengthRange parse_length(const std::string& text) {
  const std::size_t dots = text.find("..");
  const auto low = parse_integer(text.substr(0, dots));
  const auto high = dots == std::string::npos ? low : parse_integer(text.substr(dots + 2));
  if (!low || !high || *low < 1 || *high < *low || *high > 0xffffffffLL)
    throw InputError("move im: length is '" + text + "'",
                     "give a whole number >= 1 such as 90, or a range such as 1..25");
  return {static_cast<Site>(*low), static_cast<Site>(*high)};
}

std::string to_text(LengthRange range) {
  return range.min == range.max ? std::to_string(range.min)
                                : std::to_string(range.min) + ".." + std::to_string(range.max);
}

PreparedMove prepare_intracluster(const OptionValues& values, const Shell& shell,
                                  const ModelFacts&) {
  IntraclusterOptions options;
  const std::string& bias = values.text("bias");
  options.bias = bias == "exp" ? Bias::exp : bias == "min" ? Bias::min : Bias::logistic;

  const std::string& order = values.text("order");
  options.order = order == "up-down"   ? WalkOrder::up_down
                  : order == "down-up" ? WalkOrder::down_up
                                       : WalkOrder::random;
  const Site longest =
      shell.longest_walk(options.order == WalkOrder::up_down   ? Shell::Start::up
                         : options.order == WalkOrder::down_up ? Shell::Start::down
                                                               : Shell::Start::both);
  LengthRange length{};
  if (values.text("length") == "auto") {
    length = {std::min<Site>(1, longest), std::min(default_longest, longest)};
  } else {
    length = parse_length(values.text("length"));
    if (length.max > longest) {
      const std::string place = "order=" + order + " at distance " +
                                std::to_string(shell.distance()) + " of " +
                                std::to_string(shell.sites()) + " sites";
      throw InputError("move im: length " + std::to_string(length.max) +
                           " does not fit the shell (" + place + ")",
                       longest == 0
                           ? "no walk fits: one side is empty and the shell has a single state"
                           : "the largest length that fits is " + std::to_string(longest));
    }
  }
  options.min_length = length.min;
  options.max_length = length.max;

  options.gamma_up = parse_schedule(values.text("gamma"), "gamma");
  options.gamma_down = options.gamma_up;
  std::string gamma_text = "gamma=" + to_text(options.gamma_up);
  if (values.was_set("gamma-up") || values.was_set("gamma-down")) {
    if (values.was_set("gamma-up"))
      options.gamma_up = parse_schedule(values.text("gamma-up"), "gamma-up");
    if (values.was_set("gamma-down"))
      options.gamma_down = parse_schedule(values.text("gamma-down"), "gamma-down");
    gamma_text =
        "gamma-up=" + to_text(options.gamma_up) + ",gamma-down=" + to_text(options.gamma_down);
  }

  // A single state has no walk; "auto" keeps the text valid for other shells.
  const std::string text = "im:length=" + (length.max == 0 ? "auto" : to_text(length)) +
                           ",bias=" + bias + "," + gamma_text + ",order=" + order;
  return {IntraclusterMove(options), text, {}};
}

MoveKind intracluster_kind() {
  const OptionTable options = {
      {"length", OptionType::text, "auto",
       "steps of each half of the walk: a number, or a range drawn uniformly for every move; auto "
       "is "
       "1..10, or less where the shell is smaller",
       "K|K1..K2"},
      {"bias",
       OptionType::choice,
       "logistic",
       "weight of a flip that costs dE",
       "NAME",
       0,
       0,
       {"logistic", "exp", "min"}},
      {"gamma", OptionType::text, "beta",
       "strength of the bias: a number, beta, a multiple such as 0.8beta, or a schedule by step "
       "such "
       "as 0.6beta/0.8beta/beta (the last entry is repeated)",
       "G"},
      {"gamma-up", OptionType::text, "", "gamma of the steps towards the reference", "G"},
      {"gamma-down", OptionType::text, "", "gamma of the steps away from the reference", "G"},
      {"order",
       OptionType::choice,
       "random",
       "which half comes first",
       "NAME",
       0,
       0,
       {"random", "up-down", "down-up"}},
      {"engine",
       OptionType::choice,
       "auto",
       "how weighted sites are selected",
       "NAME",
       0,
       0,
       {"auto", "linear", "tree", "classes", "thinned", "dense"}},
  };
  std::vector<std::string> cases;
  for (const char* bias : {"exp", "logistic", "min"})
    for (const char* order : {"up-down", "down-up", "random"})
      for (const char* walk :
           {"length=1,gamma=beta", "length=2,gamma=0.8beta", "length=1..3,gamma=0.7",
            "length=2,gamma-up=0.5beta,gamma-down=1.2beta", "length=3,gamma=0.5beta/beta",
            "length=1..2,gamma=0"})
        cases.push_back(std::string(walk) + ",bias=" + bias + ",order=" + order);
  return {
      "im",
      "intracluster move: a biased walk of 2k flips through the neighbouring shells, accepted or "
      "rejected as a whole",
      options, prepare_intracluster, cases};
}

// --- swap, kawasaki
// --------------------------------------------------------------------------------

PreparedMove prepare_swap(const OptionValues&, const Shell&, const ModelFacts&) {
  return {SwapMove{}, "swap"};
}

PreparedMove prepare_kawasaki(const OptionValues&, const Shell&, const ModelFacts& facts) {
  if (facts.couplings == 0)
    throw InputError(
        "move kawasaki: the model has no couplings, so there is no edge to exchange across",
        "use --move swap or --move im");
  PreparedMove prepared{KawasakiMove{}, "kawasaki"};
  if (facts.components > 1)
    prepared.notes.push_back("kawasaki: the coupling graph has " +
                             std::to_string(facts.components) +
                             " connected components and no exchange crosses between them, so the "
                             "chain is not irreducible: it keeps the number of differing sites of "
                             "each component; mix it with swap or im to reach every state");
  return prepared;
}

// --- text
// ------------------------------------------------------------------------------------------

// Splits "a + b" at plus signs that separate moves. Numbers in parameters carry a plus only inside
// an exponent, as in 1e+3.
std::vector<std::string_view> split_mixture(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '+') continue;
    const bool exponent = k >= 2 && (text[k - 1] == 'e' || text[k - 1] == 'E') &&
                          text[k - 2] >= '0' && text[k - 2] <= '9';
    if (exponent) continue;
    parts.push_back(trimmed(text.substr(begin, k - begin)));
    begin = k + 1;
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

MoveText parse_one(std::string_view text, std::string_view whole) {
  double weight = 1;
  if (const std::size_t star = text.find('*');
      star != std::string_view::npos && star < text.find(':')) {
    const auto value = parse_real(trimmed(text.substr(0, star)));
    if (!value || *value <= 0)
      throw InputError(
          "move '" + std::string(text) + "': the weight before '*' must be a number > 0",
          "write a mixture as \"0.7*im:length=1..25 + 0.3*swap\"");
    weight = *value;
    text = trimmed(text.substr(star + 1));
  }
  const std::size_t colon = text.find(':');
  const std::string_view name = trimmed(text.substr(0, colon));
  const std::vector<MoveKind>& kinds = move_kinds();
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const MoveKind& k) { return k.name == name; });
  if (kind == kinds.end()) {
    std::vector<std::string> known;
    for (const MoveKind& k : kinds) known.push_back(k.name);
    throw InputError(name.empty() ? "empty move in '" + std::string(whole) + "'"
                                  : "unknown move '" + std::string(name) + "'",
                     unknown_name_hint(name, known));
  }
  MoveText result{weight, &*kind, OptionValues(kind->options, "move " + kind->name + ": ")};
  if (colon == std::string_view::npos) return result;
  for (const std::string_view part : split(text.substr(colon + 1), ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos)
      throw InputError("move " + kind->name + ": '" + std::string(part) + "' is not key=value",
                       "write parameters as " + kind->name + ":key=value,key=value");
    const std::string_view key = trimmed(part.substr(0, equals));
    if (result.values.was_set(key))
      throw InputError("move " + kind->name + ": '" + std::string(key) + "' is given twice");
    result.values.set(key, trimmed(part.substr(equals + 1)));
  }
  return result;
}

}  // namespace

std::string MoveText::engine() const {
  for (const OptionSpec& option : kind->options)
    if (option.name == "engine") return values.text("engine");
  return "auto";
}

const std::vector<MoveKind>& move_kinds() {
  static const std::vector<MoveKind> kinds = {
      {"swap",
       "constant-set Metropolis: one uniform site of each side changes side",
       {},
       prepare_swap,
       {""}},
      {"kawasaki", "exchange across an edge of the coupling graph", {}, prepare_kawasaki, {""}},
      intracluster_kind(),
  };
  return kinds;
}

std::vector<MoveText> parse_moves(std::string_view text) {
  std::vector<MoveText> moves;
  for (const std::string_view part : split_mixture(text)) moves.push_back(parse_one(part, text));
  return moves;
}

}  // namespace nhot
