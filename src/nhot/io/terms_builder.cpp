#include "nhot/io/terms_builder.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace nhot {

void TermsBuilder::check_density(const LineReader& reader, std::uint64_t sites) const {
  const std::uint64_t entries = linear_.size() + couplings_.size();
  if (sites > 10'000'000 + 1000 * entries)
    reader.fail_file("there are " + std::to_string(sites) + " sites but only " +
                         std::to_string(entries) + " entries",
                     "number the sites without large gaps; check that the format is right");
}

ReadResult TermsBuilder::finish(const LineReader& reader, Site sites, Convention convention,
                                double offset, std::vector<std::string> notes) {
  check_density(reader, sites);
  QuadraticTerms terms;
  terms.sites = sites;
  terms.convention = convention;
  terms.offset = offset;
  terms.couplings = std::move(couplings_);
  std::size_t duplicates = 0;
  if (!linear_.empty()) {
    terms.linear.assign(sites, 0.0);
    std::vector<bool> seen(sites, false);
    for (const Coupling& entry : linear_) {
      terms.linear[entry.i] += entry.value;
      duplicates += seen[entry.i] ? 1 : 0;
      seen[entry.i] = true;
    }
  }
  QuadraticModel model = naming_file(reader, [&] { return QuadraticModel(std::move(terms)); });
  duplicates += model.merged();
  if (duplicates > 0)
    notes.emplace_back(std::to_string(duplicates) +
                       (duplicates == 1 ? " duplicate entry was" : " duplicate entries were") +
                       " summed");
  return {Model(reader.file(), std::move(model)), std::move(notes)};
}

namespace {

// dimod finds "vartype=SPIN" or "vartype: SPIN" anywhere in a comment; so do we.
std::optional<std::string> vartype_in(std::string_view comment) {
  for (std::size_t at = comment.find("vartype"); at != std::string_view::npos;
       at = comment.find("vartype", at + 1)) {
    std::string_view rest = comment.substr(at + 7);
    if (rest.empty() || (rest[0] != '=' && rest[0] != ':')) continue;
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    std::string word;
    for (const char c : rest.substr(0, rest.find_first_of(" \t,;")))
      word += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (!word.empty()) return word;
  }
  return {};
}

}  // namespace

void CommentKeys::read(const LineReader& reader, std::string_view comment) {
  if (const auto vartype = vartype_in(comment)) {
    if (*vartype != "SPIN" && *vartype != "BINARY")
      reader.fail("unknown vartype " + nhot::quoted(*vartype),
                  "it is SPIN (-1, +1) or BINARY (0, 1)");
    const Convention found = *vartype == "SPIN" ? Convention::spin : Convention::binary;
    if (convention_ && *convention_ != found)
      reader.fail("vartype " + *vartype + " contradicts what was said before",
                  "keep one vartype line, and leave the one on the command line out");
    convention_ = found;
  } else if (const auto offset = comment_value(comment, "offset")) {
    if (offset_) reader.fail("the offset is given a second time", "keep one offset line");
    offset_ = reader.value(*offset);
  } else if (const auto sites = comment_value(comment, "sites")) {
    if (sites_) reader.fail("the number of sites is given a second time", "keep one sites line");
    sites_ = reader.count(*sites, "number of sites", max_sites);
  }
}

}  // namespace nhot
