"""Keywords of the drivers, from the declarations that the command line reads."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core
from ._inputs import as_seed

_TYPES = {"bool": bool, "int": int, "float": float, "str": str}


def _text(name: str, value: Any) -> str:
    if name == "seed":
        return str(as_seed(value))
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _text(name, value.item())
    if isinstance(value, (list, tuple, np.ndarray)):  # betas
        return ",".join(_text(name, one) for one in value)
    if isinstance(value, str):
        return value
    raise ValueError(f"{name} is {value!r}; give a number or a text")


def given_options(driver: str, keywords: dict[str, Any]) -> list[tuple[str, str]]:
    """Keywords as names and texts of options; None is the same as not given."""
    known = {option["name"]: option for option in _core.options_of(driver)}
    given = []
    for keyword, value in keywords.items():
        name = keyword.replace("_", "-")
        if name not in known:
            there = ", ".join(other.replace("-", "_") for other in known)
            raise TypeError(f"nhot.{driver}() has no option {keyword!r}; there are: {there}")
        if value is None:
            continue
        if known[name]["repeatable"] and isinstance(value, (list, tuple, np.ndarray)):
            given += [(name, _text(name, one)) for one in value]
        else:
            given.append((name, _text(name, value)))
    return given


def _default(option: dict[str, Any]) -> Any:
    text = option["default"]
    if text == "":
        return None
    if option["type"] == "bool":
        return text == "true"
    if text in option["choices"]:
        return text
    return _TYPES[option["type"]](float(text)) if option["type"] in ("int", "float") else text


def documented(driver: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a function the signature and the docstring of its options."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        options = _core.options_of(driver)
        own = inspect.signature(function)
        parameters = [p for p in own.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        lines = []
        for option in options:
            keyword = option["name"].replace("-", "_")
            if keyword not in own.parameters:
                parameters.append(inspect.Parameter(keyword, inspect.Parameter.KEYWORD_ONLY, default=None))
            default = _default(option)
            shown = "" if default is None else f", default {default!r}"
            words = " or ".join(["", *(repr(c) for c in option["choices"])]) if option["choices"] else ""
            lines.append(f"{keyword} : {option['type']}{words}{shown}")
            lines.append(textwrap.fill(option["help"], 92, initial_indent="    ", subsequent_indent="    "))
        order = {kind: k for k, kind in enumerate((inspect.Parameter.POSITIONAL_ONLY,
                                                   inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                                   inspect.Parameter.KEYWORD_ONLY))}
        parameters.sort(key=lambda p: order[p.kind])
        function.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        function.__doc__ = inspect.cleandoc(function.__doc__ or "") + "\n\nOptions\n-------\n" + "\n".join(lines)
        return function

    return decorate
