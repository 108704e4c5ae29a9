#!/usr/bin/env python3
"""The layout of the C++ sources is what clang-format 14 makes of it. --write applies it."""

import shutil
import subprocess
import sys

import tree


def formatter():
    """clang-format 14; versions lay out differently, so no other will do."""
    for name in ("clang-format-14", "clang-format"):
        if shutil.which(name):
            version = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
            if " 14." in version:
                return name
    sys.exit("clang-format 14 is missing; run: scripts/install lint")


def main():
    args = tree.arguments(__doc__, write="lay out the files instead of checking")
    paths = tree.sources(args.root)
    if not paths:
        tree.finish([], "no C++ files")
        return
    mode = ["-i"] if args.write else ["--dry-run", "-Werror", "--ferror-limit=1"]
    command = [formatter(), *mode, *map(str, paths)]
    ran = subprocess.run(command, cwd=args.root, capture_output=True, text=True)
    bad = sorted({line.split(":")[0] for line in ran.stderr.splitlines() if ": error:" in line})
    problems = [f"{path}: run: make format" for path in bad]
    if ran.returncode and not bad:
        problems.append(ran.stderr)
    tree.finish(problems, f"{len(paths)} files are laid out by clang-format")


if __name__ == "__main__":
    main()
