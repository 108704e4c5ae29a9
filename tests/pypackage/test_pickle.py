"""Models go to other processes by pickle: the same digest, the same draws. What cannot go says so."""

import copy
import pickle

import numpy as np
import pytest

import nhot

RNG = np.random.default_rng(3)


def ring(x):
    return -float(np.sum(x * np.roll(x, 1)))


def ring_changes(x):
    return (2 * x - 1.0) * (np.roll(x, 1) + np.roll(x, -1))


class Weighted:
    """A callable that carries an array."""

    def __init__(self, weights):
        self.weights = weights

    def __call__(self, x):
        return float(self.weights @ x)


def from_file(tmp_path):
    path = tmp_path / "m.gset"
    path.write_text("8 4\n1 2 1\n1 2 2\n3 4 -1\n5 8 0.5\n")
    model = nhot.load(path)
    path.unlink()
    assert model.notes
    return model


def from_graph(tmp_path):
    networkx = pytest.importorskip("networkx")
    return nhot.qubo(networkx.path_graph(8))


def from_bqm(tmp_path):
    dimod = pytest.importorskip("dimod")
    return nhot.qubo(dimod.BinaryQuadraticModel(dict(zip("abcdefgh", RNG.normal(size=8))), {"ab": 1.5}, 0.25, "SPIN"))


MODELS = {
    "lattice": lambda _: nhot.ferromagnet(3, 3),
    "open lattice": lambda _: nhot.ferromagnet(2, 4, periodic=False),
    "glass": lambda _: nhot.spin_glass(2, 2, 3, couplings="gaussian"),
    "field": lambda _: nhot.field(9),
    "qubo": lambda _: nhot.qubo(RNG.normal(size=(8, 8)), offset=0.1),
    "labels": lambda _: nhot.qubo({(u, v): 0.3 for u, v in zip("abcdefg", "bcdefgh")}),
    "ising": lambda _: nhot.ising(RNG.normal(size=8), np.triu(RNG.normal(size=(8, 8)), 1), 2.0),
    "free sites": lambda _: nhot.ising({0: 1.0}, {(3, 7): -2.0}),
    "file": from_file,
    "graph": from_graph,
    "bqm": from_bqm,
    "gabor": lambda _: nhot.gabor_rbm(6, 3),
    "rbm": lambda _: nhot.rbm(RNG.normal(size=(5, 4)), RNG.normal(size=4), RNG.normal(size=5)),
    "energy": lambda _: nhot.custom(8, ring, name="a ring"),
    "delta": lambda _: nhot.custom(8, ring, delta=ring_changes),
    "touched": lambda _: nhot.custom(8, ring, touched=[sorted({(i - 1) % 8, (i + 1) % 8}) for i in range(8)]),
    "callable": lambda _: nhot.custom(8, Weighted(RNG.normal(size=8))),
}


def check_same(again, model, distance=3):
    assert again.summary() == model.summary()
    assert (again.labels, again.notes, again.shape) == (model.labels, model.notes, model.shape)
    assert again._core.touched() == model._core.touched()
    one, two = (nhot.sample(m, distance, move="swap", moves=60, seed=5, threads=1) for m in (model, again))
    np.testing.assert_array_equal(one.energy, two.energy)
    np.testing.assert_array_equal(one.states, two.states)
    assert one.observables.keys() == two.observables.keys()  # those of a lattice among them


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_models(make, tmp_path):
    model = make(tmp_path)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        check_same(pickle.loads(pickle.dumps(model, protocol)), model)
    again = pickle.loads(pickle.dumps(model))
    check_same(pickle.loads(pickle.dumps(again)), model)


def test_copies_are_the_model():
    model = nhot.custom(4, lambda x: float(x.sum()))
    assert copy.copy(model) is model and copy.deepcopy([model])[0] is model


COMPILED = """
from numba import carray, cfunc, types

STATE = types.CPointer(types.uint8)

@cfunc(types.float64(STATE, types.int64))
def energy(state, sites):
    x, total = carray(state, sites), 0.0
    for i in range(sites):
        total += (i - 2.5) * x[i]
    return total

@cfunc(types.float64(STATE, types.int64, types.int64))
def change(state, sites, i):
    return (i - 2.5) * (1 - 2.0 * state[i])

class Folder:
    inner = energy

def local():
    @cfunc(types.float64(STATE, types.int64))
    def energy(state, sites):
        return 0.0
    return energy
"""


def test_compiled_functions(tmp_path, monkeypatch):
    pytest.importorskip("numba")
    (tmp_path / "compiled_energies.py").write_text(COMPILED)
    monkeypatch.syspath_prepend(tmp_path)
    import compiled_energies

    model = nhot.custom(8, compiled_energies.energy, change=compiled_energies.change, touched=[[]] * 8)
    check_same(pickle.loads(pickle.dumps(model)), model)
    with pytest.raises(TypeError, match="the model 'custom' cannot be pickled: its function local.<locals>.energy"):
        pickle.dumps(nhot.custom(8, compiled_energies.local()))


REFUSED = """
import pickle
import nhot

try:
    pickle.dumps(nhot.custom(3, lambda x: 1.0, name="mine"))
except TypeError as problem:
    print(problem)
"""


def test_functions_without_a_name(output_of):
    """Nothing is loaded that could pickle them."""
    said, _ = output_of(REFUSED)
    assert said == ("the model 'mine' cannot be pickled: its function <lambda> is not found by that name; define it "
                    "by def at the top level of a module\n")


def test_functions_without_a_name_by_cloudpickle():
    cloudpickle = pytest.importorskip("cloudpickle")
    model = nhot.custom(8, lambda x: float(x @ np.arange(8)))
    check_same(pickle.loads(cloudpickle.dumps(model)), model)


WORK = """
import multiprocessing
import numpy as np
import nhot

def energy(x):
    return -float(np.sum(x * np.roll(x, 1)))

def draw(task):
    model, seed = task
    return nhot.sample(model, 4, moves=50, move="swap", seed=seed, threads=1).energy

def main():
    models = [nhot.ferromagnet(3, 3), nhot.qubo({("a", v): 1.0 for v in "bcdefg"}), nhot.gabor_rbm(6, 3),
              nhot.custom(9, energy)]
    tasks = [(model, seed) for model in models for seed in (1, 2)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        there = pool.map(draw, tasks)
    print(all(np.array_equal(draw(task), found) for task, found in zip(tasks, there)), len(there))
"""


def test_spawned_processes(output_of, tmp_path):
    (tmp_path / "work.py").write_text(WORK)
    assert output_of("import work\nif __name__ == '__main__': work.main()") == ("True 8\n", "")


def test_results():
    """Answers without draws pickle, and so does a state; runs say what to keep instead."""
    found = nhot.anneal(nhot.qubo({("a", "b"): 1.0, ("b", "c"): -2.0}), 2, reads=2, sweeps=5)
    again = pickle.loads(pickle.dumps(found))
    assert again.best.chosen == found.best.chosen == ["b", "c"] and again.text() == found.text()
    assert dict(pickle.loads(pickle.dumps(found.best))) == dict(found.best)
    estimate = nhot.logz("field:9", 3, population=4, populations=2)
    assert pickle.loads(pickle.dumps(estimate)).value == estimate.value
    tempered = nhot.temper("field:9", 3, moves=20, betas=[0.5, 1.0])
    for run in (nhot.sample("field:9", 3, moves=20), tempered, tempered.rungs[0]):
        with pytest.raises(TypeError, match="a run holds chains and cannot be pickled; keep its arrays"):
            pickle.dumps(run)
