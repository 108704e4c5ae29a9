#!/usr/bin/env python3
"""The Python reference: pages made from the package's docstrings, its signatures and the types in drivers.pyi.

    .venv/bin/python scripts/site/reference_python.py        prints the pages

Needs the package (scripts/wheel test).
"""

import ast
import inspect
import re
from functools import cached_property
from pathlib import Path

import nhot
import nhot.dimod

STUB = Path(nhot.__file__).with_name("drivers.pyi")
ITEM = re.compile(r"^([\w, ]+) : (.*)$")
DEFAULT = re.compile(r"(?<=[\w\]])=(?=[\w'])")
ANNOTATION = re.compile(r"'([^']*)'")


def stubs():
    """{function: its declaration} of drivers.pyi."""
    tree = ast.parse(STUB.read_text())
    return {node.name: DEFAULT.sub(" = ", ast.unparse(node.args)) + f") -> {ast.unparse(node.returns)}"
            for node in tree.body if isinstance(node, ast.FunctionDef)}


def folded(name, rest):
    """A declaration with an argument a line where it is long."""
    text = f"{name}({rest}"
    if len(text) < 100:
        return text
    arguments, result = rest.rsplit(") -> ", 1)
    depth, parts = 0, [""]
    for c in arguments:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return f"{name}(\n" + "".join(f"    {part.strip()},\n" for part in parts) + f") -> {result}"


def declaration(name, function, known):
    if name in known:
        return folded(name, known[name])
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return f"{name}(...)"
    parameters = [p for p in signature.parameters.values() if p.name != "self"]
    text = ANNOTATION.sub(r"\1", str(signature.replace(parameters=parameters)))
    text = text if " -> " in text else text + " -> None"
    return folded(name, text[1:])


def prose(text):
    """A docstring as Markdown: `name : type` with what is indented below becomes an item of a list."""
    lines, item = [], None
    for line in re.sub(r"``(.+?)``", r"`\1`", text).splitlines():
        found = ITEM.match(line)
        if re.fullmatch(r"-+", line) and lines:
            lines[-1] = f"**{lines[-1]}**"
        elif found:
            lines += [*([] if item else [""]), f"- `{found[1]}`: {found[2]}"]
            item = found
        elif item and line.startswith("    "):
            if lines[-1].startswith("- "):
                lines[-1] = f"- `{item[1]}` ({item[2]}):"
            lines.append("  " + line.strip())
        else:
            lines.append(line)
            item = None
    return "\n".join(lines)


def function_part(name, function, known, level="##"):
    return [f"{level} {name}", "", "```python", declaration(name, function, known), "```", "", prose(inspect.getdoc(function) or ""), ""]


def members(cls):
    """What of a class is public and its own, or inherited from the package: (name, member), properties last."""
    found = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("nhot"):
            found.update({name: member for name, member in vars(base).items() if not name.startswith("_")})
    # Annotations, such as those of a NamedTuple, are no members.
    kinds = (property, cached_property, staticmethod, classmethod)
    return {name: m for name, m in found.items() if isinstance(m, kinds) or inspect.isfunction(m)}


def class_part(name, cls):
    out = [f"## {name}", "", prose(inspect.getdoc(cls) or ""), ""]
    held = members(cls)
    methods = {n: m for n, m in held.items() if not isinstance(m, (property, cached_property))}
    rows = []
    for n, m in held.items():
        if n in methods:
            continue
        function = m.fget if isinstance(m, property) else m.func
        kind = ANNOTATION.sub(r"\1", str(function.__annotations__.get("return", "")))
        text = " ".join((inspect.getdoc(m) or "").split())
        rows.append(row(n, kind, text))
    if rows:
        out += ["| attribute | type | what it is |", "|---|---|---|", *rows, ""]
    for n, m in methods.items():
        function = m.__func__ if isinstance(m, (staticmethod, classmethod)) else m
        out += function_part(f"{name}.{n}", function, {}, "###")
    return out


def row(name, kind, text):
    cells = [f"`{name}`", f"`{kind}`" if kind else "", re.sub(r"``(.+?)``", r"`\1`", text)]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def page(title, about, names, module):
    known = stubs()
    out = [f"# {title}", "", about, ""]
    for name in names:
        thing = getattr(module, name)
        out += class_part(name, thing) if inspect.isclass(thing) else function_part(name, thing, known)
    return "\n".join(out)


def pages():
    """{file: page}."""
    groups = {"drivers": [], "models": [], "results": []}
    for name in nhot.__all__:
        thing = getattr(nhot, name)
        home = "drivers" if name in stubs() else "models" if not inspect.isclass(thing) or name == "Model" else "results"
        groups[home].append(name)
    made = "Made from the package's docstrings and types by `scripts/site/reference_python.py`."
    about = {
        "drivers": ("Python: drivers", "The functions that run chains. " + made),
        "models": ("Python: models", "What gives an energy. " + made),
        "results": ("Python: results", "What the drivers return. " + made),
    }
    found = {name: page(*about[name], names, nhot) for name, names in groups.items()}
    public = [name for name, thing in vars(nhot.dimod).items()
              if not name.startswith("_") and getattr(thing, "__module__", "") == "nhot.dimod"]
    found["dimod"] = page("Python: nhot.dimod", (inspect.getdoc(nhot.dimod) or "").split("\n")[0] + " " + made, public, nhot.dimod)
    return found


if __name__ == "__main__":
    for text in pages().values():
        print(text)
