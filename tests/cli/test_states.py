"""Which sites? Best states, site means and states for other programs."""

import csv
import itertools
import json
import math

import numpy
import pytest

ITEMS = ["field:12,seed=3", "-n", "4"]


def fields(nhot):
    """The energies of single sites, from the model written out."""
    text = nhot("convert", ITEMS[0], "/dev/stdout", "--to", "coo", "--force", ok=True).stdout
    values = numpy.zeros(12)
    for line in text.splitlines():
        words = line.split()
        if len(words) == 3 and not line.startswith("#"):
            values[int(words[0])] += float(words[2])
    return values


def exact(nhot, beta):
    h = fields(nhot)
    subsets = list(itertools.combinations(range(12), 4))
    energies = numpy.array([h[list(s)].sum() for s in subsets])
    weights = numpy.exp(-beta * energies)
    means = numpy.zeros(12)
    for subset, weight in zip(subsets, weights):
        means[list(subset)] += weight
    return list(subsets[int(energies.argmin())]), means / weights.sum()


def test_anneal_names_the_chosen_sites(nhot):
    best, _ = exact(nhot, 1)
    words = ["anneal", *ITEMS, "--reads", "8", "--keep", "3"]
    told = json.loads(nhot(*words, "--json", ok=True).stdout)
    assert told["states"][0]["ones"] == best
    assert [i for i, bit in enumerate(told["states"][0]["bits"]) if bit == "1"] == best
    text = nhot(*words, ok=True).stdout
    assert f"best state   ones at {' '.join(map(str, best))}\n" in text
    assert text.count(" ".join(map(str, best))) == 2  # in the table, too


@pytest.mark.parametrize("command", ["sample", "temper"])
def test_site_means_are_those_of_the_law(nhot, command):
    best, means = exact(nhot, 1.0)
    words = [command, *ITEMS, "--beta", "1", "--moves", "20000", "--seed", "5"]
    told = json.loads(nhot(*words, "--json", ok=True).stdout)
    found = numpy.array(told["site_means"]["mean"])
    errors = numpy.array(told["site_means"]["error"])
    assert found.sum() == pytest.approx(4)
    z = (found - means) / errors
    assert numpy.abs(z).max() < 4.5 and math.sqrt((z**2).mean()) > 0.2, z
    ones = told["best_state"]["ones"]
    assert len(ones) == 4 and told["best_state"]["energy"] == pytest.approx(fields(nhot)[ones].sum())
    assert told["best_state"]["energy"] >= told["best_energy"] - 1e-9
    text = nhot(*words, ok=True).stdout
    assert "ones at" in text and "best draw" in text
    table = [line.split() for line in text.splitlines() if len(line.split()) == 4 and line.split()[0].isdigit()]
    assert int(table[0][0]) == int(found.argmax()) and len(table) >= 12


def test_lattices_print_no_lists_of_sites(nhot):
    text = nhot("sample", "ferromagnet:4x4", "-n", "8", "--moves", "1000", ok=True).stdout
    assert "ones at" not in text and "best draw" not in text


def test_states_for_other_programs(nhot, tmp_path):
    words = ["sample", *ITEMS, "--moves", "4000", "--states", "100", "--chains", "2", "--json"]
    for name in "s.csv", "s.npy", "s.txt":
        told = json.loads(nhot(*words, "--states-out", name, cwd=tmp_path, ok=True).stdout)
        assert told["states_out"] == name
    array = numpy.load(tmp_path / "s.npy")
    assert array.dtype == numpy.uint8 and array.shape[1] == 12 and len(array) >= 2 * 50
    assert (array.sum(axis=1) == 4).all()
    lines = (tmp_path / "s.txt").read_text().split()
    assert lines == ["".join(map(str, row)) for row in array]
    h = fields(nhot)
    with open(tmp_path / "s.csv") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(array) and {row["chain"] for row in rows} == {"0", "1"}
    for row, bits in zip(rows, array):
        assert [int(row[f"x{i}"]) for i in range(12)] == list(bits)
        assert float(row["energy"]) == pytest.approx(float(h @ bits))


def test_best_states_for_other_programs(nhot, tmp_path):
    nhot("anneal", *ITEMS, "--reads", "4", "--keep", "5", "--states-out", "best.npy", cwd=tmp_path, ok=True)
    assert numpy.load(tmp_path / "best.npy").shape == (5, 12)


@pytest.mark.parametrize("command", ["sample", "temper", "anneal"])
def test_a_file_that_cannot_be_written_is_refused_first(nhot, tmp_path, command):
    (tmp_path / "there.csv").write_text("mine")
    for name, part in ("states.xls", ".csv, .npy or .txt"), ("there.csv", "exists"), ("no/folder.csv", "no"):
        done = nhot(command, *ITEMS, "--seconds", "600", "--states-out", name, cwd=tmp_path)
        assert done.returncode == 2 and part in done.stderr
    assert (tmp_path / "there.csv").read_text() == "mine"
