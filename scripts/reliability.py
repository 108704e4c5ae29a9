#!/usr/bin/env python3
"""The figures of doc/reliability.md, as the commands print them.

    scripts/reliability.py NAME COMMAND...   runs a command, shows what it prints and keeps it in results/reliability/NAME.txt,
                                             below the command and the processor; the exit code is the command's
    scripts/reliability.py --write           puts what is kept between <!-- measured: NAME --> and <!-- /measured --> of the page
"""

import datetime
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "results" / "reliability"
PAGE = ROOT / "doc" / "reliability.md"
MARK = re.compile(r"(^<!-- measured: (?P<name>\w+) -->\n)(.*?)(^<!-- /measured -->$)", re.M | re.S)

sys.path.insert(0, str(ROOT / "bench"))
from machine import describe  # noqa: E402


def run(name, command):
    """Runs it, and keeps what it prints however it ends."""
    KEPT.mkdir(parents=True, exist_ok=True)
    begin = datetime.date.today()
    load = os.getloadavg()[0]
    words = [word.removeprefix(f"{ROOT}/") for word in command]
    lines = [f"$ {shlex.join(words)}\n", f"{describe()}; load of other work at the start {load:.1f}; {begin}\n"]
    kept = KEPT / f"{name}.txt"
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
            kept.write_text("".join([*lines, "(not ended)\n"]), encoding="utf-8")
    if process.returncode != 0:
        lines.append(f"exit code {process.returncode}\n")
    kept.write_text("".join(lines), encoding="utf-8")
    return process.returncode


def write():
    """What is kept goes to the page; what was not run stays."""

    def block(match):
        kept = KEPT / f"{match['name']}.txt"
        if not kept.exists():
            return match[0]
        return f"{match[1]}```text\n{kept.read_text(encoding='utf-8')}```\n{match[4]}"

    PAGE.write_text(MARK.sub(block, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def main():
    words = sys.argv[1:]
    if words == ["--write"]:
        return write()
    if len(words) < 2 or words[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    return run(words[0], words[1:])


if __name__ == "__main__":
    sys.exit(main())
