// Polynomials: lines "i j k ... value", COO with any number of sites before the value; a line of
// one number is a constant. Comments as in COO: "# vartype=SPIN", "# offset=1.5", "# sites=10".
#include <algorithm>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/io/model/line_reader.hpp"
#include "nhot/io/model/terms_builder.hpp"
#include "nhot/model/hubo/hubo.hpp"

namespace nhot {
namespace {

constexpr std::size_t most_sites_of_a_term = 64;

PolynomialTerm read_term(const LineReader& reader, std::uint64_t sites) {
  std::array<std::string_view, most_sites_of_a_term + 1> fields;
  const std::size_t count = reader.split(fields);
  if (count > fields.size())
    reader.fail("the line has " + std::to_string(count) + " fields",
                "a term has at most " + std::to_string(most_sites_of_a_term) +
                    " sites, followed by its value");
  PolynomialTerm term;
  for (std::size_t k = 0; k + 1 < count; ++k)
    term.sites.push_back(reader.site(fields[k], 0, sites));
  std::ranges::sort(term.sites);
  if (const auto twice = std::ranges::adjacent_find(term.sites); twice != term.sites.end())
    reader.fail("the term holds site " + std::to_string(*twice) + " twice",
                "x x = x for bits and s s = 1 for spins: give a site once, followed by the value");
  term.value = reader.value(fields[count - 1]);
  return term;
}

Polynomial polynomial_for_writing(const Model& model) {
  if (const auto* own = dynamic_cast<const Hubo*>(model.custom())) return own->polynomial();
  const QuadraticTerms terms = quadratic_terms(model);
  Polynomial polynomial{terms.sites, terms.convention, terms.offset, {}};
  for (Site i = 0; i < terms.linear.size(); ++i)
    if (terms.linear[i] != 0) polynomial.terms.push_back({{i}, terms.linear[i]});
  for (const Coupling& c : terms.couplings) polynomial.terms.push_back({{c.i, c.j}, c.value});
  return polynomial;
}

}  // namespace

ReadResult read_hubo(const Format::Place& place, std::string_view bytes,
                     std::optional<Convention> demanded) {
  LineReader reader(place.file, bytes);
  CommentKeys keys(demanded);
  Polynomial polynomial;
  Site last = 0;
  std::size_t last_line = 0;
  while (reader.next()) {
    if (reader.line()[0] == '#') {
      keys.read(reader, reader.line().substr(1));
      continue;
    }
    polynomial.terms.push_back(read_term(reader, keys.sites().value_or(max_sites)));
    const std::vector<Site>& sites = polynomial.terms.back().sites;
    if (!sites.empty() && sites.back() >= last) {
      last = sites.back();
      last_line = reader.number();
    }
  }
  if (!keys.convention())
    reader.fail_file("no line says whether the variables are spins or bits",
                     "put '# vartype=SPIN' or '# vartype=BINARY' first, or pass {format hubo:spin} "
                     "or {format hubo:binary}");
  if (last_line == 0 && !keys.sites())
    reader.fail_file("there are no terms",
                     "write lines of sites and a value, for example '0 1 2 -1.5'");
  if (keys.sites() && last_line > 0 && last >= *keys.sites())
    reader.fail_file("line " + std::to_string(last_line) + " names site " + std::to_string(last) +
                         " but '# sites=" + std::to_string(*keys.sites()) +
                         "' says there are fewer",
                     "correct the sites line or the term; sites are numbered from 0");
  const std::uint64_t sites = keys.sites().value_or(std::uint64_t{last} + 1);
  if (sites > 1000 && sites / 100 > bytes.size())
    reader.fail_file("there are " + std::to_string(sites) + " sites, and hardly any has a term",
                     "number the sites from 0 without gaps");
  polynomial.sites = static_cast<Site>(sites);
  polynomial.convention = *keys.convention();
  polynomial.offset = keys.offset().value_or(0.0);
  return {naming_file(reader, [&] { return hubo(place.file, std::move(polynomial)); }), {}};
}

std::vector<std::string> write_hubo(const Model& model, const Format::Place&, AtomicFile& out) {
  const Polynomial polynomial = polynomial_for_writing(model);
  out.append(polynomial.convention == Convention::spin ? "# vartype=SPIN\n" : "# vartype=BINARY\n");
  if (polynomial.offset != 0) {
    out.append("# offset=");
    append_number(out, polynomial.offset);
    out.append("\n");
  }
  out.append("# sites=");
  append_number(out, std::uint64_t{polynomial.sites});
  out.append("\n");
  for (const PolynomialTerm& term : polynomial.terms) {
    for (const Site i : term.sites) {
      append_number(out, std::uint64_t{i});
      out.append(" ");
    }
    append_number(out, term.value);
    out.append("\n");
  }
  return {};
}

}  // namespace nhot
