// Gset / rudy graphs: "n m", then m lines "i j [w]" with vertices from 1 and w = 1 when left out.
//
// The energy is minus the weight of the cut between bits 0 and bits 1:
//   E = -sum w (1 - s s') / 2,  a spin model with couplings w/2 and offset -sum w/2.
// A model with another offset is written with a last line "# offset=1.5", after the m edges that
// other readers stop at.
#include <algorithm>

#include "nhot/base/compensated_sum.hpp"
#include "nhot/base/error.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/io/model/line_reader.hpp"
#include "nhot/io/model/terms_builder.hpp"

namespace nhot {
namespace {

// Offset of minus the cut for couplings w/2, in the order of the sorted pairs: reader and writer
// must round alike.
double cut_offset(const QuadraticModel& model) {
  CompensatedSum sum;
  for (Site i = 0; i < model.sites(); ++i) {
    const QuadraticModel::Row row = model.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k)
      if (row.sites[k] > i) sum.add(-row.values[k]);
  }
  return sum.value();
}

}  // namespace

ReadResult read_gset(const Format::Place& place, std::string_view bytes,
                     std::optional<Convention>) {
  LineReader reader(place.file, bytes);
  CommentKeys keys(Convention::spin);
  TermsBuilder builder;
  std::array<std::string_view, 3> fields;
  std::uint64_t sites = 0;
  std::uint64_t edges = 0;
  std::uint64_t found = 0;
  std::uint64_t loops = 0;
  while (reader.next()) {
    if (reader.line()[0] == '#') {
      keys.read(reader, reader.line().substr(1));
      continue;
    }
    const std::size_t count = reader.split(fields);
    if (sites == 0) {
      if (count != 2)
        reader.fail("the first line has " + std::to_string(count) +
                        (count == 1 ? " field" : " fields") + ", expected 2",
                    "write the numbers of vertices and edges, for example '800 19176'");
      sites = reader.count(fields[0], "number of vertices", max_sites);
      edges = reader.count(fields[1], "number of edges", std::uint64_t{1} << 40);
      if (sites == 0) reader.fail("there are 0 vertices", "the graph needs at least one vertex");
      builder.reserve(std::min<std::size_t>(edges, bytes.size() / 4));
      continue;
    }
    if (count != 2 && count != 3)
      reader.fail("the line has " + std::to_string(count) + (count == 1 ? " field" : " fields") +
                      ", expected 2 or 3",
                  "write 'i j' or 'i j weight', for example '1 560 1'");
    if (++found > edges)
      reader.fail(
          "there are more edges than the " + std::to_string(edges) + " that the first line says",
          "correct the first line");
    const Site i = reader.site(fields[0], 1, sites);
    const Site j = reader.site(fields[1], 1, sites);
    const double weight = count == 3 ? reader.value(fields[2]) : 1.0;
    if (i == j)
      ++loops;
    else
      builder.add(i, j, weight / 2);
  }
  if (sites == 0)
    reader.fail_file("the file is empty",
                     "start with the numbers of vertices and edges, for example '800 19176'");
  if (found < edges)
    reader.fail_file("the first line says " + std::to_string(edges) + " edges but there are " +
                         std::to_string(found),
                     "the file is cut short; get it again, or correct the first line");
  std::vector<std::string> notes;
  if (loops > 0)
    notes.emplace_back(std::to_string(loops) +
                       (loops == 1 ? " self-loop was" : " self-loops were") +
                       " left out: no cut contains one");
  // The offset needs the merged couplings, so the model is made twice; cheap beside reading.
  ReadResult bare =
      builder.finish(reader, static_cast<Site>(sites), Convention::spin, 0.0, std::move(notes));
  QuadraticTerms terms = bare.model.quadratic()->terms();
  terms.offset = keys.offset().value_or(cut_offset(*bare.model.quadratic()));
  QuadraticModel model = naming_file(reader, [&] { return QuadraticModel(std::move(terms)); });
  return {Model(place.file, std::move(model)), std::move(bare.notes)};
}

std::vector<std::string> write_gset(const Model& model, const Format::Place& place,
                                    AtomicFile& out) {
  std::vector<std::string> notes;
  const QuadraticModel quadratic = quadratic_for_writing(model, Convention::spin, notes);
  for (Site i = 0; i < quadratic.sites(); ++i)
    if (quadratic.linear()[i] != 0)
      throw InputError("a Gset graph cannot hold '" + model.name() + "': site " +
                           std::to_string(i) + " has a field (in +-1 variables)",
                       "write '" + place.file + "' as .coo, .qubo or .mtx instead");
  append_number(out, std::uint64_t{quadratic.sites()});
  out.append(" ");
  append_number(out, std::uint64_t{quadratic.couplings()});
  out.append("\n");
  for (Site i = 0; i < quadratic.sites(); ++i) {
    const QuadraticModel::Row row = quadratic.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k) {
      if (row.sites[k] < i) continue;
      append_number(out, std::uint64_t{i} + 1);
      out.append(" ");
      append_number(out, std::uint64_t{row.sites[k]} + 1);
      out.append(" ");
      append_number(out, 2 * row.values[k]);
      out.append("\n");
    }
  }
  if (quadratic.offset() != cut_offset(quadratic)) {
    out.append("# offset=");
    append_number(out, quadratic.offset());
    out.append("\n");
    notes.emplace_back(
        "the offset differs from that of a cut; it is the last line, which other readers of Gset "
        "files pass over");
  }
  return notes;
}

}  // namespace nhot
