#include "nhot/result/scan_archive.hpp"

#include <type_traits>

#include "nhot/base/archive.hpp"

namespace nhot {
namespace {

constexpr int deepest = 32;  // facts inside facts

void put(Saving& archive, const Facts& facts);

void put(Saving& archive, const Fact& fact) {
  archive(static_cast<std::uint8_t>(fact.value().index()));
  std::visit(
      [&]<class Value>(const Value& value) {
        if constexpr (std::is_same_v<Value, Fact::List>) {
          archive(static_cast<std::uint64_t>(value.size()));
          for (const Fact& one : value) put(archive, one);
        } else if constexpr (std::is_same_v<Value, Facts>) {
          put(archive, value);
        } else if constexpr (!std::is_same_v<Value, std::monostate>) {
          archive(value);
        }
      },
      fact.value());
}

void put(Saving& archive, const Facts& facts) {
  archive(static_cast<std::uint64_t>(facts.size()));
  for (const auto& [name, fact] : facts) {
    archive(name);
    put(archive, fact);
  }
}

Facts take_facts(Restoring& archive, int depth);

template <class Value>
Fact take_value(Restoring& archive) {
  Value value{};
  archive(value);
  return value;
}

Fact take_list(Restoring& archive, int depth);

Fact take_fact(Restoring& archive, int depth) {
  if (depth > deepest) ByteReader::damaged();
  std::uint8_t kind = 0;
  archive(kind);
  switch (kind) {
    case 0:
      return {};
    case 1:
      return take_value<bool>(archive);
    case 2:
      return take_value<std::int64_t>(archive);
    case 3:
      return take_value<std::uint64_t>(archive);
    case 4:
      return take_value<double>(archive);
    case 5:
      return take_value<std::string>(archive);
    case 6:
      return take_list(archive, depth);
    case 7:
      return take_facts(archive, depth);
    default:
      ByteReader::damaged();
  }
}

// One by one: a size that was damaged meets the end of the archive, not that of the memory.
Fact take_list(Restoring& archive, int depth) {
  Fact::List list;
  std::uint64_t left = 0;
  for (archive(left); left > 0; --left) list.push_back(take_fact(archive, depth + 1));
  return list;
}

Facts take_facts(Restoring& archive, int depth) {
  Facts facts;
  std::uint64_t left = 0;
  for (archive(left); left > 0; --left) {
    std::string name;
    archive(name);
    facts.emplace_back(std::move(name), take_fact(archive, depth + 1));
  }
  return facts;
}

}  // namespace

std::vector<std::byte> archive_of(const ScanPoint& point) {
  Saving archive;
  archive(point.beta, point.distance, point.seed);
  put(archive, point.facts);
  archive(static_cast<std::uint64_t>(point.trace.chains.size()));
  for (const ChainColumns& chain : point.trace.chains) archive(chain.energy);
  return archive.take();
}

ScanPoint scan_point_from(const std::vector<std::byte>& bytes) {
  Restoring archive(bytes);
  ScanPoint point;
  archive(point.beta, point.distance, point.seed);
  point.facts = take_facts(archive, 0);
  std::uint64_t left = 0;
  for (archive(left); left > 0; --left) archive(point.trace.chains.emplace_back().energy);
  if (!archive.at_end()) ByteReader::damaged();
  return point;
}

}  // namespace nhot
