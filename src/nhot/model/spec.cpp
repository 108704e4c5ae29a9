// Reads spec strings: name:size[,key=value][,flag].
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nhot/base/error.hpp"
#include "nhot/base/nearest.hpp"
#include "nhot/model/digits/digits.hpp"
#include "nhot/model/generators.hpp"

namespace nhot {
namespace {

constexpr std::string_view trained_rbm = "rbm:digits";

// What one generator accepts beside its size.
struct Grammar {
  std::string name;
  std::string example;
  std::vector<std::string> options;
};

const std::vector<Grammar>& grammars() {
  static const std::vector<Grammar> list = {
      {"ferromagnet", "ferromagnet:60x60 or ferromagnet:60x60,open", {"open", "periodic"}},
      {"spin-glass",
       "spin-glass:9x9x9,seed=7 or spin-glass:9x9x9,seed=7,couplings=gaussian,open",
       {"open", "periodic", "seed", "couplings"}},
      {"rbm", "rbm:784x500,seed=1 or rbm:digits", {"seed"}},
      {"field", "field:1000,seed=1", {"seed"}},
  };
  return list;
}

[[noreturn]] void fail(std::string_view spec, const std::string& problem, const std::string& hint) {
  throw InputError("model '" + std::string(spec) + "': " + problem, hint);
}

std::string show(const Grammar& grammar) { return "for example " + grammar.example; }

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// The whole text as a number; nothing when it is not one or does not fit 64 bits.
std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

struct Parsed {
  const Grammar* grammar = nullptr;
  std::vector<Site> sizes;
  bool periodic = true;
  std::uint64_t seed = 1;
  CouplingLaw law = CouplingLaw::plus_minus;
};

void parse_sizes(std::string_view spec, std::string_view text, Parsed& parsed) {
  const std::string hint = show(*parsed.grammar);
  if (text.empty()) fail(spec, "the size is missing", hint);
  for (const std::string_view part : split(text, 'x')) {
    const auto side = whole_number(part);
    if (!side)
      fail(spec, "the size '" + std::string(text) + "' is not made of whole numbers joined by x",
           hint);
    if (*side == 0) fail(spec, "the size '" + std::string(text) + "' holds a 0", hint);
    if (*side > max_sites)
      fail(spec, "the size '" + std::string(text) + "' is too large",
           "the largest model has " + std::to_string(max_sites) + " sites");
    parsed.sizes.push_back(static_cast<Site>(*side));
  }
}

// Refuses a flag with a value, and other options without one.
void parse_option(std::string_view spec, std::string_view part, Parsed& parsed) {
  const Grammar& grammar = *parsed.grammar;
  const std::size_t equals = part.find('=');
  const bool has_value = equals != std::string_view::npos;
  const std::string key(part.substr(0, equals));
  const std::string value(has_value ? part.substr(equals + 1) : std::string_view());
  bool known = false;
  for (const std::string& option : grammar.options) known = known || option == key;
  if (!known)
    fail(spec, "unknown option '" + key + "'",
         unknown_name_hint(key, grammar.options) + "; " + show(grammar));
  const bool flag = key == "open" || key == "periodic";
  if (flag && has_value) fail(spec, "option '" + key + "' takes no value", show(grammar));
  if (flag) {
    parsed.periodic = key == "periodic";
  } else if (key == "seed") {
    const auto seed = whole_number(value);
    if (!seed)
      fail(spec, "seed '" + value + "' is not a whole number from 0 to 18446744073709551615",
           show(grammar));
    parsed.seed = *seed;
  } else if (value == "gaussian") {
    parsed.law = CouplingLaw::gaussian;
  } else if (value == "pm" || value == "plus-minus") {
    parsed.law = CouplingLaw::plus_minus;
  } else {
    const std::vector<std::string> laws = {"plus-minus", "pm", "gaussian"};
    fail(spec, "unknown couplings '" + value + "'", unknown_name_hint(value, laws));
  }
}

const Grammar* find_grammar(std::string_view name) {
  for (const Grammar& grammar : grammars())
    if (grammar.name == name) return &grammar;
  return nullptr;
}

Parsed parse(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  const std::string name(spec.substr(0, colon));
  Parsed parsed;
  parsed.grammar = find_grammar(name);
  if (!parsed.grammar) {
    std::vector<std::string> names;
    for (const Grammar& grammar : grammars()) names.push_back(grammar.name);
    fail(spec, "unknown model '" + name + "'", unknown_name_hint(name, names));
  }
  std::vector<std::string_view> parts =
      split(colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1), ',');
  parse_sizes(spec, parts[0], parsed);
  std::vector<std::string_view> seen;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    if (parts[k].empty()) fail(spec, "an option is empty", show(*parsed.grammar));
    const std::string_view key = parts[k].substr(0, parts[k].find('='));
    for (const std::string_view earlier : seen)
      if (earlier == key)
        fail(spec, "option '" + std::string(key) + "' is given twice", show(*parsed.grammar));
    seen.push_back(key);
    parse_option(spec, parts[k], parsed);
  }
  return parsed;
}

}  // namespace

bool is_model_spec(std::string_view text) {
  return find_grammar(text.substr(0, text.find(':'))) != nullptr;
}

Model model_from_spec(std::string_view spec) {
  if (spec == trained_rbm) return Model(std::string(spec), Rbm(digits_weights()));
  if (spec.starts_with(trained_rbm) && spec[trained_rbm.size()] == ',')
    fail(spec, std::string(trained_rbm) + " takes no options", "write " + std::string(trained_rbm));
  const Parsed parsed = parse(spec);
  const Grammar& grammar = *parsed.grammar;
  if (grammar.name == "ferromagnet") return ferromagnet({parsed.sizes, parsed.periodic});
  if (grammar.name == "spin-glass")
    return spin_glass({parsed.sizes, parsed.periodic}, parsed.law, parsed.seed);
  const std::size_t wanted = grammar.name == "rbm" ? 2 : 1;
  if (parsed.sizes.size() != wanted)
    fail(spec,
         "the size has " + std::to_string(parsed.sizes.size()) + " parts, expected " +
             (wanted == 2 ? "2 (visible x hidden)" : "1 (the number of sites)"),
         show(grammar));
  if (grammar.name == "rbm") return gabor_rbm(parsed.sizes[0], parsed.sizes[1], parsed.seed);
  return independent_fields(parsed.sizes[0], parsed.seed);
}

const std::vector<GeneratorHelp>& generator_help() {
  static const std::vector<GeneratorHelp> list = {
      {"ferromagnet", "ferromagnet:60x60[,open]",
       "Ising ferromagnet on a lattice of any dimension, periodic unless open"},
      {"spin-glass", "spin-glass:9x9x9[,seed=1][,couplings=plus-minus|gaussian][,open]",
       "Edwards-Anderson spin glass with +-1 or normal couplings"},
      {"rbm", "rbm:784x500[,seed=1]",
       "RBM (visible x hidden) whose hidden units are Gabor filters"},
      {"rbm", "rbm:digits", "RBM of 784 x 500 units, trained on handwritten digits"},
      {"field", "field:1000[,seed=1]", "independent sites with normal fields: exact answers known"},
  };
  return list;
}

}  // namespace nhot
