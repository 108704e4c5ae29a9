// A valid netCDF file with a few things changed as a plan says: attributes, names, sizes, numbers.
// The library that reads it sees a whole file, so what is tried are the readers on top of it.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace nhot::fuzz {

/// In a folder of its own, gone at the end of the program.
class StoredFile {
 public:
  /// make(path) writes the file once; every damage() begins from there.
  explicit StoredFile(const std::function<void(const std::filesystem::path&)>& make);
  ~StoredFile();
  StoredFile(const StoredFile&) = delete;
  StoredFile& operator=(const StoredFile&) = delete;

  /// The file as the plan has it.
  std::filesystem::path damage(FuzzedDataProvider& plan) const;

 private:
  std::filesystem::path folder_;
  std::string bytes_;
};

}  // namespace nhot::fuzz
