#!/usr/bin/env python3
"""Tables that one document takes from another are the same in both.

Between <!-- table: FILE, HEADER --> and <!-- /table --> a page shows the table of FILE (beside the page) whose first line begins
with HEADER. So a page that gives advice shows the figures that the measurements have now.

    scripts/quotes.py [--write]        --write copies the tables
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MARK = re.compile(r"(^<!-- table: (?P<file>\S+), (?P<header>.*?) -->\n)(?P<shown>.*?)(^<!-- /table -->$)", re.M | re.S)


def table(path, header):
    """The lines of the table that begins so."""
    lines = path.read_text(encoding="utf-8").splitlines()
    begins = [k for k, line in enumerate(lines) if line.startswith(header)]
    if len(begins) != 1:
        sys.exit(f"{path.relative_to(ROOT)} has {len(begins)} tables that begin with {header!r}, not one")
    end = begins[0]
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return "\n".join(lines[begins[0]:end]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="copy the tables")
    write = parser.parse_args().write
    stale = []
    for page in sorted((ROOT / "doc").rglob("*.md")):
        content = page.read_text(encoding="utf-8")
        right = MARK.sub(lambda m: m[1] + table(page.parent / m["file"], m["header"]) + m[5], content)
        if right != content:
            stale.append(page.relative_to(ROOT))
            if write:
                page.write_text(right, encoding="utf-8")
    for page in stale:
        print(f"{page}: {'tables copied' if write else 'a table is not that of the measurements; run: scripts/quotes.py --write'}")
    sys.exit(bool(stale) and not write)


if __name__ == "__main__":
    main()
