#!/usr/bin/env python3
"""The maps match the tree. Between <!-- tree --> and <!-- /tree --> a document shows the folders that
exist, with the descriptions of rooms.py; paths in backticks (README, ARCHITECTURE, CONTRIBUTING) and
relative links (every Markdown file) lead somewhere. --write rewrites the trees."""

import re

import rooms
import tree

TREE = re.compile(r"(<!-- tree -->\n)(.*?)(<!-- /tree -->)", re.DOTALL)
MAPS = ("README.md", "ARCHITECTURE.md")  # must hold a tree
PAGES = MAPS + ("CONTRIBUTING.md",)
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")
PATH = re.compile(r"^\.?\w[\w.+*-]*(/[\w.+*-]+)*/?$")
SUFFIX = re.compile(r"\.(md|txt|cpp|hpp|py|json|cff|sh|ini|cmake)$")
MADE = ("build", "results", ".venv")  # made by commands, not part of the tree


def folders(root):
    """(top-level folders, rooms of src/nhot) that hold files."""
    found = tree.files(root)
    top = {p.parts[0] for p in found if len(p.parts) > 1 and not p.parts[0].startswith(".")}
    inside = {p.parts[2] for p in found if p.parts[:2] == ("src", "nhot") and len(p.parts) > 3}
    return top, inside


def render(root):
    """The tree as it should be shown, and the folders that have no description."""
    top, inside = folders(root)
    lines = []
    for folder, text in rooms.FOLDERS.items():
        if folder == "src/nhot":
            lines.append(f"{'src/nhot/':14}{text}")
            lines += [f"{'  ' + r + '/':14}{t}" for r, t in rooms.ROOMS.items() if r in inside]
        elif folder in top:
            lines.append(f"{folder + '/':14}{text}")
    unknown = [f"{f}/" for f in sorted(top - {"src"} - set(rooms.FOLDERS))]
    unknown += [f"src/nhot/{r}/" for r in sorted(inside - set(rooms.ROOMS))]
    return "```text\n" + "\n".join(lines) + "\n```\n", unknown


def looks_like_path(word):
    if not PATH.match(word) or word.split("/")[0].startswith(MADE):
        return False
    return "/" in word or bool(SUFFIX.search(word))


def leads_somewhere(root, word, start):
    """A path or a pattern with *, from the root, from src/, or from the page's own folder."""
    return any(any(base.glob(word.rstrip("/"))) for base in (root, root / "src", start))


def check_page(root, page, content, problems):
    prose = FENCE.sub("", TREE.sub("", content))
    start = (root / page).parent
    for target in LINK.findall(prose):
        if "://" not in target and not target.startswith("mailto:") and not (start / target).exists():
            problems.append(f"{page}: the link to {target} leads nowhere")
    if str(page) in PAGES:
        for word in CODE.findall(prose):
            if looks_like_path(word) and not leads_somewhere(root, word, start):
                problems.append(f"{page}: `{word}` does not exist")


def main():
    args = tree.arguments(__doc__, write="rewrite the trees in the documents")
    root = args.root
    right, unknown = render(root)
    problems = [f"{u} has no description in scripts/check/rooms.py" for u in unknown]
    for page in tree.sources(root, (".md",)):
        content = tree.text(root, page) or ""
        shown = TREE.search(content)
        if shown and args.write:
            content = TREE.sub(lambda m: m[1] + right + m[3], content)
            (root / page).write_text(content, encoding="utf-8")
        elif shown and shown[2] != right:
            problems.append(f"{page}: the tree is out of date; run: make maps")
            have, want = (set(s.splitlines()) for s in (shown[2], right))
            problems += [f"  shown, but not so: {line}" for line in sorted(have - want)]
            problems += [f"  missing: {line}" for line in sorted(want - have)]
        check_page(root, page, content, problems)
    for page in MAPS:
        if not TREE.search((root / page).read_text() if (root / page).exists() else ""):
            problems.append(f"{page}: no tree between <!-- tree --> and <!-- /tree -->")
    tree.finish(problems, "the documents' trees, paths and links match the folders")


if __name__ == "__main__":
    main()
