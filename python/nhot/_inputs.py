"""From what people hand in (arrays, lists, seeds) to what the core takes; one clear ValueError otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def _as_array(values: Any, what: str) -> np.ndarray:
    if hasattr(values, "detach"):  # a torch tensor
        values = values.detach().cpu().numpy()
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError) as problem:
        raise ValueError(f"{what} is no array of numbers: {problem}") from None


def _place(mask: np.ndarray) -> tuple[tuple[int, ...], str]:
    """The first place where a mask holds, and the same as text."""
    where = tuple(int(i) for i in np.argwhere(mask)[0])
    return where, str(where if len(where) > 1 else where[0])


def as_real(value: Any, what: str) -> float:
    """One finite number."""
    return float(as_reals(value, what, 0))


def as_reals(values: Any, what: str, dimensions: int, keys: Sequence[Any] | None = None) -> np.ndarray:
    """A C-contiguous array of finite float64 numbers with that many dimensions. Messages name a place by its key."""
    array = _as_array(values, what)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{what} has the dtype {array.dtype}; give real numbers")
    if array.ndim != dimensions:
        wanted = "one number" if dimensions == 0 else f"{dimensions}"
        raise ValueError(f"{what} has {array.ndim} dimensions (shape {array.shape}); give {wanted}")
    with np.errstate(over="ignore"):  # of a long double; refused below
        array = np.asarray(array, dtype=np.float64, order="C")
    bad = ~np.isfinite(array)
    if bad.any():
        if dimensions == 0:
            raise ValueError(f"{what} is {array}; give a finite number")
        where, shown = _place(bad)
        shown = shown if keys is None else repr(keys[where[0]])
        raise ValueError(f"{what} holds {array[where]} at {shown}; give finite numbers")
    return array


def _as_zeros_and_ones(array: np.ndarray, what: str) -> np.ndarray:
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{what} has the dtype {array.dtype}; give 0 and 1")
    low = -1 if array.size and array.min() == -1 else 0
    bad = (array != low) & (array != 1)
    if bad.any():
        where, shown = _place(bad)
        site = f"site {shown}" if array.ndim == 1 else f"(state, site) {shown}"
        raise ValueError(f"{what} holds {array[where]} at {site}; give 0 and 1 (or -1 and +1)")
    return np.ascontiguousarray(array == 1).astype(np.uint8)


def as_bits(values: Any, what: str, sites: int) -> np.ndarray:
    """One 0 or 1 per site, from 0/1, booleans or -1/+1."""
    array = _as_array(values, what)
    if array.shape != (sites,):
        raise ValueError(f"{what} has the shape {array.shape}; give one value for each of {sites} sites")
    return _as_zeros_and_ones(array, what)


def as_states(values: Any, what: str, sites: int) -> np.ndarray:
    """(state, site), one byte a site; a single state becomes one row."""
    array = _as_array(values, what)
    if array.ndim == 1:
        return as_bits(array, what, sites)[None, :]
    if array.ndim != 2 or array.shape[1] != sites:
        raise ValueError(f"{what} has the shape {array.shape}; give (states, {sites})")
    return _as_zeros_and_ones(array, what)


def as_seed(seed: Any) -> int:
    """A seed from an int, a SeedSequence or a Generator (which moves on)."""
    if isinstance(seed, np.random.SeedSequence):
        return int(seed.generate_state(1, np.uint64)[0] >> np.uint64(1))
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(0, 2**63 - 1))
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool):
        if not 0 <= int(seed) < 2**63:
            raise ValueError(f"seed is {seed}; give a whole number from 0 to 2^63 - 1")
        return int(seed)
    raise ValueError(f"seed is {seed!r}; give a whole number, a numpy SeedSequence or a numpy Generator")
