"""A tqdm bar while a driver runs, where there is tqdm and somebody who looks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any


def _notebook() -> bool:
    shell = sys.modules.get("IPython")
    return bool(shell and shell.get_ipython() is not None and "IPKernelApp" in shell.get_ipython().config)


class Progress:
    """``with Progress(wanted) as show:`` gives what the core calls, or None.

    ``wanted``: None shows a bar in terminals and notebooks, True always, False never; or a function of
    (phase, fraction, seconds, moves).
    """

    def __init__(self, wanted: bool | Callable[[str, float, float, float], None] | None):
        self._bar: Any = None
        self._show: Callable[[str, float, float, float], None] | None = None
        if callable(wanted):
            self._show = wanted
        elif wanted or (wanted is None and (_notebook() or sys.stderr is not None and sys.stderr.isatty())):
            try:
                from tqdm.auto import tqdm
            except ImportError:
                if wanted:
                    raise ImportError("a progress bar needs tqdm: pip install tqdm") from None
                return
            self._tqdm = tqdm
            self._show = self._draw

    def _draw(self, phase: str, fraction: float, seconds: float, moves: float) -> None:
        if self._bar is None:
            self._bar = self._tqdm(total=1.0, bar_format="{desc}: {percentage:3.0f}%|{bar}| {postfix}", leave=False)
        self._bar.set_description_str(phase, refresh=False)
        self._bar.set_postfix_str(f"{moves:,.0f} moves, {seconds:.0f} s", refresh=False)
        self._bar.n = min(1.0, fraction)
        self._bar.refresh()

    def __enter__(self) -> Callable[[str, float, float, float], None] | None:
        return self._show

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.close()
