#!/usr/bin/env python3
"""One-way layers: a room of src/nhot includes only itself and rooms before it; the core rooms include
nothing from outside the standard library; every included file exists."""

import re

import rooms
import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
OUTSIDE = re.compile(r"^(netcdf|hdf5|H5|nlohmann/|CLI/|toml\+\+/|mpi)")
ORDER = list(rooms.ROOMS)


def room_of(path):
    """The room of a file of src/nhot, or None."""
    parts = path.parts
    return parts[2] if parts[:2] == ("src", "nhot") and len(parts) > 3 else None


def check_include(path, line, quoted, name, root):
    here = f"{path}:{line}"
    room = room_of(path)
    if not name.startswith("nhot/"):
        if room in rooms.CORE and OUTSIDE.match(name):
            return f"{here}: {name}: the core needs only the standard library; move this to io/"
        if room and quoted:
            return f'{here}: "{name}": include as "nhot/room/file.hpp"'
        return None
    if not (root / "src" / name).is_file():
        return f"{here}: {name} does not exist"
    target = room_of(tree.Path("src") / name)
    if room is None or target is None:
        return None
    if target not in ORDER:
        return f"{here}: {target}/ is not a room of scripts/check/rooms.py"
    if ORDER.index(target) > ORDER.index(room):
        return f"{here}: {room}/ may not include {target}/, which comes after it"
    return None


def main():
    root = tree.arguments(__doc__).root
    problems, seen = [], 0
    for path in tree.sources(root):
        room = room_of(path)
        if room is not None and room not in ORDER:
            problems.append(f"{path}: {room}/ is not a room of scripts/check/rooms.py")
            continue
        content = tree.text(root, path) or ""
        for match in INCLUDE.finditer(content):
            seen += 1
            line = content.count("\n", 0, match.start(2)) + 1
            problems.append(check_include(path, line, match[1] == '"', match[2], root))
    tree.finish([p for p in problems if p], f"{seen} includes, all from the same room or one before it")


if __name__ == "__main__":
    main()
