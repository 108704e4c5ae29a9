"""Models from files: text formats and RBM weights in HDF5."""

import numpy as np
import pytest

import nhot
from pypackage.model_energies import STATES, check, ising_energies, qubo_energies, rbm_energies

RNG = np.random.default_rng(1)
W, B, C = RNG.normal(size=(4, 3)), RNG.normal(size=3), RNG.normal(size=4)


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


def test_names_of_files_and_labels_are_printed(tmp_path):
    path = tmp_path / "items.edges"
    path.write_text("# vartype=BINARY\nbread, bread, -3\nolive oil, olive oil, -2\nsalt, salt, -1\nbread, salt, 4\n")
    model = nhot.load(path)
    assert model.labels == ["bread", "olive oil", "salt"]
    found = nhot.anneal(model, 2, reads=2)
    assert found.best.chosen == ["bread", "olive oil"] and "ones at bread, olive oil" in str(found)
    named = nhot.qubo({("a", "a"): -1.0, (("b", 1), "a"): 2.0, ("c", "c"): -1.5})
    run = nhot.sample(named, 2, moves=400)
    assert run.summary()["site_means"]["names"] == [str(label) for label in named.labels] and "('b', 1)" in run.text()
    twice = nhot.qubo({(1, 1): -1.0, ("1", "1"): -2.0})  # names that read the same stay numbers
    assert "names" not in nhot.anneal(twice, 1, reads=1).summary()["states"][0]


def test_arrays_and_bqms_from_files(tmp_path):
    Q, h, J = RNG.normal(size=(3, 3)), RNG.normal(size=3), np.triu(RNG.normal(size=(3, 3)), 1)
    np.savez(tmp_path / "q.npz", Q=Q, offset=0.5, labels=["x", "y", "z"])
    check(nhot.load(tmp_path / "q.npz"), qubo_energies(Q, 0.5))
    assert nhot.load(tmp_path / "q.npz").labels == ["x", "y", "z"]
    np.savez_compressed(tmp_path / "hj.npz", h=h, J=J)
    check(nhot.load(tmp_path / "hj.npz"), ising_energies(h, J, 0))
    np.savez(tmp_path / "none.npz", A=Q)
    with pytest.raises(ValueError, match="either Q, or h and J"):
        nhot.load(tmp_path / "none.npz")
    dimod = pytest.importorskip("dimod")
    bqm = dimod.BinaryQuadraticModel({"a": 1.5, "b": -2, "c": 0.25}, {("a", "b"): 3}, 0.5, "SPIN")
    (tmp_path / "m.bqm").write_bytes(bqm.to_file().read())
    (tmp_path / "m.json").write_text(__import__("json").dumps(bqm.to_serializable()))
    for name in "m.bqm", "m.json":
        model = nhot.load(tmp_path / name)
        assert model.labels == ["a", "b", "c"]
        check(model, ising_energies(np.array([1.5, -2, 0.25]), np.array([[0, 3.0, 0], [0, 0, 0], [0, 0, 0]]), 0.5))
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(ValueError, match="no BQM"):
        nhot.load(tmp_path / "bad.json")
