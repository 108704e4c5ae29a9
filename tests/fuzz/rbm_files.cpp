// RBM weights in HDF5: datasets of any type and shape under the names that are looked for.
#include <fuzzer/FuzzedDataProvider.h>
#include <hdf5.h>

#include <cmath>
#include <string>
#include <vector>

#include "fuzz/damage.hpp"
#include "fuzz/parser.hpp"
#include "fuzz/stored_file.hpp"
#include "nhot/io/hdf5_exit.hpp"
#include "nhot/io/model/formats.hpp"

namespace nhot::fuzz {
namespace {

hsize_t some_side(FuzzedDataProvider& plan) {
  return plan.PickValueInArray<hsize_t>({0, 1, 2, 2, 3, 3, 4, hsize_t{1} << 13, hsize_t{1} << 27,
                                         hsize_t{1} << 40, ~hsize_t{0} >> 1});
}

void add_dataset(hid_t group, const char* name, FuzzedDataProvider& plan) {
  const hid_t types[] = {H5T_IEEE_F64LE, H5T_IEEE_F32BE, H5T_STD_I8LE,   H5T_STD_U64BE,
                         H5T_C_S1,       H5T_STD_B16LE,  H5T_STD_REF_OBJ};
  const hid_t type = plan.PickValueInArray(types);
  std::vector<hsize_t> shape;
  // Mostly what a reader expects.
  const std::size_t usual = *name == 'W' ? 2 : 1;
  const bool odd = plan.ConsumeBool();
  for (std::size_t k = odd ? plan.ConsumeIntegralInRange<std::size_t>(0, 9) : usual; k > 0; --k)
    shape.push_back(odd ? some_side(plan) : plan.ConsumeIntegralInRange<hsize_t>(1, 3));
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t data = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t size = 1;
  for (const hsize_t side : shape) size = side > 100 ? side : size * side;
  if (data >= 0 && size <= 100) {
    std::vector<double> values(size);
    for (double& value : values)
      value = plan.ConsumeBool() ? 0.5 : static_cast<double>(odd_number(plan));
    if (plan.ConsumeBool()) values.assign(size, plan.ConsumeBool() ? INFINITY : 1e308);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  H5Dclose(data);
  H5Sclose(space);
}

const Parser rbm("rbm", [](std::string_view bytes) {
  static const ScratchFile scratch("file.h5");
  leave_hdf5_alone_at_exit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  FuzzedDataProvider plan(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const std::string path = scratch.path().string();
  // In memory, and written as a whole when it is closed.
  static const hid_t in_memory = [] {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, true);
    return access;
  }();
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, in_memory);
  require(file >= 0, "no file");
  const hid_t group = H5Gcreate2(file, "layer", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (const char* name : {"W", "b", "c"})
    if (plan.ConsumeIntegralInRange(0, 9) > 0) add_dataset(group, name, plan);
  H5Gclose(group);
  H5Fclose(file);
  const char* const name =
      plan.PickValueInArray({"layer", "layer", "layer", "layer", "layer/W", "none", ""});
  accepts([&] {
    const Model model = read_rbm_hdf5({path, name}, {}, {}).model;
    require(std::isfinite(model.energy(Bits(model.sites(), 1))), "an energy that is not finite");
  });
});

}  // namespace
}  // namespace nhot::fuzz
