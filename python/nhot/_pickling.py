"""Models as what they are made of: how pickle takes them to other processes."""

from __future__ import annotations

import inspect
import operator
import sys
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core

if TYPE_CHECKING:
    from .models import Model


_STATISTICS = {"kdpp": _core.kdpp, "regression": _core.regression, "hubo": _core.hubo}


def taken_apart(model: Model) -> tuple[Callable[..., Model], tuple[Any, ...]]:
    """The function that makes the model again, and its arguments. TypeError when it is of functions without a name."""
    core, made = model._core, ()
    if model.kind == "quadratic":
        vartype, offset, linear, i, j, values = core.terms()
        made = (core.sites, vartype == "SPIN", offset, linear, i.astype(np.uint32), j.astype(np.uint32), values,
                core.sides, core.periodic)
    elif model.kind == "rbm":
        made = core.weights()
    elif model.kind in _STATISTICS:
        made = _core.made_of(core)
    else:
        made = (core.sites, core.touched(), model._batched, *(_to_pickle(function, core.name) for function in model._functions))
    return _made_again, (model.kind, core.name, made, model._labels, model.notes)


def _made_again(kind: str, name: str, made: tuple[Any, ...], labels: Any, notes: list[str]) -> Model:
    from .models import Model, custom  # which import this file

    if kind == "custom":
        sites, touched, batched, energy, delta, change = made
        model = custom(sites, energy, delta=delta, change=change, touched=touched or None, batched=batched, name=name)
        model.notes += notes
        return model
    if kind == "rbm":
        return Model(_core.rbm(name, *made), labels, notes=notes)
    if kind in _STATISTICS:
        return Model(_STATISTICS[kind](name, *made), labels, notes=notes)
    sites, spin, offset, linear, i, j, values, sides, periodic = made
    core = _core.quadratic(name, sites, spin, offset, linear, i.astype(np.int64), j.astype(np.int64), values, sides,
                           periodic)
    return Model(core, labels, notes=notes)


# --- functions ----------------------------------------------------------------------------------------------------

class _Named:
    """Stands for a compiled function, which pickle does not know, by its name in a module."""

    def __init__(self, module: str, name: str):
        self._place = module, name

    def __reduce__(self) -> tuple[Any, ...]:
        return _function_named, self._place


def _function_named(module: str, name: str) -> Any:
    __import__(module)
    return operator.attrgetter(name)(sys.modules[module])


def _place_of(function: Any) -> tuple[str, str] | None:
    """The module and the name that lead to a function; None when they do not."""
    module, name = inspect.unwrap(function).__module__, function.__qualname__
    try:
        return (module, name) if operator.attrgetter(name)(sys.modules[module]) is function else None
    except (KeyError, AttributeError):
        return None


def _pickled_by_value() -> bool:
    """Whether a package is there that pickles functions without a name."""
    return any(module.rpartition(".")[2] in ("cloudpickle", "dill") for module in list(sys.modules))


def _to_pickle(function: Any, model: str) -> Any:
    """What pickle is given for a function. Other callables pickle as they can."""
    compiled = hasattr(function, "address")
    if not compiled and not isinstance(function, types.FunctionType):
        return function
    place = _place_of(function)
    if place is None and (compiled or not _pickled_by_value()):
        raise TypeError(f"the model {model!r} cannot be pickled: its function {function.__qualname__} is not found by "
                        "that name; define it by def at the top level of a module")
    return _Named(*place) if compiled and place else function
