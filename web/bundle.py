#!/usr/bin/env python3
"""Makes one HTML file of a page and what it names, so that it works from file:// and needs no network.

    bundle.py PAGE.html OUT.html FOLDER...

In the page a line <!-- style: NAME --> becomes that file as a style sheet, <!-- script: NAME --> as a script, and
<!-- text: ID = NAME NAME --> as text that scripts read with document.getElementById(ID). Files are looked for in the folders.
"""

import re
import sys
from pathlib import Path

LINE = re.compile(r"^ *<!-- (style|script|text): (?:(\w+) = )?([^>]+?) -->$", re.MULTILINE)


def find(name, folders):
    for folder in folders:
        if (folder / name).is_file():
            return (folder / name).read_text(encoding="utf-8")
    sys.exit(f"bundle.py: {name} is in none of {', '.join(map(str, folders))}; run: scripts/install build")


def element(kind, identity, content):
    if re.search(r"</(script|style)", content, re.IGNORECASE):
        sys.exit(f"bundle.py: what goes into a {kind} element holds its end")
    if kind == "style":
        return f"<style>\n{content}\n</style>"
    mark = f' type="text/plain" id="{identity}"' if kind == "text" else ""
    return f"<script{mark}>\n{content}\n</script>"


def main():
    page, out, *folders = map(Path, sys.argv[1:])

    def inlined(match):
        kind, identity, names = match.groups()
        return element(kind, identity, "\n".join(find(name, folders) for name in names.split()))

    out.write_text(LINE.sub(inlined, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
