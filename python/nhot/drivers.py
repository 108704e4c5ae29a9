"""The functions that run chains: sample, temper, compare, anneal, logz, profile, tune."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import _core
from ._export import need
from ._groups import site_groups
from ._options import documented, given_options
from ._progress import Progress
from .models import Model, load, qubo
from .results import Annealed, Comparison, LogZ, Profile, Run, StoredRun, TemperedRun, Tuning, keeps, observable_list

_WIDTH = 100


def _model(model: Any) -> Model:
    if isinstance(model, Model):
        return model
    if isinstance(model, (str, os.PathLike)):
        return load(model)
    if hasattr(model, "vartype") or hasattr(model, "edges"):
        return qubo(model)
    raise ValueError(f"the model is {type(model).__name__}; give a nhot.Model (nhot.qubo, nhot.ising, nhot.rbm, ...)")


def _bits(values: Any, what: str, model: Model) -> np.ndarray | None:
    if values is None:
        return None
    if isinstance(values, str):
        if what == "reference" and values in ("zeros", "ones"):
            return None if values == "zeros" else np.ones(model.sites, dtype=np.uint8)
        words = ", 'zeros' or 'ones'" if what == "reference" else ""
        raise ValueError(f"{what} is {values!r}; give an array of 0 and 1{words}")
    return model._bits(values, what)


_MOST_BATCHED = 8  # threads, and so states in a call of a batched delta(x); chains may be fewer


def _problem(driver: str, model: Any, distance: Any, shell: tuple[Any, Any, Any], options: dict[str, Any],
             **start: Any) -> tuple[Model, list[Any]]:
    """The model, and what the core's drivers take first: it, the options, what the shell is made of and the start."""
    model = _model(model)
    reference, groups, free = shell
    if model._interpreted and options.get("threads") is None:
        options = {**options, "threads": _MOST_BATCHED if model._batched else 1}
    given = given_options(driver, {"distance": distance, **options})
    stored = (_bits(reference, "reference", model), site_groups(model, groups, free))
    return model, [model._core, given, stored, *(_bits(values, what, model) for what, values in start.items())]


def _serves(comm: Any, driver: str, problem: list[Any], followed: Any = ()) -> bool:
    """On a rank other than 0: does its part of the run, until rank 0 is done."""
    if comm is None or comm.Get_rank() == 0:
        return False
    _core.serve(comm, driver, *problem[:3], list(followed))
    return True


@documented("sample")
def sample(model: Any, distance: int | None = None, *, groups: Any = None, free: Any = None,
           reference: Any = None, start: Any = None,
           observables: Mapping[str, Callable[[np.ndarray], float]] | None = None, progress: Any = None,
           comm: Any = None, **options: Any) -> Run:
    """Draws states at a distance from a reference in proportion to exp(-beta E), with independent chains,
    and says how far the result can be trusted.

    model : Model, dimod BQM, networkx graph, or a spec string or path
    distance : int
        Hamming distance from the reference; with reference zeros, the number of ones.
    groups : list of (sites, n), or "one-hot:K"; instead of distance
        Several groups of sites, n of each differ from the reference; sites by number or label.
    free : list of sites in no group, or "rest"; without it every site must be in a group
    reference : array of 0 and 1, a mapping from labels, "zeros" (default) or "ones"
    start : array or mapping; default: each chain from its own uniform draw
    observables : {name: function of a state}, measured at every kept draw
    progress : None (a bar where somebody looks), True, False, or a function of
        (phase, fraction, seconds, moves), which ends the run by returning True; in the phase
        "tuning" of move="auto", it is told the number of trials instead of moves
    comm : mpi4py's MPI.COMM_WORLD, or another communicator
        Its ranks share the run, which all of them call alike. Rank 0 gets the result, to the bit that of a run of
        its own; the others get None.

    Ctrl-C ends the run; what was drawn is returned.
    """
    model, problem = _problem("sample", model, distance, (reference, groups, free), options, start=start)
    followed = observable_list(observables)
    if _serves(comm, "sample", problem, followed):
        return None
    return Progress(progress).run(lambda show: _core.sample(*problem, followed, show, comm),
                                  lambda core: Run(core, model, observables or {}, keeps(options.get("states"))))


@documented("temper")
def temper(model: Any, distance: int | None = None, *, groups: Any = None, free: Any = None,
           reference: Any = None, start: Any = None,
           observables: Mapping[str, Callable[[np.ndarray], float]] | None = None, progress: Any = None,
           comm: Any = None, **options: Any) -> TemperedRun:
    """Parallel tempering: replicas at several temperatures that exchange states. The draws of the result are
    those at beta; ``result.rungs`` has the other temperatures.

    model, distance, groups, free, reference, start, observables, progress, comm : as of nhot.sample
    """
    model, problem = _problem("temper", model, distance, (reference, groups, free), options, start=start)
    followed = observable_list(observables)
    if _serves(comm, "temper", problem, followed):
        return None
    return Progress(progress).run(lambda show: _core.temper(*problem, followed, show, comm),
                                  lambda core: TemperedRun(core, model, keeps(options.get("states"))))


@documented("compare")
def compare(model: Any, distance: int | None = None, *, groups: Any = None, free: Any = None,
            reference: Any = None, start: Any = None, progress: Any = None,
            **options: Any) -> Comparison:
    """Several moves on one shell at equal CPU time: ``nhot.compare(model, 10, move=["swap", "im"])``.

    model, distance, groups, free, reference, start, progress : as of nhot.sample
    """
    model, problem = _problem("compare", model, distance, (reference, groups, free), options, start=start)
    return Progress(progress).run(lambda show: _core.compare(*problem, _WIDTH, show), Comparison)


@documented("anneal")
def anneal(model: Any, distance: int | None = None, *, groups: Any = None, free: Any = None,
           reference: Any = None, start: Any = None, progress: Any = None, comm: Any = None,
           **options: Any) -> Annealed:
    """The lowest energy on a shell: ``nhot.anneal(model, 10, seconds=1).best.chosen``.

    model, distance, groups, free, reference, start, progress, comm : as of nhot.sample
    """
    model, problem = _problem("anneal", model, distance, (reference, groups, free), options, start=start)
    if _serves(comm, "anneal", problem):
        return None
    return Progress(progress).run(lambda show: _core.anneal(*problem, _WIDTH, show, comm),
                                  lambda answer: Annealed(answer, model))


@documented("logz")
def logz(model: Any, distance: int | None = None, *, groups: Any = None, free: Any = None,
         reference: Any = None, progress: Any = None, comm: Any = None, **options: Any) -> LogZ:
    """The log of the sum of exp(-beta E) over the states of a shell, with an error bar.

    model, distance, groups, free, reference, progress, comm : as of nhot.sample
    """
    model, problem = _problem("logz", model, distance, (reference, groups, free), options)
    if _serves(comm, "logz", problem):
        return None
    return Progress(progress).run(lambda show: _core.logz(*problem, _WIDTH, show, comm), LogZ)


@documented("profile")
def profile(model: Any, distance: tuple[int, int] | range | str | None = None, *, reference: Any = None,
            progress: Any = None, **options: Any) -> Profile:
    """log Z, free energy and law of n for every n of a band, with error bars: ``nhot.profile(model, (10, 40), seconds=5)``.

    model, reference, progress : as of nhot.sample
    distance : (first, last), both included
    """
    if isinstance(distance, (tuple, list, range)):
        if len(distance) < 2 or (not isinstance(distance, range) and len(distance) > 2):
            raise ValueError(f"distance is {distance!r}; give the first and the last, such as (10, 40)")
        distance = f"{distance[0]}..{distance[-1]}"
    model, problem = _problem("profile", model, distance, (reference, None, None), options)
    return Progress(progress).run(lambda show: _core.profile(*problem, _WIDTH, show), Profile)


@documented("tune")
def tune(model: Any, distance: int | None = None, *, groups: Any = None, free: Any = None,
         reference: Any = None, start: Any = None,
         observables: Mapping[str, Callable[[np.ndarray], float]] | None = None, progress: Any = None,
         **options: Any) -> Tuning:
    """The move of the most effective draws per CPU second, by short trials of moves, walk lengths, gamma and mixtures:
    ``nhot.sample(model, 10, move=nhot.tune(model, 10).move)``. ``move="auto"`` does both.

    model, distance, groups, free, reference, start, progress : as of nhot.sample
    observables : {name: function of a state}, to be forgotten as fast as the rest
    """
    model, problem = _problem("tune", model, distance, (reference, groups, free), options, start=start)
    followed = observable_list(observables)
    return Progress(progress).run(lambda show: _core.tune(*problem, followed, _WIDTH, show), Tuning)


def load_run(path: str | os.PathLike[str]) -> StoredRun:
    """A run from a netCDF file, of the command line or of ``run.to_netcdf``."""
    xarray = need("xarray", "load_run()")
    name = os.fspath(path)
    if not os.path.isfile(name):
        raise ValueError(f"there is no file {name!r}")

    def group(part: str) -> Any:
        try:
            return xarray.load_dataset(name, group=part)
        except (OSError, KeyError):  # there is no such group
            return None

    try:
        attributes = dict(xarray.load_dataset(name).attrs)
    except (OSError, ValueError) as problem:
        raise ValueError(f"{name!r} is no run file of nhot: {problem}") from None
    if "nhot_format" not in attributes:
        raise ValueError(f"{name!r} is no run file of nhot: it has no attribute nhot_format")
    return StoredRun(attributes, group("sample_stats"), group("pair_stats"), group("posterior"))
