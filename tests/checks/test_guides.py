"""The guides of doc/adding-*.md are true: what they say can be done by the letter, in so many files, and compiles.

make guides builds and runs what they make, which takes minutes."""

import subprocess
import sys

import pytest

# guide, files that it may touch
GUIDES = {
    "adding-a-move": 2,
    "adding-an-engine": 4,
    "adding-a-model": 3,
    "adding-an-observable": 1,
    "adding-an-output-format": 2,
    "adding-a-command": 2,
}

# Uses what all of them make. One file: reading the headers takes longer than the rest.
PROGRAM = """
#include "nhot/move/registry.hpp"
#include "nhot/engine/listed.hpp"
#include "nhot/chain/setup.hpp"
#include "nhot/model/spec.cpp"
#include "nhot/trace/observables.cpp"
#include "app/output.cpp"
#include "app/count.cpp"
#include "app/commands.cpp"
static_assert(nhot::ChainMove<nhot::BarkerMove>);
static_assert(nhot::WeightedEngine<nhot::ListedEngine<nhot::RealKernel>, nhot::RealKernel>);
nhot::Model made() { return nhot::triplets(9); }
"""


@pytest.fixture(scope="module")
def followed(root, tmp_path_factory):
    """A copy of the tree in which all guides were followed, and the files that each of them touched."""
    tree = tmp_path_factory.mktemp("guides") / "tree"
    done = subprocess.run([sys.executable, root / "scripts/guides.py", tree], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = (line.split(": ") for line in done.stdout.splitlines())
    return tree, {guide.removesuffix(".md"): files.split(", ") for guide, files in lines}


def test_touch_few_files(followed):
    _, touched = followed
    assert sorted(touched) == sorted(GUIDES)
    for guide, files in touched.items():
        assert 1 <= len(files) <= GUIDES[guide], (guide, files)


def test_what_they_make_compiles(followed, tmp_path):
    tree, _ = followed
    (tmp_path / "program.cpp").write_text(PROGRAM)
    compiled = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-I", tree, "-I", tree / "src",
                               "-I", tree / "app", tmp_path / "program.cpp"], capture_output=True, text=True)
    assert compiled.returncode == 0, compiled.stderr[:3000]


def test_every_guide_is_here(root):
    assert sorted(path.stem for path in (root / "doc").glob("adding-*.md")) == sorted(GUIDES)


def test_a_guide_that_is_not_true_is_noticed(root, tmp_path):
    guide = tmp_path / "adding-nothing.md"
    guide.write_text("```diff file=app/commands.cpp\n const Command& no_such_command();\n+int x;\n```\n")
    done = subprocess.run([sys.executable, root / "scripts/guides.py", tmp_path / "tree", guide], capture_output=True, text=True)
    assert done.returncode != 0
    assert "0 times, not once" in done.stderr
