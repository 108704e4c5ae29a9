"""A kernel, an engine or a move without a member is refused by the compiler with the name of what is missing."""

import subprocess

import pytest
from terminal import GUARD_SECONDS

KERNEL = """
struct Mine {
  using Field = double;
  static constexpr bool exact = false;
  nhot::Site sites() const { return 4; }
  double quantum() const { return 1; }
  void compute_fields(const nhot::Bits&, std::vector<double>&) const {}
  std::size_t degree(nhot::Site) const { return 0; }
  nhot::Site neighbour(nhot::Site, std::size_t) const { return 0; }
};
static_assert(nhot::ModelKernel<Mine>);
"""
ENGINE = """
struct Mine {
  static constexpr const char* name = "mine";
  Mine(const nhot::Configuration<nhot::CustomKernel>&, nhot::WeightSet) {}
  void rebuild(const nhot::Configuration<nhot::CustomKernel>&) {}
  void set_weights(const nhot::Configuration<nhot::CustomKernel>&, nhot::WeightSet) {}
  void save(nhot::ByteWriter&) const {}
  void restore(const nhot::Configuration<nhot::CustomKernel>&, nhot::ByteReader&) {}
  nhot::ScaledWeight total(const nhot::Configuration<nhot::CustomKernel>&, nhot::Side, unsigned) const { return {}; }
};
static_assert(nhot::WeightedEngine<Mine, nhot::CustomKernel>);
"""
MOVE = """
struct Mine {
  static constexpr bool needs_sides = false;
  static constexpr bool needs_weights = false;
  void prepare(double, nhot::WeightSet&) {}
};
static_assert(nhot::ChainMove<Mine>);
"""
HEADERS = '#include "nhot/model/custom_kernel.hpp"\n#include "nhot/move/outcome.hpp"\n#include "nhot/state/concepts.hpp"\n'


def compile_it(root, text):
    return subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-fconcepts-diagnostics-depth=2", f"-I{root}/src", "-x", "c++", "-"],
                          input=HEADERS + text, capture_output=True, text=True, timeout=GUARD_SECONDS, check=False)


@pytest.mark.parametrize(("text", "member"), [(KERNEL, "quantum"), (ENGINE, "total"), (MOVE, "prepare")], ids=["kernel", "engine", "move"])
def test_a_missing_member_is_named(root, text, member):
    whole = compile_it(root, text)
    assert whole.returncode == 0, whole.stderr
    lines = [line for line in text.splitlines() if f" {member}(" not in line]
    assert len(lines) == len(text.splitlines()) - 1
    broken = compile_it(root, "\n".join(lines))
    assert broken.returncode != 0
    assert f"{member}" in broken.stderr and "Mine" in broken.stderr and "static assertion failed" in broken.stderr
