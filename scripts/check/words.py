#!/usr/bin/env python3
"""Words that have no place in a commit: notes to self, and paths of one person's machine; and options with dashes in the
library, which names them in braces (src/nhot/base/option_words.hpp)."""

import re

import tree

# Written in two parts so that this file passes its own check.
NOTES = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
MACHINE = re.compile(r"(?<![\w.}~*-])/(work|root|home|Users)/" r"[\w.]+")
DASHES = re.compile(r'"[^"\n]*--[a-z]')
CONFLICT = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)


def main():
    root = tree.arguments(__doc__).root
    problems, seen = [], 0
    for path in tree.files(root):
        content = tree.text(root, path)
        if content is None:
            continue
        seen += 1
        for pattern, why in (
            (NOTES, "do it now, or write it down as an issue"),
            (MACHINE, "a path of one machine"),
            (CONFLICT, "a merge conflict"),
            (DASHES, "the library writes an option as {name}"),
        ):
            if pattern is DASHES and not re.match(r"src/nhot/.*\.[ch]pp$", str(path)):
                continue
            for match in pattern.finditer(content):
                line = content.count("\n", 0, match.start()) + 1
                problems.append(f"{path}:{line}: '{match[0].strip()}': {why}")
    tree.finish(problems, f"{seen} files without notes to self or machine paths")


if __name__ == "__main__":
    main()
