#include "nhot/move/registry.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/base/nearest.hpp"
#include "nhot/move/text.hpp"

namespace nhot {
namespace {

// Splits "a + b" at plus signs that separate moves, outside parentheses. Numbers in parameters
// carry a plus only inside an exponent, as in 1e+3.
std::vector<std::string_view> split_mixture(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  constexpr int deepest = 16;
  for (std::size_t k = 0; k < text.size(); ++k) {
    depth += text[k] == '(' ? 1 : text[k] == ')' ? -1 : 0;
    if (depth > deepest)
      throw InputError("a move has more than 16 parentheses inside each other",
                       "multiply the weights out");
    if (depth < 0) break;
    if (text[k] != '+' || depth > 0) continue;
    const bool exponent = k >= 2 && (text[k - 1] == 'e' || text[k - 1] == 'E') &&
                          text[k - 2] >= '0' && text[k - 2] <= '9';
    if (exponent) continue;
    parts.push_back(trimmed(text.substr(begin, k - begin)));
    begin = k + 1;
  }
  if (depth != 0)
    throw InputError("the parentheses of '" + std::string(text) + "' do not match",
                     "write a set of moves as \"0.5*(0.7*im + 0.3*swap) + 0.5*kawasaki\"");
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

// Takes the weight before a star off the text; 1 where there is none.
double take_weight(std::string_view& text) {
  const std::size_t star = text.find('*');
  if (star == std::string_view::npos || star > text.find(':') || star > text.find('(')) return 1;
  const auto value = parse_real(trimmed(text.substr(0, star)));
  if (!value || *value <= 0)
    throw InputError("move '" + std::string(text) + "': the weight before '*' must be a number > 0",
                     "write a mixture as \"0.7*im:length=1..25 + 0.3*swap\"");
  text = trimmed(text.substr(star + 1));
  return *value;
}

MoveText parse_one(double weight, std::string_view text, std::string_view whole) {
  const std::size_t colon = text.find(':');
  const std::string_view name = trimmed(text.substr(0, colon));
  const std::deque<MoveKind>& kinds = move_kinds();
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const MoveKind& k) { return k.name == name; });
  if (kind == kinds.end()) {
    std::vector<std::string> known;
    for (const MoveKind& k : kinds) {
      known.push_back(k.name);
      // "im,length=2" or "im length=2"
      if (name.size() > k.name.size() && name.starts_with(k.name) &&
          std::string_view(",; =").find(name[k.name.size()]) != std::string_view::npos)
        throw InputError("unknown move '" + std::string(name) + "'",
                         "parameters of a move follow a colon, " + k.name +
                             ":key=value,key=value; several moves are joined by +, or by several "
                             "{move} where a command takes them");
    }
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
      throw InputError("move " + kind->name + ": '" + std::string(key) + "' is given twice",
                       "give every parameter once");
    result.values.set(key, trimmed(part.substr(equals + 1)));
  }
  return result;
}

template <class Move>
MoveKind kind_of() {
  MoveDeclaration<Move> declared = Move::declaration();
  return {std::move(declared.name), std::move(declared.help), std::move(declared.options),
          [fit = std::move(declared.fit)](const OptionValues& values, const Shell& shell,
                                          const ModelFacts& facts) {
            FittedMove<Move> fitted = fit(values, shell, facts);
            return PreparedMove{std::move(fitted.move), std::move(fitted.text),
                                std::move(fitted.unreachable_reason)};
          },
          std::move(declared.exact_cases)};
}

// Those of AnyMove, except the adapter of user-defined moves, which register their own names.
template <class... Moves>
std::deque<MoveKind> library_kinds(std::type_identity<std::variant<Moves...>>) {
  std::deque<MoveKind> kinds;
  const auto add = [&]<class Move>() {
    if constexpr (!std::is_same_v<Move, OwnMoveAdapter>) kinds.push_back(kind_of<Move>());
  };
  (add.template operator()<Moves>(), ...);
  return kinds;
}

constexpr std::size_t library_kind_count = std::variant_size_v<AnyMove> - 1;

std::deque<MoveKind>& known_kinds() {
  static std::deque<MoveKind> kinds = library_kinds(std::type_identity<AnyMove>());
  NHOT_EXPECTS(kinds.size() >= library_kind_count);
  return kinds;
}

}  // namespace

std::string MoveText::engine() const {
  for (const OptionSpec& option : kind->options)
    if (option.name == "engine") return values.text("engine");
  return "auto";
}

const std::deque<MoveKind>& move_kinds() { return known_kinds(); }

void register_move(const std::string& name, const std::string& help,
                   std::shared_ptr<const OwnMove> move) {
  const bool word =
      !name.empty() &&
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  if (!word)
    throw InputError("'" + name + "' is no name for a move",
                     "give small letters, digits and hyphens, as in texts of moves");
  if (!move)
    throw InputError("the move '" + name + "' is a null pointer",
                     "give a pointer to an object derived from nhot::OwnMove");
  for (const MoveKind& kind : move_kinds())
    if (kind.name == name)
      throw InputError("there is a move '" + name + "' already", "give another name");
  known_kinds().push_back(
      {name,
       help,
       {},
       [name, move = std::move(move)](const OptionValues&, const Shell&, const ModelFacts&) {
         return PreparedMove{OwnMoveAdapter(name, move), name, move->unreachable_reason()};
       },
       {""}});
}

void forget_move(const std::string& name) {
  std::deque<MoveKind>& kinds = known_kinds();
  const auto found =
      std::find_if(kinds.begin() + static_cast<std::ptrdiff_t>(library_kind_count), kinds.end(),
                   [&](const MoveKind& kind) { return kind.name == name; });
  if (found != kinds.end()) kinds.erase(found);
}

std::vector<MoveText> parse_moves(std::string_view text) {
  std::vector<MoveText> moves;
  for (std::string_view part : split_mixture(text)) {
    const double weight = take_weight(part);
    if (!part.starts_with('(') || !part.ends_with(')')) {
      moves.push_back(parse_one(weight, part, text));
      continue;
    }
    // A set is a move: its members share its weight.
    std::vector<MoveText> members = parse_moves(part.substr(1, part.size() - 2));
    double total = 0;
    for (const MoveText& member : members) total += member.weight;
    for (MoveText& member : members) {
      member.weight *= weight / total;
      moves.push_back(std::move(member));
    }
  }
  return moves;
}

}  // namespace nhot
