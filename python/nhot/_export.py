"""Draws as objects of other packages, and as run files."""

from __future__ import annotations

import datetime
import importlib
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core

if TYPE_CHECKING:
    from ._draws import Draws

Variables = dict[str, tuple[tuple[str, ...], np.ndarray]]  # name -> (dimensions, values)


def need(module: str, what: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ImportError(f"{what} needs {module}: pip install {module}") from None


def _posterior(run: Draws) -> Variables:
    """What is summarised: the energy and the observables of single chains."""
    found: Variables = {"energy": (("chain", "draw"), run.energy)}
    return found | {name: (("chain", "draw"), values) for name, (values, _, pairs) in run._observables().items()
                    if not pairs}


def _stats(run: Draws) -> Variables:
    columns = {name: values for name, values in run.columns.items() if name != "energy"}
    columns["accepted"] = columns["accepted"].astype(bool)
    columns["lp"] = -run._facts["beta"] * run.energy
    return {name: (("chain", "draw"), values) for name, values in columns.items()}


def _pair_stats(run: Draws) -> Variables:
    return {name: (("pair", "draw"), values) for name, (values, _, pairs) in run._observables().items() if pairs}


def _site_names(run: Draws) -> list[Any]:
    labels = run.model.labels
    return labels if all(isinstance(u, (int, np.integer)) for u in labels) else [str(u) for u in labels]


def _attributes(run: Draws) -> dict[str, Any]:
    """Those of a run file (doc/runs.md), and why the verdict is what it is."""
    facts = run._facts
    kept = ("distance", "reference", "beta", "move", "engine", "chains", "seed", "moves", "warmup", "thin",
            "seconds", "cpu_seconds", "steps", "acceptance", "changed", "best_energy", "ns_per_step", "ns_per_move")
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    attributes = {"created_at": now, "inference_library": "nhot", "inference_library_version": _core.version}
    attributes |= {name: facts[name] for name in kept if facts.get(name) is not None}
    attributes |= {"model": facts["model"]["name"], "model_hash": facts["model"]["hash"]}
    attributes |= {name: facts["model"][name] for name in ("kind", "sites", "couplings")}
    attributes["interrupted"] = np.int8(run.interrupted)
    if run.converged is not None:
        attributes["converged"] = np.int8(run.converged)
    return attributes | {"reasons": "\n".join(run.reasons)}


def to_xarray(run: Draws, states: bool) -> Any:
    xarray = need("xarray", "to_xarray()")
    chains, draws = run.energy.shape
    variables: Variables = _posterior(run) | _stats(run) | _pair_stats(run)
    coordinates: dict[str, Any] = {"chain": np.arange(chains), "draw": np.arange(draws)}
    if states and len(run.state_draws):
        variables["states"] = (("chain", "state_draw", "site"), run.states)
        coordinates |= {"state_draw": run.state_draws, "site": _site_names(run)}
    return xarray.Dataset(variables, coordinates, attrs=_attributes(run))


def to_arviz(run: Draws) -> Any:
    arviz = need("arviz", "to_arviz()")
    return arviz.from_dict(
        posterior={name: values for name, (_, values) in _posterior(run).items()},
        sample_stats={name: values for name, (_, values) in _stats(run).items()},
        attrs=_attributes(run),
    )


def to_pandas(run: Draws) -> Any:
    pandas = need("pandas", "to_pandas()")
    chains, draws = run.energy.shape
    index = pandas.MultiIndex.from_product([range(chains), range(draws)], names=["chain", "draw"])
    columns = _posterior(run) | _stats(run)
    return pandas.DataFrame({name: values.reshape(-1) for name, (_, values) in columns.items()}, index=index)


def _root_attributes(run: Draws) -> dict[str, Any]:
    root = {"nhot_format": 2, **_attributes(run), "nhot_finished": np.int8(1)}
    model = run.model
    if model.kind == "rbm":
        root["rbm_visible"], root["rbm_hidden"] = model.shape
    known = model.summary()
    if "lattice" in known:
        root["lattice_sides"], root["lattice_periodic"] = list(model.shape), np.int8(known["periodic"])
    return root


def _groups(run: Draws) -> dict[str, tuple[Variables, dict[str, Any]]]:
    """Variables and coordinates of the groups of a run file; a group without draws is left out."""
    chains, draws = run.energy.shape
    if not draws:
        return {}
    chain, draw = np.arange(chains), np.arange(draws)
    groups: dict[str, Any] = {"sample_stats": (_posterior(run) | _stats(run), {"chain": chain, "draw": draw})}
    if pairs := _pair_stats(run):
        groups["pair_stats"] = (pairs, {"pair": np.arange(chains // 2), "draw": draw})
    if len(run.state_draws):
        states = {"state": (("chain", "draw", "site"), run.states.view(np.int8))}
        groups["posterior"] = (states, {"chain": chain, "draw": run.state_draws, "site": _site_names(run)})
    return groups


def to_netcdf(run: Draws, path: str | os.PathLike[str]) -> None:
    xarray = need("xarray", "to_netcdf()")
    attributes = _attributes(run)
    target = os.fspath(path)
    whole = target + ".partial"
    try:
        xarray.Dataset(attrs=_root_attributes(run)).to_netcdf(whole, mode="w")
        for name, (variables, coordinates) in _groups(run).items():
            packed = {variable: {"zlib": True, "complevel": 1} for variable in variables}
            data = xarray.Dataset(variables, coordinates, attrs=attributes)
            data.to_netcdf(whole, group=name, mode="a", encoding=packed)
        os.replace(whole, target)
    finally:
        if os.path.exists(whole):
            os.remove(whole)
