#include "nhot/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "nhot/base/error.hpp"

namespace nhot {

namespace fs = std::filesystem;

AtomicFile::AtomicFile(const std::string& path, bool force) : path_(path), target_(path) {
  if (path.empty()) throw InputError("the name of the output file is empty", "give a file name");
  std::error_code error;
  if (fs::is_symlink(path, error)) {
    const fs::path resolved = fs::weakly_canonical(path, error);
    if (!error) target_ = resolved.string();
  }
  struct stat status {};
  const bool exists = stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    throw InputError("output '" + path + "' is a folder", "give a file name in it");
  const bool direct = exists && !S_ISREG(status.st_mode);
  if (exists && !direct && !force)
    throw InputError("output file '" + path + "' exists already",
                     "choose another name, or overwrite it with {force}");
  const fs::path folder = fs::path(target_).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error))
    throw InputError(
        "the folder '" + folder.string() + "' of output file '" + path + "' does not exist",
        "create it first: mkdir -p '" + folder.string() + "'");
  if (!direct) beside_ = target_ + ".part-" + std::to_string(getpid());
  descriptor_ = direct ? open(target_.c_str(), O_WRONLY | O_CLOEXEC)
                       : open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    const int reason = errno;
    beside_.clear();  // nothing to take away
    errno = reason;
    fail("cannot create");
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
  if (!beside_.empty()) unlink(beside_.c_str());
  beside_.clear();
}

void AtomicFile::fail(const std::string& doing) {
  const int reason = errno;
  discard();
  std::string hint = "check the permissions of the folder";
  if (reason == ENOSPC || reason == EDQUOT) hint = "free some space, or write to another disk";
  throw EnvironmentError(doing + " output file '" + path_ + "': " + std::strerror(reason), hint);
}

void AtomicFile::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t wrote = write(descriptor_, left.data(), left.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail("cannot write");
    left.remove_prefix(static_cast<std::size_t>(wrote));
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  // A disk can report that it is full as late as here. Devices and pipes cannot be synchronised.
  if (!beside_.empty() && fsync(descriptor_) != 0) fail("cannot write");
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail("cannot write");
  if (beside_.empty()) return;
  if (rename(beside_.c_str(), target_.c_str()) != 0) fail("cannot put in place");
  beside_.clear();
}

}  // namespace nhot
