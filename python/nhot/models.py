"""Models: lattices, glasses, QUBOs, Ising models, RBMs, energies of one's own."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from . import _core
from ._inputs import as_bits, as_real, as_reals, as_seed, as_states
from ._pickling import taken_apart
from ._terms import (MOST_SITES, Terms, bqm_terms, graph_terms, is_bqm, is_graph, is_sparse, is_whole, matrix_terms,
                     named_terms, triples_of)


class Model:
    """An energy over binary variables. Immutable.

    ``labels`` are the names of the variables, in the order of the sites; ``0 .. sites - 1`` when
    nothing was named. ``notes`` say what a reader should know of how the model was made.
    """

    def __init__(self, core: _core.Model, labels: Sequence[Hashable] | None = None, functions: tuple[Any, ...] = (),
                 notes: Iterable[str] = (), batched: bool = False):
        if labels is None and core.names:
            labels = core.names
        self._core = core if labels is None else _named(core, labels)
        self._functions = functions  # energy, delta and change, which the core calls; kept alive here
        self._batched = batched  # delta takes the states of several chains at once
        self._labels = None if labels is None else list(labels)
        self.notes = list(notes)

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def kind(self) -> str:
        """``quadratic``, ``rbm``, ``kdpp``, ``regression``, ``hubo`` or ``custom``."""
        return self._core.kind

    @property
    def sites(self) -> int:
        """The number of binary variables."""
        return self._core.sites

    @property
    def couplings(self) -> int:
        return self._core.couplings

    @property
    def shape(self) -> tuple[int, ...]:
        """The sides of a lattice; of an RBM (visible, hidden); else (sites,)."""
        if self._core.sides:
            return tuple(self._core.sides)
        if self.kind == "rbm":
            return (self._core.visible, self.sites - self._core.visible)
        return (self.sites,)

    @property
    def labels(self) -> list[Hashable]:
        return list(range(self.sites)) if self._labels is None else list(self._labels)

    @property
    def _interpreted(self) -> bool:
        """Threads would only wait for the interpreter's lock."""
        return bool(self._functions) and not _address(self._functions[0])

    def _bits(self, state: Any, what: str) -> np.ndarray:
        """One byte a site, from an array or a mapping by labels."""
        if isinstance(state, Mapping):
            labels = self.labels
            missing = [label for label in labels if label not in state]
            if missing:
                raise ValueError(f"{what} has no value for {missing[0]!r}; give one for each of {self.sites} variables")
            state = [state[label] for label in labels]
        return as_bits(state, what, self.sites)

    def energy(self, states: Any) -> Any:
        """The energy of a state (0/1, -1/+1, or a mapping by labels), or of every row of an array of states."""
        bits = self._bits(states, "the state")[None, :] if isinstance(states, Mapping) else as_states(
            states, "states", self.sites)
        energies = self._core.energies(bits)
        return energies if np.ndim(states) == 2 else float(energies[0])

    def summary(self) -> dict[str, Any]:
        """What is known of the model, as ``nhot info`` prints it."""
        return self._core.describe()

    def terms(self) -> tuple[str, float, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(vartype, offset, linear, i, j, value): the energy as one quadratic polynomial."""
        return self._core.terms()

    def chosen(self, state: Any) -> list[Hashable]:
        """The labels of the sites that are 1 in a state."""
        ones = np.flatnonzero(self._bits(state, "the state"))
        return [int(i) for i in ones] if self._labels is None else [self._labels[i] for i in ones]

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the arrays, or the functions, which must be picklable."""
        return taken_apart(self)

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self

    def __repr__(self) -> str:
        return f"<nhot.Model {self.name}: {self.kind}, {self.sites:,} sites, {self.couplings:,} couplings>"


def _named(core: _core.Model, labels: Sequence[Hashable]) -> _core.Model:
    """The core with the labels as names, for texts and tables; without where two would read the same."""
    names = [str(label) for label in labels]
    return core.with_names(names) if len(set(names)) == len(names) == core.sites else core


def _sides(sides: tuple[int, ...]) -> str:
    if not sides:
        raise ValueError("no sides are given; try: nhot.ferromagnet(60, 60)")
    for side in sides:
        if isinstance(side, bool) or not isinstance(side, (int, np.integer)):
            raise ValueError(f"a side is {side!r}; give whole numbers: nhot.ferromagnet(60, 60)")
    return "x".join(str(int(side)) for side in sides)


def ferromagnet(*sides: int, periodic: bool = True) -> Model:
    """The Ising ferromagnet on a lattice, E = -sum over bonds of s s."""
    return from_spec(f"ferromagnet:{_sides(sides)}" + ("" if periodic else ",open"))


def spin_glass(*sides: int, seed: int = 1, couplings: str = "plus-minus", periodic: bool = True) -> Model:
    """The Edwards-Anderson glass, E = -sum over bonds of J s s; J = +-1 or ``couplings="gaussian"``."""
    return from_spec(
        f"spin-glass:{_sides(sides)},seed={as_seed(seed)},couplings={couplings}" + ("" if periodic else ",open")
    )


def field(sites: int, seed: int = 1) -> Model:
    """Independent sites with normal fields: exact answers are known."""
    return from_spec(f"field:{_sides((sites,))},seed={as_seed(seed)}")


def gabor_rbm(visible: int, hidden: int, seed: int = 1) -> Model:
    """An RBM whose hidden units are Gabor filters."""
    return from_spec(f"rbm:{_sides((visible, hidden))},seed={as_seed(seed)}")


def from_spec(spec: str) -> Model:
    """The model of a spec string of the command line, such as ``"ferromagnet:60x60"``."""
    if not isinstance(spec, str):
        raise ValueError(f"the spec is {spec!r}; give a text such as 'ferromagnet:60x60'")
    return Model(_core.model_from_spec(spec))


def _whole(values: Any) -> np.ndarray:
    return np.ascontiguousarray(values, dtype=np.int64)


def _make(name: str, spin: bool, offset: Any, linear: np.ndarray, i: Any, j: Any, values: np.ndarray,
          labels: Sequence[Hashable] | None, notes: Iterable[str] = ()) -> Model:
    if len(linear) == 0:
        raise ValueError(f"{name} has no variables; give at least one")
    core = _core.quadratic(name, len(linear), spin, as_real(offset, "the offset"), linear, _whole(i), _whole(j), values)
    if labels is not None and all(is_whole(u) and u == k for k, u in enumerate(labels)):
        labels = None
    return Model(core, labels, notes=notes)


def _make_of(name: str, spin: bool, offset: Any, terms: Terms) -> Model:
    return _make(name, spin, offset, terms.linear, terms.i, terms.j, terms.values, terms.labels, terms.notes)


def qubo(Q: Any, offset: float = 0.0, labels: Sequence[Hashable] | None = None) -> Model:
    """E(x) = offset + sum of Q_uv x_u x_v with x = 0 or 1.

    ``Q`` is a dictionary ``{(u, v): value}``, a square matrix (dense or SciPy sparse; both triangles
    count), a networkx graph (``weight`` of edges, ``bias`` of nodes) or a dimod BQM of any vartype.
    Names of variables are kept. Whole numbers in a dictionary are sites, from 0 to the largest.

    ``labels`` are the variables in the order of the sites: those that a dictionary names, and others without
    terms; or new names for sites.
    """
    if is_bqm(Q):
        if labels is not None or np.any(offset):
            raise ValueError("a BQM has its own offset and labels; leave out both")
        return _make_of("bqm", *bqm_terms(Q))
    if is_graph(Q):
        return _make_of("graph", False, offset, graph_terms(Q, labels))
    if isinstance(Q, Mapping) and not is_sparse(Q):
        return _make_of("qubo", False, offset, named_terms(triples_of(Q, "Q"), {}, labels, "Q"))
    return _make_of("qubo", False, offset, matrix_terms(Q, labels, "Q"))


def ising(h: Any, J: Any = None, offset: float = 0.0, labels: Sequence[Hashable] | None = None) -> Model:
    """E(s) = offset + sum h_u s_u + sum J_uv s_u s_v with s = -1 or +1; bit 1 is spin +1.

    ``h`` is a dictionary or one number per variable (or None), ``J`` a dictionary ``{(u, v): value}``
    or a square matrix whose triangles are added (or None); its diagonal must be 0. ``labels`` as of nhot.qubo.
    """
    if h is None and J is None:
        raise ValueError("neither h nor J is given; give dictionaries, or a list and a square matrix")
    if J is None or (isinstance(J, Mapping) and not is_sparse(J)):
        if h is not None and not isinstance(h, Mapping):
            h = dict(enumerate(as_reals(h, "h", 1)))
        triples = triples_of(J or {}, "J")
        for u, v, _ in triples:
            if u == v:
                raise ValueError(f"J couples {u!r} with itself; s^2 = 1: add it to the offset")
        return _make_of("ising", True, offset, named_terms(triples, h or {}, labels, "J"))
    terms = matrix_terms(J, labels, "J")
    diagonal = terms.i[terms.i == terms.j]
    if diagonal.size:
        raise ValueError(f"J has the entry ({diagonal[0]}, {diagonal[0]}); s^2 = 1: add the diagonal to the offset")
    if h is not None:
        fields = as_reals(h, "h", 1)
        if len(fields) != len(terms.linear):
            raise ValueError(f"h has {len(fields)} numbers and J {len(terms.linear)} variables; give as many of both")
        terms = replace(terms, linear=fields)
    return _make_of("ising", True, offset, terms)


def rbm(W: Any, b: Any = None, c: Any = None) -> Model:
    """E(v, h) = -v'Wh - c.v - b.h: a restricted Boltzmann machine with 0/1 units.

    ``W`` is visible x hidden, ``b`` the biases of the hidden and ``c`` of the visible units; arrays or
    torch tensors. Or ``W`` alone: a fitted ``sklearn.neural_network.BernoulliRBM``. Sites are the
    visible units, then the hidden ones.
    """
    if hasattr(W, "n_components"):
        if b is not None or c is not None or not hasattr(W, "components_"):
            raise ValueError("a BernoulliRBM is given fitted, and alone: it has its own b and c")
        W, b, c = W.components_.T, W.intercept_hidden_, W.intercept_visible_
    weights = as_reals(W, "W", 2)
    b = np.zeros(weights.shape[1]) if b is None else as_reals(b, "b", 1)
    c = np.zeros(weights.shape[0]) if c is None else as_reals(c, "c", 1)
    if len(b) != weights.shape[1] or len(c) != weights.shape[0]:
        raise ValueError(
            f"W is {weights.shape[0]} x {weights.shape[1]}, but b has {len(b)} numbers and c {len(c)}; "
            "give W as visible x hidden, b for the hidden and c for the visible units"
        )
    return Model(_core.rbm("rbm", weights, b, c))


def load(path: str | os.PathLike[str], format: str = "") -> Model:
    """A model from a file (see doc/formats.md), or from a spec string of the command line.

    RBM weights in HDF5 (``.h5``, datasets W, b, c) are read by h5py, ``.npz`` files by NumPy (Q, or h and J; offset and
    labels where they are there), and BQM files (``.bqm``, and ``.json`` of ``to_serializable()``) by dimod.
    """
    name = os.fspath(path)
    if (name.endswith(".npz") and not format) or format == "npz":
        return _load_npz(name)
    if (name.endswith((".bqm", ".json")) and not format) or format == "bqm":
        return _load_bqm(name)
    if (name.split("#")[0].endswith((".h5", ".hdf5")) and not format) or format == "h5":
        return _load_hdf5(name)
    core, notes = _core.read_text_model(name, format)
    return Model(core, notes=notes)


def _load_npz(name: str) -> Model:
    if not os.path.exists(name):
        raise ValueError(f"file {name!r} does not exist; check the path")
    try:
        with np.load(name) as data:
            arrays = {key: data[key] for key in data.files}
    except (OSError, ValueError, AttributeError) as problem:
        raise ValueError(f"{name!r} cannot be read as .npz: {problem}") from None
    offset = float(arrays["offset"]) if "offset" in arrays else 0.0
    labels = [label.item() for label in arrays["labels"]] if "labels" in arrays else None
    if ("Q" in arrays) == ("h" in arrays or "J" in arrays):
        raise ValueError(f"{name!r} holds {', '.join(arrays) or 'nothing'}; give either Q, or h and J")
    if "Q" in arrays:
        return qubo(arrays["Q"], offset, labels)
    return ising(arrays.get("h"), arrays.get("J"), offset, labels)


def _load_bqm(name: str) -> Model:
    try:
        import dimod
    except ImportError:
        raise ImportError("BQM files need dimod: pip install dimod") from None
    import json

    if not os.path.exists(name):
        raise ValueError(f"file {name!r} does not exist; check the path")
    with open(name, "rb") as file:
        data = file.read()
    try:
        if data.startswith(b"DIMODBQM"):
            bqm = dimod.BinaryQuadraticModel.from_file(data)
        else:
            bqm = dimod.BinaryQuadraticModel.from_serializable(json.loads(data))
    except (ValueError, KeyError, TypeError) as problem:
        raise ValueError(f"{name!r} is no BQM of dimod: {problem}") from None
    return qubo(bqm)


def _load_hdf5(name: str) -> Model:
    try:
        import h5py
    except ImportError:
        raise ImportError("RBM weights in HDF5 need h5py: pip install h5py") from None
    file, _, group = name.partition("#")
    if not os.path.exists(file):
        raise ValueError(f"file {file!r} does not exist; check the path")
    try:
        with h5py.File(file, "r") as data:
            where = data[group] if group else data
            weights, b, c = (np.asarray(where[key][()]) for key in "Wbc")
    except OSError as problem:
        raise ValueError(f"{file!r} cannot be read as HDF5: {problem}") from None
    except (KeyError, TypeError) as problem:
        raise ValueError(f"{name!r} lacks a dataset: {problem}; an RBM file holds W, b and c") from None
    # Files have W as hidden x visible, as doc/formats.md says.
    if weights.shape == (b.size, c.size):
        return rbm(weights.T, b, c)
    model = rbm(weights, b, c)
    model.notes.append("W is visible x hidden in the file and was transposed")
    return model


def _address(function: Any) -> int:
    """The address of a Numba cfunc; 0 for other things."""
    return int(getattr(function, "address", 0) or 0)


def _check_signature(what: str, function: Any, wanted: str) -> None:
    """Refuses a cfunc of other arguments, which would read what is not there."""
    shown = str(getattr(function, "_sig", wanted))
    if shown != wanted:
        raise ValueError(f"{what} is compiled as {shown}; give {wanted} (see the help of nhot.custom)")


_SIGNATURES = {"energy": "(uint8*, int64) -> float64", "delta": "(uint8*, int64, float64*) -> none",
               "change": "(uint8*, int64, int64) -> float64"}


def _site_lists(touched: Any, sites: int) -> list[list[int]]:
    try:
        lists = [[operator.index(site) for site in own] for own in touched]
    except TypeError:
        raise ValueError("touched holds something else than lists of sites; give one list of whole numbers per site"
                         ) from None
    if len(lists) != sites:
        raise ValueError(f"touched has {len(lists)} lists for {sites} sites; give one list of sites per site")
    for i, own in enumerate(lists):
        own.sort()
        if own and not 0 <= own[0] <= own[-1] < sites:
            raise ValueError(f"touched[{i}] holds {own[0] if own[0] < 0 else own[-1]}; sites are 0 to {sites - 1}")
    return lists


def custom(sites: int, energy: Callable[..., Any] | None = None, *, delta: Callable[..., Any] | None = None,
           change: Any = None, touched: Iterable[Iterable[int]] | None = None, batched: bool = False,
           name: str = "custom") -> Model:
    """An energy given as code.

    ``energy(x)`` returns E of a state (an array of 0 and 1, int64). ``delta(x)``, much faster, returns an array with
    the change of E when each site is flipped alone. ``touched[i]`` lists the sites whose change depends
    on site i, when that is not all of them; it saves calls beside ``energy`` and ``change``.

    ``batched=True``: ``delta(x)`` takes the states of several chains in one call, as the rows of x, and returns a
    row of changes for each. How many rows meet in a call depends on the machine, so the answer for a state must not
    depend on the others. Runs then use a thread a chain, up to eight, unless ``threads`` is given.

    Numba functions run without the interpreter: give a ``numba.cfunc`` as ``energy`` with the signature
    ``float64(CPointer(uint8), int64)`` (state, sites), and as ``delta``
    ``void(CPointer(uint8), int64, CPointer(float64))`` or as ``change``
    ``float64(CPointer(uint8), int64, int64)`` (state, sites, site).
    """
    if energy is None:
        raise ValueError("an energy function is needed, also beside delta: nhot.custom(40, energy)")
    if not is_whole(sites) or not 0 < sites < MOST_SITES:
        raise ValueError(f"sites is {sites!r}; give the number of binary variables, below {MOST_SITES}")
    lists = [] if touched is None else _site_lists(touched, int(sites))
    if delta is not None and change is None:
        lists = []  # one call of delta() has all changes: asking for those of single sites would take longer
    functions = {"energy": energy, "delta": delta, "change": change}
    if batched and (delta is None or _address(energy)):
        raise ValueError("batched is for a delta(x) in Python; give delta, or leave batched out")
    if _address(energy):
        for what, function in functions.items():
            if function is None:
                continue
            if not _address(function):
                raise ValueError(f"energy is compiled and {what} is not; compile both with numba.cfunc")
            _check_signature(what, function, _SIGNATURES[what])
        return Model(_core.compiled_energy(name, int(sites), lists, _address(energy), _address(delta),
                                           _address(change)), functions=tuple(functions.values()))
    if change is not None:
        raise ValueError("change is for compiled functions; give delta(x), the changes of all sites at once")
    for what, function in functions.items():
        if function is not None and (_address(function) or not callable(function)):
            raise ValueError(f"{what} is {function!r}; give a function of a state")
    return Model(_core.python_energy(name, int(sites), lists, energy, delta, bool(batched)),
                 functions=tuple(functions.values()), batched=bool(batched))
