// RBM weights in HDF5: datasets W (hidden x visible), b (hidden), c (visible), at the root or in a
// group named after '#': weights.h5#layer1.
#include <hdf5.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "nhot/base/error.hpp"
#include "nhot/io/hdf5_exit.hpp"
#include "nhot/io/model/formats.hpp"

namespace nhot {
namespace {

// An HDF5 identifier that closes itself.
class Handle {
 public:
  Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  hid_t id() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// HDF5 prints its error stack on stderr; nhot says what is wrong in its own words.
class Silence {
 public:
  Silence() {
    leave_hdf5_alone_at_exit();
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

std::string shown(const Format::Place& place) {
  return place.group.empty() ? place.file : place.file + "#" + place.group;
}

const char* layout_hint() {
  return "the file holds W (hidden x visible), b (one per hidden unit) and c (one per visible "
         "unit)";
}

std::string members(hid_t group) {
  H5G_info_t info{};
  if (H5Gget_info(group, &info) < 0) return "nothing";
  std::string list;
  for (hsize_t k = 0; k < std::min<hsize_t>(info.nlinks, 12); ++k) {
    char name[64] = {};
    if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof name,
                           H5P_DEFAULT) < 0)
      continue;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  if (info.nlinks > 12) list += ", ...";
  return list.empty() ? "nothing" : list;
}

struct Array {
  std::vector<std::uint64_t> shape;
  std::vector<double> values;
};

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text;
  for (const std::uint64_t side : shape) {
    if (!text.empty()) text += " x ";
    text += std::to_string(side);
  }
  return text.empty() ? "a single value" : text;
}

Array read_array(const Format::Place& place, hid_t group, const char* name) {
  const std::string where = shown(place) + ": dataset '" + name + "'";
  if (H5Lexists(group, name, H5P_DEFAULT) <= 0)
    throw InputError(where + " is missing; there is: " + members(group),
                     std::string(layout_hint()) + "; a group is named as file.h5#group");
  const Handle dataset(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) throw InputError(where + " cannot be opened as a dataset", layout_hint());
  const Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const H5T_class_t kind = type.valid() ? H5Tget_class(type.id()) : H5T_NO_CLASS;
  if (kind != H5T_FLOAT && kind != H5T_INTEGER)
    throw InputError(where + " does not hold numbers", "store it as float64 or float32");
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const int rank = space.valid() ? H5Sget_simple_extent_ndims(space.id()) : -1;
  if (rank < 0 || rank > 8) throw InputError(where + " has no readable shape", layout_hint());
  std::vector<hsize_t> sides(static_cast<std::size_t>(std::max(rank, 1)));
  H5Sget_simple_extent_dims(space.id(), sides.data(), nullptr);
  Array array;
  array.shape.assign(sides.begin(), sides.begin() + rank);
  std::uint64_t size = 1;
  for (const std::uint64_t side : array.shape) {
    if (side != 0 && size > max_rbm_weights / side)
      throw InputError(where + " is too large: " + shape_text(array.shape),
                       "at most " + std::to_string(max_rbm_weights) + " values");
    size *= side;
  }
  // A header of a few bytes can promise any size; deflate makes a thousandth of zeros.
  constexpr std::uint64_t few = 1'000'000;
  if (size > few && H5Dget_storage_size(dataset.id()) < size / 1000)
    throw InputError(where + " is not in the file: " + shape_text(array.shape) + " values in " +
                         std::to_string(H5Dget_storage_size(dataset.id())) + " bytes",
                     "write the weights into the file itself");
  array.values.resize(size);
  if (size > 0 && H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                          array.values.data()) < 0)
    throw InputError(where + " cannot be read: the file is damaged or cut short",
                     "get the file again");
  return array;
}

// A vector stored as n, n x 1 or 1 x n.
void require_vector(const Format::Place& place, const char* name, const Array& array) {
  std::size_t long_sides = 0;
  for (const std::uint64_t side : array.shape) long_sides += side != 1 ? 1 : 0;
  if (array.shape.empty() || long_sides > 1)
    throw InputError(shown(place) + ": dataset '" + name + "' is " + shape_text(array.shape) +
                         ", expected a vector",
                     layout_hint());
}

std::vector<double> transposed(const std::vector<double>& matrix, std::size_t rows,
                               std::size_t columns) {
  std::vector<double> out(matrix.size());
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) out[c * rows + r] = matrix[r * columns + c];
  return out;
}

void write_array(hid_t group, const char* name, const std::vector<hsize_t>& shape,
                 const std::vector<double>& values) {
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                     H5Sclose);
  const Handle dataset(
      H5Dcreate2(group, name, H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  if (!dataset.valid() ||
      H5Dwrite(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    throw EnvironmentError(std::string("HDF5 cannot store dataset '") + name + "'",
                           "check the free memory");
}

}  // namespace

ReadResult read_rbm_hdf5(const Format::Place& place, std::string_view, std::optional<Convention>) {
  const Silence silence;
  const Handle file(H5Fopen(place.file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid())
    throw InputError(place.file + ": not an HDF5 file, or cut short", "get the file again");
  const std::string group_name = place.group.empty() ? "/" : place.group;
  const Handle group(H5Gopen2(file.id(), group_name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.valid())
    throw InputError(
        place.file + ": there is no group '" + place.group + "'; there is: " + members(file.id()),
        "name a group as file.h5#group");
  Array w = read_array(place, group.id(), "W");
  Array b = read_array(place, group.id(), "b");
  Array c = read_array(place, group.id(), "c");
  require_vector(place, "b", b);
  require_vector(place, "c", c);
  if (w.shape.size() != 2)
    throw InputError(
        shown(place) + ": dataset 'W' is " + shape_text(w.shape) + ", expected a matrix",
        layout_hint());
  const bool straight = w.shape[0] == b.values.size() && w.shape[1] == c.values.size();
  const bool turned = w.shape[0] == c.values.size() && w.shape[1] == b.values.size();
  if (!straight && !turned)
    throw InputError(shown(place) + ": W is " + shape_text(w.shape) + " but b has " +
                         std::to_string(b.values.size()) + " and c has " +
                         std::to_string(c.values.size()) + " values",
                     layout_hint());
  std::vector<std::string> notes;
  if (!straight) {
    w.values = transposed(w.values, w.shape[0], w.shape[1]);
    notes.emplace_back("W is visible x hidden by the sizes of b and c; it was transposed");
  }
  if (!rbm_fits(c.values.size(), b.values.size()))
    throw InputError(shown(place) + ": an RBM of " + std::to_string(c.values.size()) +
                         " visible and " + std::to_string(b.values.size()) +
                         " hidden units cannot be made",
                     layout_hint());
  RbmWeights weights;
  weights.visible = static_cast<Site>(c.values.size());
  weights.hidden = static_cast<Site>(b.values.size());
  weights.weights = std::move(w.values);
  weights.hidden_bias = std::move(b.values);
  weights.visible_bias = std::move(c.values);
  try {
    return {Model(shown(place), Rbm(std::move(weights))), std::move(notes)};
  } catch (const InputError& error) {
    throw InputError(shown(place) + ": " + error.what(), error.hint());
  }
}

// The file is made in memory, or read into it, so that disk errors are met in one place:
// AtomicFile.
std::vector<std::string> write_rbm_hdf5(const Model& model, const Format::Place& place,
                                        AtomicFile& out) {
  if (!model.rbm())
    throw InputError(
        "an .h5 file cannot hold '" + model.name() + "': it is a quadratic model, not an RBM",
        "write it as .coo, .qubo or .mtx");
  const Silence silence;
  const RbmWeights& w = model.rbm()->weights();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.id(), std::size_t{1} << 20, false);
  const bool whole = place.group.empty() || place.group == "/";
  // The other groups of a file stay.
  std::error_code error;
  const bool there =
      !whole && std::filesystem::exists(place.file, error) && H5Fis_hdf5(place.file.c_str()) > 0;
  const Handle file(there ? H5Fopen(place.file.c_str(), H5F_ACC_RDWR, access.id())
                          : H5Fcreate("nhot-in-memory", H5F_ACC_TRUNC, H5P_DEFAULT, access.id()),
                    H5Fclose);
  if (!file.valid())
    throw EnvironmentError("HDF5 cannot open " + place.file + " to add to it",
                           "check that the file is whole and that no other program writes to it");
  if (there && H5Lexists(file.id(), place.group.c_str(), H5P_DEFAULT) > 0)
    H5Ldelete(file.id(), place.group.c_str(), H5P_DEFAULT);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.id(), 1);
  const Handle group(
      whole ? H5Gopen2(file.id(), "/", H5P_DEFAULT)
            : H5Gcreate2(file.id(), place.group.c_str(), links.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Gclose);
  if (!group.valid())
    throw InputError("'" + place.group + "' is not a name for a group in " + place.file,
                     "for example file.h5#layer1");
  write_array(group.id(), "W", {w.hidden, w.visible}, w.weights);
  write_array(group.id(), "b", {w.hidden}, w.hidden_bias);
  write_array(group.id(), "c", {w.visible}, w.visible_bias);
  H5Fflush(file.id(), H5F_SCOPE_LOCAL);
  const ssize_t size = H5Fget_file_image(file.id(), nullptr, 0);
  std::string image(static_cast<std::size_t>(std::max<ssize_t>(size, 0)), '\0');
  if (size <= 0 || H5Fget_file_image(file.id(), image.data(), image.size()) != size)
    throw EnvironmentError("HDF5 cannot make the file " + place.file, "check the free memory");
  out.append(image);
  return {};
}

}  // namespace nhot
