"""Linear terms and couplings of variables, from dictionaries, matrices, graphs and BQMs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._inputs import as_reals

MOST_SITES = 2**28  # as of the core


@dataclass(frozen=True)
class Terms:
    """sum of linear[k] v_k + sum of values[k] v_i[k] v_j[k]."""

    linear: np.ndarray
    i: Any
    j: Any
    values: np.ndarray
    labels: Sequence[Hashable] | None = None  # None: the numbers of the sites
    notes: list[str] = field(default_factory=list)


def is_graph(source: Any) -> bool:
    return hasattr(source, "edges") and hasattr(source, "nodes")


def is_bqm(source: Any) -> bool:
    return hasattr(source, "vartype") and hasattr(source, "to_numpy_vectors")


def is_sparse(source: Any) -> bool:
    """A SciPy matrix or array; those by dictionary of keys are mappings, too."""
    return hasattr(source, "tocoo")


def is_whole(label: Any) -> bool:
    return isinstance(label, (int, np.integer)) and not isinstance(label, bool)


def _check_sites(sites: int, entries: int, what: str) -> None:
    """As of model files: a huge number of sites with hardly an entry is a mistake."""
    if sites > min(MOST_SITES, 10_000_000 + 1000 * entries):
        raise ValueError(f"{what} has {sites} sites but only {entries} entries; number the sites without large gaps, "
                         f"or name the variables by labels; the largest model has {MOST_SITES} sites")


def checked_labels(labels: Iterable[Hashable], sites: int | None = None) -> list[Hashable]:
    """Labels as a list of different names, one for every site."""
    labels = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    if sites is not None and len(labels) != sites:
        raise ValueError(f"there are {len(labels)} labels for {sites} variables; give one for each")
    seen: set[Hashable] = set()
    for label in labels:
        try:
            twice = label in seen
        except TypeError:
            raise ValueError(f"{label!r} is no label; give what can be the key of a dictionary") from None
        if twice:
            raise ValueError(f"the label {label!r} is there twice; give every variable its own")
        seen.add(label)
    return labels


def triples_of(terms: Mapping[Any, Any], what: str) -> list[tuple[Hashable, Hashable, Any]]:
    """(u, v, value) of a dictionary {(u, v): value}."""
    for pair in terms:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ValueError(f"{what} has the key {pair!r}; give pairs of variables, {{(u, v): value}}")
    return [(u, v, value) for (u, v), value in terms.items()]


def _variables(found: Iterable[Hashable], labels: list[Hashable] | None, entries: int, what: str,
               ) -> tuple[list[Hashable], list[str]]:
    """The variables in the order of their sites, and notes. Unless labels say otherwise, whole numbers are sites."""
    whole = all(is_whole(u) for u in found)
    if labels is not None:
        known = set(labels)
        unknown = [u for u in found if u not in known]
        if not unknown:
            return labels, []
        if not whole or not all(0 <= u < len(labels) for u in found):
            raise ValueError(f"{what} has the variable {unknown[0]!r}, which is not among the labels")
        return list(range(len(labels))), []
    if not whole or not found:
        return list(found), []
    least, largest = min(found), max(found)
    if least < 0:
        raise ValueError(f"{what} has the variable {least}; whole numbers are sites from 0 on, unless labels name them")
    _check_sites(largest + 1, entries, what)
    notes = [f"{what} names no site 0, which is free: sites are numbered from 0"] if least > 0 else []
    return list(range(largest + 1)), notes


def named_terms(triples: Sequence[tuple[Hashable, Hashable, Any]], linear: Mapping[Any, Any],
                labels: Iterable[Hashable] | None, what: str) -> Terms:
    """Terms between named variables. ``labels`` are all variables in the order of the sites, or new names of sites."""
    found = dict.fromkeys(linear)
    for u, v, _ in triples:
        found[u] = found[v] = None
    given = None if labels is None else checked_labels(labels)
    variables, notes = _variables(found, given, len(triples) + len(linear), what)
    index = {u: k for k, u in enumerate(variables)}
    h = np.zeros(len(variables))
    if linear:
        h[[index[u] for u in linear]] = as_reals(list(linear.values()), "h", 1, list(linear))
    pairs = [(u, v) for u, v, _ in triples]
    values = as_reals([value for _, _, value in triples], what, 1, pairs) if triples else np.zeros(0)
    return Terms(h, [index[u] for u, _ in pairs], [index[v] for _, v in pairs], values,
                 variables if given is None else given, notes)


def graph_terms(graph: Any, labels: Iterable[Hashable] | None) -> Terms:
    """``weight`` of edges and ``bias`` of nodes; edges of a multigraph add up."""
    linear = dict(graph.nodes(data="bias", default=0.0))
    if labels is None:  # the nodes are all there is, also when they are whole numbers
        labels = sorted(linear) if all(is_whole(u) for u in linear) else linear
    return named_terms(list(graph.edges(data="weight", default=1.0)), linear, labels, "the graph")


def bqm_terms(bqm: Any) -> tuple[bool, float, Terms]:
    """Whether the variables are spins, the offset, and the terms."""
    spin = str(getattr(bqm.vartype, "name", bqm.vartype)) == "SPIN"
    labels = list(bqm.variables)
    if all(is_whole(label) for label in labels):
        labels.sort()  # columns of states in the order of the numbers
    linear, (i, j, values), offset = bqm.to_numpy_vectors(variable_order=labels)[:3]
    return spin, offset, Terms(as_reals(linear, "the linear biases", 1, labels), i, j,
                               as_reals(values, "the quadratic biases", 1), labels)


def matrix_terms(matrix: Any, labels: Iterable[Hashable] | None, what: str) -> Terms:
    """The non-zero entries of a dense or sparse square matrix; no linear terms."""
    sparse = is_sparse(matrix)
    matrix = matrix.tocoo() if sparse else as_reals(matrix, what, 2)
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{what} has the shape {matrix.shape}; give a square matrix")
    sites = matrix.shape[0]
    if sparse:
        values = as_reals(matrix.data, what, 1)
        _check_sites(sites, len(values), what)
        there = np.flatnonzero(values)
        i, j, values = matrix.row[there], matrix.col[there], values[there]
    else:
        i, j = np.nonzero(matrix)
        values = np.ascontiguousarray(matrix[i, j])
    return Terms(np.zeros(sites), i, j, values, None if labels is None else checked_labels(labels, sites))
