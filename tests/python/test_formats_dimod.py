"""Model files between nhot and other programs: dimod's COO both ways, qbsolv files read by hand,
HDF5 weights written by h5py. Energies of all states are compared, computed by dimod or numpy."""

import itertools

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
