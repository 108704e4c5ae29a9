"""Groups of sites, as people hand them in: lists of sites with the number that differs from the reference."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import Any

from ._terms import is_whole
from .models import Model

_EXAMPLE = 'give a list of (sites, n), as in groups=[([0, 1, 2], 1), ([3, 4, 5], 1)], or "one-hot:3"'


def _sites_of(model: Model, sites: Any, what: str) -> list[int]:
    if isinstance(sites, (str, bytes)) or not isinstance(sites, Iterable):
        raise ValueError(f"the sites of {what} are {sites!r}; {_EXAMPLE}")
    index: dict[Hashable, int] = {label: k for k, label in enumerate(model.labels)}
    found = []
    for site in sites:
        if not isinstance(site, Hashable) or site not in index:
            raise ValueError(f"{what} has {site!r}, which is no site of the model; "
                             f"its sites are {model.labels[0]!r} to {model.labels[-1]!r}" if model.sites else
                             f"{what} has {site!r}, and the model has no sites")
        found.append(index[site])
    return found


def _blocks(model: Model, words: str) -> list[tuple[list[int], int]]:
    match = re.fullmatch(r"one-hot:([1-9][0-9]*)", words)
    if not match or model.sites % int(match[1]):
        raise ValueError(f"groups is {words!r} for {model.sites} sites; {_EXAMPLE}, a size that divides the sites")
    size = int(match[1])
    return [(list(range(begin, begin + size)), 1) for begin in range(0, model.sites, size)]


def site_groups(model: Model, groups: Any, free: Any) -> list[tuple[list[int], int]] | None:
    """Groups as numbers of sites. Every site must be in one, or be free: listed in `free`, or all others by "rest"."""
    if groups is None:
        if free is not None:
            raise ValueError("free is given without groups; give groups, or groups=[] when every site is free")
        return None
    if isinstance(groups, str):
        pairs = _blocks(model, groups)
    else:
        pairs = []
        for k, group in enumerate(groups):
            try:
                sites, count = group
            except (TypeError, ValueError):
                raise ValueError(f"group {k + 1} is {group!r}; {_EXAMPLE}") from None
            if not is_whole(count) or count < 0:
                raise ValueError(f"group {k + 1} has the number {count!r}; give a whole number, "
                                 "of the sites that differ from the reference")
            pairs.append((_sites_of(model, sites, f"group {k + 1}"), int(count)))
    loose = [] if free is None or (isinstance(free, str) and free == "rest") else _sites_of(model, free, "free")
    owned = {site for sites, _ in pairs for site in sites}
    for site in loose:
        if site in owned:
            raise ValueError(f"{model.labels[site]!r} is free and in a group; it can be one of them")
    missing = set(range(model.sites)) - owned - set(loose)
    if missing and not (isinstance(free, str) and free == "rest"):
        raise ValueError(f"{model.labels[min(missing)]!r} is in no group; list it, name it in free, "
                         'or give free="rest" for all sites that no group has')
    return pairs
