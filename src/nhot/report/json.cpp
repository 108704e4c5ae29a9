#include "nhot/report/json.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace nhot {
namespace {

struct ToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const Fact::List& list) const {
    Json json = Json::array();
    for (const Fact& fact : list) json.push_back(to_json(fact));
    return json;
  }
  Json operator()(const Facts& facts) const {
    Json json = Json::object();
    for (const auto& [name, fact] : facts) json[name] = to_json(fact);
    return json;
  }
  template <class T>
  Json operator()(const T& value) const {
    return value;
  }
};

}  // namespace

Json to_json(const Fact& fact) { return std::visit(ToJson(), fact.value()); }
Json to_json(const Facts& facts) { return ToJson()(facts); }

Json rounded(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  const double short_value = std::strtod(text.data(), nullptr);
  if (short_value == std::floor(short_value) && std::abs(short_value) < 1e15)
    return static_cast<long long>(short_value);
  return short_value;
}

Json rounded(const std::vector<double>& values, int digits) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded(value, digits));
  return list;
}

}  // namespace nhot
