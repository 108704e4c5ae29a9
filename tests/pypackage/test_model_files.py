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
