#include "nhot/io/file_place.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace nhot {
namespace {

[[noreturn]] void fail(int error, const std::filesystem::path& path) {
  throw std::system_error(error, std::generic_category(), path.string());
}

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags)
      : id_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (id_ < 0) fail(errno, path);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(id_); }
  int id() const { return id_; }

 private:
  int id_;
};

}  // namespace

void reserve_room(const std::filesystem::path& path, std::uint64_t bytes) {
  // Asked first: going over this limit would not only fail but send a deadly signal.
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      bytes > limit.rlim_cur)
    fail(EFBIG, path);
  const Descriptor file(path, O_WRONLY | O_CREAT);
#ifdef __linux__
  const int error = ::posix_fallocate(file.id(), 0, static_cast<off_t>(bytes));
  // A file system that cannot reserve is no reason to stop.
  if (error != 0 && error != EINVAL && error != EOPNOTSUPP) fail(error, path);
#endif
}

void sync_to_disk(const std::filesystem::path& path) {
  const Descriptor file(path, O_RDONLY);
  if (::fsync(file.id()) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno, path);
}

}  // namespace nhot
