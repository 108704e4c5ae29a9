"""A tqdm bar while a driver runs, where there is tqdm and somebody who looks."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

Show = Callable[[str, float, float, float], Any]
A = TypeVar("A")
R = TypeVar("R")


def _notebook() -> bool:
    shell = sys.modules.get("IPython")
    return bool(shell and shell.get_ipython() is not None and "IPKernelApp" in shell.get_ipython().config)


class Progress:
    """``Progress(wanted).run(...)`` runs a driver.

    ``wanted``: None shows a bar in terminals and notebooks, True always, False never; or a function of
    (phase, fraction, seconds, moves), which ends the run by returning True.
    """

    def __init__(self, wanted: bool | Show | None):
        self._bar: Any = None
        self._tqdm: Any = None
        self._wanted = wanted if callable(wanted) else None
        self._asked_to_end = False
        if self._wanted is not None:
            return
        if wanted or (wanted is None and (_notebook() or sys.stderr is not None and sys.stderr.isatty())):
            try:
                from tqdm.auto import tqdm
            except ImportError:
                if wanted:
                    raise ImportError("a progress bar needs tqdm: pip install tqdm") from None
                return
            self._tqdm = tqdm

    def _ask(self, phase: str, fraction: float, seconds: float, moves: float) -> bool:
        if self._wanted is not None and not self._asked_to_end:
            self._asked_to_end = self._wanted(phase, fraction, seconds, moves) is True
        return self._asked_to_end

    def _draw(self, phase: str, fraction: float, seconds: float, moves: float) -> None:
        if self._bar is None:
            self._bar = self._tqdm(total=1.0, bar_format="{desc}: {percentage:3.0f}%|{bar}| {postfix}", leave=False)
        self._bar.set_description_str(phase, refresh=False)
        unit = "trials" if phase == "tuning" else "moves"
        self._bar.set_postfix_str(f"{moves:,.0f} {unit}, {seconds:.0f} s", refresh=False)
        self._bar.n = min(1.0, fraction)
        self._bar.refresh()

    def _show(self) -> Show | None:
        if self._wanted is not None:
            return self._ask
        return None if self._tqdm is None else self._draw

    def run(self, call: Callable[[Show | None], A], make: Callable[[A], R]) -> R:
        """make(call(show)), with a warning to the caller of the driver when Ctrl-C has ended it. The core calls
        ``show``."""
        try:
            answer = call(self._show())
        finally:
            if self._bar is not None:
                self._bar.close()
        result = make(answer)
        if result.interrupted and not self._asked_to_end:  # type: ignore[attr-defined]
            warnings.warn("interrupted; the result holds what was done until then", stacklevel=3)
        return result
