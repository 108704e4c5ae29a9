"""Reads of the sampler of nhot.dimod: parameters, starts, and annealing side by side."""

from __future__ import annotations

import math
import os
import queue
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import dimod
import numpy as np

from . import _core
from ._dimod_problem import Part
from ._inputs import as_seed
from ._terms import is_whole
from .drivers import anneal
from .results import Annealed

SCHEDULES = ("adaptive", "linear", "geometric")
GENERATORS = ("none", "tile", "random")
_SWEEPS = 1000  # of a read, when neither num_sweeps nor time_limit is given
_TICK = 0.05  # seconds between looks at the interrupt function
_SHORTEST = 0.001  # seconds that nhot.anneal takes as a limit


# --- what is asked for --------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Settings:
    """The parameters of a call, checked."""

    num_reads: int
    num_sweeps: int | None  # None: a read is a search that fills its share of time_limit
    beta_range: tuple[float, float] | None
    schedule: str
    seed: int
    time_limit: float | None
    threads: int
    interrupt_function: Callable[[], Any] | None


def _whole(value: Any, name: str) -> int:
    if not is_whole(value) or value < 1:
        raise ValueError(f"{name} is {value!r}; give a whole number, at least 1")
    return int(value)


def _betas(given: Any) -> tuple[float, float] | None:
    if given is None:
        return None
    wanted = "give two positive numbers, the second larger: beta_range=(0.1, 10)"
    try:
        hot, cold = (float(beta) for beta in given)
    except (TypeError, ValueError):
        raise ValueError(f"beta_range is {given!r}; {wanted}") from None
    if not 0 < hot < cold < math.inf:
        raise ValueError(f"beta_range is {given!r}; {wanted}")
    return hot, cold


def _seconds(limit: Any) -> float | None:
    if limit is None:
        return None
    if not isinstance(limit, (int, float, np.number)) or not _SHORTEST <= limit < math.inf:
        raise ValueError(f"time_limit is {limit!r}; give seconds, at least {_SHORTEST}")
    return float(limit)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def settings_of(starts: int, num_reads: Any, num_sweeps: Any, beta_range: Any, beta_schedule_type: Any, seed: Any,
                interrupt_function: Any, time_limit: Any, threads: Any) -> Settings:
    if beta_schedule_type not in SCHEDULES:
        raise ValueError(f"beta_schedule_type is {beta_schedule_type!r}; give one of {', '.join(SCHEDULES)}")
    if interrupt_function is not None and not callable(interrupt_function):
        raise ValueError(f"interrupt_function is {interrupt_function!r}; give a function without arguments")
    limit = _seconds(time_limit)
    if num_sweeps is None and limit is None:
        num_sweeps = _SWEEPS
    return Settings(
        num_reads=max(1, starts) if num_reads is None else _whole(num_reads, "num_reads"),
        num_sweeps=None if num_sweeps is None else _whole(num_sweeps, "num_sweeps"),
        beta_range=_betas(beta_range),
        schedule=beta_schedule_type,
        seed=as_seed(np.random.SeedSequence() if seed is None else seed),
        time_limit=limit,
        threads=_cores() if threads is None else _whole(threads, "threads"),
        interrupt_function=interrupt_function,
    )


# --- initial states -----------------------------------------------------------------------------------------------

def initial_bits(initial_states: Any, labels: list[Hashable]) -> np.ndarray:
    """(state, site) from samples of 0 and 1 or of -1 and +1; no rows when none are given."""
    if initial_states is None:
        return np.empty((0, len(labels)), dtype=np.uint8)
    values, names = dimod.as_samples(initial_states)
    if set(names) != set(labels):
        odd = next(iter(set(names) ^ set(labels)))
        raise ValueError(f"initial_states and the model do not have the same variables: {odd!r} is in one only")
    place = {v: k for k, v in enumerate(names)}
    values = np.asarray(values)[:, [place[v] for v in labels]]
    bad = ~np.isin(values, (-1, 0, 1)) | ((values == 0) & (values == -1).any(axis=0))
    if bad.any():
        row, site = (int(k) for k in np.argwhere(bad)[0])
        raise ValueError(f"initial state {row} has {values[row, site]} for {labels[site]!r}; "
                         "give 0 and 1, or -1 and +1")
    return (values > 0).astype(np.uint8)


def expanded(starts: list[list[np.ndarray]], generator: Any, reads: int) -> list[list[np.ndarray] | None]:
    """A start of every read; None: one of its own, uniform on the shell."""
    if generator not in GENERATORS:
        raise ValueError(f"initial_states_generator is {generator!r}; give one of {', '.join(GENERATORS)}")
    if len(starts) >= reads:
        return list(starts[:reads])
    if generator == "random":
        return [*starts, *[None] * (reads - len(starts))]
    if generator == "none" or not starts:
        raise ValueError(f"there are {len(starts)} initial states for {reads} reads; give one for each, or "
                         + ("at least one" if generator == "tile" else "initial_states_generator='tile' or 'random'"))
    return [starts[k % len(starts)] for k in range(reads)]


# --- reads --------------------------------------------------------------------------------------------------------

class Reads:
    """Anneals every part once for every read. Read r of part k draws from a seed of its own, so rows are independent
    and the same for any number of threads."""

    def __init__(self, parts: list[Part], starts: list[list[np.ndarray] | None], settings: Settings, begin: float):
        self._parts = parts
        self._starts = starts
        self._settings = settings
        self._deadline = None if settings.time_limit is None else begin + settings.time_limit
        self._stop = threading.Event()
        self._found: dict[tuple[int, int], Annealed] = {}
        self.interrupted = False

    def run(self) -> list[list[np.ndarray]]:
        """The bits of every part, for every read that has ended; at least one."""
        tasks = [(row, k) for row in range(self._settings.num_reads) for k in range(len(self._parts))]
        # A search shares its work among threads; reads of a given length run side by side.
        workers = 1 if self._searches else min(self._settings.threads, max(1, len(tasks)))
        done: queue.SimpleQueue[Future[Annealed | None]] = queue.SimpleQueue()
        pool = ThreadPoolExecutor(workers)
        try:
            keys = {}
            for row, k in tasks:
                future = pool.submit(self._read, row, k)
                keys[future] = (row, k)
                future.add_done_callback(done.put)
            self._collect(done, keys)
        finally:
            self._stop.set()
            pool.shutdown(cancel_futures=True)
        if self._parts and not self._whole_rows():
            self._hurry()
        return [[self._found[row, k].states[0] for k in range(len(self._parts))] for row in self._whole_rows()]

    def _collect(self, done: queue.SimpleQueue[Future[Annealed | None]],
                 keys: dict[Future[Annealed | None], tuple[int, int]]) -> None:
        missing = len(keys)
        while missing:
            try:
                future = done.get(timeout=_TICK)
                missing -= 1
                result = future.result()
                if result is not None:
                    self._found[keys[future]] = result
            except queue.Empty:
                pass
            ask = self._settings.interrupt_function
            if ask and missing and not self.interrupted and ask():
                self.interrupted = True
                self._stop.set()

    def _whole_rows(self) -> list[int]:
        rows = range(self._settings.num_reads)
        return [row for row in rows if all((row, k) in self._found for k in range(len(self._parts)))]

    @property
    def _searches(self) -> bool:
        return self._settings.num_sweeps is None

    def _seconds_for(self, row: int, k: int) -> float | None:
        """Of what is left: all for a read of given length, the share of its size for a search."""
        if self._deadline is None:
            return None
        left = self._deadline - time.perf_counter()
        if not self._searches:
            return left
        sizes = [part.model.sites for part in self._parts]
        ahead = sum(sizes[k:]) + (self._settings.num_reads - 1 - row) * sum(sizes)
        return left * sizes[k] / ahead

    def _read(self, row: int, k: int) -> Annealed | None:
        seconds = self._seconds_for(row, k)
        if self._stop.is_set() or (row > 0 and seconds is not None and seconds < _SHORTEST):
            return None
        return self._anneal(row, k, self._settings.num_sweeps, seconds)

    def _anneal(self, row: int, k: int, sweeps: int | None, seconds: float | None) -> Annealed:
        part, settings, starts = self._parts[k], self._settings, self._starts[row]
        hot, cold = settings.beta_range or (None, None)
        return anneal(
            part.model, **part.shell(), start=None if starts is None else starts[k],
            progress=self._look, schedule=settings.schedule, beta_hot=hot, beta_cold=cold, sweeps=sweeps,
            reads=None if sweeps is None else 1, seconds=None if seconds is None else max(_SHORTEST, seconds),
            threads=settings.threads if sweeps is None else 1,
            seed=np.random.SeedSequence([settings.seed, row, k]),
        )

    def _look(self, phase: str, fraction: float, seconds: float, moves: float) -> bool:
        """True ends the read, which returns what it has."""
        return self._stop.is_set()

    def _hurry(self) -> None:
        """The first row after an early interrupt: a sweep and a descent."""
        self._stop.clear()
        for k in range(len(self._parts)):
            if (0, k) not in self._found:
                self._found[0, k] = self._anneal(0, k, 1, _TICK)

    def facts(self) -> dict[str, Any]:
        """What is known of the reads."""
        results = [result.summary() for result in self._found.values()]
        parts = []
        for k, part in enumerate(self._parts):
            first = next(result.summary() for key, result in sorted(self._found.items()) if key[1] == k)
            parts.append({"sites": len(part.sites), "auxiliary_sites": part.model.sites - len(part.sites),
                          "distance": part.distance, "groups": 1 if part.groups is None else len(part.groups),
                          "move": first["move"],
                          "beta_range": [first["beta_hot"], first["beta_cold"]]})
        return {"version": _core.version, "seed": self._settings.seed, "threads": self._settings.threads,
                "interrupted": self.interrupted, "reads": sum(result["reads"] for result in results),
                "sweeps": sum(result["sweeps"] for result in results), "parts": parts}
