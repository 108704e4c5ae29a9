#!/usr/bin/env python3
"""Writes python/nhot/drivers.pyi, the types of the functions whose keywords are the library's options.

    .venv/bin/python scripts/stubs.py [--check]

Needs the package in the environment (scripts/wheel test).
"""

import inspect
import sys
from pathlib import Path

import nhot
from nhot import _core, drivers

TARGET = Path(__file__).resolve().parents[1] / "python" / "nhot" / "drivers.pyi"
HEAD = '''"""Types of drivers.py, written by scripts/stubs.py from the declarations of the options."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from .models import Model
from .results import Annealed, Comparison, LogZ, Profile, Run, StoredRun, TemperedRun, Tuning

Seed = int | np.random.SeedSequence | np.random.Generator
Progress = bool | Callable[[str, float, float, float], bool | None] | None
Observables = Mapping[str, Callable[[np.ndarray], float]] | None
'''
OWN = {"model": "Any", "distance": "int | None", "groups": "Any", "free": "Any", "reference": "Any",
       "start": "Any",
       "observables": "Observables", "progress": "Progress", "comm": "Any"}

BANDS = {("profile", "distance"): "tuple[int, int] | range | str | None"}


def type_of(option: dict) -> str:
    name, words = option["name"], option["choices"]
    if name == "seed":
        return "Seed | None"
    if name == "betas":
        return "str | Sequence[float] | np.ndarray | None"
    if option["repeatable"]:
        return "str | Sequence[str] | None"
    literal = f"Literal[{', '.join(repr(word) for word in words)}]" if words else ""
    if literal and option["type"] == "str":
        return f"{literal} | None"
    return f"{option['type']} | {literal} | None" if literal else f"{option['type']} | None"


def stub_of(name: str) -> str:
    function = getattr(drivers, name)
    options = {option["name"].replace("-", "_"): option for option in _core.options_of(name)}
    lines, starred = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            lines.append("    *,")
            starred = True
        kind = BANDS.get((name, parameter.name)) or OWN.get(parameter.name) or type_of(options[parameter.name])
        default = "" if parameter.default is inspect.Parameter.empty else " = None"
        lines.append(f"    {parameter.name}: {kind}{default},")
    result = inspect.signature(function).return_annotation
    return f"def {name}(\n" + "\n".join(lines) + f"\n) -> {result}: ...\n"


def main() -> int:
    parts = [HEAD, *(stub_of(name) for name in ("sample", "temper", "compare", "anneal", "logz", "profile", "tune")),
             "def load_run(path: str | os.PathLike[str]) -> StoredRun: ...\n"]
    text = "\n".join(parts)
    if "--check" in sys.argv[1:]:
        if TARGET.read_text() == text:
            return 0
        print(f"{TARGET.name} is not what the options say; run: .venv/bin/python scripts/stubs.py", file=sys.stderr)
        return 1
    TARGET.write_text(text)
    print(f"{TARGET}: nhot {nhot.__version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
