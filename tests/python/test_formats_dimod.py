"""Model files between nhot and other programs: dimod's COO both ways, qbsolv files read by hand,
HDF5 weights written by h5py. Energies of all states are compared, computed by dimod or numpy."""

import itertools
import json

import dimod
import h5py
import numpy as np
import pytest
from dimod.serialization import coo


def random_bqm(vartype, seed, variables=7, decimals=4):
    """A model with values that dimod's six decimals hold exactly."""
    rng = np.random.default_rng(seed)
    bqm = dimod.BinaryQuadraticModel.empty(vartype)
    for i in range(variables):
        bqm.add_variable(i, round(rng.normal(), decimals))
    for i, j in itertools.combinations(range(variables), 2):
        if rng.random() < 0.6:
            bqm.add_interaction(i, j, round(rng.normal(), decimals))
    return bqm


def all_states(variables):
    return np.array(list(itertools.product([0, 1], repeat=variables)), dtype=float)


def energies(bqm, bits):
    """Energies of 0/1 states, whatever the model's vartype."""
    values = 2 * bits - 1 if bqm.vartype is dimod.SPIN else bits
    return bqm.energies((values, list(range(bits.shape[1]))))


def read_coo(path):
    """dimod's reader, plus the offset that nhot leaves in a comment."""
    text = path.read_text()
    bqm = coo.loads(text)
    for line in text.splitlines():
        if line.startswith("# offset="):
            bqm.offset += float(line.split("=")[1])
    return bqm


def read_qubo(path):
    bqm = dimod.BinaryQuadraticModel.empty(dimod.BINARY)
    counts = {"nodes": 0, "couplers": 0}
    for line in path.read_text().splitlines():
        if line.startswith("c offset="):
            bqm.offset += float(line.split("=")[1])
        elif line.startswith("p"):
            problem = line.split()
        elif not line.startswith("c"):
            i, j, value = line.split()
            if i == j:
                bqm.add_linear(int(i), float(value))
                counts["nodes"] += 1
            else:
                bqm.add_quadratic(int(i), int(j), float(value))
                counts["couplers"] += 1
    assert problem[:3] == ["p", "qubo", "0"]
    assert [int(n) for n in problem[4:]] == [counts["nodes"], counts["couplers"]]
    return bqm


@pytest.mark.parametrize("vartype", [dimod.SPIN, dimod.BINARY])
@pytest.mark.parametrize("seed", range(3))
def test_coo_from_dimod_keeps_its_energies(nhot, tmp_path, vartype, seed):
    bqm = random_bqm(vartype, seed)
    (tmp_path / "in.coo").write_text(coo.dumps(bqm, vartype_header=True))
    nhot("convert", tmp_path / "in.coo", tmp_path / "out.coo", ok=True)
    again = read_coo(tmp_path / "out.coo")
    assert again.vartype is vartype
    assert again == bqm  # every value, to the bit

    nhot("convert", tmp_path / "in.coo", tmp_path / "out.qubo", ok=True)
    qubo = read_qubo(tmp_path / "out.qubo")
    bits = all_states(7)
    expected = energies(bqm, bits)
    # The energies pass through sums of about 40 values below 8: rounding, nothing more.
    assert np.max(np.abs(energies(qubo, bits) - expected)) < 40 * 8 * 2.0**-52


def test_a_wrong_value_would_be_seen(nhot, tmp_path):
    bqm = random_bqm(dimod.SPIN, 0)
    (tmp_path / "in.coo").write_text(coo.dumps(bqm, vartype_header=True))
    nhot("convert", tmp_path / "in.coo", tmp_path / "out.coo", ok=True)
    assert read_coo(tmp_path / "out.coo") == bqm
    bqm.add_linear(3, 1e-15)
    assert read_coo(tmp_path / "out.coo") != bqm


HEADERS = ["# vartype=SPIN", "#vartype=SPIN", "# vartype: SPIN", "# vartype= SPIN", "# vartype=\tSPIN",
           "  # made by hand, vartype=SPIN", "# vartype=BINARY", "# vartype = SPIN", "# Vartype=SPIN",
           "# vartype=spin", "# VARTYPE : binary"]


@pytest.mark.parametrize("header", HEADERS)
def test_headers_that_dimod_reads_mean_the_same(nhot, tmp_path, header):
    """nhot also reads spellings that dimod passes over or refuses; where dimod reads one, both agree."""
    text = f"{header}\n0 0 -1.5\n0 1 1\n1 2 -4.5\n"
    (tmp_path / "in.coo").write_text(text)
    nhot("convert", tmp_path / "in.coo", tmp_path / "out.coo", ok=True)
    ours = read_coo(tmp_path / "out.coo")
    assert ours.vartype is (dimod.SPIN if "spin" in header.lower() else dimod.BINARY)
    try:
        theirs = coo.loads(text)
    except (ValueError, KeyError, TypeError):
        assert HEADERS.index(header) >= 7  # what dimod does not read
        return
    assert ours == theirs


def test_coo_without_vartype_asks_for_it(nhot, tmp_path):
    (tmp_path / "in.coo").write_text(coo.dumps(random_bqm(dimod.SPIN, 1)))
    done = nhot("info", tmp_path / "in.coo")
    assert done.returncode == 2
    assert "vartype=SPIN" in done.stderr
    nhot("info", tmp_path / "in.coo", "--format", "coo:spin", ok=True)


def test_dimod_reads_tiny_and_huge_values_of_nhot(nhot, tmp_path):
    """dimod's reader knows no exponents; nhot writes none."""
    (tmp_path / "in.coo").write_text(
        "# vartype=BINARY\n# offset=1e-9\n0 0 1e-12\n0 1 -2.5e20\n1 2 3e-7\n"
    )
    nhot("convert", tmp_path / "in.coo", tmp_path / "out.coo", ok=True)
    bqm = read_coo(tmp_path / "out.coo")
    assert bqm.linear[0] == 1e-12
    assert bqm.quadratic[(0, 1)] == -2.5e20
    assert bqm.quadratic[(1, 2)] == 3e-7
    assert bqm.offset == 1e-9


@pytest.mark.parametrize("precision", [np.float32, np.float64])
@pytest.mark.parametrize("turned", [False, True])
def test_rbm_weights_from_h5py(nhot, tmp_path, precision, turned):
    rng = np.random.default_rng(5)
    weights = rng.normal(size=(3, 4)).astype(precision)  # hidden x visible
    hidden_bias = rng.normal(size=3).astype(precision)
    visible_bias = rng.normal(size=4).astype(precision)
    with h5py.File(tmp_path / "w.h5", "w") as file:
        group = file.create_group("layer")
        group["W"] = weights.T if turned else weights
        group["b"] = hidden_bias
        group["c"] = visible_bias
    done = nhot("convert", f"{tmp_path / 'w.h5'}#layer", tmp_path / "w.coo", ok=True)
    assert ("transposed" in done.stdout + done.stderr) == turned
    bits = all_states(7)
    visible, hidden = bits[:, :4], bits[:, 4:]
    wide = [array.astype(float) for array in (weights, hidden_bias, visible_bias)]
    expected = -np.einsum("sh,hv,sv->s", hidden, wide[0], visible) - hidden @ wide[1] - visible @ wide[2]
    found = energies(read_coo(tmp_path / "w.coo"), bits)
    assert np.max(np.abs(found - expected)) < 20 * 8 * 2.0**-52

    nhot("convert", f"{tmp_path / 'w.h5'}#layer", tmp_path / "again.h5", ok=True)
    with h5py.File(tmp_path / "again.h5") as file:
        assert np.array_equal(file["W"][:], wide[0])
        assert np.array_equal(file["b"][:], wide[1])
        assert np.array_equal(file["c"][:], wide[2])


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
@pytest.mark.parametrize("write", ["file", "file1", "json", "float32"])
def test_bqm_files_of_dimod(nhot, tmp_path, vartype, write):
    bqm = random_bqm(vartype, 5)
    bqm.offset = 0.75
    if write == "float32":
        bqm = dimod.BinaryQuadraticModel(bqm, dtype=np.float32)
    path = tmp_path / ("m.json" if write == "json" else "m.bqm")
    if write == "json":
        path.write_text(json.dumps(bqm.to_serializable()))
    else:
        path.write_bytes(bqm.to_file(version=1 if write == "file1" else 2).read())
    nhot("convert", path.name, "m.coo", cwd=tmp_path, ok=True)
    bits = all_states(7)
    found, wanted = energies(read_coo(tmp_path / "m.coo"), bits), energies(bqm, bits)
    assert np.abs(found - wanted).max() < (1e-5 if write == "float32" else 1e-12)


def test_labels_of_dimod_are_names(nhot, tmp_path):
    bqm = dimod.BinaryQuadraticModel({"tent": -3.0, ("a", 1): -1.0, 7: 2.0}, {("tent", 7): 1.5}, 0.0, "BINARY")
    (tmp_path / "m.bqm").write_bytes(bqm.to_file().read())
    (tmp_path / "m.json").write_text(json.dumps(bqm.to_serializable()))
    for name in "m.bqm", "m.json":
        told = json.loads(nhot("anneal", name, "-n", "2", "--reads", "2", "--json", cwd=tmp_path, ok=True).stdout)
        assert sorted(told["states"][0]["names"]) == ['["a",1]', "tent"]
        assert told["best_energy"] == -4


def test_arrays_of_numpy(nhot, tmp_path):
    rng = np.random.default_rng(3)
    Q, h, J = rng.normal(size=(6, 6)), rng.normal(size=6), np.triu(rng.integers(-3, 4, size=(6, 6)), 1)
    bits = all_states(6)
    spins = 2 * bits - 1
    labels = np.array(["a", "b", "\u00e9", "d", "e", "long name"])
    cases = {"q": (dict(Q=Q), np.einsum("si,ij,sj->s", bits, Q, bits)),
             "f": (dict(Q=np.asfortranarray(Q), offset=1.5), np.einsum("si,ij,sj->s", bits, Q, bits) + 1.5),
             "hj": (dict(h=h, J=J.astype(np.int8), labels=labels), spins @ h + np.einsum("si,ij,sj->s", spins, J, spins)),
             "h": (dict(h=h.astype(np.float32)), spins @ h.astype(np.float32))}
    for name, (arrays, wanted) in cases.items():
        for save in np.savez, np.savez_compressed:
            save(tmp_path / f"{name}.npz", **arrays)
            nhot("convert", f"{name}.npz", f"{name}.coo", "--force", cwd=tmp_path, ok=True)
            assert np.abs(energies(read_coo(tmp_path / f"{name}.coo"), bits) - wanted).max() < 1e-5
    told = json.loads(nhot("anneal", "hj.npz", "-n", "6", "--reads", "1", "--json", cwd=tmp_path, ok=True).stdout)
    assert told["states"][0]["names"] == list(labels)


def test_damaged_files_of_numpy_and_dimod(nhot, tmp_path):
    bqm = random_bqm("SPIN", 2)
    np.savez_compressed(tmp_path / "m.npz", h=np.ones(50), J=np.zeros((50, 50)))
    (tmp_path / "m.bqm").write_bytes(bqm.to_file().read())
    (tmp_path / "m.json").write_text(json.dumps(bqm.to_serializable()))
    rng = np.random.default_rng(1)
    for name in "m.npz", "m.bqm", "m.json":
        whole = (tmp_path / name).read_bytes()
        for cut in 0, 5, len(whole) // 2, len(whole) - 40:
            (tmp_path / f"cut-{name}").write_bytes(whole[:cut])
            done = nhot("info", f"cut-{name}", cwd=tmp_path)
            assert done.returncode == 2 and f"cut-{name}" in done.stderr, (name, cut, done.stderr)
        for _ in range(8):
            bytes_ = bytearray(whole)
            for place in rng.integers(0, len(whole), 3):
                bytes_[place] = rng.integers(0, 256)
            (tmp_path / f"bad-{name}").write_bytes(bytes_)
            assert nhot("info", f"bad-{name}", cwd=tmp_path).returncode in (0, 2)
    np.savez(tmp_path / "other.npz", A=np.ones(3))
    assert "there is: 'A'" in nhot("info", "other.npz", cwd=tmp_path).stderr
    done = nhot("convert", "field:4", "out.npz", cwd=tmp_path)
    assert done.returncode == 2 and "only read" in done.stderr and not (tmp_path / "out.npz").exists()
