// qbsolv's .qubo: comments "c ...", a problem line "p qubo 0 maxNodes nNodes nCouplers", then
// nNodes lines "i i value" and nCouplers lines "i j value". Always 0/1 variables. The offset is a
// comment "c offset=1.5".
#include <algorithm>

#include "nhot/io/model/formats.hpp"
#include "nhot/io/model/line_reader.hpp"
#include "nhot/io/model/terms_builder.hpp"

namespace nhot {
namespace {

struct Problem {
  Site sites = 0;
  std::uint64_t nodes = 0;
  std::uint64_t couplers = 0;
};

Problem read_problem(const LineReader& reader) {
  const std::string hint =
      "write 'p qubo 0 maxNodes nNodes nCouplers', for example 'p qubo 0 4 4 5'";
  std::array<std::string_view, 6> fields;
  const std::size_t count = reader.split(fields);
  if (count != 6)
    reader.fail("the problem line has " + std::to_string(count) + " fields, expected 6", hint);
  if (in_small_letters(fields[0]) != "p" || in_small_letters(fields[1]) != "qubo")
    reader.fail("the problem line does not start with 'p qubo'", hint);
  if (fields[2] != "0" && in_small_letters(fields[2]) != "unconstrained")
    reader.fail("topology " + quoted(fields[2]) + " is not known",
                "only 0 (unconstrained) can be read; " + hint);
  Problem problem;
  problem.sites = static_cast<Site>(reader.count(fields[3], "number maxNodes", max_sites));
  if (problem.sites == 0) reader.fail("maxNodes is 0", "the model needs at least one variable");
  const std::uint64_t most = std::uint64_t{1} << 40;
  problem.nodes = reader.count(fields[4], "number nNodes", most);
  problem.couplers = reader.count(fields[5], "number nCouplers", most);
  return problem;
}

void check_count(const LineReader& reader, const char* what, std::uint64_t said,
                 std::uint64_t found) {
  if (found == said) return;
  reader.fail_file("the problem line says " + std::to_string(said) + " " + what +
                       " lines but there are " + std::to_string(found),
                   found < said ? "the file is cut short; get it again, or correct the problem line"
                                : "correct the problem line");
}

}  // namespace

ReadResult read_qubo(const Format::Place& place, std::string_view bytes,
                     std::optional<Convention>) {
  LineReader reader(place.file, bytes);
  CommentKeys keys(Convention::binary);
  TermsBuilder builder;
  std::optional<Problem> problem;
  std::array<std::string_view, 3> fields;
  while (reader.next()) {
    const std::string sign = in_small_letters(reader.line().substr(0, 1));
    if (sign == "c") {
      keys.read(reader, reader.line().substr(1));
      continue;
    }
    if (sign == "p") {
      if (problem) reader.fail("there is a second problem line", "keep one");
      problem = read_problem(reader);
      builder.reserve(std::min<std::size_t>(problem->couplers, bytes.size() / 6));
      continue;
    }
    if (!problem)
      reader.fail("an entry comes before the problem line",
                  "start with 'p qubo 0 maxNodes nNodes nCouplers'");
    const std::size_t count = reader.split(fields);
    if (count != 3)
      reader.fail("the line has " + std::to_string(count) + (count == 1 ? " field" : " fields") +
                      ", expected 3",
                  "write 'i i value' or 'i j value'; comments start with 'c '");
    const Site i = reader.site(fields[0], 0, problem->sites);
    const Site j = reader.site(fields[1], 0, problem->sites);
    builder.add(i, j, reader.value(fields[2]));
  }
  if (!problem)
    reader.fail_file("there is no problem line", "start with 'p qubo 0 maxNodes nNodes nCouplers'");
  check_count(reader, "node (i i)", problem->nodes, builder.linear_entries());
  check_count(reader, "coupler (i j)", problem->couplers, builder.coupling_entries());
  return builder.finish(reader, problem->sites, Convention::binary, keys.offset().value_or(0.0),
                        {});
}

std::vector<std::string> write_qubo(const Model& model, const Format::Place&, AtomicFile& out) {
  std::vector<std::string> notes;
  const QuadraticModel quadratic = quadratic_for_writing(model, Convention::binary, notes);
  if (quadratic.offset() != 0) {
    out.append("c offset=");
    append_number(out, quadratic.offset());
    out.append("\n");
  }
  const auto numbers = [&out](const char* before, std::initializer_list<std::uint64_t> list) {
    out.append(before);
    for (const std::uint64_t number : list) {
      append_number(out, number);
      out.append(" ");
    }
  };
  const auto nodes = static_cast<std::uint64_t>(
      std::ranges::count_if(quadratic.linear(), [](double h) { return h != 0; }));
  numbers("p qubo 0 ", {quadratic.sites(), nodes, quadratic.couplings()});
  out.append("\n");
  for (Site i = 0; i < quadratic.sites(); ++i) {
    if (quadratic.linear()[i] == 0) continue;
    numbers("", {i, i});
    append_number(out, quadratic.linear()[i]);
    out.append("\n");
  }
  for (Site i = 0; i < quadratic.sites(); ++i) {
    const QuadraticModel::Row row = quadratic.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k) {
      if (row.sites[k] < i) continue;
      numbers("", {i, row.sites[k]});
      append_number(out, row.values[k]);
      out.append("\n");
    }
  }
  return notes;
}

}  // namespace nhot
