#include "nhot/io/model/terms_builder.hpp"

#include <utility>

namespace nhot {

void TermsBuilder::check_density(const LineReader& reader, std::uint64_t sites) const {
  const std::uint64_t entries = linear_.size() + couplings_.size();
  if (sites > 1'000'000 + 1000 * entries)
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

void CommentKeys::read(const LineReader& reader, std::string_view comment) {
  // dimod finds the vartype anywhere in a comment; so do we.
  if (const auto vartype = value_within_comment(comment, "vartype")) {
    const std::string word = in_small_letters(*vartype);
    if (word != "spin" && word != "binary")
      reader.fail("unknown vartype " + nhot::quoted(*vartype),
                  "it is SPIN (-1, +1) or BINARY (0, 1)");
    const Convention found = word == "spin" ? Convention::spin : Convention::binary;
    if (convention_ && *convention_ != found)
      reader.fail("vartype " + std::string(*vartype) + " contradicts what was said before",
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
