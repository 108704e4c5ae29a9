"""nhot as a dimod sampler: BQMs on a shell, CQMs whose constraints are counts, and any other BQM.

    import dimod
    from nhot.dimod import NhotSampler

    sampler = NhotSampler()
    sampler.sample(bqm, distance=10, num_reads=20)  # exactly 10 ones in every row
    sampler.sample_cqm(cqm, time_limit=5)           # an equality such as sum(x) == 10 holds in every row
    sampler.sample(bqm)                             # no constraint
"""

from __future__ import annotations

import math
import os
import queue
import threading
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

try:
    import dimod
    from dimod.sym import Sense
except ImportError:
    raise ImportError("nhot.dimod needs dimod: pip install dimod") from None

from . import _core
from ._inputs import as_reals, as_seed
from .drivers import _bits, anneal
from .models import Model, _make
from .results import Annealed

_SCHEDULES = ("adaptive", "linear", "geometric")
_GENERATORS = ("none", "tile", "random")
_SWEEPS = 1000  # of a read, when neither num_sweeps nor time_limit is given
_TICK = 0.05  # seconds between looks at the interrupt function
_SHORTEST = 0.001  # seconds that nhot.anneal takes as a limit


# --- what is asked for --------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class _Settings:
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
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
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


def _settings(starts: int, num_reads: Any, num_sweeps: Any, beta_range: Any, beta_schedule_type: Any, seed: Any,
              interrupt_function: Any, time_limit: Any, threads: Any) -> _Settings:
    if beta_schedule_type not in _SCHEDULES:
        raise ValueError(f"beta_schedule_type is {beta_schedule_type!r}; give one of {', '.join(_SCHEDULES)}")
    if interrupt_function is not None and not callable(interrupt_function):
        raise ValueError(f"interrupt_function is {interrupt_function!r}; give a function without arguments")
    limit = _seconds(time_limit)
    if num_sweeps is None and limit is None:
        num_sweeps = _SWEEPS
    return _Settings(
        num_reads=max(1, starts) if num_reads is None else _whole(num_reads, "num_reads"),
        num_sweeps=None if num_sweeps is None else _whole(num_sweeps, "num_sweeps"),
        beta_range=_betas(beta_range),
        schedule=beta_schedule_type,
        seed=as_seed(np.random.SeedSequence() if seed is None else seed),
        time_limit=limit,
        threads=_cores() if threads is None else _whole(threads, "threads"),
        interrupt_function=interrupt_function,
    )


# --- the energy as arrays over sites ------------------------------------------------------------------------------

@dataclass(frozen=True)
class _Terms:
    """Linear terms and couplings of variables that are all spins (-1, +1) or all bits (0, 1)."""

    spin: bool
    linear: np.ndarray
    i: np.ndarray
    j: np.ndarray
    values: np.ndarray

    def without(self, fixed: np.ndarray, bits: np.ndarray) -> _Terms:
        """The terms of the other sites when the sites in the mask `fixed` have these bits."""
        x = np.where(fixed, 2.0 * bits - 1.0 if self.spin else bits, 0.0)
        linear = self.linear.copy()
        np.add.at(linear, self.i, self.values * x[self.j])
        np.add.at(linear, self.j, self.values * x[self.i])
        live = ~(fixed[self.i] | fixed[self.j])
        return _Terms(self.spin, linear, self.i[live], self.j[live], self.values[live])

    def model_of(self, sites: np.ndarray, auxiliary: int, labels: Sequence[Hashable] | None = None) -> Model:
        """The model of some sites, followed by auxiliary sites without terms."""
        place = np.full(len(self.linear), -1)
        place[sites] = np.arange(len(sites))
        own = (place[self.i] >= 0) & (place[self.j] >= 0)
        linear = np.concatenate([self.linear[sites], np.zeros(auxiliary)])
        return _make("dimod", self.spin, 0.0, linear, place[self.i[own]], place[self.j[own]], self.values[own], labels)


def _terms_of_bqm(bqm: Any, labels: list[Hashable]) -> _Terms:
    linear, (i, j, values), _ = bqm.to_numpy_vectors(variable_order=labels)[:3]
    return _Terms(bqm.vartype is dimod.SPIN, as_reals(linear, "the linear biases", 1), np.asarray(i, dtype=np.int64),
                  np.asarray(j, dtype=np.int64), as_reals(values, "the quadratic biases", 1))


def _terms_of_cqm(objective: Any, labels: list[Hashable], index: Mapping[Hashable, int], spin: np.ndarray) -> _Terms:
    linear = as_reals([objective.get_linear(v) for v in labels], "the linear biases", 1)
    triples = list(objective.iter_quadratic())
    i = np.array([index[u] for u, _, _ in triples], dtype=np.int64)
    j = np.array([index[v] for _, v, _ in triples], dtype=np.int64)
    values = as_reals([value for _, _, value in triples] or np.zeros(0), "the quadratic biases", 1)
    if spin.all() or not spin.any():
        return _Terms(bool(spin.any()), linear, i, j, values)
    # Spins among bits: s = 2 x - 1.
    slope, shift = np.where(spin, 2.0, 1.0), np.where(spin, -1.0, 0.0)
    linear = linear * slope
    np.add.at(linear, i, values * slope[i] * shift[j])
    np.add.at(linear, j, values * slope[j] * shift[i])
    return _Terms(False, linear, i, j, values * slope[i] * slope[j])


# --- problems -----------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class _Part:
    """Sites that are annealed together, on one shell. The model may have auxiliary sites behind them."""

    name: str  # for messages
    sites: np.ndarray
    model: Model
    reference: np.ndarray
    distance: int

    def start(self, bits: np.ndarray, row: int) -> np.ndarray:
        """A start on the shell whose first sites have these bits."""
        apart = int((bits != self.reference[: len(bits)]).sum())
        auxiliary = self.model.sites - len(bits)
        if not auxiliary and apart != self.distance:
            raise ValueError(f"initial state {row} is off {self.name}: it is at distance {apart} from the reference "
                             f"instead of {self.distance}; give states that satisfy the constraint")
        return np.concatenate([bits, np.arange(auxiliary) < self.distance - apart]).astype(np.uint8)


@dataclass(frozen=True)
class _Problem:
    """Parts without terms between them; all other sites are fixed."""

    labels: list[Hashable]
    spin: np.ndarray  # which variables are spins
    parts: list[_Part]
    fixed: np.ndarray  # sites that the constraints fix
    bits: np.ndarray  # of every site outside of the parts

    def samples(self, rows: list[list[np.ndarray]]) -> np.ndarray:
        """Values of the variables, from the bits of every part."""
        bits = np.tile(self.bits, (len(rows), 1)).astype(np.int8)
        for k, part in enumerate(self.parts):
            bits[:, part.sites] = [row[k][: len(part.sites)] for row in rows]
        return np.where(self.spin, 2 * bits - 1, bits)

    def starts(self, given: np.ndarray) -> list[list[np.ndarray]]:
        """A start of every part, for each state that was given."""
        for row, bits in enumerate(given):
            wrong = np.flatnonzero(self.fixed & (bits != self.bits))
            if wrong.size:
                raise ValueError(f"initial state {row} violates a constraint, which fixes {self.labels[wrong[0]]!r}; "
                                 "give states that satisfy the constraints")
        return [[part.start(bits[part.sites], row) for part in self.parts] for row, bits in enumerate(given)]


def _free_part(terms: _Terms, sites: np.ndarray) -> _Part:
    """M sites without a constraint. With M auxiliary sites and M ones in all, every state of the M sites occurs."""
    count = len(sites)
    return _Part("the free variables", sites, terms.model_of(sites, count), np.zeros(2 * count, dtype=np.uint8), count)


def _problem_of_bqm(bqm: Any, distance: Any, reference: Any) -> _Problem:
    labels = list(bqm.variables)
    terms = _terms_of_bqm(bqm, labels)
    sites = np.arange(len(labels))
    parts = []
    if distance is None and reference is not None:
        raise ValueError("a reference is given without a distance; give both, or neither")
    if distance is not None and (isinstance(distance, bool) or not isinstance(distance, (int, np.integer))
                                 or not 0 <= distance <= len(labels)):
        raise ValueError(f"distance is {distance!r}; give a whole number from 0 to {len(labels)}, "
                         "the number of variables")
    if labels and distance is None:
        parts = [_free_part(terms, sites)]
    elif labels:
        model = terms.model_of(sites, 0, labels)
        bits = _bits(reference, "reference", model)
        bits = np.zeros(len(labels), dtype=np.uint8) if bits is None else bits
        parts = [_Part("the shell", sites, model, bits, int(distance))]
    none = np.zeros(len(labels), dtype=bool)
    return _Problem(labels, np.full(len(labels), terms.spin), parts, none, none.astype(np.uint8))


# --- constraints --------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class _Count:
    """A constraint as a shell: its sites are at a distance from a reference."""

    label: Hashable
    sites: np.ndarray
    reference: np.ndarray
    distance: int

    def without(self, fixed: np.ndarray, bits: np.ndarray) -> _Count:
        """What the constraint asks of the other sites when those in the mask `fixed` have these bits."""
        gone = fixed[self.sites]
        apart = int((bits[self.sites] != self.reference)[gone].sum())
        return _Count(self.label, self.sites[~gone], self.reference[~gone], self.distance - apart)

    def checked(self) -> _Count:
        if not 0 <= self.distance <= len(self.sites):
            raise ValueError(f"the constraint {self.label!r} cannot hold, whatever the values of its variables; "
                             "check its right-hand side, and the constraints that fix some of them")
        return self


def _refuse(label: Hashable, what: str, instead: str) -> None:
    raise ValueError(f"the constraint {label!r} {what}; {instead}")


def _check_form(label: Hashable, constraint: Any, cqm: Any) -> None:
    """Refuses what is no linear equality of bits and spins."""
    left = constraint.lhs
    if left.is_soft():
        _refuse(label, "is soft (it has a weight)", "leave out the weight, or add the penalty to the objective")
    if constraint.sense is not Sense.Eq:
        _refuse(label, f"is an inequality ({constraint.sense.value})",
                "make it an equality by adding binary variables without other terms, as many as the slack: "
                "sum(x) <= 3 is sum(x) + a + b + c == 3")
    if not left.is_linear():
        _refuse(label, "has quadratic terms", "only sums of variables can be kept; put the rest into the objective")
    for v in left.variables:
        if cqm.vartype(v) not in (dimod.BINARY, dimod.SPIN):
            _refuse(label, f"holds {v!r}, which is {cqm.vartype(v).name}", "give binary variables or spins")


def _count(label: Hashable, constraint: Any, index: Mapping[Hashable, int], spin: np.ndarray) -> _Count | None:
    """sum of c v == rhs as a distance; None for a constraint without variables that holds.

    In bits the coefficients are w = c, or w = 2 c of a spin v = 2 x - 1. With w = +a or -a the sum of sign x is
    k = (rhs + sum of spins' c) / a. Sites with a minus have reference bit 1 and differ from it where x = 0: the
    distance is sum of x over plus + sum of 1 - x over minus = k + number of minus.
    """
    items = [(index[v], bias) for v, bias in constraint.lhs.iter_linear() if bias]
    sites = np.array([site for site, _ in items], dtype=np.int64)
    c = as_reals([bias for _, bias in items] or np.zeros(0), f"the constraint {label!r}", 1)
    right = constraint.rhs - constraint.lhs.offset
    if not items:
        if abs(right) > 1e-9:
            _refuse(label, "has no variables and does not hold", "leave it out or correct it")
        return None
    w = np.where(spin[sites], 2 * c, c)
    scale = abs(w[0])
    if (abs(abs(w) - scale) > 1e-12 * scale).any():
        odd = int(np.argmax(abs(abs(w) - scale) > 1e-12 * scale))
        _refuse(label, f"weighs its variables differently ({c[0]:g} and {c[odd]:g}"
                + (", of a bit and a spin)" if spin[sites[0]] != spin[sites[odd]] else ")"),
                "only counts can be kept: coefficients of one size, with signs (half of it for spins among bits)")
    distance = (right + c[spin[sites]].sum()) / scale + (w < 0).sum()
    if not math.isfinite(distance) or abs(distance - round(distance)) > 1e-9:
        _refuse(label, f"cannot hold: its left side never is {constraint.rhs:g}",
                "the right-hand side must be within reach of the coefficients (for spins, also of the right parity)")
    return _Count(label, sites, (w < 0).astype(np.uint8), round(distance)).checked()


def _settle(counts: list[_Count], fixed: np.ndarray, bits: np.ndarray) -> list[_Count]:
    """Fixes the sites that a constraint leaves no choice, again and again; returns the constraints that remain."""
    changed = True
    while changed:
        changed, remaining = False, []
        for count in counts:
            count = count.without(fixed, bits).checked()
            if 0 < count.distance < len(count.sites):
                remaining.append(count)
            elif len(count.sites):
                bits[count.sites] = count.reference ^ (count.distance > 0)
                fixed[count.sites] = changed = True
        counts = remaining
    return counts


def _owners(counts: list[_Count], labels: list[Hashable]) -> np.ndarray:
    """The constraint of every site; -1 for none. Refuses constraints that share a variable."""
    owner = np.full(len(labels), -1)
    for k, count in enumerate(counts):
        shared = count.sites[owner[count.sites] >= 0]
        if shared.size:
            _refuse(count.label, f"shares {labels[shared[0]]!r} with the constraint {counts[owner[shared[0]]].label!r}",
                    "a variable can be in one constraint; put one of them into the objective as a penalty")
        owner[count.sites] = k
    return owner


def _check_apart(counts: list[_Count], owner: np.ndarray, terms: _Terms, labels: list[Hashable]) -> None:
    """Refuses couplings between the variables of two constraints, or of a constraint and of none."""
    across = np.flatnonzero((owner[terms.i] != owner[terms.j]) & (terms.values != 0))
    if not across.size:
        return
    one, other = sorted((int(terms.i[across[0]]), int(terms.j[across[0]])), key=lambda site: -owner[site])
    what = f"holds {labels[one]!r}, which the objective couples with {labels[other]!r} "
    label = counts[owner[one]].label
    if owner[other] >= 0:
        _refuse(label, what + f"of the constraint {counts[owner[other]].label!r}",
                "one constraint can hold among coupled variables; put the other into the objective as a penalty")
    _refuse(label, what + "outside of it", f"let the constraint cover all coupled variables, or solve once for each "
            f"value of {labels[other]!r}: cqm.fix_variable({labels[other]!r}, ...)")


def _problem_of_cqm(cqm: Any) -> _Problem:
    labels = list(cqm.variables)
    index = {v: k for k, v in enumerate(labels)}
    for label, constraint in cqm.constraints.items():
        _check_form(label, constraint, cqm)
    for v in labels:
        if cqm.vartype(v) not in (dimod.BINARY, dimod.SPIN):
            raise ValueError(f"the variable {v!r} is {cqm.vartype(v).name}; give binary variables or spins")
    spin = np.array([cqm.vartype(v) is dimod.SPIN for v in labels], dtype=bool)
    found = [_count(label, constraint, index, spin) for label, constraint in cqm.constraints.items()]
    fixed, bits = np.zeros(len(labels), dtype=bool), np.zeros(len(labels), dtype=np.uint8)
    counts = _settle([count for count in found if count is not None], fixed, bits)
    terms = _terms_of_cqm(cqm.objective, labels, index, spin).without(fixed, bits)
    owner = _owners(counts, labels)
    _check_apart(counts, owner, terms, labels)
    parts = [_Part(f"the constraint {count.label!r}", count.sites, terms.model_of(count.sites, 0), count.reference,
                   count.distance) for count in counts]
    coupled = np.zeros(len(labels), dtype=bool)
    coupled[terms.i] = coupled[terms.j] = True
    free = (owner < 0) & ~fixed
    alone = free & ~coupled
    bits[alone] = terms.linear[alone] < 0
    if (free & coupled).any():
        parts.append(_free_part(terms, np.flatnonzero(free & coupled)))
    return _Problem(labels, spin, parts, fixed, bits)


# --- initial states -----------------------------------------------------------------------------------------------

def _initial_bits(initial_states: Any, labels: list[Hashable]) -> np.ndarray:
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


def _expanded(starts: list[list[np.ndarray]], generator: Any, reads: int) -> list[list[np.ndarray] | None]:
    """A start of every read; None: one of its own, uniform on the shell."""
    if generator not in _GENERATORS:
        raise ValueError(f"initial_states_generator is {generator!r}; give one of {', '.join(_GENERATORS)}")
    if len(starts) >= reads:
        return list(starts[:reads])
    if generator == "random":
        return [*starts, *[None] * (reads - len(starts))]
    if generator == "none" or not starts:
        raise ValueError(f"there are {len(starts)} initial states for {reads} reads; give one for each, or "
                         + ("at least one" if generator == "tile" else "initial_states_generator='tile' or 'random'"))
    return [starts[k % len(starts)] for k in range(reads)]


# --- reads --------------------------------------------------------------------------------------------------------

class _Reads:
    """Anneals every part once for every read. Read r of part k draws from a seed of its own, so rows are independent
    and the same for any number of threads."""

    def __init__(self, parts: list[_Part], starts: list[list[np.ndarray] | None], settings: _Settings, begin: float):
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
            part.model, part.distance, reference=part.reference, start=None if starts is None else starts[k],
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
                          "distance": part.distance, "move": first["move"],
                          "beta_range": [first["beta_hot"], first["beta_cold"]]})
        return {"version": _core.version, "seed": self._settings.seed, "threads": self._settings.threads,
                "interrupted": self.interrupted, "reads": sum(result["reads"] for result in results),
                "sweeps": sum(result["sweeps"] for result in results), "parts": parts}


# --- the sampler --------------------------------------------------------------------------------------------------

class NhotSampler(dimod.Sampler):
    """Simulated annealing that keeps constraints on the number of ones by construction.

    ``sample`` takes any BQM; with ``distance`` every row has that many ones, or differs from a reference in that many
    variables. ``sample_cqm`` takes a CQM whose constraints are counts. Parameters, where they mean the same, have the
    names of ``dwave.samplers.SimulatedAnnealingSampler``:

    num_reads : int
        Independent reads, one row each. Default: as many as initial states, else 1.
    num_sweeps : int
        Length of a read in steps per site. Default: 1000; with time_limit, as long as time is.
    beta_range : (float, float)
        Beta at the start and at the end of a read. Default: from the model.
    beta_schedule_type : "adaptive" (default: slower where the energy fluctuates), "linear" or "geometric"
    initial_states : samples, see dimod.as_samples; they must satisfy the constraints
    initial_states_generator : "random" (default), "tile" or "none"
        What reads without an initial state do: start anywhere on the shell, use the given states again, or raise.
    seed : int, numpy SeedSequence or Generator
        Same seed, same rows, unless time_limit ends the run. Default: a new one; ``info["nhot"]["seed"]`` has it.
    interrupt_function : function without arguments
        Asked after every read and about every 50 ms; True ends the run. Rows are the reads that have ended; when none
        has, one row of a short read.
    time_limit : float
        Seconds in all. Without num_sweeps each read is a search that fills its share: reads within it get longer and
        recombine what they found. With num_sweeps, reads that have not begun by then are left out.
    threads : int
        Default: one per core.

    Rows are in order of the reads and not aggregated. ``info["timing"]`` has nanoseconds of preprocessing, sampling
    and postprocessing, ``info["nhot"]`` facts of the run.
    """

    parameters: Mapping[str, Any] = {}
    properties: Mapping[str, Any] = {}

    def __init__(self) -> None:
        self.parameters = {
            "distance": [], "reference": [], "num_reads": [], "num_sweeps": [], "beta_range": [],
            "beta_schedule_type": ["beta_schedule_options"], "initial_states": [],
            "initial_states_generator": ["initial_states_generator_options"], "seed": [], "interrupt_function": [],
            "time_limit": [], "threads": [],
        }
        self.properties = {"beta_schedule_options": _SCHEDULES, "initial_states_generator_options": _GENERATORS,
                           "version": _core.version}

    def sample(self, bqm: dimod.BinaryQuadraticModel, distance: int | None = None, reference: Any = None,
               **parameters: Any) -> dimod.SampleSet:
        """Low-energy samples of a BQM; see the class for the parameters.

        distance : int
            The number of ones (spins +1) of every row, or, with a reference, the number of variables that differ from
            it. None: no constraint.
        reference : mapping from variables to 0 and 1 (or -1 and +1), "zeros" (default) or "ones"
        """
        begin = time.perf_counter_ns()
        problem = _problem_of_bqm(bqm, distance, reference)
        return self._run(problem, begin, parameters,
                         lambda samples, info: dimod.SampleSet.from_samples_bqm((samples, problem.labels), bqm,
                                                                                info=info))

    def sample_cqm(self, cqm: dimod.ConstrainedQuadraticModel, **parameters: Any) -> dimod.SampleSet:
        """Low-energy samples of a CQM, all of them feasible; see the class for the parameters.

        Constraints are linear equalities of binary variables or spins with coefficients of one size, +a or -a:
        ``sum(x) == 10``, ``x - y == 0``, a one-hot. After fixing what has no choice, no variable may be in two
        constraints, and the objective may couple variables of the same constraint, or of none, only. Other CQMs are
        refused by a ValueError that names the constraint.
        """
        begin = time.perf_counter_ns()
        if parameters.get("distance") is not None or parameters.get("reference") is not None:
            raise ValueError("a CQM has its distance and reference in its constraints; leave both out, or use sample()")
        problem = _problem_of_cqm(cqm)
        return self._run(problem, begin, parameters,
                         lambda samples, info: dimod.SampleSet.from_samples_cqm((samples, problem.labels), cqm,
                                                                                info=info))

    def _run(self, problem: _Problem, begin: int, parameters: dict[str, Any],
             build: Callable[[np.ndarray, dict[str, Any]], dimod.SampleSet]) -> dimod.SampleSet:
        known = self.remove_unknown_kwargs(**parameters)
        given = problem.starts(_initial_bits(known.get("initial_states"), problem.labels))
        names = ("num_reads", "num_sweeps", "beta_range", "seed", "interrupt_function", "time_limit", "threads")
        settings = _settings(len(given), beta_schedule_type=known.get("beta_schedule_type") or _SCHEDULES[0],
                             **{name: known.get(name) for name in names})
        starts = _expanded(given, known.get("initial_states_generator") or "random", settings.num_reads)
        sampling = time.perf_counter_ns()
        reads = _Reads(problem.parts, starts, settings, begin / 1e9)
        rows = reads.run()
        postprocessing = time.perf_counter_ns()
        facts = {**reads.facts(), "fixed_variables": len(problem.labels) - sum(len(p.sites) for p in problem.parts)}
        sampleset = build(problem.samples(rows), {"beta_schedule_type": settings.schedule, "nhot": facts})
        sampleset.info["timing"] = {
            "preprocessing_ns": sampling - begin,
            "sampling_ns": postprocessing - sampling,
            "postprocessing_ns": time.perf_counter_ns() - postprocessing,
        }
        return sampleset
