#!/usr/bin/env python3
"""The C++ reference: pages made from the comments and declarations of the public headers.

Public are the headers that nhot/nhot.hpp includes, those that the programs in examples/ include besides, and those that
doc/library.md names. Of a header the page has the comment at its top, and every declaration with the comment above it: functions
without bodies, classes without their private members. The sources are laid out by clang-format, which is what makes
this reader of lines sufficient.

    scripts/site/reference_cpp.py [ROOM]        prints the pages
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^#include ["<]nhot/(.*?)[">]', re.M)
NAMED = re.compile(r"`src/nhot/([\w/]+\.hpp)`")
LITERAL = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//.*')
NAME = re.compile(r"\b(?:class|struct|enum class|enum|concept|using)\s+(\w+)")
FUNCTION = re.compile(r"(\w+|operator\S+)\s*\($")


def public_headers(root=ROOT):
    """Paths below src/nhot, in the order of the rooms."""
    named = INCLUDE.findall((root / "src/nhot/nhot.hpp").read_text())
    for program in sorted((root / "examples").glob("*.cpp")):
        named += INCLUDE.findall(program.read_text())
    named += NAMED.findall((root / "doc/library.md").read_text())
    return [name for name in dict.fromkeys(named) if name != "nhot.hpp" and (root / "src/nhot" / name).is_file()]


def bare(line):
    """A line without comments and literals, for counting brackets."""
    return LITERAL.sub(lambda found: "" if found[0].startswith("//") else '""', line)


def depth_of(line):
    text = bare(line)
    return sum(text.count(c) for c in "({[") - sum(text.count(c) for c in ")}]")


def pieces(lines):
    """The comments and declarations of a scope: (lines of comment, lines of declaration, whether it directly follows the one
    before and so shares its comment)."""
    comment, declaration, depth, follows = [], [], 0, False
    for line in lines:
        text = line.strip()
        if not declaration and (not text or text.startswith("#")):
            if comment:
                yield comment, [], False
            comment, follows = [], False
            continue
        if not declaration and text.startswith("//"):
            comment.append(line)
            continue
        declaration.append(line)
        depth += depth_of(line)
        end = bare(line).rstrip()
        if depth == 0 and (end.endswith((";", "}")) or re.fullmatch(r"\s*(public|private|protected):", end)):
            yield comment, declaration, follows and not comment
            comment, declaration, follows = [], [], True
    if comment:
        yield comment, [], False


def without_body(lines):
    """A function's declaration: what is before its body, or before the list of what a constructor initialises."""
    text = "\n".join(lines)
    depth = 0
    for k, c in enumerate(bare_text(text)):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and (c == "{" or (c == ":" and text[k - 1:k] == " " and text[k + 1:k + 2] == " ")):
            return text[:k].rstrip() + ";"
    return text


def bare_text(text):
    """The text with literals and comments blanked out, every character in its place."""
    return LITERAL.sub(lambda found: "_" * len(found[0]), text)


def head(lines):
    """What comes before the first bracket that holds a body or arguments, on one line."""
    return " ".join(bare(line).strip() for line in lines)


def is_class(lines):
    return re.match(r"(template <.*?> )?(class|struct) \w+[^;(]*\{", head(lines)) is not None


def members(lines):
    """The body of a class without its private part."""
    opening = next(k for k, line in enumerate(lines) if bare(line).rstrip().endswith("{"))
    visible = not re.search(r"\bclass\b", head(lines[:opening + 1]))
    shown = lines[:opening + 1] if visible else [*lines[:opening + 1], " public:"]
    for comment, declaration, _ in pieces(lines[opening + 1:-1]):
        access = re.fullmatch(r"\s*(public|private|protected):", "".join(declaration[:1]).rstrip())
        if access:
            visible = access[1] != "private"
        elif visible:
            inner = members(declaration) if is_class(declaration) else shown_declaration(declaration)
            shown = [*shown, *comment, *inner]
    return [*shown, lines[-1]]


def shown_declaration(lines):
    if not lines:
        return []
    text = head(lines)
    if is_class(lines):
        return members(lines)
    is_function = re.match(r"[^={]*\(", re.sub(r"^template <.*?> ", "", text)) and not re.match(r"(enum|using|concept|template <[^>]*> concept)\b", text)
    return without_body(lines).split("\n") if is_function else lines


def name_of(lines):
    text = re.sub(r"^template <.*?>+ (?=\w)", "", head(lines))
    found = NAME.match(text) or re.match(r"(?:template <.*> )?concept (\w+)", text)
    if found:
        return found[1]
    before = text.split("(")[0] + "(" if "(" in text.split("=")[0].split("{")[0] else None
    if before and (function := FUNCTION.search(before)):
        return function[1] + "()"
    variable = re.search(r"(\w+)\s*(?:=|\{|;)", text)
    return variable[1] if variable else None


def prose(comment):
    """A comment as Markdown. Lines that are indented by two spaces or more are code."""
    lines = [re.sub(r"^\s*///? ?", "", line) for line in comment]
    indents = [len(line) - len(line.lstrip()) for line in lines if line.startswith("  ")]
    deeper = " " * max(0, 4 - min(indents, default=4))
    out = []
    for line, before in zip(lines, ["", *lines]):
        is_code, was_code = line.startswith("  "), before.startswith("  ")
        if is_code != was_code and before.strip() and line.strip():
            out.append("")
        out.append(deeper + line if is_code else line.replace("<", "&lt;").replace(">", "&gt;"))
    return "\n".join(out)


def header_page(path, text):
    """The part of a page about one header."""
    lines = text.split("\n")
    top = []
    while lines and lines[0].startswith("//"):
        top.append(lines.pop(0))
    body, hidden, depth = [], None, 0
    for line in lines:
        if hidden is not None:  # a namespace of its own inside: details
            depth += depth_of(line)
            hidden = None if depth == 0 else hidden
        elif re.match(r"namespace nhot \{|namespace nhot::\w+ \{|\}  // namespace|#pragma|#include", line):
            body.append("")
        elif re.match(r"(inline )?namespace \w*", line):
            hidden, depth = line, depth_of(line)
        else:
            body.append(line)
    out = [f"## {path}", "", f"`#include <nhot/{path}>`", "", prose(top), ""]
    before = None
    for comment, declaration, follows in pieces(body):
        name = name_of(declaration) if declaration else None
        if not name or re.match(r"(class|struct) \w+;$", head(declaration)) or head(declaration).startswith("extern template"):
            continue
        shown = [*shown_declaration(declaration), "```", ""]
        if before and not comment and (follows or name == before):
            out[-2:] = shown
        else:
            out += [f"### {name}", "", prose(comment), "", "```cpp", *shown]
        before = name
    return "\n".join(out)


def pages(root=ROOT):
    """{room: page} of the public headers."""
    found = {}
    for path in public_headers(root):
        found.setdefault(path.split("/")[0], []).append(header_page(path, (root / "src/nhot" / path).read_text()))
    heads = "Made from the headers of `src/nhot/{0}` by `scripts/site/reference_cpp.py`; everything is in the namespace `nhot`.\n\n"
    return {room: f"# C++: {room}\n\n" + heads.format(room) + "\n".join(parts) for room, parts in found.items()}


if __name__ == "__main__":
    for room, page in pages().items():
        if room in (sys.argv[1:] or [room]):
            print(page)
