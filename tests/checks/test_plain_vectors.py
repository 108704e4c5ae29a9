"""The vector code of the inner loops and its twins in plain C++ (NHOT_NO_SSE2) give the same numbers."""

import subprocess

PROGRAM = r"""
#include <cstdio>
#include <vector>
#include "nhot/engine/count_changes.hpp"
#include "nhot/engine/eight_levels.hpp"
#include "nhot/engine/sixteen_spans.hpp"
#include "nhot/model/row_search.hpp"

int main() {
  std::uint64_t state = 1;
  const auto stream = [&state] {  // splitmix64
    std::uint64_t z = state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  };
  const auto unit = [&] { return static_cast<double>(stream() >> 11) * 0x1p-53; };
  for (int trial = 0; trial < 20000; ++trial) {
    alignas(16) std::int32_t counts[16] = {};
    double weight[8] = {};
    double inverse[8] = {};
    const std::size_t levels = 1 + stream() % 8;
    for (std::size_t l = 0; l < levels; ++l) {
      counts[l] = static_cast<std::int32_t>(stream() % 5 == 0 ? 0 : stream() % 1000);
      weight[l] = unit() * (stream() % 3 == 0 ? 1e-3 : 1);
      inverse[l] = 1 / weight[l];
    }
    counts[0] += 1;
    const nhot::EightLevels eight(weight, counts);
    const nhot::LevelRow row{weight, inverse, levels};
    const double share = trial % 50 == 0 ? 1.0 : unit();
    const nhot::LevelMember found = eight.find(share * eight.sum(), row, counts);
    nhot::CountChanges changes;
    for (int k = 0; k < 100; ++k) changes.note(static_cast<std::uint32_t>(stream() % 16), static_cast<std::uint32_t>(stream() % 16));
    changes.add_to(counts);
    std::printf("%a %zu %d", eight.sum(), found.level, found.index);
    for (const std::int32_t count : counts) std::printf(" %d", count);
    alignas(16) nhot::WeighedSite sites[16];
    std::int64_t sum = 0;
    for (nhot::WeighedSite& site : sites) {
      site.field = unit();
      site.count = static_cast<std::uint32_t>(stream() % 3 == 0 ? 1 << 26 : stream() % 100);
      site.key = static_cast<std::uint32_t>(stream() % 3);
      sum += site.key == 1 ? site.count : 0;
    }
    const auto target = static_cast<std::int64_t>(unit() * static_cast<double>(sum));
    std::printf(" %zu", sum > 0 ? nhot::find_in_sixteen(sites, 1, target) : 16);
    nhot::Site neighbours[8];
    for (nhot::Site& j : neighbours) j = static_cast<nhot::Site>(stream() % 20);
    const std::size_t length = 4 + stream() % 5;
    std::printf(" %zu", nhot::find_site(neighbours, length, static_cast<nhot::Site>(stream() % 20)));
    std::printf("\n");
  }
}
"""


def test_twins_agree(root, tmp_path):
    (tmp_path / "program.cpp").write_text(PROGRAM)
    printed = []
    for name, flags in (("vectors", []), ("plain", ["-DNHOT_NO_SSE2"])):
        binary = tmp_path / name
        subprocess.run(["g++", "-std=c++20", "-O1", *flags, "-I", root / "src", tmp_path / "program.cpp",
                        "-o", binary], check=True)
        printed.append(subprocess.run([binary], check=True, capture_output=True, text=True).stdout)
    assert printed[0] == printed[1]
    lines = printed[0].splitlines()
    assert len(lines) == 20000
    assert len({line.split()[1] for line in lines}) == 8  # every level is found
