"""The figure of a search for the best move."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

_FAINTEST = 0.02  # of the chosen move: what is slower looks the same


class _Search:
    """The facts of a search, with rates relative to the chosen move."""

    def __init__(self, facts: dict[str, Any]):
        self.facts = facts
        self.trials = [trial for trial in facts["trials"] if trial["log_gain"] is not None]
        self.silent = len(facts["trials"]) - len(self.trials)

    def rate(self, trial: dict[str, Any]) -> float:
        return float(np.exp(trial["log_gain"]))

    def surface(self, fixed: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Lengths, gammas, and rates (gamma, length)."""
        points = [point for point in self.facts["surface"] if _is_fixed(point) == fixed]
        lengths = sorted({point["length_max"] for point in points})
        gammas = sorted({point["gamma"] for point in points})
        rates = np.full((len(gammas), len(lengths)), np.nan)
        for point in points:
            at = gammas.index(point["gamma"]), lengths.index(point["length_max"])
            rates[at] = np.exp(point["log_gain"])
        return np.array(lengths, dtype=float), np.array(gammas), rates

    def walks(self, fixed: bool) -> list[dict[str, Any]]:
        """The trials of the kind and bias that the surface is of."""
        like = _family(self.facts["surface"][0]["move"])
        return [trial for trial in self.trials
                if "length_max" in trial and _family(trial["move"]) == like and _is_fixed(trial) == fixed]


def _is_fixed(walk: dict[str, Any]) -> bool:
    return walk["length_min"] == walk["length_max"] > 1


def _family(move: str) -> tuple[str, str]:
    """Kind and bias of a walk."""
    bias = re.search(r"bias=(\w+)", move)
    return move.partition(":")[0], bias.group(1) if bias else "logistic"


def _edges(centres: np.ndarray) -> np.ndarray:
    """Of cells around points on a log axis."""
    logs = np.log(centres)
    steps = np.diff(logs) / 2 if len(logs) > 1 else np.array([0.2])
    return np.exp(np.concatenate([[logs[0] - steps[0]], logs[:-1] + steps[:len(logs) - 1], [logs[-1] + steps[-1]]]))


def _plain_ticks(axis: Any, at: list[float]) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    axis.set_major_locator(FixedLocator(at))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def _decades(low: float, high: float) -> list[float]:
    return [step * 10.0**power for power in range(-6, 7) for step in (1, 2, 5) if low <= step * 10.0**power <= high]


def _draw_surface(figure: Any, search: _Search) -> None:
    from matplotlib.colors import LogNorm

    panels = [fixed for fixed in (False, True) if len(search.surface(fixed)[0])]
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    shown = np.concatenate([search.surface(fixed)[2].ravel() for fixed in panels])
    highest = max([1.0, float(np.nanmax(shown)), *(search.rate(walk) for f in panels for walk in search.walks(f))])
    lowest = max(_FAINTEST, min(0.5, float(np.nanmin(shown))))
    style = {"cmap": "viridis", "norm": LogNorm(lowest, highest)}
    kind, bias = _family(search.facts["surface"][0]["move"])
    image = None
    for axis, fixed in zip(axes, panels):
        lengths, gammas, rates = search.surface(fixed)
        image = axis.pcolormesh(_edges(lengths), _edges(gammas), rates, **style)
        walks = search.walks(fixed)
        axis.scatter([walk["length_max"] for walk in walks], [walk["gamma"] for walk in walks],
                     c=[search.rate(walk) for walk in walks], s=46, edgecolors="white", linewidths=1.2, **style)
        axis.set(xscale="log", yscale="log", title=f"{kind}, {bias} bias, " + ("length L" if fixed else "length 1..L"),
                 xlabel="L")
        _plain_ticks(axis.xaxis, _decades(*axis.get_xlim()))
        _plain_ticks(axis.yaxis, [float(gamma) for gamma in gammas[::-2]])
    axes[0].set_ylabel("gamma / beta")
    bar = figure.colorbar(image, ax=list(axes), extend="min", label="rate, of the chosen move's")
    _plain_ticks(bar.ax.yaxis, _decades(lowest, highest))


def _draw_trials(axis: Any, search: _Search) -> None:
    latest = {trial["move"]: search.rate(trial) for trial in search.trials}
    rows = {move: k for k, move in enumerate(sorted(latest, key=latest.__getitem__))}
    last = max((trial["round"] for trial in search.trials), default=0)
    axis.axvline(1, color="0.8", lw=0.8, zorder=0)
    for name, colour, latest_only in (("earlier rounds", "0.65", False), ("last round", "#31688e", True)):
        trials = [trial for trial in search.trials if (trial["round"] == last) == latest_only]
        seen = [trial for trial in trials if search.rate(trial) >= _FAINTEST]
        rates = np.array([search.rate(trial) for trial in seen])
        errors = np.array([trial["error"] for trial in seen])
        axis.errorbar(rates, [rows[trial["move"]] for trial in seen],
                      xerr=rates * np.array([1 - np.exp(-errors), np.exp(errors) - 1]).reshape(2, -1),
                      fmt="o", ms=4, lw=1, color=colour, label=name if trials else None)
        slower = [rows[trial["move"]] for trial in trials if search.rate(trial) < _FAINTEST]
        axis.plot([_FAINTEST] * len(slower), slower, "<", ms=4, color=colour)
    high = max([1.0, *latest.values()])
    axis.set(xscale="log", xlim=(0.85 * _FAINTEST, 2 * high), ylim=(-0.7, len(rows) - 0.3),
             xlabel="effective draws per second, relative to the chosen move")
    axis.set_yticks(list(rows.values()), list(rows), fontsize=7)
    axis.grid(axis="y", color="0.93")
    axis.set_axisbelow(True)
    _plain_ticks(axis.xaxis, _decades(0.85 * _FAINTEST, 2 * high))
    if search.trials:
        axis.legend(loc="lower right", fontsize="small", frameon=False)


def figure_of(facts: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt

    search = _Search(facts)
    rows = len({trial["move"] for trial in search.trials})
    below = 1.0 + 0.2 * rows
    above = 3.4 if facts["surface"] else 0.0
    figure = plt.figure(figsize=(10, above + below + 0.4), layout="constrained")
    parts = figure.subfigures(2, 1, height_ratios=(above, below)) if above else [None, figure]
    if above:
        _draw_surface(parts[0], search)
    _draw_trials(parts[1].subplots(), search)
    silent = f", {search.silent} without a value" if search.silent else ""
    figure.suptitle(f"{facts['move']}\nbest of {len(facts['trials'])} trials{silent}", fontsize="medium")
    return figure
