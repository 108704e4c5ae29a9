#!/usr/bin/env python3
"""Follows the guides of doc/adding-*.md by the letter.

A block of a guide that names a file is done as it stands: ```cpp file=PATH is a new file, ```diff file=PATH changes
one, where lines that begin with a space or a minus must be there. So a guide that is no longer true fails.

    scripts/guides.py FOLDER [GUIDE...]     follow them in a copy of the tree
    scripts/guides.py FOLDER --build        then build the copy and try what was added (make guides)
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(cpp|diff) file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COPIED = ("src", "app", "tests", "bench", "cmake", "examples", "scripts", "CMakeLists.txt", "CMakePresets.json")

# What is tried with the whole tree built: the exact suite takes in the move and the engine by itself.
TRIALS = [
    ["build/tests/test_exact", "--gtest_filter=Exact.*"],
    ["build/nhot", "sample", "triplets:60", "-n", "30", "--move", "0.5*barker + 0.5*im:engine=listed", "--moves", "2e4"],
    ["build/nhot", "sample", "ferromagnet:8x8", "-n", "32", "--beta", "0.3", "--moves", "1e4"],
    ["build/nhot", "count", "ferromagnet:8x8", "-n", "32"],
    ["build/nhot", "count", "ferromagnet:8x8", "-n", "32", "--flat"],
]


def guides():
    return sorted((ROOT / "doc").glob("adding-*.md"))


def change(text, block, where):
    """The text after a block of diff: its lines without a plus, found once, become those without a minus."""
    lines = block.splitlines()
    before = "\n".join(line[1:] for line in lines if line[0] in " -")
    after = "\n".join(line[1:] for line in lines if line[0] in " +")
    if text.count(before) != 1:
        sys.exit(f"{where}: these lines are there {text.count(before)} times, not once:\n{before}")
    return text.replace(before, after)


def follow(guide, folder):
    """Does what a guide says in a copy of the tree, and gives the files that it touches."""
    touched = []
    for kind, name, block in BLOCK.findall(guide.read_text()):
        path = folder / name
        if kind == "cpp":
            if path.exists():
                sys.exit(f"{guide.name}: {name} exists already")
            path.write_text(block)
        else:
            path.write_text(change(path.read_text(), block, f"{guide.name}, {name}"))
        if name not in touched:
            touched.append(name)
    return touched


def copy_tree(folder):
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, folder / name)
    modules = ROOT / "node_modules"
    if modules.is_dir() and not (folder / "node_modules").exists():
        (folder / "node_modules").symlink_to(modules)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("guides", nargs="*", type=Path)
    parser.add_argument("--build", action="store_true")
    given = parser.parse_args()
    if given.folder.exists():
        sys.exit(f"{given.folder} exists; name a new folder")
    copy_tree(given.folder)
    for guide in given.guides or guides():
        print(f"{guide.name}: {', '.join(follow(guide, given.folder))}")
    if not given.build:
        return
    subprocess.run(["scripts/build", "release", "nhot", "test_exact"], cwd=given.folder, check=True)
    for trial in TRIALS:
        print("\n$ " + " ".join(trial), flush=True)
        subprocess.run(trial, cwd=given.folder, check=True)


if __name__ == "__main__":
    main()
