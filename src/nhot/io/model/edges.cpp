// Edge lists with names: lines "bread milk 0.5", "bread bread -3" for the linear value of one site,
// "bread" to name a site without a value, and a comment "# vartype=BINARY".
//
// EdgeFields are separated by spaces, or by commas in a line that has one, so that names may hold
// spaces. A pair without a value counts as 1. Sites are numbered in the order in which the names
// appear.
#include <algorithm>
#include <unordered_map>

#include "nhot/base/options.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/io/model/line_reader.hpp"
#include "nhot/io/model/terms_builder.hpp"

namespace nhot {
namespace {

constexpr const char* edges_form =
    "write 'name name value', for example 'bread milk 0.5', or with commas where names have spaces";

using EdgeFields = std::array<std::string_view, 3>;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\f\v";
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

// The number of fields goes on when there are more than fit. An empty last one does not count.
std::size_t split_edge(const LineReader& reader, EdgeFields& fields) {
  if (reader.line().find(',') == std::string_view::npos) return reader.split(fields);
  std::string_view rest = reader.line();
  std::size_t count = 0;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    more = comma != std::string_view::npos;
    const std::string_view field = trimmed(rest.substr(0, comma));
    if (more) rest.remove_prefix(comma + 1);
    if (field.empty() && !more) break;
    if (field.empty()) reader.fail("a field between commas is empty", edges_form);
    if (count < fields.size()) fields[count] = field;
    ++count;
  }
  return count;
}

class Names {
 public:
  Site site(const LineReader& reader, std::string_view name) {
    const auto [place, added] = sites_.try_emplace(name, static_cast<Site>(list_.size()));
    if (added && list_.size() >= max_sites)
      reader.fail("there are more than " + std::to_string(max_sites) + " names", edges_form);
    if (added) list_.emplace_back(name);
    return place->second;
  }
  std::vector<std::string>& list() { return list_; }

 private:
  std::unordered_map<std::string_view, Site> sites_;  // into the bytes of the file
  std::vector<std::string> list_;
};

// Whether names of the model can be told apart in such lines.
bool has_any(const SiteNames& names, std::string_view characters) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].find_first_of(characters) != std::string::npos) return true;
  return false;
}

}  // namespace

ReadResult read_edges(const Format::Place& place, std::string_view bytes,
                      std::optional<Convention> demanded) {
  LineReader reader(place.file, bytes);
  CommentKeys keys(demanded);
  TermsBuilder builder;
  Names names;
  EdgeFields fields;
  while (reader.next()) {
    if (reader.line()[0] == '#') {
      keys.read(reader, reader.line().substr(1));
      continue;
    }
    const std::size_t count = split_edge(reader, fields);
    if (count < 1 || count > 3)
      reader.fail("the line has " + std::to_string(count) + " fields, expected 1 to 3", edges_form);
    if (count == 2 && parse_real(fields[1]) && !parse_real(fields[0]))
      reader.fail("the second of two fields is the number " + quoted(fields[1]),
                  "the value of one site has its name twice: '" + std::string(fields[0]) + " " +
                      std::string(fields[0]) + " " + std::string(fields[1]) + "'");
    const Site i = names.site(reader, fields[0]);
    if (count == 1) continue;
    const Site j = names.site(reader, fields[1]);
    builder.add(i, j, count == 3 ? reader.value(fields[2]) : 1.0);
  }
  if (names.list().empty()) reader.fail_file("there are no entries", edges_form);
  if (!keys.convention())
    reader.fail_file(
        "no line says whether the values are spins or bits",
        "put '# vartype=SPIN' or '# vartype=BINARY' first, or pass {format edges:spin} or "
        "{format edges:binary}");
  if (keys.sites() && *keys.sites() != names.list().size())
    reader.fail_file("there are " + std::to_string(names.list().size()) +
                         " names, but '# sites=" + std::to_string(*keys.sites()) + "'",
                     "leave out the sites line; a name alone on a line is a site without a value");
  ReadResult read = builder.finish(reader, static_cast<Site>(names.list().size()),
                                   *keys.convention(), keys.offset().value_or(0.0), {});
  read.model = read.model.with_names(std::move(names.list()));
  return read;
}

std::vector<std::string> write_edges(const Model& model, const Format::Place& place,
                                     AtomicFile& out) {
  std::vector<std::string> notes;
  const QuadraticModel quadratic = quadratic_for_writing(model, {}, notes);
  const SiteNames& names = model.names();
  const bool commas = has_any(names, " \t\f\v");
  for (Site i = 0; i < quadratic.sites(); ++i) {
    const std::string name = names[i];
    if (name.empty() || name.front() == '#' || trimmed(name) != name ||
        name.find_first_of("\r\n,") != std::string::npos)
      throw InputError("an edge list cannot hold the name '" + name + "'",
                       "write '" + place.file + "' as .coo, which numbers the sites");
  }
  out.append(quadratic.convention() == Convention::spin ? "# vartype=SPIN\n"
                                                        : "# vartype=BINARY\n");
  if (quadratic.offset() != 0) {
    out.append("# offset=");
    append_number(out, quadratic.offset());
    out.append("\n");
  }
  const std::string_view between = commas ? ", " : " ";
  // All names first, so that the sites keep their order.
  for (Site i = 0; i < quadratic.sites(); ++i) out.append(names[i] + (commas ? ",\n" : "\n"));
  const auto line = [&](Site i, Site j, double value) {
    out.append(names[i]);
    out.append(between);
    out.append(names[j]);
    out.append(between);
    append_number(out, value);
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
