#!/usr/bin/env python3
"""One idea a file: a warning above 300 lines, a failure above 800."""

import tree

WARN, FAIL = 300, 800
SUFFIXES = tree.CPP + (".py", ".sh", ".js", ".css")


def main():
    root = tree.arguments(__doc__).root
    problems, seen = [], 0
    for path in tree.sources(root, SUFFIXES):
        seen += 1
        lines = (tree.text(root, path) or "").count("\n")
        if lines > FAIL:
            problems.append(f"{path}: {lines} lines; split it (at most {FAIL})")
        elif lines > WARN:
            print(f"warning: {path}: {lines} lines; files are mostly under {WARN}")
    tree.finish(problems, f"{seen} files, none above {FAIL} lines")


if __name__ == "__main__":
    main()
