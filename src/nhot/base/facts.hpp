// Facts with names: the one form in which results leave the library. JSON, the attributes of run
// files and the dictionaries of other languages are made from it, each by one visitor:
//
//     Facts facts = {{"beta", 0.44}, {"move", "swap"}};
//     facts.emplace_back("chains", 4);
//     for (const auto& [name, fact] : facts) std::visit(writer, fact.value());
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace nhot {

class Fact;

/// Named values in order of insertion. No name occurs twice.
using Facts = std::vector<std::pair<std::string, Fact>>;

/// A value: null, a boolean, a number, a string, a list, or nested facts.
class Fact {
 public:
  using List = std::vector<Fact>;
  using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                             List, Facts>;

  Fact() = default;
  Fact(bool truth) : value_(truth) {}
  Fact(double real) : value_(real) {}
  Fact(const char* text) : value_(std::string(text)) {}
  Fact(std::string text) : value_(std::move(text)) {}
  Fact(List list) : value_(std::move(list)) {}
  Fact(Facts facts) : value_(std::move(facts)) {}
  template <std::signed_integral T>
  Fact(T number) : value_(std::int64_t{number}) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Fact(T number) : value_(std::uint64_t{number}) {}
  template <class T>
  requires(!std::same_as<T, Fact> && std::is_constructible_v<Value, T>)
      Fact(const std::vector<T>& list)
      : value_(List(list.begin(), list.end())) {}

  const Value& value() const { return value_; }

 private:
  Value value_;
};

/// Null when there is none of that name.
inline const Fact* find_fact(const Facts& facts, std::string_view name) {
  const auto found = std::find_if(facts.begin(), facts.end(),
                                  [&](const auto& fact) { return fact.first == name; });
  return found == facts.end() ? nullptr : &found->second;
}

inline void append(Facts& to, Facts from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace nhot
