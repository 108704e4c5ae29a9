#include "nhot/io/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <string>

#include "nhot/base/error.hpp"

namespace nhot {
namespace {

namespace fs = std::filesystem;

/// Whether the name still belongs to the open file: whoever held the lock before may have removed
/// it since it was opened.
bool is_in_place(const fs::path& path, int descriptor) {
  struct stat named {};
  struct stat opened {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 &&
         named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

std::mutex held_mutex;

std::map<fs::path, std::weak_ptr<const FileLock>>& held() {
  static std::map<fs::path, std::weak_ptr<const FileLock>> locks;
  return locks;
}

}  // namespace

std::shared_ptr<const FileLock> FileLock::hold(const fs::path& path) {
  // One name, whether or not the file is there yet.
  std::error_code error;
  const fs::path folder = fs::canonical(path.has_parent_path() ? path.parent_path() : ".", error);
  fs::path lock = error ? path : folder / path.filename();
  lock += ".lock";
  const std::lock_guard guard(held_mutex);
  if (auto known = held()[lock].lock()) return known;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const int descriptor = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) return nullptr;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      const bool taken = errno == EWOULDBLOCK;
      ::close(descriptor);
      if (!taken) return nullptr;
      throw InputError("another nhot is writing " + path.string(),
                       "wait for it to end, or give another name to {out}");
    }
    if (is_in_place(lock, descriptor)) {
      auto result = std::make_shared<const FileLock>(lock, descriptor);
      held()[lock] = result;
      return result;
    }
    ::close(descriptor);
  }
  return nullptr;
}

FileLock::~FileLock() {
  ::unlink(lock_.c_str());  // while it is held, so that nobody else's is removed
  ::close(descriptor_);
}

}  // namespace nhot
