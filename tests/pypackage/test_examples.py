"""The examples for Python users run, print true things and draw figures: scripts in a process of their own, notebooks
in a kernel of this interpreter."""

import base64
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nhot

pytest.importorskip("matplotlib").use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"
SECONDS = 300  # a guard: alone, a script takes a few seconds and a notebook about ten
NUMBER = r"(-?[\d.,]+)"


@pytest.fixture(autouse=True)
def same_package(monkeypatch):
    """Processes in other folders import the nhot that is imported here, also when a path to it is relative."""
    monkeypatch.setenv("PYTHONPATH", str(Path(nhot.__file__).resolve().parents[1]))


@pytest.fixture
def example(tmp_path):
    """example("ising.py", "figure.png") runs a script in an empty folder and returns the lines that it printed."""

    def run(script, *arguments):
        done = subprocess.run([sys.executable, str(EXAMPLES / script), *arguments], cwd=tmp_path, capture_output=True,
                              text=True, timeout=SECONDS, env={**os.environ, "MPLBACKEND": "Agg"})
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return done.stdout.splitlines()

    return run


def columns(pattern, lines):
    """What the groups of a pattern hold in every line that has it."""
    return [found.groups() for line in lines if (found := re.search(pattern, line))]


def drawn(picture):
    """Whether a PNG is of readable size and shows more than axes, which have no colour and are at most 4 % dark."""
    pixels = plt.imread(picture)[..., :3]
    coloured, dark = np.mean(np.ptp(pixels, axis=2) > 0.1), np.mean(pixels.max(axis=2) < 0.5)
    return min(pixels.shape[:2]) > 200 and (coloured > 0.01 or dark > 0.1)


def test_empty_axes_are_not_drawn(tmp_path):
    figure, axes = plt.subplots(4, 14, figsize=(9, 3))
    for axis in axes.flat:
        axis.set(xticks=[], yticks=[])
    figure.savefig(tmp_path / "empty.png")
    plt.close(figure)
    assert not drawn(tmp_path / "empty.png")


def test_ising(example, tmp_path):
    lines = example("ising.py", "lattice.png")
    facts = columns(rf"T = {NUMBER} \((\w+)\): energy per site {NUMBER} \+- {NUMBER}, (.*)", lines)
    assert [(where, verdict) for _, where, _, _, verdict in facts] == [
        ("below", "not converged"), ("near", "converged"), ("above", "converged")]
    # By move="swap", moves=400_000_000, seed=7: errors of 0.0004 and less.
    for (_, _, mean, error, _), expected in zip(facts, (-1.6945, -1.2551, -0.7383), strict=True):
        assert 0 < float(error) < 0.003
        assert abs(float(mean) - expected) < 4 * np.hypot(float(error), 0.0004)
    assert "chains" in lines[1] and lines[1].startswith("    ")  # Why not.
    assert drawn(tmp_path / "lattice.png")
    assert [path.name for path in tmp_path.iterdir()] == ["lattice.png"]


def test_choose_features(example):
    lines = example("choose_features.py")
    assert lines[0] == "111 patients, 210 subsets of 4 features; converged: yes"
    table = columns(rf"^(\w+) +{NUMBER} +{NUMBER} +{NUMBER}$", lines)
    assert sorted(row[0] for row in table) == ["age", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6", "sex"]
    sampled, errors, exact = np.array([row[1:] for row in table], dtype=float).T
    assert abs(sampled.sum() - 4) < 0.001 and abs(exact.sum() - 4) < 0.001
    assert np.all(np.abs(sampled - exact) < 4 * errors + 0.0002)
    assert 0 < errors.max() < 0.05 < np.ptp(exact)
    assert lines[-2] == "best subset: bmi, bp, s4, s5"
    assert re.fullmatch(r"sampled and exact agree: at most [0-3]\.\d errors apart", lines[-1])


def test_bisection(example):
    lines = example("bisection.py")
    assert lines[0] == "200 vertices, 1536 edges, 100 reads of 200 sweeps each"
    table = columns(r"^(.*\S) +(\d+)% +(\d+|none) +([\d.]+)$", lines)
    assert [row[0] for row in table] == ["nhot.anneal", *(f"QUBO, penalty {w}" for w in ("0.03", "0.3", "3", "30"))]
    shares = [int(row[1]) for row in table]
    cuts = [0 if row[2] == "none" else int(row[2]) for row in table]
    assert shares[0] == 100 and min(shares[1:]) < 100
    assert cuts[0] == max(cuts) > 1536 / 2
    assert cuts[-1] < cuts[0]  # A large penalty freezes.


def test_own_energy(example):
    lines = example("own_energy.py")
    speeds = {name: float(speed.replace(",", "")) for name, speed in
              columns(rf"^(\w+) +{NUMBER} moves per CPU second", lines)}
    assert speeds["numba"] > 5 * speeds["delta"] and speeds["delta"] > 3 * speeds["energy"]  # 130 and 45 times here.
    means = columns(rf"mean energy {NUMBER} \+- {NUMBER}", lines)
    (compiled, error), (plain, plain_error) = np.array(means, dtype=float)
    assert abs(compiled - plain) < 4 * np.hypot(error, plain_error)
    assert -20 < compiled < -1 and error < plain_error < 0.3
    assert re.fullmatch(r"numba and delta: means [0-3]\.\d errors apart", lines[-1])


@pytest.fixture
def notebook(tmp_path):
    """notebook("rbm.ipynb") runs all cells; the cells with their outputs. A cell that raises fails the test."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    class ThisPython(AsyncKernelManager):
        kernel_spec = KernelSpec(argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
                                 display_name="this Python", language="python",
                                 env={"PYTHONWARNINGS": "ignore::FutureWarning:arviz"})  # ArviZ has news once a day.

    def run(name):
        found = nbformat.read(EXAMPLES / name, as_version=4)
        nbformat.validate(found)
        code = [cell for cell in found.cells if cell.cell_type == "code"]
        assert not any(cell.outputs or cell.execution_count for cell in code), "the notebook is stored with outputs"
        nbclient.NotebookClient(found, timeout=SECONDS, kernel_manager_class=ThisPython,
                                resources={"metadata": {"path": str(tmp_path)}}).execute()
        for cell in code:
            assert cell.execution_count
            assert not [out for out in cell.outputs if out.get("name") == "stderr"], cell.source
        assert not list(tmp_path.iterdir())
        return code

    return run


def printed(cells, part_of_source):
    """The lines that the only cell with this source printed."""
    [cell] = [cell for cell in cells if part_of_source in cell.source]
    return "".join(out.text for out in cell.outputs if out.output_type == "stream").splitlines()


def check_figures(cells, expected):
    pictures = [out.data["image/png"] for cell in cells for out in cell.outputs
                if "image/png" in out.get("data", {})]
    assert len(pictures) == expected
    for picture in pictures:
        assert drawn(io.BytesIO(base64.b64decode(picture)))


@pytest.mark.slow
def test_rbm(notebook):
    cells = notebook("rbm.ipynb")
    trained, mean_image = columns(rf"error {NUMBER} per pixel; {NUMBER} by", printed(cells, "for epoch"))[0]
    assert float(trained) < 0.5 * float(mean_image)
    runs = columns(rf"n = (\d+): (\d+) to (\d+) active units, of which {NUMBER} pixels; converged: (\w+)",
                   printed(cells, "nhot.temper"))
    assert [run[0] for run in runs] == ["24", "34", "40"]
    pixels = [float(run[3]) for run in runs]
    assert pixels == sorted(pixels)
    for n, fewest, most, visible, verdict in runs:
        assert n == fewest == most and 0 < float(visible) < int(n) and verdict == "yes"
    check_figures(cells, 2)


@pytest.mark.slow
def test_arviz(notebook):
    pytest.importorskip("arviz")
    cells = notebook("arviz.ipynb")
    [(apart,)] = columns(r"largest relative difference: (\S+)", printed(cells, 'unstack("computed by")'))
    assert float(apart) < 1e-6
    short = printed(cells, "in run.reasons")
    assert short[0] == "converged: False" and any("overlap" in line for line in short[1:])
    assert printed(cells, "run.extend")[0] == "converged: True"
    stored = printed(cells, "to_netcdf")
    assert stored[0].startswith("<nhot.StoredRun of spin-glass:16x16")
    assert stored[1] == "converged: True"
    assert re.fullmatch(r"energies: \(4, \d+\) the same: True", stored[2])
    assert re.fullmatch(r"states: \(4, \d+, 256\) the same: True", stored[3])
    assert {"posterior", "sample_stats"} <= set(stored[4].removeprefix("groups for ArviZ: ").split(", "))
    check_figures(cells, 3)
