// Model files in and out. doc/formats.md describes every format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nhot/model/model.hpp"

namespace nhot {

/// A model and what the user should know about how it was read.
struct ReadResult {
  Model model;
  std::vector<std::string> notes;
};

/// Reads a file. The format is named, or found by the extension when empty. Errors name file and
/// line.
ReadResult read_model(const std::string& path, std::string_view format = {});

/// Writes a file whole or not at all and returns notes. Refuses an existing file without `force`,
/// and a model that the format cannot hold without loss. Quadratic formats read back to the same
/// bits.
std::vector<std::string> write_model(const Model& model, const std::string& path,
                                     std::string_view format = {}, bool force = false);

/// A generator's spec string ("ferromagnet:60x60") or a file.
ReadResult load_model(const std::string& spec_or_path, std::string_view format = {});

}  // namespace nhot
