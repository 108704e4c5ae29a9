"""What all results share, and draws as arrays."""

from __future__ import annotations

import copy
import html
import os
from collections.abc import Hashable
from functools import cached_property
from typing import Any

import numpy as np

from . import _export
from .models import Model


class Result:
    """A summary with the keys of the command line's JSON, and the same as text."""

    _facts: dict[str, Any]

    def summary(self) -> dict[str, Any]:
        """The result as a dictionary, with the keys of the command line's ``--json``."""
        return copy.deepcopy(self._facts)

    def text(self, width: int = 100) -> str:
        """What the command line prints."""
        raise NotImplementedError

    @property
    def notes(self) -> list[str]:
        """What the text shows as notes."""
        return list(self._facts.get("notes", []))

    @property
    def interrupted(self) -> bool:
        """Ctrl-C, or the function that shows progress, has ended it."""
        return bool(self._facts.get("interrupted", False))

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text())}</pre>"


class Draws(Result):
    """The draws of chains at one temperature. Arrays are (chain, draw, ...)."""

    model: Model
    _keeps_states = True  # unless none were asked for

    # What a subclass reads from the core. Without a draw, arrays have no rows there.
    def _columns(self) -> dict[str, np.ndarray]:
        raise NotImplementedError

    def _observables(self) -> dict[str, tuple[np.ndarray, str, bool]]:
        raise NotImplementedError

    def _states(self, packed: bool) -> np.ndarray:
        raise NotImplementedError

    def _site_means(self) -> tuple[np.ndarray, np.ndarray]:
        """Means and their errors."""
        raise NotImplementedError

    def _state_draws(self) -> np.ndarray:
        raise NotImplementedError

    @property
    def _chains(self) -> int:
        return int(self._facts["chains"])

    @cached_property
    def columns(self) -> dict[str, np.ndarray]:
        """Everything known of each draw: energy, accepted, acceptance_rate, saw_length, hamming_move."""
        return {name: values.reshape(self._chains, values.size // self._chains)
                for name, values in self._columns().items()}

    @property
    def energy(self) -> np.ndarray:
        """(chain, draw)."""
        return self.columns["energy"]

    @cached_property
    def observables(self) -> dict[str, np.ndarray]:
        """The model's observables and one's own: name -> (chain, draw); overlaps: (pair of chains, draw)."""
        return {name: values for name, (values, _, _) in self._observables().items()}

    def _kept_states(self, packed: bool) -> np.ndarray:
        length = (self.model.sites + 7) // 8 if packed else self.model.sites
        if not len(self.state_draws):
            return np.empty((self._chains, 0, length), dtype=np.uint8)
        return self._states(packed)

    @property
    def states(self) -> np.ndarray:
        """The kept states, (chain, state, site), one byte a site. Every access makes a new array."""
        return self._kept_states(False)

    def packed_states(self) -> np.ndarray:
        """The same with eight sites in a byte, as of numpy.packbits(bitorder="little")."""
        return self._kept_states(True)

    @cached_property
    def state_draws(self) -> np.ndarray:
        """The draws at which states were kept."""
        return self._state_draws() if self._keeps_states else np.empty(0, dtype=np.int64)

    @cached_property
    def _means_and_errors(self) -> tuple[np.ndarray, np.ndarray]:
        if not len(self.state_draws):
            return np.full(self.model.sites, np.nan), np.full(self.model.sites, np.nan)
        return self._site_means()

    @property
    def site_means(self) -> np.ndarray:
        """The share of kept states in which each site is 1: the inclusion probabilities. NaN without a state."""
        return self._means_and_errors[0]

    @property
    def site_errors(self) -> np.ndarray:
        """Standard errors of site_means, from batches of kept states of every chain. NaN with too few states."""
        return self._means_and_errors[1]

    def inclusion(self) -> dict[Hashable, float]:
        """The inclusion probability of every variable by its label, largest first."""
        order = np.argsort(-self.site_means, kind="stable")
        labels = self.model.labels
        return {labels[i]: float(self.site_means[i]) for i in order}

    @property
    def converged(self) -> bool | None:
        """The verdict. None: not judged, as the rungs of a tempering run other than its target."""
        return self._facts["converged"]

    @property
    def reasons(self) -> list[str]:
        """Why the verdict is what it is."""
        return list(self._facts["reasons"])

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a run holds chains and cannot be pickled; keep its arrays and its summary(), or write a file: "
                        "run.to_netcdf(path)")

    # --- to other packages

    def to_xarray(self, states: bool = True) -> Any:
        """An xarray.Dataset of draws, observables and, at ``state_draw``, states."""
        return _export.to_xarray(self, states)

    def to_arviz(self) -> Any:
        """An ArviZ InferenceData: posterior (energy, observables) and sample_stats."""
        return _export.to_arviz(self)

    def to_netcdf(self, path: str | os.PathLike[str]) -> None:
        """Writes a run file as the command line does (doc/runs.md), without a checkpoint: for nhot.load_run, xarray,
        ArviZ, ``nhot diagnose`` and ``nhot report``."""
        _export.to_netcdf(self, path)

    def to_pandas(self) -> Any:
        """A DataFrame with one row per draw and an index of chain and draw."""
        return _export.to_pandas(self)

    def plot(self) -> Any:
        """A matplotlib figure: energies of every chain along the run, their histogram, their
        autocorrelation, and the site means (as an image of a lattice, else sorted)."""
        _export.need("matplotlib", "plot()")
        from ._plot import figure_of

        return figure_of(self)
