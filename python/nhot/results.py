"""What the drivers return: draws as arrays, summaries, verdicts, figures."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from . import _core
from ._draws import Draws, Result
from ._export import need
from ._options import given_options
from ._progress import Progress
from .models import Model

_COLUMNS = ("energy", "accepted", "acceptance_rate", "saw_length", "hamming_move")


def observable_list(given: Mapping[str, Any] | None) -> list[tuple[str, str, Any]]:
    """(name, help, function) for the core."""
    if given is not None and not isinstance(given, Mapping):
        raise ValueError("observables is no dictionary; give {name: function of a state}")
    result = []
    for name, function in (given or {}).items():
        if not isinstance(name, str) or not callable(function):
            raise ValueError(f"the observable {name!r} is no function of a state; give {{name: function}}")
        result.append((name, ((function.__doc__ or "").strip() or name).splitlines()[0], function))
    return result


def keeps(states: Any) -> bool:
    """Whether the option ``states`` asks for any."""
    return states is None or states == "auto" or float(states) != 0


def _or_nan(number: float | None) -> float:
    return float("nan") if number is None else float(number)


class Run(Draws):
    """A run of nhot.sample()."""

    def __init__(self, core: _core.SampleRun, model: Model, functions: Mapping[str, Any], keeps_states: bool = True):
        self._core = core
        self.model = model
        self._functions = dict(functions)
        self._facts = core.facts()
        self._keeps_states = keeps_states

    def _columns(self) -> dict[str, np.ndarray]:
        return self._core.columns(False)

    def _observables(self) -> dict[str, tuple[np.ndarray, str, bool]]:
        return self._core.observables(False)

    def _states(self, packed: bool) -> np.ndarray:
        return self._core.states(packed)

    def _site_means(self) -> tuple[np.ndarray, np.ndarray]:
        return self._core.site_means()

    def _state_draws(self) -> np.ndarray:
        return self._core.state_draws()

    def text(self, width: int = 100) -> str:
        return self._core.text(width)

    @cached_property
    def warmup_energy(self) -> np.ndarray:
        """Energies of the warm-up, (chain, draw)."""
        return self._core.columns(True)["energy"]

    @property
    def best(self) -> "State | None":
        """The draw of the lowest energy, also where thinning has dropped it."""
        found = self._core.best()
        return None if found is None else State(self.model, found[1], found[0])

    def extend(self, *, moves: int | None = None, seconds: float | None = None, threads: int | str | None = None,
               states: int | str | None = None, verify: bool | None = None, until: str | None = None,
               ess: int | None = None, progress: Any = None) -> "Run":
        """The same chains for so many moves (or seconds) more: a new run with all draws. ``threads``, ``states``,
        ``verify``, ``until`` and ``ess`` may differ from those of the run; the rest is as it was."""
        if (moves is None) == (seconds is None):
            raise ValueError("give either moves or seconds: run.extend(moves=10_000)")
        more = given_options("sample", {"moves": moves, "seconds": seconds, "threads": threads, "states": states,
                                        "verify": verify, "until": until, "ess": ess})
        keeps_states = self._keeps_states if states is None else keeps(states)
        followed = observable_list(self._functions)
        return Progress(progress).run(lambda show: self._core.extend(more, followed, show),
                                      lambda core: Run(core, self.model, self._functions, keeps_states))


class Rung(Draws):
    """One temperature of a tempering run."""

    def __init__(self, core: _core.TemperRun, model: Model, rung: int, facts: dict[str, Any], keeps_states: bool):
        self._core = core
        self.model = model
        self._rung = rung
        self._facts = facts
        self._keeps_states = keeps_states
        self.beta = core.beta(rung)

    def _columns(self) -> dict[str, np.ndarray]:
        return self._core.columns(self._rung)

    def _observables(self) -> dict[str, tuple[np.ndarray, str, bool]]:
        return self._core.observables(self._rung)

    def _states(self, packed: bool) -> np.ndarray:
        return self._core.states(self._rung, packed)

    def _site_means(self) -> tuple[np.ndarray, np.ndarray]:
        return self._core.site_means(self._rung)

    def _state_draws(self) -> np.ndarray:
        return self._core.state_draws(self._rung)

    def text(self, width: int = 100) -> str:
        means = self._facts["observables"]["energy"]
        mean = "unknown" if means["mean"] is None else f"{means['mean']:.6g}"
        return f"<rung at beta {self.beta:g}: mean energy {mean}, {self.energy.shape[1]} draws>"


class TemperedRun(Rung):
    """A run of nhot.temper(): the draws at the target, and every temperature in ``rungs``."""

    def __init__(self, core: _core.TemperRun, model: Model, keeps_states: bool = True):
        super().__init__(core, model, core.target, core.facts(), keeps_states)

    @cached_property
    def rungs(self) -> list[Rung]:
        """From hot to cold."""
        return [Rung(self._core, self.model, k, self._core.rung_facts(k) | self._verdict_on(k), self._keeps_states)
                for k in range(self._core.rungs)]

    def _verdict_on(self, rung: int) -> dict[str, Any]:
        """That of the run for its target. Elsewhere there are no states to compare the chains by."""
        if rung == self._rung:
            return {"converged": self.converged, "reasons": self.reasons}
        return {"converged": None, "reasons": ["Not judged: states, which chains are compared by, are kept at the "
                                               f"target only (beta {self.beta:g})."]}

    @property
    def betas(self) -> np.ndarray:
        """The temperatures of the ladder, from hot to cold."""
        return np.array([self._core.beta(k) for k in range(self._core.rungs)])

    def text(self, width: int = 100) -> str:
        return self._core.text(width)


class State(Mapping[Hashable, int]):
    """A state of a model: a mapping from labels to 0 and 1, with its energy."""

    def __init__(self, model: Model, bits: np.ndarray, energy: float):
        self.model = model
        self.bits = bits
        self.energy = float(energy)

    @property
    def chosen(self) -> list[Hashable]:
        """The labels of the variables that are 1."""
        return self.model.chosen(self.bits)

    def __getitem__(self, label: Hashable) -> int:
        return int(self.bits[self._index[label]])

    @cached_property
    def _index(self) -> dict[Hashable, int]:
        return {label: k for k, label in enumerate(self.model.labels)}

    def __iter__(self) -> Any:
        return iter(self.model.labels)

    def __len__(self) -> int:
        return len(self.bits)

    def __repr__(self) -> str:
        chosen = self.chosen
        shown = ", ".join(repr(u) for u in chosen[:12]) + (", ..." if len(chosen) > 12 else "")
        return f"<nhot.State energy {self.energy:.10g}, {len(chosen)} of {len(self)} ones: {shown}>"


class Annealed(Result):
    """What nhot.anneal() found: the best distinct states, lowest energy first. ``states`` (state, site) and
    ``energies`` are arrays; iteration gives each as a State."""

    def __init__(self, answer: tuple[dict[str, Any], str, np.ndarray, np.ndarray], model: Model):
        self._facts, self._text, self.states, self.energies = answer
        self.model = model

    @property
    def best(self) -> State:
        """The state of the lowest energy."""
        return State(self.model, self.states[0], self.energies[0])

    def __iter__(self) -> Any:
        return (State(self.model, bits, energy) for bits, energy in zip(self.states, self.energies))

    def __len__(self) -> int:
        return len(self.energies)

    def text(self, width: int = 100) -> str:
        return self._text


class LogZ(Result):
    """What nhot.logz() estimated."""

    def __init__(self, answer: tuple[dict[str, Any], str]):
        self._facts, self._text = answer

    @property
    def value(self) -> float:
        """NaN when Ctrl-C came too early for an estimate."""
        return _or_nan(self._facts["log_z"])

    @property
    def error(self) -> float:
        """The standard error; NaN when unknown."""
        return _or_nan(self._facts["stderr"])

    def text(self, width: int = 100) -> str:
        return self._text


class Comparison(Result):
    """What nhot.compare() found: one entry per move in ``results``, and sentences."""

    def __init__(self, answer: tuple[dict[str, Any], str]):
        self._facts, self._text = answer

    @property
    def interrupted(self) -> bool:
        return any(result["interrupted"] for result in self._facts["results"])

    @property
    def results(self) -> list[dict[str, Any]]:
        """One entry per move, with the keys of ``nhot sample --json``."""
        return copy.deepcopy(self._facts["results"])

    @property
    def conclusions(self) -> list[str]:
        """Which move won, by how much, and which have not converged."""
        return list(self._facts["conclusions"])

    def text(self, width: int = 100) -> str:
        return self._text


class Tuning(Result):
    """What nhot.tune() found: the move of the most effective draws per second, and every trial of the search."""

    def __init__(self, answer: tuple[dict[str, Any], str]):
        self._facts, self._text = answer

    @property
    def move(self) -> str:
        """With every parameter, for ``move=``. Where nothing could be told, the default."""
        return self._facts["move"]

    @property
    def ess_per_second(self) -> float:
        """Effective draws per CPU second of what is forgotten slowest. NaN when unknown: where chains are trapped."""
        return _or_nan(self._facts["ess_per_second"])

    def _gain(self, name: str) -> tuple[float, float] | None:
        found = self._facts[name]
        return None if found is None else (_or_nan(found["ratio"]), _or_nan(found["error"]))

    @property
    def gain_over_default(self) -> tuple[float, float] | None:
        """How many times as fast as the default move, and the error of that. None: not compared."""
        return self._gain("gain_over_default")

    @property
    def gain_over_swap(self) -> tuple[float, float] | None:
        """How many times as fast as swap, and the error of that. None: not compared."""
        return self._gain("gain_over_swap")

    @property
    def ties(self) -> list[str]:
        """Moves that are as fast within two standard errors."""
        return list(self._facts["ties"])

    @property
    def trapped(self) -> list[str]:
        """Quantities in which the chains did not mix during the search."""
        return list(self._facts["trapped"])

    @property
    def trials(self) -> list[dict[str, Any]]:
        """In the order of the search; a move may be in several rounds."""
        return copy.deepcopy(self._facts["trials"])

    def text(self, width: int = 100) -> str:
        return self._text

    def to_pandas(self) -> Any:
        """A DataFrame with one row per trial."""
        pandas = need("pandas", "to_pandas()")
        return pandas.DataFrame(self.trials)

    def plot(self) -> Any:
        """A matplotlib figure: what regression says of walk lengths and gamma, with the settings that were tried, and
        every trial with its standard error."""
        need("matplotlib", "plot()")
        from ._tuning_plot import figure_of

        return figure_of(self._facts)


class StoredRun:
    """A run read from a file of the command line or of ``run.to_netcdf``: arrays as of the run itself."""

    def __init__(self, attributes: dict[str, Any], draws: Any, pairs: Any, states: Any):
        """Root attributes, and the datasets sample_stats, pair_stats and posterior; None where a file has none."""
        chains, sites = int(attributes["chains"]), int(attributes["sites"])
        self.attributes = attributes
        self.columns: dict[str, np.ndarray] = {"energy": np.empty((chains, 0))}
        self.observables: dict[str, np.ndarray] = {}
        for name, values in (draws.data_vars.items() if draws is not None else ()):
            if name != "lp":
                (self.columns if name in _COLUMNS else self.observables)[str(name)] = values.values
        for name, values in (pairs.data_vars.items() if pairs is not None else ()):
            self.observables[str(name)] = values.values
        self.states = np.empty((chains, 0, sites), dtype=np.uint8)
        self.state_draws = np.empty(0, dtype=np.int64)
        self.labels: list[Hashable] = list(range(sites))
        if states is not None:
            self.states = np.ascontiguousarray(states["state"].values).view(np.uint8)
            self.state_draws = states["draw"].values
            self.labels = states["site"].values.tolist()

    @property
    def energy(self) -> np.ndarray:
        """(chain, draw)."""
        return self.columns["energy"]

    @property
    def site_means(self) -> np.ndarray:
        """The share of kept states in which each site is 1. NaN without a state."""
        if not len(self.state_draws):
            return np.full(self.states.shape[2], np.nan)
        return self.states.mean(axis=(0, 1))

    @property
    def converged(self) -> bool | None:
        found = self.attributes.get("converged")
        return None if found is None else str(found) in ("1", "true", "True")

    def __repr__(self) -> str:
        chains, draws = self.energy.shape
        return f"<nhot.StoredRun of {self.attributes.get('model', 'a model')}: {chains} chains, {draws} draws>"
