// COO, dimod's dialect: lines "i j value", i == j for linear values, a comment "# vartype=SPIN".
//
// dimod's files have no offset and know a site only when a line names it; nhot writes both as
// comments, which dimod passes over. dimod's reader knows no exponents, so numbers are written
// without.
#include <algorithm>

#include "nhot/io/model/formats.hpp"
#include "nhot/io/model/line_reader.hpp"
#include "nhot/io/model/terms_builder.hpp"

namespace nhot {

ReadResult read_coo(const Format::Place& place, std::string_view bytes,
                    std::optional<Convention> demanded) {
  LineReader reader(place.file, bytes);
  CommentKeys keys(demanded);
  TermsBuilder builder;
  builder.reserve(bytes.size() / 16);
  std::array<std::string_view, 3> fields;
  Site last = 0;
  std::size_t last_line = 0;
  bool names_zero = false;
  while (reader.next()) {
    if (reader.line()[0] == '#') {
      keys.read(reader, reader.line().substr(1));
      continue;
    }
    const std::size_t count = reader.split(fields);
    if (count != 3)
      reader.fail("the line has " + std::to_string(count) + (count == 1 ? " field" : " fields") +
                      ", expected 3",
                  "write 'i j value', for example '0 1 -1.5'");
    const std::uint64_t sites = keys.sites().value_or(max_sites);
    const Site i = reader.site(fields[0], 0, sites);
    const Site j = reader.site(fields[1], 0, sites);
    builder.add(i, j, reader.value(fields[2]));
    names_zero = names_zero || i == 0 || j == 0;
    if (const Site larger = std::max(i, j); larger >= last) {
      last = larger;
      last_line = reader.number();
    }
  }
  if (!keys.convention())
    reader.fail_file(
        "no line says whether the values are spins or bits",
        "put '# vartype=SPIN' or '# vartype=BINARY' first, or pass {format coo:spin} or "
        "{format coo:binary}");
  if (last_line == 0 && !keys.sites())
    reader.fail_file("there are no entries", "write lines 'i j value', for example '0 1 -1.5'");
  // A sites comment may also come after the entries.
  if (keys.sites() && last_line > 0 && last >= *keys.sites())
    reader.fail_file("line " + std::to_string(last_line) + " names site " + std::to_string(last) +
                         " but '# sites=" + std::to_string(*keys.sites()) +
                         "' says there are fewer",
                     "correct the sites line or the entry; sites are numbered from 0");
  const auto sites = static_cast<Site>(keys.sites().value_or(std::uint64_t{last} + 1));
  std::vector<std::string> notes;
  if (!names_zero && last > 0 && !keys.sites())
    notes.emplace_back("no line names site 0, which is free: sites are numbered from 0");
  return builder.finish(reader, sites, *keys.convention(), keys.offset().value_or(0.0),
                        std::move(notes));
}

std::vector<std::string> write_coo(const Model& model, const Format::Place&, AtomicFile& out) {
  std::vector<std::string> notes;
  const QuadraticModel quadratic = quadratic_for_writing(model, {}, notes);
  const Site last = quadratic.sites() - 1;
  out.append(quadratic.convention() == Convention::spin ? "# vartype=SPIN\n"
                                                        : "# vartype=BINARY\n");
  if (quadratic.offset() != 0) {
    out.append("# offset=");
    append_plain_number(out, quadratic.offset());
    out.append("\n");
  }
  if (quadratic.linear()[last] == 0 && quadratic.row(last).sites.empty()) {
    out.append("# sites=");
    append_number(out, std::uint64_t{quadratic.sites()});
    out.append("\n");
  }
  const auto line = [&out](Site i, Site j, double value) {
    append_number(out, std::uint64_t{i});
    out.append(" ");
    append_number(out, std::uint64_t{j});
    out.append(" ");
    append_plain_number(out, value);
    out.append("\n");
  };
  for (Site i = 0; i < quadratic.sites(); ++i) {
    if (quadratic.linear()[i] != 0) line(i, i, quadratic.linear()[i]);
    const QuadraticModel::Row row = quadratic.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k)
      if (row.sites[k] > i) line(i, row.sites[k], row.values[k]);
  }
  return notes;
}

}  // namespace nhot
