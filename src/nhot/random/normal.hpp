// Standard normal numbers from the engine, by Marsaglia's polar method.
#pragma once

#include <cmath>

#include "nhot/random/xoshiro.hpp"

namespace nhot {

/// Uniform on [0, 1), a multiple of 2^-53.
inline double uniform(Xoshiro256& engine) { return static_cast<double>(engine() >> 11) * 0x1p-53; }

/// Draws pairs of independent normals from a point uniform in the unit disc. Uses only the engine,
/// a logarithm and a square root, so that the numbers do not depend on the standard library's
/// choice of algorithm.
class NormalSource {
 public:
  explicit NormalSource(Xoshiro256& engine) : engine_(engine) {}

  double operator()() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    for (;;) {
      const double x = 2 * uniform(engine_) - 1;
      const double y = 2 * uniform(engine_) - 1;
      const double square = x * x + y * y;
      if (square >= 1 || square == 0) continue;
      const double scale = std::sqrt(-2 * std::log(square) / square);
      spare_ = y * scale;
      has_spare_ = true;
      return x * scale;
    }
  }

 private:
  Xoshiro256& engine_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace nhot
