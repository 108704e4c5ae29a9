// Files of numbers: tables for regressions, states.
#include "fuzz/parser.hpp"
#include "nhot/io/bits_file.hpp"
#include "nhot/io/table.hpp"

namespace nhot::fuzz {
namespace {

const Parser csv("csv", [](std::string_view bytes) {
  const Table table = parse_table("file", bytes);
  require(table.values.size() == table.rows * table.names.size(), "a table with holes");
  regression_data(table, table.names.front());
});

const Parser bits("bits", [](std::string_view bytes) {
  for (const Site sites : {3, 8}) accepts([&] { parse_bits("file", bytes, sites); });
});

}  // namespace
}  // namespace nhot::fuzz
