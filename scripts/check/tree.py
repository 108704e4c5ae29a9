"""What the checks share: the files of the tree, and one way to report."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

CPP = (".cpp", ".hpp")
MADE = re.compile(r"(build(-.*)?|results|\.venv|\.git)/|(.*/)?(node_modules|__pycache__)/")


def arguments(description, **flags):
    """Parses --root and the given flags (name=help for a switch)."""
    parser = argparse.ArgumentParser(description=description)
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("--root", type=Path, default=root, help="the tree to check")
    for name, text in flags.items():
        parser.add_argument("--" + name, action="store_true", help=text)
    return parser.parse_args()


def files(root):
    """Files that are, or could be, part of a commit: paths relative to root, sorted."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (root / ".git").exists():
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found = {Path(name) for name in listed.split("\0") if name}
    else:
        found = {p.relative_to(root) for p in root.rglob("*")}
        found = {p for p in found if not MADE.match(p.as_posix())}
    return sorted(p for p in found if (root / p).is_file())


def sources(root, suffixes=CPP):
    return [p for p in files(root) if p.suffix in suffixes]


def text(root, path):
    """The file's text, or None when it is not text."""
    try:
        return (root / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def finish(problems, good):
    """Prints the problems and leaves: exit 1 when there are any."""
    for problem in problems:
        print(problem)
    if problems:
        count = len(problems)
        print(f"{count} problem{'s' if count > 1 else ''}")
        sys.exit(1)
    print(good)
