// Files that appear whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace nhot {

/// Writes beside the target and renames into place on commit(). Without commit(), or after an
/// error, the target is as it was and nothing is left beside it.
///
/// Refuses a target that exists unless `force`, and a folder that does not exist (InputError); a
/// full disk or missing permission is an EnvironmentError. A target that is not a regular file (a
/// device, a pipe) is written directly. A symbolic link is followed.
class AtomicFile {
 public:
  AtomicFile(const std::string& path, bool force);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Buffered; writes blocks of a megabyte.
  void append(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= (std::size_t{1} << 20)) flush();
  }

  void commit();

 private:
  void flush();
  void discard();
  [[noreturn]] void fail(const std::string& doing);

  std::string path_;    // as the user wrote it, for messages
  std::string target_;  // links resolved
  std::string beside_;  // the temporary file; empty when the target is written directly
  std::string buffer_;
  int descriptor_ = -1;
};

}  // namespace nhot
