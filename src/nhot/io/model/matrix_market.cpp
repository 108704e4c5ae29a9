// MatrixMarket coordinate files: the matrix holds the couplings. Off the diagonal, the entry of a
// pair is its coupling q_ij; on the diagonal, the entry is the linear value of the site.
//
//   E = offset + sum_i A_ii v_i + sum_{i<j} A_ij v_i v_j
//
// A pair may be given on one side of the diagonal or, alike, on both: the same matrix has the same
// energy however it is stored. Comments "% vartype=SPIN" and "% offset=1.5"; 0/1 without the first.
#include <algorithm>

#include "nhot/base/error.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/io/model/line_reader.hpp"
#include "nhot/io/model/terms_builder.hpp"

namespace nhot {
namespace {

struct Banner {
  bool pattern = false;
  bool symmetric = false;
};

Banner read_banner(const LineReader& reader) {
  const std::string example = "for example '%%MatrixMarket matrix coordinate real symmetric'";
  std::array<std::string_view, 5> fields;
  const std::size_t count = reader.split(fields);
  if (count == 0 || in_small_letters(fields[0]) != "%%matrixmarket")
    reader.fail("the file does not start with '%%MatrixMarket'", "start with a banner, " + example);
  if (count != 5)
    reader.fail("the banner has " + std::to_string(count) + " fields, expected 5", example);
  if (in_small_letters(fields[1]) != "matrix" || in_small_letters(fields[2]) != "coordinate")
    reader.fail("the banner says " +
                    nhot::quoted(in_small_letters(fields[1]) + " " + in_small_letters(fields[2])) +
                    "; only 'matrix coordinate' can be read",
                example);
  const std::string type = in_small_letters(fields[3]);
  if (type != "real" && type != "integer" && type != "pattern" && type != "double")
    reader.fail("values of type " + nhot::quoted(type) + " cannot be read",
                "the type is real, integer or pattern; " + example);
  const std::string symmetry = in_small_letters(fields[4]);
  if (symmetry != "symmetric" && symmetry != "general")
    reader.fail("a matrix that is " + nhot::quoted(symmetry) + " cannot be read",
                "it is symmetric or general; " + example);
  return {type == "pattern", symmetry == "symmetric"};
}

struct Size {
  Site sites = 0;
  std::uint64_t entries = 0;
};

Size read_size(const LineReader& reader) {
  std::array<std::string_view, 3> fields;
  const std::size_t count = reader.split(fields);
  if (count != 3)
    reader.fail("the size line has " + std::to_string(count) + (count == 1 ? " field" : " fields") +
                    ", expected 3",
                "write 'rows columns entries', for example '800 800 19176'");
  const std::uint64_t rows = reader.count(fields[0], "number of rows", max_sites);
  const std::uint64_t columns = reader.count(fields[1], "number of columns", max_sites);
  if (rows != columns)
    reader.fail(
        "the matrix is " + std::to_string(rows) + " x " + std::to_string(columns) + ", not square",
        "couplings form a square matrix; weights of an RBM go into an .h5 file");
  if (rows == 0) reader.fail("the matrix has 0 rows", "the model needs at least one variable");
  return {static_cast<Site>(rows),
          reader.count(fields[2], "number of entries", std::uint64_t{1} << 40)};
}

// Sorted pairs of a triangle, duplicates summed.
std::vector<Coupling> merged_pairs(const LineReader& reader, Site sites,
                                   std::vector<Coupling> couplings, std::size_t& merged) {
  QuadraticTerms terms;
  terms.sites = sites;
  terms.couplings = std::move(couplings);
  const QuadraticModel model =
      naming_file(reader, [&] { return QuadraticModel(std::move(terms)); });
  merged += model.merged();
  return model.terms().couplings;
}

// Pairs given on both sides of the diagonal become one, which needs equal values.
std::vector<Coupling> unite_triangles(const LineReader& reader, Site sites,
                                      std::vector<Coupling> upper, std::vector<Coupling> lower_part,
                                      std::vector<std::string>& notes) {
  std::size_t merged = 0;
  upper = merged_pairs(reader, sites, std::move(upper), merged);
  lower_part = merged_pairs(reader, sites, std::move(lower_part), merged);
  const auto before = [](const Coupling& a, const Coupling& b) {
    return a.i != b.i ? a.i < b.i : a.j < b.j;
  };
  std::vector<Coupling> united;
  united.reserve(std::max(upper.size(), lower_part.size()));
  auto low = lower_part.begin();
  for (const Coupling& up : upper) {
    for (; low != lower_part.end() && before(*low, up); ++low) united.push_back(*low);
    if (low != lower_part.end() && !before(up, *low)) {
      if (low->value != up.value)
        reader.fail_file("entries (" + std::to_string(up.i + 1) + ", " + std::to_string(up.j + 1) +
                             ") and (" + std::to_string(up.j + 1) + ", " +
                             std::to_string(up.i + 1) + ") differ",
                         "give each pair once, or twice with the same value; for x'Ax give the sum "
                         "of the two once");
      ++low;
    }
    united.push_back(up);
  }
  united.insert(united.end(), low, lower_part.end());
  if (merged > 0) notes.emplace_back(std::to_string(merged) + " duplicate entries were summed");
  return united;
}

}  // namespace

ReadResult read_matrix_market(const Format::Place& place, std::string_view bytes,
                              std::optional<Convention> demanded) {
  LineReader reader(place.file, bytes);
  if (!reader.next())
    reader.fail_file("the file is empty",
                     "start with '%%MatrixMarket matrix coordinate real symmetric'");
  const Banner banner = read_banner(reader);
  CommentKeys keys(demanded);
  TermsBuilder builder;
  std::vector<Coupling> lower_part;
  std::optional<Size> size;
  std::uint64_t found = 0;
  const std::size_t wanted = banner.pattern ? 2 : 3;
  std::array<std::string_view, 3> fields;
  while (reader.next()) {
    if (reader.line()[0] == '%') {
      keys.read(reader, reader.line().substr(1));
      continue;
    }
    if (!size) {
      size = read_size(reader);
      builder.reserve(std::min<std::size_t>(size->entries, bytes.size() / 4));
      continue;
    }
    const std::size_t count = reader.split(fields);
    if (count != wanted)
      reader.fail("the line has " + std::to_string(count) + (count == 1 ? " field" : " fields") +
                      ", expected " + std::to_string(wanted),
                  banner.pattern ? "a pattern file has lines 'row column'"
                                 : "write 'row column value', for example '2 1 -1.5'");
    if (++found > size->entries)
      reader.fail("there are more entries than the " + std::to_string(size->entries) +
                      " that the size line says",
                  "correct the size line");
    const Site i = reader.site(fields[0], 1, size->sites);
    const Site j = reader.site(fields[1], 1, size->sites);
    const double value = banner.pattern ? 1.0 : reader.value(fields[2]);
    if (i > j && !banner.symmetric)
      lower_part.push_back({j, i, value});
    else
      builder.add(i, j, value);
  }
  if (!size)
    reader.fail_file("there is no size line", "write 'rows columns entries' after the banner");
  if (found < size->entries)
    reader.fail_file("the size line says " + std::to_string(size->entries) +
                         " entries but there are " + std::to_string(found),
                     "the file is cut short; get it again, or correct the size line");
  builder.check_density(reader, size->sites);
  std::vector<std::string> notes;
  if (!keys.convention())
    notes.emplace_back(
        "no '% vartype=' comment: read as BINARY (0/1); {format mtx:spin} reads spins");
  if (!lower_part.empty()) {
    if (builder.coupling_entries() == 0)
      builder.couplings() = std::move(lower_part);
    else
      builder.couplings() = unite_triangles(reader, size->sites, std::move(builder.couplings()),
                                            std::move(lower_part), notes);
  }
  return builder.finish(reader, size->sites, keys.convention().value_or(Convention::binary),
                        keys.offset().value_or(0.0), std::move(notes));
}

std::vector<std::string> write_matrix_market(const Model& model, const Format::Place&,
                                             AtomicFile& out) {
  std::vector<std::string> notes;
  const QuadraticModel quadratic = quadratic_for_writing(model, {}, notes);
  out.append("%%MatrixMarket matrix coordinate real symmetric\n");
  out.append(quadratic.convention() == Convention::spin ? "% vartype=SPIN\n"
                                                        : "% vartype=BINARY\n");
  if (quadratic.offset() != 0) {
    out.append("% offset=");
    append_number(out, quadratic.offset());
    out.append("\n");
  }
  const auto diagonal = static_cast<std::uint64_t>(
      std::ranges::count_if(quadratic.linear(), [](double h) { return h != 0; }));
  const auto pair = [&out](std::uint64_t a, std::uint64_t b) {
    append_number(out, a);
    out.append(" ");
    append_number(out, b);
    out.append(" ");
  };
  pair(quadratic.sites(), quadratic.sites());
  append_number(out, diagonal + quadratic.couplings());
  out.append("\n");
  // Column by column of the lower triangle, as other tools write it.
  for (Site column = 0; column < quadratic.sites(); ++column) {
    const auto entry = [&](Site row, double value) {
      pair(std::uint64_t{row} + 1, std::uint64_t{column} + 1);
      append_number(out, value);
      out.append("\n");
    };
    if (quadratic.linear()[column] != 0) entry(column, quadratic.linear()[column]);
    const QuadraticModel::Row below = quadratic.row(column);
    for (std::size_t k = 0; k < below.sites.size(); ++k)
      if (below.sites[k] > column) entry(below.sites[k], below.values[k]);
  }
  return notes;
}

}  // namespace nhot
