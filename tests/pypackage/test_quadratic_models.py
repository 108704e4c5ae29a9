"""QUBOs and Ising models from dictionaries, matrices, graphs and BQMs: the energies are those that plain NumPy computes,
names are kept, and bad input is one clear ValueError."""

import numpy as np
import pytest

import nhot
from pypackage.model_energies import STATES, check, ising_energies, qubo_energies

RNG = np.random.default_rng(1)
Q = RNG.normal(size=(6, 6))  # both triangles and a diagonal
NAN, INF = float("nan"), float("inf")


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
