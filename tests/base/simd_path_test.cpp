#include "nhot/base/simd_path.hpp"

#include <gtest/gtest.h>

#include "nhot/base/error.hpp"

namespace nhot::test {
namespace {

TEST(SimdPaths, HaveNamesThatAreReadBack) {
  for (const SimdPath path : all_simd_paths) EXPECT_EQ(parse_simd_path(to_text(path)), path);
  try {
    parse_simd_path("avx1024");
    FAIL() << "an unknown name was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("avx1024"), std::string::npos);
    EXPECT_NE(error.hint().find("portable"), std::string::npos);
  }
}

TEST(SimdPaths, OnesThatAreThereCanBeForcedAndOthersAreRefused) {
  EXPECT_TRUE(has_simd_path(SimdPath::portable));
  const SimdPath before = simd_path();
  EXPECT_TRUE(has_simd_path(before));
  for (const SimdPath path : all_simd_paths) {
    if (has_simd_path(path)) {
      set_simd_path(path);
      EXPECT_EQ(simd_path(), path);
    } else {
      EXPECT_THROW(set_simd_path(path), InputError);
      EXPECT_THROW(require_simd_path(path), InputError);
    }
  }
  set_simd_path(before);
}

}  // namespace
}  // namespace nhot::test
