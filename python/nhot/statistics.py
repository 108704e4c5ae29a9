"""Models of statistics: determinantal point processes, regression, polynomials of any degree."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._inputs import as_real, as_reals
from ._terms import MOST_SITES, checked_labels, is_whole
from .models import Model


def kdpp(L: Any = None, *, features: Any = None, labels: Iterable[Hashable] | None = None) -> Model:
    """Subsets S of N items in proportion to det L_S: at distance k, the k-DPP of Kulesza and Taskar.

    ``L`` is an N x N kernel, symmetric and positive semidefinite; or give ``features``, an N x r array B, for the
    kernel of low rank L = B B'. The energy is -log det of L_S + 2^-24 diag(L)_S: finite for every subset.
    """
    if (L is None) == (features is None):
        raise ValueError("give the kernel L or features, one of the two: nhot.kdpp(L), nhot.kdpp(features=B)")
    matrix = as_reals(L if features is None else features, "L" if features is None else "features", 2)
    if features is None and matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"L has the shape {matrix.shape}; give a square kernel, or the array B of L = B B' as features")
    core = _core.kdpp("kdpp", matrix, features is not None)
    return Model(core, None if labels is None else checked_labels(labels, len(matrix)))


def kdpp_exact(L: Any, k: int) -> tuple[float, np.ndarray]:
    """(log Z, marginals) of the k-DPP of a kernel, from the elementary symmetric polynomials of its eigenvalues:
    log of the sum of det L_S over subsets of k items, and the probability of every item. O(N^3)."""
    kernel = as_reals(L, "L", 2)
    if kernel.shape[0] != kernel.shape[1]:
        raise ValueError(f"L has the shape {kernel.shape}; give a square kernel")
    items = len(kernel)
    if not is_whole(k) or not 0 <= k <= items:
        raise ValueError(f"k is {k!r}; give 0 to {items}")
    values, vectors = np.linalg.eigh((kernel + kernel.T) / 2)
    with np.errstate(divide="ignore"):
        logs = np.log(np.maximum(values, 0))
    below, above = _log_symmetric(logs, k), _log_symmetric(logs[::-1], k)[::-1]
    log_z = float(below[-1, k])
    if k == 0 or not np.isfinite(log_z):
        return log_z, np.full(items, 0.0 if k == 0 else np.nan)
    # Eigenvector m is in the elementary DPP with probability lambda_m e_{k-1} of the others / e_k; the others are
    # those before m and those behind it.
    chosen = np.empty(items)
    for m in range(items):
        pairs = below[m, :k] + above[m + 1, k - 1::-1]
        chosen[m] = np.exp(logs[m] + np.logaddexp.reduce(pairs) - log_z) if np.isfinite(logs[m]) else 0.0
    return log_z, (vectors**2) @ chosen


def _log_symmetric(logs: np.ndarray, k: int) -> np.ndarray:
    """Row m: logs of e_0 .. e_k of the first m values."""
    table = np.full((len(logs) + 1, k + 1), -np.inf)
    table[:, 0] = 0
    for m, log in enumerate(logs):
        table[m + 1, 1:] = np.logaddexp(table[m, 1:], table[m, :-1] + log)
    return table


def regression(X: Any, y: Any, *, prior: str = "unit", names: Iterable[Hashable] | None = None) -> Model:
    """Bayesian linear regression over subsets of the columns of ``X`` (rows x columns), with an intercept: at
    distance k and beta 1, the posterior over models with exactly k predictors.

    ``X`` may be a pandas data frame, whose columns then give the names. ``prior`` of the coefficients: Zellner's
    g-prior with g = rows ("unit") or g = max(rows, columns^2) ("benchmark"), or "bic". The energy is minus the log of
    the Bayes factor against no predictors.
    """
    if names is None and hasattr(X, "columns"):
        names = list(X.columns)
    columns = as_reals(X, "X", 2)
    response = as_reals(y, "y", 1)
    if len(columns) != len(response):
        raise ValueError(f"X has {len(columns)} rows and y {len(response)} numbers; give one row for each")
    labels = None if names is None else checked_labels(names, columns.shape[1])
    shown = [f"x{c}" for c in range(columns.shape[1])] if labels is None else [str(label) for label in labels]
    return Model(_core.regression("regression", columns, response, shown, prior), labels)


def hubo(polynomial: Any, vartype: str | None = None, *, offset: float = 0.0,
         labels: Iterable[Hashable] | None = None) -> Model:
    """A polynomial of any degree in binary variables: a ``dimod.BinaryPolynomial``, or a dictionary from tuples of
    variables to numbers, {(u, v, w): 2.5, (u,): -1}, with a vartype, "BINARY" (0/1, default) or "SPIN" (-1/+1).

    Whole numbers stay exact. A polynomial of degree 2 or less is a quadratic model.
    """
    kind = getattr(polynomial, "vartype", None)
    if kind is not None:
        if vartype is not None and str(vartype).upper() != kind.name:
            raise ValueError(f"the polynomial is {kind.name}; leave out vartype, or convert it first")
        vartype = kind.name
    vartype = str(vartype or "BINARY").upper()
    if vartype not in ("BINARY", "SPIN"):
        raise ValueError(f"vartype is {vartype!r}; give 'BINARY' or 'SPIN'")
    if not isinstance(polynomial, Mapping):
        raise ValueError(f"the polynomial is {type(polynomial).__name__}; give a dimod.BinaryPolynomial or a dictionary "
                         "from tuples of variables to numbers")
    terms = [(_variables_of(term), value) for term, value in polynomial.items()]
    numbered, names = _numbered(polynomial, [variables for variables, _ in terms], labels)
    values = as_reals([value for _, value in terms], "the polynomial", 1, [term for term, _ in terms])
    core = _core.hubo("hubo", len(names), vartype == "SPIN", as_real(offset, "the offset"),
                      np.array([site for sites in numbered for site in sites], dtype=np.int64),
                      np.array([len(sites) for sites in numbered], dtype=np.int64), values)
    return Model(core, None if names == list(range(len(names))) else names)


def _variables_of(term: Any) -> tuple[Hashable, ...]:
    if isinstance(term, (tuple, frozenset)):
        return tuple(term)
    if is_whole(term) or isinstance(term, str):
        return (term,)
    raise ValueError(f"the polynomial has the key {term!r}; give tuples of variables, {{(u, v, w): value}}")


def _numbered(polynomial: Mapping[Any, Any], terms: Sequence[tuple[Hashable, ...]],
              labels: Iterable[Hashable] | None) -> tuple[list[list[int]], list[Hashable]]:
    """Terms as sites, and the label of every site: as given, 0 to the largest of whole numbers, or in order of
    appearance (of sets, sorted)."""
    found = dict.fromkeys(variable for term in terms for variable in term)
    if labels is not None:
        names = checked_labels(labels)
    elif found and all(is_whole(u) and 0 <= u < MOST_SITES for u in found):
        names = list(range(int(max(found)) + 1))
        if len(names) > 10_000_000 + 1000 * len(terms):
            raise ValueError(f"the polynomial has {len(names)} sites and {len(terms)} terms; number the variables "
                             "without large gaps")
    elif any(isinstance(term, frozenset) for term in polynomial):  # whose order is another in every process
        names = sorted(found, key=lambda u: (type(u).__name__, repr(u)))
    else:
        names = list(found)
    if not names:
        raise ValueError("the polynomial has no variables; give at least one")
    place = {name: site for site, name in enumerate(names)}
    for variable in found:
        if variable not in place:
            raise ValueError(f"the variable {variable!r} is not among the labels; name every variable")
    return [[place[variable] for variable in term] for term in terms], names
