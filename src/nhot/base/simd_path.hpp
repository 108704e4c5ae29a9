// Which instruction set the vector code of this process runs on.
//
// The binary holds all paths of its build. The widest that the processor can run is taken, unless
// the environment variable NHOT_SIMD (portable, avx2 or avx512) or set_simd_path() names another.
// All paths give the same numbers to the bit, so the choice changes nothing but the speed.
#pragma once

#include <string_view>
#include <vector>

namespace nhot {

enum class SimdPath { portable, avx2, avx512 };

inline constexpr SimdPath all_simd_paths[] = {SimdPath::portable, SimdPath::avx2, SimdPath::avx512};

std::string_view to_text(SimdPath path);

/// InputError for an unknown name.
SimdPath parse_simd_path(std::string_view name);

/// True when this build holds the path and this processor can run it. `portable` always is.
bool has_simd_path(SimdPath path);

/// InputError when this processor or build lacks the path.
void require_simd_path(SimdPath path);

/// The path in use. The first call reads NHOT_SIMD: InputError when it names a missing path.
SimdPath simd_path();

/// Forces a path for kernels and chains made from now on; existing ones keep theirs. InputError
/// when this processor or build lacks it.
void set_simd_path(SimdPath path);

}  // namespace nhot
