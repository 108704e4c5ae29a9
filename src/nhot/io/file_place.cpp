#include "nhot/io/file_place.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "nhot/io/descriptor.hpp"

namespace nhot {
namespace {

[[noreturn]] void fail(int error, const std::filesystem::path& path) {
  throw std::system_error(error, std::generic_category(), path.string());
}

int opened(const std::filesystem::path& path, int flags) {
  const int number = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (number < 0) fail(errno, path);
  return number;
}

}  // namespace

void reserve_room(const std::filesystem::path& path, std::uint64_t bytes) {
  // Checked first: exceeding this limit also raises SIGXFSZ, which by default is fatal.
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      bytes > limit.rlim_cur)
    fail(EFBIG, path);
  const Descriptor file(opened(path, O_WRONLY | O_CREAT));
#ifdef __linux__
  const int error = ::posix_fallocate(file.number(), 0, static_cast<off_t>(bytes));
  // A file system that cannot reserve is no reason to stop.
  if (error != 0 && error != EINVAL && error != EOPNOTSUPP) fail(error, path);
#endif
}

bool is_read_only(const std::filesystem::path& path) {
  using std::filesystem::perms;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const perms writable = perms::owner_write | perms::group_write | perms::others_write;
  return std::filesystem::is_regular_file(status) &&
         (status.permissions() & writable) == perms::none;
}

void sync_to_disk(const std::filesystem::path& path) {
  const Descriptor file(opened(path, O_RDONLY));
  if (::fsync(file.number()) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno, path);
}

}  // namespace nhot
