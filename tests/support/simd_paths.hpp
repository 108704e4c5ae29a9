// Runs a test on one SIMD path, and says loudly when this machine lacks it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "nhot/base/simd_path.hpp"

namespace nhot::test {

/// TEST_P fixtures: the path is forced for the test and put back after it.
class OnSimdPath : public testing::TestWithParam<SimdPath> {
 protected:
  void SetUp() override {
    if (!has_simd_path(GetParam()))
      GTEST_SKIP() << "NOT TESTED: this processor or build lacks the SIMD path "
                   << to_text(GetParam());
    set_simd_path(GetParam());
  }
  void TearDown() override { set_simd_path(before_); }

 private:
  SimdPath before_ = simd_path();
};

inline std::string path_name(const testing::TestParamInfo<SimdPath>& info) {
  return std::string(to_text(info.param));
}

}  // namespace nhot::test
