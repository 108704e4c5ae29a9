"""Types of drivers.py, written by scripts/stubs.py from the declarations of the options."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from .models import Model
from .results import Annealed, Comparison, LogZ, Profile, Run, StoredRun, TemperedRun, Tuning

Seed = int | np.random.SeedSequence | np.random.Generator
Progress = bool | Callable[[str, float, float, float], bool | None] | None
Observables = Mapping[str, Callable[[np.ndarray], float]] | None

def sample(
    model: Any,
    distance: int | None = None,
    *,
    groups: Any = None,
    free: Any = None,
    reference: Any = None,
    start: Any = None,
    observables: Observables = None,
    progress: Progress = None,
    comm: Any = None,
    beta: float | None = None,
    move: str | None = None,
    tune_objective: Literal['count', 'time'] | None = None,
    moves: int | None = None,
    seconds: float | None = None,
    warmup: int | None = None,
    thin: int | Literal['auto'] | None = None,
    chains: int | None = None,
    threads: int | Literal['auto'] | None = None,
    seed: Seed | None = None,
    states: int | Literal['auto'] | None = None,
    until: Literal['limit', 'converged'] | None = None,
    ess: int | None = None,
    verify: bool | None = None,
) -> Run: ...

def temper(
    model: Any,
    distance: int | None = None,
    *,
    groups: Any = None,
    free: Any = None,
    reference: Any = None,
    start: Any = None,
    observables: Observables = None,
    progress: Progress = None,
    comm: Any = None,
    beta: float | None = None,
    move: str | None = None,
    tune_objective: Literal['count', 'time'] | None = None,
    moves: int | None = None,
    seconds: float | None = None,
    warmup: int | None = None,
    thin: int | Literal['auto'] | None = None,
    chains: int | None = None,
    threads: int | Literal['auto'] | None = None,
    seed: Seed | None = None,
    betas: str | Sequence[float] | np.ndarray | None = None,
    path: Literal['temperatures', 'weights'] | None = None,
    beta_hot: float | Literal['auto'] | None = None,
    rungs: int | Literal['auto'] | None = None,
    sweep: int | Literal['auto'] | None = None,
    isocluster: bool | None = None,
    states: int | Literal['auto'] | None = None,
) -> TemperedRun: ...

def compare(
    model: Any,
    distance: int | None = None,
    *,
    groups: Any = None,
    free: Any = None,
    reference: Any = None,
    start: Any = None,
    progress: Progress = None,
    beta: float | None = None,
    move: str | Sequence[str] | None = None,
    seconds: float | None = None,
    moves: int | None = None,
    chains: int | None = None,
    threads: int | Literal['auto'] | None = None,
    seed: Seed | None = None,
) -> Comparison: ...

def anneal(
    model: Any,
    distance: int | None = None,
    *,
    groups: Any = None,
    free: Any = None,
    reference: Any = None,
    start: Any = None,
    progress: Progress = None,
    comm: Any = None,
    move: str | None = None,
    schedule: Literal['adaptive', 'linear', 'geometric'] | None = None,
    reads: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    sweeps: int | Literal['auto'] | None = None,
    beta_hot: float | Literal['auto'] | None = None,
    beta_cold: float | Literal['auto'] | None = None,
    keep: int | None = None,
    population: int | None = None,
    threads: int | Literal['auto'] | None = None,
    seed: Seed | None = None,
) -> Annealed: ...

def logz(
    model: Any,
    distance: int | None = None,
    *,
    groups: Any = None,
    free: Any = None,
    reference: Any = None,
    progress: Progress = None,
    comm: Any = None,
    beta: float | None = None,
    move: str | None = None,
    tune_objective: Literal['count', 'time'] | None = None,
    method: Literal['smc', 'ais', 'ti'] | None = None,
    population: int | None = None,
    populations: int | None = None,
    share: float | Literal['auto'] | None = None,
    moves: int | Literal['auto'] | None = None,
    ratio: bool | None = None,
    seconds: float | None = None,
    threads: int | Literal['auto'] | None = None,
    seed: Seed | None = None,
) -> LogZ: ...

def profile(
    model: Any,
    distance: tuple[int, int] | range | str | None = None,
    *,
    reference: Any = None,
    progress: Progress = None,
    beta: float | None = None,
    mu: float | None = None,
    anchor: Literal['logz', 'none'] | None = None,
    moves: int | None = None,
    seconds: float | None = None,
    warmup: int | None = None,
    chains: int | None = None,
    threads: int | Literal['auto'] | None = None,
    seed: Seed | None = None,
) -> Profile: ...

def tune(
    model: Any,
    distance: int | None = None,
    *,
    groups: Any = None,
    free: Any = None,
    reference: Any = None,
    start: Any = None,
    observables: Observables = None,
    progress: Progress = None,
    beta: float | None = None,
    seconds: float | None = None,
    chains: int | None = None,
    threads: int | Literal['auto'] | None = None,
    seed: Seed | None = None,
    tune_objective: Literal['time', 'count'] | None = None,
) -> Tuning: ...

def load_run(path: str | os.PathLike[str]) -> StoredRun: ...
