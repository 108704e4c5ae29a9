#!/usr/bin/env python3
"""Static analysis with clang-tidy 14 (.clang-tidy says which checks). Files changed against the last
commits come first; --seconds stops starting new files after that time. What passed is remembered in
build-clang/tidy until the file, a header or .clang-tidy changes."""

import argparse
import concurrent.futures
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import tree

FOLDERS = ("src", "app")


def changed(root):
    """Paths that differ from the commit before the last, as far as history tells."""
    ran = subprocess.run(
        ["git", "-C", str(root), "diff", "--name-only", "HEAD~1"], capture_output=True, text=True
    )
    return set(ran.stdout.split()) if ran.returncode == 0 else set()


def digest(root, headers, path):
    total = hashlib.sha256()
    for name in [Path(".clang-tidy"), path, *headers]:
        total.update((root / name).read_bytes())
    return total.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--build", default="build-clang", help="folder with compile_commands.json")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    args = parser.parse_args()
    tool = shutil.which("clang-tidy-14")
    if not tool:
        sys.exit("clang-tidy-14 is missing; run: scripts/install lint")
    build = args.root / args.build
    if not (build / "compile_commands.json").is_file():
        sys.exit(f"{build}/compile_commands.json is missing; run: cmake --preset clang")

    headers = tree.sources(args.root, (".hpp",))
    recent = changed(args.root)
    paths = [p for p in tree.sources(args.root, (".cpp",)) if p.parts[0] in FOLDERS]
    paths.sort(key=lambda p: (str(p) not in recent, str(p)))
    memory = build / "tidy"
    memory.mkdir(exist_ok=True)
    deadline = time.monotonic() + args.seconds

    def check(path):
        mark = memory / digest(args.root, headers, path)
        if mark.exists():
            return path, ""
        if time.monotonic() > deadline:
            return path, None
        command = [tool, "--quiet", "--warnings-as-errors=*", "-p", str(build), str(path)]
        ran = subprocess.run(command, cwd=args.root, capture_output=True, text=True)
        if ran.returncode == 0:
            mark.touch()
            return path, ""
        return path, ran.stdout or ran.stderr

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, paths))
    problems = [found for _, found in results if found]
    looked = sum(found is not None for _, found in results)
    if looked < len(paths):
        print(f"note: clang-tidy looked at {looked} of {len(paths)} files in its time; all: make tidy")
    tree.finish(problems, f"{looked} files analysed")


if __name__ == "__main__":
    main()
