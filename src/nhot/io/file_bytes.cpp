#include "nhot/io/file_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "nhot/base/error.hpp"
#include "nhot/base/nearest.hpp"
#include "nhot/io/descriptor.hpp"

namespace nhot {
namespace {

namespace fs = std::filesystem;

// "did you mean 'x.coo'?" from the names in the file's folder.
std::string missing_file_hint(const std::string& path) {
  const fs::path wanted(path);
  const fs::path folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return "the folder '" + folder.string() + "' does not exist";
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end;
       !error && entry != end && names.size() < 10000; entry.increment(error))
    names.push_back(entry->path().filename().string());
  const std::string near = nearest_name(wanted.filename().string(), names);
  if (near.empty()) return "check the path";
  return "did you mean '" + (wanted.has_parent_path() ? (folder / near).string() : near) + "'?";
}

}  // namespace

void require_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      throw InputError("file '" + path + "' does not exist", missing_file_hint(path));
    throw EnvironmentError("cannot look at file '" + path + "': " + std::strerror(errno),
                           "check the permissions of the file and its folders");
  }
  if (S_ISDIR(status.st_mode)) throw InputError("'" + path + "' is a folder", "give a file in it");
}

namespace {

// All that can be read from an open file; `path` is for messages.
std::string read_all(int descriptor, const std::string& path) {
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0)
    throw EnvironmentError("cannot open file '" + path + "': " + std::strerror(errno),
                           "check the permissions of the file");
  std::string bytes;
  // One byte more than the size, so that the read that meets the end needs no second block.
  bytes.resize(S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1
                                       : std::size_t{1} << 16);
  std::size_t filled = 0;
  for (;;) {
    if (filled == bytes.size()) bytes.resize(2 * bytes.size());
    const ssize_t got = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw EnvironmentError("cannot read file '" + path + "': " + std::strerror(errno),
                             "check the disk");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace

std::string read_file(const std::string& path) {
  require_file(path);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return read_all(file.number(), path);
}

const std::string& read_standard_input() {
  static const std::string bytes = read_all(STDIN_FILENO, "standard input");
  return bytes;
}

}  // namespace nhot
