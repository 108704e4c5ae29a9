// RBM weights from HDF5 files as other programs write them.
#include <hdf5.h>

#include <cmath>

#include "io/scratch.hpp"
#include "nhot/io/hdf5_exit.hpp"
#include "nhot/io/model/model_file.hpp"
#include "nhot/model/generators.hpp"

namespace nhot {
namespace {

class Hdf5 : public Scratch {
 protected:
  void SetUp() override {
    Scratch::SetUp();
    leave_hdf5_alone_at_exit();
    file_ = H5Fcreate(path("w.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  }
  void TearDown() override {
    done();
    Scratch::TearDown();
  }
  void done() {
    if (file_ >= 0) H5Fclose(file_);
    file_ = -1;
  }
  void add(const char* name, std::vector<hsize_t> shape, std::vector<double> values,
           hid_t type = H5T_IEEE_F64LE) const {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t data = H5Dcreate2(file_, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (!values.empty())
      H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(data);
    H5Sclose(space);
  }
  std::string problem() {
    done();
    return thrown([&] { read_model(path("w.h5")); });
  }
  hid_t file_ = -1;
};

TEST_F(Hdf5, SinglePrecisionAndColumnsAreRead) {
  add("W", {2, 3}, {1, 2, 3, 4, 5, 6.5}, H5T_IEEE_F32LE);
  add("b", {2, 1}, {0.5, -1}, H5T_IEEE_F32BE);
  add("c", {3}, {0, 1, 2}, H5T_STD_I32LE);
  done();
  const ReadResult result = read_model(path("w.h5"));
  EXPECT_TRUE(result.notes.empty());
  EXPECT_EQ(result.model.rbm()->hidden(), 2u);
  EXPECT_EQ(result.model.energy(Bits{0, 0, 1, 0, 1}), -(6.5 - 1 + 2));
}

TEST_F(Hdf5, ATransposedMatrixIsTurnedWithANote) {
  add("W", {3, 2}, {1, 4, 2, 5, 3, 6.5});
  add("b", {2}, {0.5, -1});
  add("c", {3}, {0, 1, 2});
  done();
  const ReadResult result = read_model(path("w.h5"));
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_TRUE(holds(result.notes[0], "transposed"));
  EXPECT_EQ(result.model.energy(Bits{0, 0, 1, 0, 1}), -(6.5 - 1 + 2));
}

TEST_F(Hdf5, AMissingDatasetIsNamed) {
  add("weights", {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(holds(problem(), "w.h5: dataset 'W' is missing; there is: weights"));
}

TEST_F(Hdf5, SizesThatDoNotFit) {
  add("W", {2, 3}, {1, 2, 3, 4, 5, 6});
  add("b", {4}, {1, 2, 3, 4});
  add("c", {3}, {1, 2, 3});
  EXPECT_TRUE(holds(problem(), "w.h5: W is 2 x 3 but b has 4 and c has 3 values"));
}

TEST_F(Hdf5, AMatrixWhereAVectorIsExpected) {
  add("W", {2, 3}, {1, 2, 3, 4, 5, 6});
  add("b", {2, 2}, {1, 2, 3, 4});
  add("c", {3}, {1, 2, 3});
  EXPECT_TRUE(holds(problem(), "dataset 'b' is 2 x 2, expected a vector"));
}

TEST_F(Hdf5, AVectorWhereAMatrixIsExpected) {
  add("W", {6}, {1, 2, 3, 4, 5, 6});
  add("b", {2}, {1, 2});
  add("c", {3}, {1, 2, 3});
  EXPECT_TRUE(holds(problem(), "dataset 'W' is 6, expected a matrix"));
}

TEST_F(Hdf5, ValuesThatAreNotFinite) {
  add("W", {2, 3}, {1, 2, NAN, 4, 5, 6});
  add("b", {2}, {1, 2});
  add("c", {3}, {1, 2, 3});
  EXPECT_TRUE(holds(problem(), "W holds a value that is not a number, at position 2"));
}

TEST_F(Hdf5, TextInsteadOfNumbers) {
  const hid_t text = H5Tcopy(H5T_C_S1);
  add("W", {1}, {}, text);
  H5Tclose(text);
  EXPECT_TRUE(holds(problem(), "dataset 'W' does not hold numbers"));
}

TEST_F(Hdf5, AHugeMatrixIsRefusedBeforeReading) {
  add("W", {hsize_t{1} << 20, hsize_t{1} << 20}, {});
  EXPECT_TRUE(holds(problem(), "dataset 'W' is too large"));
}

TEST_F(Hdf5, WeightsThatAreNotInTheFile) {
  add("W", {hsize_t{1} << 13, hsize_t{1} << 13}, {});
  EXPECT_TRUE(holds(problem(), "dataset 'W' is not in the file: 8192 x 8192 values in 0 bytes"));
}

TEST_F(Hdf5, NoUnits) {
  add("W", {0, 3}, {});
  add("b", {0}, {});
  add("c", {3}, {1, 2, 3});
  EXPECT_TRUE(holds(problem(), "an RBM of 3 visible and 0 hidden units cannot be made"));
}

TEST_F(Hdf5, NoSuchGroup) {
  add("W", {2, 3}, {1, 2, 3, 4, 5, 6});
  done();
  EXPECT_TRUE(holds(thrown([&] { read_model(path("w.h5#layer1")); }),
                    "there is no group 'layer1'; there is: W"));
}

TEST_F(Hdf5, AGroupIsWrittenBesideTheOthers) {
  done();
  const Model first = model_from_spec("rbm:4x3,seed=1");
  const Model second = model_from_spec("rbm:5x2,seed=2");
  write_model(first, path("g.h5#layers/one"), {}, false);
  EXPECT_NE(thrown([&] { write_model(second, path("g.h5#two"), {}, false); }).find("exists"),
            std::string::npos);
  write_model(first, path("g.h5#two"), {}, true);
  write_model(second, path("g.h5#two"), {}, true);  // in the place of the one before
  EXPECT_EQ(read_model(path("g.h5#layers/one")).model.hash(), first.hash());
  EXPECT_EQ(read_model(path("g.h5#two")).model.hash(), second.hash());
  // Without a group, the file is the model and nothing else.
  write_model(second, path("g.h5"), {}, true);
  EXPECT_NE(thrown([&] { read_model(path("g.h5#two")); }).find("no group"), std::string::npos);
}

TEST_F(Hdf5, TruncatedAtAnyByteIsRefused) {
  write_model(model_from_spec("rbm:20x10"), path("r.h5"));
  const std::string whole = get("r.h5");
  ASSERT_GT(whole.size(), 20 * 10 * sizeof(double));
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const std::string message = thrown([&] { read_model(put("t.h5", whole.substr(0, size)), {}); });
    ASSERT_EQ(message.substr(0, 6), "input:") << size << ": " << message;
    ASSERT_TRUE(holds(message, "t.h5"));
  }
}

}  // namespace
}  // namespace nhot
