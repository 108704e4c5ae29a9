#include "nhot/base/simd_path.hpp"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include "nhot/base/error.hpp"

namespace nhot {
namespace {

constexpr int undecided = -1;
std::atomic<int> in_use = undecided;

std::string known_paths() {
  std::string text;
  for (const SimdPath path : all_simd_paths)
    if (has_simd_path(path)) text += (text.empty() ? "" : ", ") + std::string(to_text(path));
  return text;
}

void check(SimdPath path, const std::string& where) {
  if (has_simd_path(path)) return;
  throw InputError(where + " asks for the SIMD path '" + std::string(to_text(path)) +
                       "', which this processor or this build does not have",
                   "there are: " + known_paths());
}

SimdPath first_choice() {
  const char* const wanted = std::getenv("NHOT_SIMD");
  if (wanted != nullptr && *wanted != '\0') {
    const SimdPath path = parse_simd_path(wanted);
    check(path, "NHOT_SIMD");
    return path;
  }
  SimdPath best = SimdPath::portable;
  for (const SimdPath path : all_simd_paths)
    if (has_simd_path(path)) best = path;
  return best;
}

}  // namespace

std::string_view to_text(SimdPath path) {
  switch (path) {
    case SimdPath::avx512:
      return "avx512";
    case SimdPath::avx2:
      return "avx2";
    case SimdPath::portable:
      break;
  }
  return "portable";
}

SimdPath parse_simd_path(std::string_view name) {
  for (const SimdPath path : all_simd_paths)
    if (to_text(path) == name) return path;
  throw InputError("'" + std::string(name) + "' is no SIMD path", "there are: " + known_paths());
}

bool has_simd_path(SimdPath path) {
  switch (path) {
    case SimdPath::avx512:
      return (HWY_TARGETS & HWY_AVX3) != 0 && (hwy::SupportedTargets() & HWY_AVX3) != 0;
    case SimdPath::avx2:
      return (HWY_TARGETS & HWY_AVX2) != 0 && (hwy::SupportedTargets() & HWY_AVX2) != 0;
    case SimdPath::portable:
      break;
  }
  return true;
}

SimdPath simd_path() {
  int path = in_use.load(std::memory_order_relaxed);
  if (path == undecided) {
    path = static_cast<int>(first_choice());
    in_use.store(path, std::memory_order_relaxed);
  }
  return static_cast<SimdPath>(path);
}

void require_simd_path(SimdPath path) { check(path, "the caller"); }

void set_simd_path(SimdPath path) {
  check(path, "set_simd_path");
  in_use.store(static_cast<int>(path), std::memory_order_relaxed);
}

}  // namespace nhot
