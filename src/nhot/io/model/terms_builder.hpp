// Collects the entries of a text format into a quadratic model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nhot/base/error.hpp"
#include "nhot/io/model/line_reader.hpp"
#include "nhot/io/model/model_file.hpp"
#include "nhot/model/quadratic.hpp"

namespace nhot {

/// Entries (i, j, value): i == j is the linear value of a site, in both conventions. Duplicates are
/// summed; the notes say how many there were.
class TermsBuilder {
 public:
  /// Expects about this many entries.
  void reserve(std::size_t entries) { couplings_.reserve(entries); }

  void add(Site i, Site j, double value) {
    if (i == j)
      linear_.push_back({i, i, value});
    else
      couplings_.push_back({i, j, value});
  }

  std::size_t linear_entries() const { return linear_.size(); }
  std::size_t coupling_entries() const { return couplings_.size(); }
  std::vector<Coupling>& couplings() { return couplings_; }

  /// Refuses a number of sites that would be almost all unused: a slip in the file, or in its
  /// format.
  void check_density(const LineReader& reader, std::uint64_t sites) const;

  /// The model, named after the file.
  ReadResult finish(const LineReader& reader, Site sites, Convention convention, double offset,
                    std::vector<std::string> notes);

 private:
  std::vector<Coupling> linear_;
  std::vector<Coupling> couplings_;
};

/// Runs build() and puts the name of the file before the message of an InputError.
template <class Build>
auto naming_file(const LineReader& reader, Build&& build) {
  try {
    return build();
  } catch (const InputError& error) {
    throw InputError(reader.file() + ": " + error.what(), error.hint());
  }
}

/// Collects `# vartype=SPIN`, `# offset=1.5` and `# sites=10` from comments, also written with
/// spaces or capital letters, as `# Offset = 1.5`.
class CommentKeys {
 public:
  /// A convention demanded by the caller; a comment that disagrees is refused.
  explicit CommentKeys(std::optional<Convention> demanded) : convention_(demanded) {}

  /// `comment` is the text after the comment sign.
  void read(const LineReader& reader, std::string_view comment);

  std::optional<Convention> convention() const { return convention_; }
  std::optional<double> offset() const { return offset_; }
  std::optional<std::uint64_t> sites() const { return sites_; }

 private:
  std::optional<Convention> convention_;
  std::optional<double> offset_;
  std::optional<std::uint64_t> sites_;
};

}  // namespace nhot
