// Walks the lines of a text, splits them into fields and reads numbers, with the place in every
// error.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "nhot/base/types.hpp"

namespace nhot {

/// Lines end with LF or CR LF; a byte order mark at the start, blank lines, and spaces and tabs
/// around fields are passed over. Nothing is copied: the text must outlive the reader.
class LineReader {
 public:
  LineReader(std::string file, std::string_view text);

  /// Moves to the next line that is not blank; false at the end.
  bool next();

  /// The line without surrounding space.
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }
  const std::string& file() const { return file_; }

  /// The fields of the line. The count goes on when there are more than fit.
  template <std::size_t N>
  std::size_t split(std::array<std::string_view, N>& fields) const {
    std::size_t count = 0;
    std::size_t at = 0;
    while (at < line_.size()) {
      const std::size_t begin = at;
      while (at < line_.size() && !is_space(line_[at])) ++at;
      if (count < N) fields[count] = line_.substr(begin, at - begin);
      ++count;
      while (at < line_.size() && is_space(line_[at])) ++at;
    }
    return count;
  }

  /// A site counted from `first`, as a site counted from 0. Refuses what lies at or past `sites`.
  Site site(std::string_view field, Site first, std::uint64_t sites) const;
  /// A count in a header, up to `most`.
  std::uint64_t count(std::string_view field, const char* what, std::uint64_t most) const;
  /// A finite number.
  double value(std::string_view field) const;

  /// Throws InputError "file:line: problem".
  [[noreturn]] void fail(const std::string& problem, const std::string& hint) const;
  /// The same for the file as a whole.
  [[noreturn]] void fail_file(const std::string& problem, const std::string& hint) const;

 private:
  static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
  }

  std::string file_;
  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
};

/// The text of a field for a message: long ones cut, unprintable bytes replaced.
std::string quoted(std::string_view field);

/// The text in small letters.
std::string in_small_letters(std::string_view text);

/// The value of a comment that is nothing but key=value (or key: value). Spaces and tabs may stand
/// anywhere around the two, and the key in small or capital letters; `key` is in small ones.
std::optional<std::string_view> comment_value(std::string_view comment, std::string_view key);

/// The same where key=value may stand anywhere in the comment; the value ends at a space, a comma
/// or a semicolon.
std::optional<std::string_view> value_within_comment(std::string_view comment,
                                                     std::string_view key);

}  // namespace nhot
