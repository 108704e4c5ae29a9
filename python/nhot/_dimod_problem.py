"""BQMs and CQMs as models on shells: what the sampler of nhot.dimod anneals."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dimod
import numpy as np
from dimod.sym import Sense

from ._inputs import as_reals
from ._terms import bqm_terms, is_whole
from .drivers import _bits
from .models import Model, _make


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


def _terms_of_bqm(bqm: Any) -> tuple[list[Hashable], _Terms]:
    spin, _, terms = bqm_terms(bqm)
    return list(terms.labels or ()), _Terms(spin, terms.linear, np.asarray(terms.i, dtype=np.int64),
                                            np.asarray(terms.j, dtype=np.int64), terms.values)


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
class Group:
    """Sites of a part, by their numbers there, of which so many differ from its reference."""

    name: str  # for messages
    sites: list[int]
    distance: int

    def check(self, bits: np.ndarray, reference: np.ndarray, row: int) -> None:
        apart = int((bits != reference)[self.sites].sum())
        if apart != self.distance:
            raise ValueError(f"initial state {row} is off {self.name}: it is at distance {apart} from the reference "
                             f"instead of {self.distance}; give states that satisfy the constraint")


@dataclass(frozen=True)
class Part:
    """Sites that are annealed together, on one shell. The model may have auxiliary sites behind them."""

    name: str  # for messages
    sites: np.ndarray
    model: Model
    reference: np.ndarray
    distance: int
    groups: list[Group] | None = None  # of several constraints that the objective couples; other sites are free

    def shell(self) -> dict[str, Any]:
        """The shell, as keywords of nhot.anneal."""
        if self.groups is None:
            return {"distance": self.distance, "reference": self.reference}
        return {"groups": [(group.sites, group.distance) for group in self.groups], "free": "rest",
                "reference": self.reference}

    def start(self, bits: np.ndarray, row: int) -> np.ndarray:
        """A start on the shell whose first sites have these bits."""
        if self.groups is not None:
            for group in self.groups:
                group.check(bits, self.reference, row)
            return bits.astype(np.uint8)
        apart = int((bits != self.reference[: len(bits)]).sum())
        auxiliary = self.model.sites - len(bits)
        if not auxiliary and apart != self.distance:
            raise ValueError(f"initial state {row} is off {self.name}: it is at distance {apart} from the reference "
                             f"instead of {self.distance}; give states that satisfy the constraint")
        return np.concatenate([bits, np.arange(auxiliary) < self.distance - apart]).astype(np.uint8)


@dataclass(frozen=True)
class Problem:
    """Parts without terms between them; all other sites are fixed."""

    labels: list[Hashable]
    spin: np.ndarray  # which variables are spins
    parts: list[Part]
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


def _free_part(terms: _Terms, sites: np.ndarray) -> Part:
    """M sites without a constraint. With M auxiliary sites and M ones in all, every state of the M sites occurs."""
    count = len(sites)
    return Part("the free variables", sites, terms.model_of(sites, count), np.zeros(2 * count, dtype=np.uint8), count)


def problem_of_bqm(bqm: Any, distance: Any, reference: Any) -> Problem:
    labels, terms = _terms_of_bqm(bqm)
    sites = np.arange(len(labels))
    parts = []
    if distance is None and reference is not None:
        raise ValueError("a reference is given without a distance; give both, or neither")
    if distance is not None and not (is_whole(distance) and 0 <= distance <= len(labels)):
        raise ValueError(f"distance is {distance!r}; give a whole number from 0 to {len(labels)}, "
                         "the number of variables")
    if labels and distance is None:
        parts = [_free_part(terms, sites)]
    elif labels:
        model = terms.model_of(sites, 0, labels)
        bits = _bits(reference, "reference", model)
        bits = np.zeros(len(labels), dtype=np.uint8) if bits is None else bits
        parts = [Part("the shell", sites, model, bits, int(distance))]
    none = np.zeros(len(labels), dtype=bool)
    return Problem(labels, np.full(len(labels), terms.spin), parts, none, none.astype(np.uint8))


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


def _components(owner: np.ndarray, terms: _Terms) -> np.ndarray:
    """The component of every site: sites of one constraint, and coupled sites, are in the same."""
    parent = np.arange(len(owner))

    def root(site: int) -> int:
        while parent[site] != site:
            parent[site] = parent[parent[site]]
            site = parent[site]
        return site

    first: dict[int, int] = {}
    for site, count in enumerate(owner):
        if count >= 0:
            parent[root(site)] = root(first.setdefault(int(count), site))
    live = terms.values != 0
    for i, j in zip(terms.i[live], terms.j[live]):
        parent[root(int(i))] = root(int(j))
    return np.array([root(site) for site in range(len(owner))], dtype=np.int64)


def _part_of(counts: list[_Count], sites: np.ndarray, terms: _Terms) -> Part:
    """The constraints of one component, and its free sites."""
    if len(counts) == 1 and len(sites) == len(counts[0].sites):
        count = counts[0]
        return Part(f"the constraint {count.label!r}", count.sites, terms.model_of(count.sites, 0), count.reference,
                    count.distance)
    place = {int(site): k for k, site in enumerate(sites)}
    reference = np.zeros(len(sites), dtype=np.uint8)
    groups = []
    for count in counts:
        own = [place[int(site)] for site in count.sites]
        reference[own] = count.reference
        groups.append(Group(f"the constraint {count.label!r}", own, count.distance))
    return Part("coupled constraints", sites, terms.model_of(sites, 0), reference,
                sum(group.distance for group in groups), groups)


def problem_of_cqm(cqm: Any) -> Problem:
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
    component = _components(owner, terms)
    of_count = [int(component[count.sites[0]]) for count in counts]
    parts = [_part_of([counts[k] for k in range(len(counts)) if of_count[k] == name],
                      np.flatnonzero((component == name) & ~fixed), terms) for name in dict.fromkeys(of_count)]
    coupled = np.zeros(len(labels), dtype=bool)
    coupled[terms.i] = coupled[terms.j] = True
    free = ~fixed & ~np.isin(component, of_count)
    alone = free & ~coupled
    bits[alone] = terms.linear[alone] < 0
    if (free & coupled).any():
        parts.append(_free_part(terms, np.flatnonzero(free & coupled)))
    return Problem(labels, spin, parts, fixed, bits)
