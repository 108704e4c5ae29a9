"""Every way to a model: the energies are those that plain NumPy computes, and bad input is one clear ValueError."""

import itertools
import types

import numpy as np
import pytest

import nhot

STATES = {sites: np.array(list(itertools.product((0, 1), repeat=sites)), dtype=np.uint8) for sites in range(1, 11)}
RNG = np.random.default_rng(1)
Q = RNG.normal(size=(6, 6))  # both triangles and a diagonal
NAN, INF = float("nan"), float("inf")


def qubo_energies(matrix, offset=0.0):
    x = STATES[len(matrix)].astype(float)
    return offset + np.einsum("si,ij,sj->s", x, matrix, x)


def ising_energies(fields, matrix, offset=0.0):
    s = 2.0 * STATES[len(matrix)] - 1
    return offset + s @ fields + np.einsum("si,ij,sj->s", s, matrix, s)


def rbm_energies(weights, hidden, visible):
    x = STATES[sum(weights.shape)].astype(float)
    v, h = x[:, : len(weights)], x[:, len(weights) :]
    return -np.einsum("sv,vh,sh->s", v, weights, h) - v @ visible - h @ hidden


def check(model, energies):
    np.testing.assert_allclose(model.energy(STATES[model.sites]), energies, rtol=1e-12, atol=1e-12)
    one = STATES[model.sites][-2]
    assert model.energy(one) == pytest.approx(energies[-2], rel=1e-12, abs=1e-12)
    assert isinstance(model.energy(one), float)
    assert model.sites == len(one) == len(model.labels)


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


# --- QUBO -------------------------------------------------------------------------------------------------------

def dictionary(matrix):
    return {(i, j): value for (i, j), value in np.ndenumerate(matrix) if value}


LAYOUTS = {
    "dense": lambda m: m,
    "lists": lambda m: m.tolist(),
    "upper": lambda m: np.triu(m) + np.tril(m, -1).T,
    "Fortran": np.asfortranarray,
    "read-only": lambda m: np.frombuffer(m.tobytes()).reshape(m.shape),
    "negative strides": lambda m: m[::-1, ::-1].copy()[::-1, ::-1],
    "every second": lambda m: np.repeat(np.repeat(m, 2, 0), 2, 1)[::2, ::2],
    "transposed": lambda m: m.T,
    "big-endian": lambda m: m.astype(">f8"),
    "long double": lambda m: m.astype(np.longdouble),
    "dictionary": dictionary,
    "dictionary of NumPy": lambda m: {(np.int64(i), np.int64(j)): np.float64(v) for (i, j), v in dictionary(m).items()},
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_qubo(layout):
    check(nhot.qubo(layout(Q)), qubo_energies(Q))
    check(nhot.qubo(layout(Q), offset=2.5), qubo_energies(Q, 2.5))


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int64, np.float16, np.float32])
def test_dtypes(dtype):
    matrix = (RNG.integers(0, 2, size=(5, 5))).astype(dtype)
    check(nhot.qubo(matrix), qubo_energies(matrix.astype(float)))


@pytest.mark.parametrize("form", ["csr_matrix", "csc_matrix", "coo_matrix", "csr_array", "coo_array", "dok_array",
                                  "lil_array", "dia_array"])
def test_sparse(form):
    sparse = pytest.importorskip("scipy.sparse")
    matrix = Q * (RNG.random(Q.shape) < 0.5)
    check(nhot.qubo(getattr(sparse, form)(matrix)), qubo_energies(matrix))
    couplings = np.triu(matrix, 1)
    check(nhot.ising(None, getattr(sparse, form)(couplings)), ising_energies(np.zeros(6), couplings))


def test_sparse_entries_add_up():
    sparse = pytest.importorskip("scipy.sparse")
    twice = sparse.coo_array(([1.0, 2.0, 5.0, 0.0], ([0, 0, 1, 2], [1, 1, 1, 2])), shape=(3, 3))
    check(nhot.qubo(twice), qubo_energies(np.array([[0, 3, 0], [0, 5, 0], [0, 0, 0]])))
    nhot.ising(None, sparse.coo_array(([1.0, 0.0], ([0, 1], [1, 1])), shape=(2, 2)))  # a zero on the diagonal is none


def test_names_are_kept():
    model = nhot.qubo({("b", "a"): 1.0, ("a", 3): -2.0, ((0, 1), "b"): 0.5, ("a", "a"): 4.0})
    assert model.labels == ["b", "a", 3, (0, 1)]
    check(model, qubo_energies(np.array([[0, 1, 0, 0], [0, 4, -2, 0], [0, 0, 0, 0], [0.5, 0, 0, 0]])))
    assert model.chosen([1, 0, 0, 1]) == ["b", (0, 1)]
    assert model.energy({"a": 1, "b": 1, 3: 0, (0, 1): 0}) == 5.0
    best = nhot.anneal(model, 2, reads=2, sweeps=5).best
    assert best["a"] + best["b"] + best[3] + best[(0, 1)] == 2


def test_whole_numbers_are_sites():
    model = nhot.qubo({(0, 4): 1.0, (2, 2): 3.0})
    assert model.labels == [0, 1, 2, 3, 4] and not model.notes
    assert model.energy([0, 0, 1, 0, 0]) == 3
    far = nhot.qubo({(0, 1000): 1.0})
    assert far.sites == 1001
    assert nhot.qubo({(1, 2): 1.0}).notes == ["Q names no site 0, which is free: sites are numbered from 0"]
    assert nhot.ising({1: 0.5}, {(1, 3): 1.0}).sites == 4


def test_labels():
    names = nhot.qubo(np.eye(3), labels=["a", "b", "c"])
    assert names.labels == ["a", "b", "c"]
    assert nhot.qubo({(0, 2): 1.0}, labels=("a", "b", "c")).labels == ["a", "b", "c"]  # names for sites
    ordered = nhot.qubo({("c", "a"): 1.0}, labels=np.array(["a", "b", "c"]))  # the order, and a free variable
    assert ordered.labels == ["a", "b", "c"] and ordered.energy([1, 0, 1]) == 1
    assert all(type(label) is str for label in ordered.labels)
    assert nhot.qubo({(7, 5): 1.0}, labels=[5, 6, 7]).labels == [5, 6, 7]
    assert nhot.ising([1, 2], np.zeros((2, 2)), labels="ab").labels == ["a", "b"]
    assert nhot.ising({"a": 1}, None, labels="ba").energy([0, 1]) == 1
    assert nhot.qubo(np.eye(2), labels=[0, 1]).labels == [0, 1]


@pytest.mark.parametrize("labels", [["a"], ["a", "b", "c"], ["a", "a"], [[], []]], ids=repr)
def test_bad_labels(labels):
    with pytest.raises(ValueError, match="label"):
        nhot.qubo(np.eye(2), labels=labels)
    with pytest.raises(ValueError, match="label"):
        nhot.qubo({("x", "y"): 1.0}, labels=labels)


BAD_MATRICES = {
    "NaN": [[0, NAN], [0, 0]],
    "infinite": [[0, INF], [0, 0]],
    "text": [["a", "b"], ["c", "d"]],
    "complex": np.eye(2) * 1j,
    "objects": np.eye(2).astype(object),
    "dates": np.zeros((2, 2), dtype="datetime64[s]"),
    "records": np.zeros((2, 2), dtype=[("a", float)]),
    "no dimension": 3.0,
    "one dimension": [1.0, 2.0],
    "three dimensions": np.zeros((2, 2, 2)),
    "not square": np.zeros((2, 3)),
    "ragged": [[1, 2], [3]],
    "empty": np.zeros((0, 0)),
    "nothing": None,
    "a text": "ferromagnet:3x3",
    "overflow": np.full((3, 3), 1e308),
    "overflow of a long double": np.full((2, 2), np.longdouble("1e4000")),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("matrix", BAD_MATRICES.values(), ids=BAD_MATRICES)
def test_bad_matrices(matrix):
    for make in (nhot.qubo, lambda m: nhot.ising(np.zeros(2), m if m is not None else [])):
        with pytest.raises(ValueError) as problem:
            make(matrix)
        assert len(str(problem.value)) > 10


def test_bad_sparse_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    one = ([1.0], ([0], [1]))
    for matrix, said in ((sparse.coo_array(one, shape=(2, 3)), "square"), (sparse.csr_array(np.eye(2) * 1j), "complex"),
                         (sparse.csr_array(np.eye(2) * NAN), "nan"), (sparse.coo_array((0, 0)), "no variables"),
                         (sparse.coo_array(one, shape=(2**40, 2**40)), "but only 1 entries")):
        with pytest.raises(ValueError, match=said):
            nhot.qubo(matrix)


@pytest.mark.parametrize("terms, said", [
    ({}, "no variables"), ({(0, 1): NAN}, r"nan at \(0, 1\)"), ({("a", "b"): 1, (2, "c"): INF}, r"inf at \(2, 'c'\)"),
    ({(0, 1): None}, "dtype"), ({(0, 1): "1"}, "dtype"), ({(0, 1): 1j}, "complex"), ({(0, 1): [1, 2]}, "dimensions"),
    ({(0, 1, 2): 1.0}, "pairs"), ({0: 1.0}, "pairs"), ({"ab": 1.0}, "pairs"), ({(0, -1): 1.0}, "variable -1"),
    ({(0, 2**40): 1.0}, "but only 1 entries"), ({(0, 2**70): 1.0}, "but only 1 entries"),
], ids=str)
def test_bad_dictionaries(terms, said):
    for make in (nhot.qubo, lambda J: nhot.ising(None, J)):
        with pytest.raises(ValueError, match=said):
            make(terms)


@pytest.mark.parametrize("offset", [NAN, INF, None, "1", 1j, [1, 2]], ids=repr)
def test_bad_offsets(offset):
    for make in (lambda: nhot.qubo({(0, 1): 1.0}, offset), lambda: nhot.ising(None, {(0, 1): 1.0}, offset)):
        with pytest.raises(ValueError, match="offset"):
            make()


# --- graphs and BQMs --------------------------------------------------------------------------------------------

def test_graphs():
    nx = pytest.importorskip("networkx")
    graph = nx.Graph()
    graph.add_node("lonely", bias=2.0)
    graph.add_edge("a", "b", weight=-3.0)
    graph.add_edge("b", "c")
    model = nhot.qubo(graph, offset=1.0)
    assert model.labels == ["lonely", "a", "b", "c"]
    check(model, qubo_energies(np.array([[2, 0, 0, 0], [0, 0, -3, 0], [0, 0, 0, 1], [0, 0, 0, 0]]), 1.0))
    one, two = (nhot.sample(source, 2, moves=20).energy for source in (graph, nhot.qubo(graph)))
    np.testing.assert_array_equal(one, two)
    assert nhot.qubo(nx.path_graph(5)).labels == list(range(5))
    assert nhot.qubo(nx.Graph([(3, 1), (1, 2)])).labels == [1, 2, 3]  # no site that is no node
    assert nhot.qubo(nx.Graph([(-1, 1)])).labels == [-1, 1]
    assert nhot.qubo(nx.MultiGraph([(0, 1), (0, 1)])).energy([1, 1]) == 2
    assert nhot.qubo(nx.DiGraph([(0, 1), (1, 0)])).energy([1, 1]) == 2
    assert nhot.qubo(nx.Graph([(0, 0), (0, 1)])).energy([1, 0]) == 1  # x x = x
    for bad in (nx.Graph(), nx.Graph([(0, 1, {"weight": NAN})]), nx.Graph([(0, 1, {"weight": "heavy"})])):
        with pytest.raises(ValueError):
            nhot.qubo(bad)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, object])
@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_bqms(vartype, dtype):
    dimod = pytest.importorskip("dimod")
    bqm = dimod.BinaryQuadraticModel({"x": 1.0, "y": -0.5, 7: 0.0}, {("x", 7): 2.0, ("y", "x"): 0.25}, 1.5, vartype,
                                     dtype=dtype)
    model = nhot.qubo(bqm)
    assert model.labels == list(bqm.variables) and set(model.labels) == {"x", "y", 7}
    values = STATES[3].astype(int) * 2 - 1 if vartype == "SPIN" else STATES[3]
    check(model, bqm.energies((values, model.labels)).astype(float))
    for keywords in ({"offset": 1.0}, {"labels": ["a", "b", "c"]}):
        with pytest.raises(ValueError, match="its own offset and labels"):
            nhot.qubo(bqm, **keywords)
    with pytest.raises(ValueError, match="no variables"):
        nhot.qubo(dimod.BinaryQuadraticModel(vartype))
    with pytest.raises(ValueError, match="nan at 'a'"):
        nhot.qubo(dimod.BinaryQuadraticModel({"a": NAN}, {}, vartype))


# --- Ising ------------------------------------------------------------------------------------------------------

def test_ising():
    fields, couplings = RNG.normal(size=6), np.triu(RNG.normal(size=(6, 6)), 1)
    expected = ising_energies(fields, couplings, 0.5)
    for h in (fields, fields.tolist(), dict(enumerate(fields))):
        check(nhot.ising(h, dictionary(couplings), 0.5), expected)
    for J in (couplings, couplings.T, couplings / 2 + couplings.T / 2, np.asfortranarray(couplings)):
        check(nhot.ising(fields[::-1].copy()[::-1], J, 0.5), expected)
    check(nhot.ising(None, couplings), ising_energies(np.zeros(6), couplings))
    check(nhot.ising(fields), ising_energies(fields, np.zeros((6, 6))))
    named = nhot.ising({"a": 1.0}, {("b", "c"): -1.0})
    assert named.labels == ["a", "b", "c"] and named.energy({"a": 1, "b": 1, "c": 1}) == 0


@pytest.mark.parametrize("h, J, said", [
    (None, None, "neither"), (None, {(1, 1): 1.0}, "with itself"), (None, {("a", "a"): 1.0}, "'a' with itself"),
    (None, np.eye(2), "diagonal"), ([1, 2, 3], np.zeros((2, 2)), "3 numbers and J 2"), ({"a": NAN}, None, "nan at 'a'"),
    ([1, INF], {(0, 1): 1.0}, "h holds inf at 1"), ({0: 1.0}, np.zeros((2, 2)), "dtype object"),
    ({}, {}, "no variables"), ([], None, "no variables"), ({-2: 1.0}, {}, "variable -2"), ([[1.0]], None, "dimensions"),
    ("ab", None, "dtype"),
], ids=str)
def test_bad_ising(h, J, said):
    with pytest.raises(ValueError, match=said):
        nhot.ising(h, J)


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


# --- files ------------------------------------------------------------------------------------------------------

FILES = {
    "m.coo": ("# vartype=SPIN\n# offset=0.5\n0 0 -1.5\n0 1 1\n1 2 -1\n",
              lambda: ising_energies(np.array([-1.5, 0, 0]), np.array([[0, 1, 0], [0, 0, -1], [0, 0, 0]]), 0.5)),
    "m.qubo": ("c offset=0.5\np qubo 0 3 1 2\n0 0 -1.5\n0 1 1\n1 2 -1\n",
               lambda: qubo_energies(np.array([[-1.5, 1, 0], [0, 0, -1], [0, 0, 0]]), 0.5)),
    "m.gset": ("3 2\n1 2 1\n2 3 2\n",
               lambda: -(1.0 * (STATES[3][:, 0] != STATES[3][:, 1]) + 2.0 * (STATES[3][:, 1] != STATES[3][:, 2]))),
    "m.mtx": ("%%MatrixMarket matrix coordinate real symmetric\n% vartype=BINARY\n3 3 2\n1 1 -1.5\n2 1 1\n",
              lambda: qubo_energies(np.array([[-1.5, 1, 0], [0, 0, 0], [0, 0, 0]]))),
}


@pytest.mark.parametrize("name", FILES)
def test_text_files(tmp_path, name):
    text, energies = FILES[name]
    path = tmp_path / name
    path.write_text(text)
    check(nhot.load(path), energies())
    check(nhot.load(str(path)), energies())
    assert nhot.load(path).name == str(path)


def test_notes_and_formats_of_files(tmp_path):
    path = tmp_path / "graph"
    path.write_text("3 2\n1 2 1\n1 2 2\n")
    model = nhot.load(path, format="gset")
    assert model.energy([1, 0, 0]) == -3 and any("duplicate" in note for note in model.notes)
    assert nhot.load("ferromagnet:3x3").shape == (3, 3)
    for bad in (lambda: nhot.load(path), lambda: nhot.load(tmp_path / "no.coo"), lambda: nhot.load(path, format="xls"),
                lambda: nhot.load(tmp_path), lambda: nhot.load("")):
        with pytest.raises(ValueError):
            bad()


@pytest.mark.parametrize("text", ["# vartype=SPIN\n0 1 nan\n", "# vartype=SPIN\n# sites=1099511627776\n0 1 1\n",
                                  "# vartype=SPIN\n0 -1 1\n", "0 1 1\n", ""])
def test_bad_files(tmp_path, text):
    (tmp_path / "m.coo").write_text(text)
    with pytest.raises(ValueError, match="m.coo"):
        nhot.load(tmp_path / "m.coo")


def test_hdf5(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "weights.h5"
    with h5py.File(path, "w") as file:
        file["W"], file["b"], file["c"] = W.T, B, C.astype(np.float32)
        file["visible first/W"], file["visible first/b"], file["visible first/c"] = W, B, C
        file["cut/W"], file["cut/b"] = W.T, B
        file["odd/W"], file["odd/b"], file["odd/c"] = W[:3].T, B, C
        file["nested/W/x"], file["nested/b"], file["nested/c"] = 1.0, B, C
    check(nhot.load(path), rbm_energies(W, B, C.astype(np.float32).astype(float)))
    turned = nhot.load(f"{path}#visible first")
    check(turned, rbm_energies(W, B, C))
    assert "transposed" in turned.notes[0] and not nhot.load(path).notes
    (tmp_path / "text.h5").write_text("no weights")
    for bad, said in (("cut", "W, b and c"), ("odd", "b has 3 numbers and c 4"), ("nested", "W, b and c"),
                      ("absent", "absent")):
        with pytest.raises(ValueError, match=said):
            nhot.load(f"{path}#{bad}")
    for bad, said in (("text.h5", "HDF5"), ("absent.h5", "does not exist")):
        with pytest.raises(ValueError, match=said):
            nhot.load(tmp_path / bad)


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
