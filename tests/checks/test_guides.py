"""The guides of doc/adding-*.md are true: what they say can be done by the letter, in so many files, and compiles.

make guides builds and runs what they make, which takes minutes."""

import subprocess
import sys

import pytest

# guide, files that it may touch, a file to compile that uses all of it
GUIDES = [
    ("adding-a-move", 2, '#include "nhot/move/registry.hpp"\nstatic_assert(nhot::ChainMove<nhot::BarkerMove>);\n'),
    ("adding-an-engine", 4, """#include "nhot/engine/listed.hpp"
#include "nhot/chain/setup.hpp"
static_assert(nhot::WeightedEngine<nhot::ListedEngine<nhot::RealKernel>, nhot::RealKernel>);
"""),
    ("adding-a-model", 3, '#include "nhot/model/spec.cpp"\nnhot::Model made() { return nhot::triplets(9); }\n'),
    ("adding-an-observable", 1, '#include "nhot/trace/observables.cpp"\n'),
    ("adding-an-output-format", 2, '#include "app/output.cpp"\n'),
    ("adding-a-command", 2, '#include "app/count.cpp"\n#include "app/commands.cpp"\n'),
]


@pytest.mark.parametrize(("guide", "files", "program"), GUIDES, ids=[guide for guide, _, _ in GUIDES])
def test_can_be_followed(root, tmp_path, guide, files, program):
    tree = tmp_path / "tree"
    done = subprocess.run([sys.executable, root / "scripts/guides.py", tree, root / "doc" / f"{guide}.md"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    touched = done.stdout.split(": ")[1].split(", ")
    assert 1 <= len(touched) <= files, touched
    (tmp_path / "program.cpp").write_text(program)
    compiled = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-I", tree, "-I", tree / "src",
                               "-I", tree / "app", tmp_path / "program.cpp"], capture_output=True, text=True)
    assert compiled.returncode == 0, compiled.stderr[:3000]


def test_every_guide_is_here(root):
    assert sorted(path.stem for path in (root / "doc").glob("adding-*.md")) == sorted(guide for guide, _, _ in GUIDES)


def test_a_guide_that_is_not_true_is_noticed(root, tmp_path):
    guide = tmp_path / "adding-nothing.md"
    guide.write_text("```diff file=app/commands.cpp\n const Command& no_such_command();\n+int x;\n```\n")
    done = subprocess.run([sys.executable, root / "scripts/guides.py", tmp_path / "tree", guide], capture_output=True, text=True)
    assert done.returncode != 0
    assert "0 times, not once" in done.stderr
