// A valid netCDF file with a few things changed as a plan says: attributes, names, sizes, numbers.
// The library that reads it sees a whole file, so what is tried are the readers on top of it.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace nhot::fuzz {

/// The path of a file in a folder of its own, gone at the end of the program.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& name);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class StoredFile {
 public:
  /// make(path) writes the file once; every damage() begins from there.
  explicit StoredFile(const std::function<void(const std::filesystem::path&)>& make);

  /// The file as the plan has it.
  std::filesystem::path damage(FuzzedDataProvider& plan) const;

 private:
  ScratchFile file_;
  std::string bytes_;
};

}  // namespace nhot::fuzz
