#!/usr/bin/env python3
"""Runs the examples of the documents, and compares what they print with what the documents show.

An example is what stands between the lines <!-- example --> and <!-- /example -->. Its ```sh and ```python blocks are
run, in order and in one folder for the whole page (Python in one process); the ```text block behind one of them is what
it printed. Times are left out of the comparison. A line "..." in the text stands for any lines. The mark may say more:

    <!-- example, long -->       run by make docs (--long), not by make test
    <!-- example, timed -->      ends by the clock: words are compared, numbers and verdicts are not
    <!-- example: remark -->     a remark, for readers of the source

    scripts/examples.py [--long] [--write] [PAGE...]      all pages of README.md and doc/ when none is named

--write puts what was printed into the pages. Needs build/nhot (or NHOT_BIN) and the Python package (scripts/wheel test).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MARK = re.compile(r"^<!-- example(?P<words>(?:, \w+)*)(?::[^>]*)? -->\n(?P<body>.*?)^<!-- /example -->$", re.M | re.S)
FENCE = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
WORDS = {"long", "timed"}
GUARD_SECONDS = 600

# Cells of a table whose numbers are times; the cells of a line are two spaces or more apart.
TIMES = re.compile(r"^(ESS/s|tau \(ms\)|CPU s|ns/move|seconds)$")
DURATION = re.compile(r"(?<![\w.])\d[\d.]* (s|ms|min)\b")
CELLS = re.compile(r" {2,}")
CLOCKED = re.compile(r"(?<!\S)([-+]?\d[\d.,]*(e[-+]?\d+)?( [kMG]\b)?|-|yes|no)(?!\S)")

# Runs the blocks that it is sent, one after the other in one namespace.
PYTHON = r"""
import json, os, sys
shown = {"__name__": "__main__"}
for line in sys.stdin:
    exec(compile(json.loads(line), "example", "exec"), shown)
    sys.stdout.flush()
    os.write(int(sys.argv[1]), b"done")
"""


class Failed(Exception):
    """An example that does not do what the page says."""


def pages(root=ROOT):
    """The documents that have examples."""
    found = [root / "README.md", *sorted((root / "doc").rglob("*.md"))]
    return [page for page in found if MARK.search(page.read_text(encoding="utf-8"))]


def plain(text, timed=False):
    """A printed text without what differs from run to run: a list of lines."""
    lines, timed_cells = [], []
    for line in text.rstrip().splitlines():
        cells = CELLS.split(line.rstrip())
        if any(TIMES.match(cell) for cell in cells):
            timed_cells = [k for k, cell in enumerate(cells) if TIMES.match(cell)]
        elif len(cells) < 3:
            timed_cells = []
        else:
            cells = ["(time)" if k in timed_cells else cell for k, cell in enumerate(cells)]
        line = "time" if cells[0] == "time" else DURATION.sub("(time)", "  ".join(cells))
        if timed:
            line = " ".join(CLOCKED.sub("#", line).split())
        lines.append(line)
    return lines


def same(shown, printed, timed=False):
    """Whether a page shows what was printed. Where numbers differ, lines are broken in other places."""
    between = " " if timed else "\n"
    wanted = between.join("(?s:.*?)" if line == "..." else re.escape(line) for line in plain(shown, timed))
    return re.fullmatch(wanted, between.join(plain(printed, timed))) is not None


class Session:
    """The folder in which the examples of a page run, and the Python process that they share."""

    def __init__(self, folder, binary, into_tree):
        self.folder = Path(folder)
        self.python_process = None
        programs = self.folder / ".programs"
        programs.mkdir()
        (programs / "nhot").symlink_to(binary)
        (programs / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        (programs / "python").chmod(0o755)
        (self.folder / "build").symlink_to(binary.parent)
        (self.folder / "examples").symlink_to(ROOT / "examples")
        if into_tree:  # long examples make the figures of the documents
            (self.folder / "doc").symlink_to(ROOT / "doc")
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}

    def run(self, kind, text):
        return self.run_sh(text) if kind == "sh" else self.run_python(text)

    def run_sh(self, text):
        done = subprocess.run(["bash", "-e"], input=text, cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=GUARD_SECONDS)
        if done.returncode != 0:
            raise Failed(f"exit {done.returncode}\n{done.stdout}")
        return done.stdout

    def run_python(self, text):
        if self.python_process is None:
            file = self.folder / ".printed"
            printing = open(file, "w", encoding="utf-8")
            self.printed = open(file, encoding="utf-8")  # reads from a place of its own
            self.signs, writing = os.pipe()
            self.python_process = subprocess.Popen([sys.executable, "-c", PYTHON, str(writing)], cwd=self.folder, env=self.environment,
                                                   text=True, stdin=subprocess.PIPE, stdout=printing, stderr=subprocess.STDOUT,
                                                   pass_fds=[writing])
            os.close(writing)
            printing.close()
        self.python_process.stdin.write(json.dumps(text) + "\n")
        self.python_process.stdin.flush()
        ended = os.read(self.signs, 4) != b"done"  # nothing when the process is gone
        said = self.printed.read()
        if ended:
            raise Failed(said)
        return said

    def close(self):
        if self.python_process is not None:
            self.python_process.kill()
            self.python_process.communicate()
            self.printed.close()
            os.close(self.signs)


def run_page(page, binary, long=False):
    """Runs the examples of a page: (what is wrong, as messages; the page with what was printed)."""
    content = page.read_text(encoding="utf-8")
    problems, pieces, begin = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        session = Session(folder, binary, long)
        try:
            for example in MARK.finditer(content):
                words = set(example["words"].replace(",", " ").split())
                if words - WORDS:
                    raise Failed(f"the mark of an example says {', '.join(words - WORDS)}; known: {', '.join(sorted(WORDS))}")
                if "long" in words and not long:
                    continue
                printed, before = None, ""
                for fence in FENCE.finditer(content, example.start("body"), example.end("body")):
                    if fence["kind"] in ("sh", "python"):
                        before = fence["text"]
                        try:
                            printed = session.run(fence["kind"], before)
                        except Failed as problem:
                            raise Failed(f"{before}\n{problem}") from None
                    elif fence["kind"] == "text" and printed is not None:
                        if not same(fence["text"], printed, "timed" in words):
                            problems.append(f"{before}\nprints\n\n{printed}\nand not\n\n{fence['text']}")
                            pieces += [content[begin:fence.start("text")], printed.rstrip() + "\n"]
                            begin = fence.end("text")
                        printed = None
        except Failed as problem:
            return [*problems, str(problem)], content
        finally:
            session.close()
    return problems, "".join([*pieces, content[begin:]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE")
    parser.add_argument("--long", action="store_true", help="the long ones, too")
    parser.add_argument("--write", action="store_true", help="put what was printed into the pages")
    given = parser.parse_args()
    binary = (ROOT / os.environ.get("NHOT_BIN", "build/nhot")).resolve()
    if not binary.is_file():
        sys.exit(f"{binary} is missing; run: make build")
    failed = False
    for page in [page.resolve() for page in given.pages] or pages():
        begin = time.monotonic()
        problems, content = run_page(page, binary, given.long)
        print(f"{page.relative_to(ROOT)}: {len(problems) or 'no'} differences, {time.monotonic() - begin:.1f} s", flush=True)
        if problems and given.write:
            page.write_text(content, encoding="utf-8")
        for problem in problems:
            print(problem)
        failed = failed or bool(problems)
    sys.exit(failed and not given.write)


if __name__ == "__main__":
    main()
