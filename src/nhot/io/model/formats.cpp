#include "nhot/io/model/formats.hpp"

namespace nhot {

const FormatList& formats() {
  static const FormatList table = [] {
    FormatList all = text_formats();
    all.push_back({"h5",
                   {".h5", ".hdf5"},
                   "RBM weights W, b, c",
                   false,
                   false,
                   read_rbm_hdf5,
                   write_rbm_hdf5});
    all.push_back({"npz",
                   {".npz"},
                   "quadratic models as arrays: Q, or h and J (read only)",
                   false,
                   true,
                   read_npz,
                   nullptr});
    all.push_back({"bqm",
                   {".bqm", ".json"},
                   "dimod's binary quadratic models (read only)",
                   false,
                   true,
                   read_bqm,
                   nullptr});
    return all;
  }();
  return table;
}

ReadResult read_model(const std::string& path, std::string_view format) {
  return read_model(formats(), path, format);
}

std::vector<std::string> write_model(const Model& model, const std::string& path,
                                     std::string_view format, bool force) {
  return write_model(formats(), model, path, format, force);
}

ReadResult load_model(const std::string& spec_or_path, std::string_view format) {
  return load_model(formats(), spec_or_path, format);
}

}  // namespace nhot
