// One program at a time writes a file.
#pragma once

#include <filesystem>
#include <memory>

namespace nhot {

/// Held while a run writes PATH, by a lock on PATH.lock; the system releases it however the program
/// ends. Copies within a program share it.
class FileLock {
 public:
  /// InputError when another program holds it. Where locks cannot be had (a folder that cannot be
  /// written to, a file system without them) there is none, and whoever writes finds out the rest.
  static std::shared_ptr<const FileLock> hold(const std::filesystem::path& path);

  explicit FileLock(std::filesystem::path lock, int descriptor)
      : lock_(std::move(lock)), descriptor_(descriptor) {}
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::filesystem::path lock_;
  int descriptor_;
};

}  // namespace nhot
