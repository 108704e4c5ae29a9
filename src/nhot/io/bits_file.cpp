#include "nhot/io/bits_file.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "nhot/base/error.hpp"
#include "nhot/io/atomic_file.hpp"
#include "nhot/io/file_bytes.hpp"
#include "nhot/io/model/line_reader.hpp"

namespace nhot {
namespace {

// Calls visit(field) for every field of the text, with the reader standing on its line.
template <class Visit>
void for_each_field(LineReader& reader, Visit&& visit) {
  while (reader.next()) {
    std::string_view line = reader.line().substr(0, reader.line().find('#'));
    for (;;) {
      const std::size_t begin = line.find_first_not_of(" \t\r\f\v,;");
      if (begin == std::string_view::npos) break;
      line.remove_prefix(begin);
      const std::string_view field = line.substr(0, line.find_first_of(" \t\r\f\v,;"));
      visit(field);
      line.remove_prefix(field.size());
    }
  }
}

}  // namespace

Bits read_bits(const std::string& path, Site sites) {
  return parse_bits(path, read_file(path), sites);
}

Bits parse_bits(const std::string& file, std::string_view text, Site sites) {
  bool spins = false;
  LineReader first(file, text);
  for_each_field(first,
                 [&](std::string_view field) { spins = spins || field == "-1" || field == "+1"; });
  Bits bits;
  bits.reserve(sites);
  LineReader reader(file, text);
  for_each_field(reader, [&](std::string_view field) {
    if (spins) {
      if (field != "1" && field != "+1" && field != "-1")
        reader.fail(quoted(field) + " is not a spin", "a file of spins holds only +1 and -1");
      bits.push_back(field == "-1" ? 0 : 1);
      return;
    }
    for (const char c : field) {
      if (c != '0' && c != '1')
        reader.fail(quoted(field) + " is not made of 0 and 1",
                    "write a state as 0 and 1, or as +1 and -1 with space between");
      bits.push_back(c == '1' ? 1 : 0);
    }
  });
  if (bits.size() != sites)
    throw InputError(file + ": expected " + std::to_string(sites) + " values, found " +
                         std::to_string(bits.size()),
                     "give one value for every site of the model");
  return bits;
}

void write_bits(const Bits& bits, const std::string& path, bool force) {
  AtomicFile out(path, force);
  for (std::size_t begin = 0; begin < bits.size(); begin += 80) {
    std::string line;
    for (std::size_t k = begin; k < std::min(bits.size(), begin + 80); ++k)
      line += bits[k] ? '1' : '0';
    out.append(line + "\n");
  }
  out.commit();
}

}  // namespace nhot
