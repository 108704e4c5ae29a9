"""A kernel, an engine or a move without a member is refused by the compiler with the name of what is missing."""

import re
import subprocess

from terminal import GUARD_SECONDS

KERNEL = """
struct MyKernel {
  using Field = double;
  static constexpr bool exact = false;
  nhot::Site sites() const { return 4; }
  double quantum() const { return 1; }
  void compute_fields(const nhot::Bits&, std::vector<double>&) const {}
  std::size_t degree(nhot::Site) const { return 0; }
  nhot::Site neighbour(nhot::Site, std::size_t) const { return 0; }
};
static_assert(nhot::ModelKernel<MyKernel>);
"""
ENGINE = """
struct MyEngine {
  static constexpr const char* name = "mine";
  MyEngine(const nhot::Configuration<nhot::CustomKernel>&, nhot::WeightSet) {}
  void rebuild(const nhot::Configuration<nhot::CustomKernel>&) {}
  void set_weights(const nhot::Configuration<nhot::CustomKernel>&, nhot::WeightSet) {}
  void save(nhot::ByteWriter&) const {}
  void restore(const nhot::Configuration<nhot::CustomKernel>&, nhot::ByteReader&) {}
  nhot::ScaledWeight total(const nhot::Configuration<nhot::CustomKernel>&, nhot::Side, unsigned) const { return {}; }
};
static_assert(nhot::WeightedEngine<MyEngine, nhot::CustomKernel>);
"""
MOVE = """
struct MyMove {
  static constexpr bool needs_sides = false;
  static constexpr bool needs_weights = false;
  void prepare(double, nhot::WeightSet&) {}
};
static_assert(nhot::ChainMove<MyMove>);
"""
HEADERS = '#include "nhot/model/custom_kernel.hpp"\n#include "nhot/move/outcome.hpp"\n#include "nhot/state/concepts.hpp"\n'


# What is tried: its text, and the member that is left out.
TRIED = {"MyKernel": (KERNEL, "quantum"), "MyEngine": (ENGINE, "total"), "MyMove": (MOVE, "prepare")}


def compile_it(root, text):
    """All three at once: reading the headers takes longer than they do."""
    return subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-fconcepts-diagnostics-depth=2", f"-I{root}/src", "-x", "c++", "-"],
                          input=HEADERS + text, capture_output=True, text=True, timeout=GUARD_SECONDS, check=False)


def test_the_whole_ones_compile(root):
    whole = compile_it(root, "".join(text for text, _ in TRIED.values()))
    assert whole.returncode == 0, whole.stderr


def test_a_missing_member_is_named(root):
    broken = ""
    for text, member in TRIED.values():
        lines = [line for line in text.splitlines(keepends=True) if f" {member}(" not in line]
        assert len(lines) == len(text.splitlines()) - 1
        broken += "".join(lines)
    refused = compile_it(root, broken)
    assert refused.returncode != 0
    # What the compiler says of each assertion, up to the next one.
    parts = re.split(r"(?m)^(?=.*error: static assertion failed)", refused.stderr)[1:]
    assert len(parts) == len(TRIED), refused.stderr
    for part, (name, (_, member)) in zip(parts, TRIED.items(), strict=True):
        assert name in part and member in part, part
