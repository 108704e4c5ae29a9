"""Generators, RBMs and energies of states: the energies are those that plain NumPy computes, and bad input is one clear
ValueError. Couplings of one's own are in test_quadratic_models.py, files in test_model_files.py."""

import types

import numpy as np
import pytest

import nhot
from pypackage.model_energies import STATES, check, qubo_energies, rbm_energies

RNG = np.random.default_rng(1)
Q = RNG.normal(size=(6, 6))  # both triangles and a diagonal
NAN, INF = float("nan"), float("inf")


# --- generators -------------------------------------------------------------------------------------------------

def lattice_energies(sides, periodic):
    s = (2 * STATES[int(np.prod(sides))].astype(int) - 1).reshape(-1, *sides)
    total = 0
    for axis, side in enumerate(sides, start=1):
        both = np.roll(s, -1, axis)
        if not periodic:
            both = np.take(s, range(1, side), axis)
            total = total - (np.take(s, range(side - 1), axis) * both).reshape(len(s), -1).sum(1)
        else:
            total = total - (s * both).reshape(len(s), -1).sum(1)
    return total


@pytest.mark.parametrize("sides, periodic", [((3, 3), True), ((3, 3), False), ((2, 4), False), ((7,), True)])
def test_ferromagnet(sides, periodic):
    model = nhot.ferromagnet(*sides, periodic=periodic)
    check(model, lattice_energies(sides, periodic))
    assert (model.shape, model.kind) == (sides, "quadratic")
    assert model.labels == list(range(model.sites))


@pytest.mark.parametrize("model", [
    nhot.spin_glass(3, 3, seed=2), nhot.spin_glass(3, 3, couplings="gaussian", periodic=False), nhot.field(8, seed=3),
    nhot.gabor_rbm(6, 3, seed=2), nhot.from_spec("ferromagnet:3x3,open"), nhot.rbm(RNG.normal(size=(4, 3))),
    nhot.ising({}, {(0, 1): 1.0, (1, 4): -2.0}, 0.5), nhot.qubo(Q, 2.0)], ids=repr)
def test_terms_are_the_energy(model):
    """terms() is the same polynomial."""
    kind, offset, linear, i, j, values = model.terms()
    v = STATES[model.sites] * 2.0 - 1 if kind == "SPIN" else STATES[model.sites].astype(float)
    check(model, offset + v @ linear + (v[:, i] * v[:, j]) @ values)
    assert (i < j).all() and values.all()


def test_generators_take_seeds_of_all_kinds():
    assert nhot.spin_glass(4, 4, seed=7).summary()["hash"] == nhot.from_spec("spin-glass:4x4,seed=7").summary()["hash"]
    assert nhot.field(9, seed=np.int64(2)).summary()["hash"] == nhot.field(9, seed=2).summary()["hash"]
    assert nhot.gabor_rbm(16, 4).shape == (16, 4)
    assert nhot.spin_glass(4, 4, seed=np.random.default_rng(1)).sites == 16


@pytest.mark.parametrize("make", [
    lambda: nhot.ferromagnet(), lambda: nhot.ferromagnet(0), lambda: nhot.ferromagnet(-1, 3),
    lambda: nhot.ferromagnet(3.0), lambda: nhot.ferromagnet((3, 3)), lambda: nhot.ferromagnet(True),
    lambda: nhot.ferromagnet(2**40), lambda: nhot.ferromagnet(2**20, 2**20), lambda: nhot.ferromagnet(2**80),
    lambda: nhot.spin_glass(3, 3, couplings="loose"), lambda: nhot.spin_glass(3, 3, seed=-1),
    lambda: nhot.spin_glass(3, 3, seed=None), lambda: nhot.field(0), lambda: nhot.field(-1), lambda: nhot.field(2**40),
    lambda: nhot.gabor_rbm(0, 3), lambda: nhot.gabor_rbm(2**20, 2**20), lambda: nhot.from_spec("nonsense"),
    lambda: nhot.from_spec(""), lambda: nhot.from_spec(3)])
def test_bad_generators(make):
    with pytest.raises(ValueError):
        make()


# --- RBM --------------------------------------------------------------------------------------------------------

W, B, C = RNG.normal(size=(4, 3)), RNG.normal(size=3), RNG.normal(size=4)


class Tensor:
    """What nhot.rbm asks of a torch tensor."""

    def __init__(self, array):
        self.array = array

    def detach(self):
        return types.SimpleNamespace(cpu=lambda: types.SimpleNamespace(numpy=lambda: self.array))


@pytest.mark.parametrize("wrap", [np.asarray, np.asfortranarray, Tensor, lambda a: a.tolist(), lambda a: a[::-1][::-1]])
def test_rbm(wrap):
    model = nhot.rbm(wrap(W), wrap(B), wrap(C))
    check(model, rbm_energies(W, B, C))
    assert (model.kind, model.shape) == ("rbm", (4, 3))
    check(nhot.rbm(wrap(W)), rbm_energies(W, np.zeros(3), np.zeros(4)))


def test_rbm_of_float32():
    small = [a.astype(np.float32) for a in (W, B, C)]
    check(nhot.rbm(*small), rbm_energies(*(a.astype(float) for a in small)))


def test_rbm_of_sklearn():
    network = pytest.importorskip("sklearn.neural_network")
    fitted = network.BernoulliRBM(n_components=3, n_iter=2, random_state=0).fit(RNG.integers(0, 2, size=(20, 4)))
    check(nhot.rbm(fitted), rbm_energies(fitted.components_.T, fitted.intercept_hidden_, fitted.intercept_visible_))
    for bad in (lambda: nhot.rbm(network.BernoulliRBM()), lambda: nhot.rbm(fitted, B)):
        with pytest.raises(ValueError, match="BernoulliRBM"):
            bad()


@pytest.mark.parametrize("arrays, said", [
    ((W, C, B), "W is 4 x 3, but b has 4 numbers and c 3"), ((W.T, B, C), "W is 3 x 4"), ((W, B[:2]), "b has 2"),
    ((np.full((2, 2), NAN),), r"nan at \(0, 0\)"), ((W, B, C * INF), "c holds"), ((np.zeros(3),), "1 dimensions"),
    ((np.zeros((0, 3)),), "0 x 3"), ((np.zeros((3, 0)),), "3 x 0"), (("weights",), "dtype"), ((None,), "dtype"),
    ((W * 1j,), "complex"), ((W, W), "b has 2 dimensions"), ((W.astype(object),), "object"),
], ids=lambda value: value if isinstance(value, str) else "")
def test_bad_rbms(arrays, said):
    with pytest.raises(ValueError, match=said):
        nhot.rbm(*arrays)


# --- energies of states -----------------------------------------------------------------------------------------

def test_energy_of_states_of_all_layouts():
    model = nhot.qubo(Q)
    expected = qubo_energies(Q)
    for states in (STATES[6].astype(bool), 2 * STATES[6].astype(np.int8) - 1, STATES[6].astype(float),
                   np.asfortranarray(STATES[6]), STATES[6].tolist(), np.repeat(STATES[6], 2, 1)[:, ::2],
                   STATES[6][::-1].copy()[::-1], np.frombuffer(STATES[6].tobytes(), np.uint8).reshape(-1, 6)):
        np.testing.assert_allclose(model.energy(states), expected, rtol=1e-12)
    assert model.energy(np.zeros((0, 6))).shape == (0,)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("states, said", [
    ([1, 0, 1], "shape"), ([[1, 0]], "shape"), (np.zeros((2, 2, 6)), "shape"), (1, "shape"), ([], "shape"),
    ([0, 0, 0, 0, 0, 2], "2 at site 5"), ([[0] * 6, [0, 0, 7, 0, 0, 0]], r"7 at \(state, site\) \(1, 2\)"),
    ([NAN] * 6, "nan"), ([1j] * 6, "complex"), (["a"] * 6, "dtype"), ([None] * 6, "dtype"), ([[1], [1, 2]], "no array"),
    ([256, 0, 0, 0, 0, 0], "256"), ({0: 1}, "no value for 1"),
], ids=str)
def test_bad_states(states, said):
    with pytest.raises(ValueError, match=said):
        nhot.qubo(Q).energy(states)


def test_repr():
    assert repr(nhot.ferromagnet(3, 3)) == "<nhot.Model ferromagnet:3x3: quadratic, 9 sites, 18 couplings>"
    assert nhot.ferromagnet(3, 3).summary()["sites"] == 9
