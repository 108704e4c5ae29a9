"""The scripts that judge speed: what they let pass and what not."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def instructions():
    return load(ROOT / "bench" / "instructions.py")


@pytest.mark.parametrize(
    "counts, well, said",
    [
        ({"a": 100.0, "b": 50.0}, True, ""),
        ({"a": 104.0, "b": 48.0}, True, ""),
        ({"a": 106.0, "b": 50.0}, False, "MORE"),
        ({"a": 90.0, "b": 50.0}, True, "less"),
        ({"a": 100.0}, False, "is in the baseline but is not measured"),
        ({"a": 100.0, "b": 50.0, "c": 1.0}, False, "not in the baseline"),
    ],
)
def test_a_loop_may_take_five_percent_more(instructions, counts, well, said):
    lines, judged = instructions.judge(counts, {"a": 100.0, "b": 50.0})
    assert judged == well
    assert said in "\n".join(lines)


def test_the_baseline_covers_every_loop(instructions):
    import json

    source = (ROOT / "bench" / "instructions.cpp").read_text()
    baseline = json.loads(instructions.BASELINE.read_text())["instructions_per_step"]
    assert baseline and all(f'{{"{case}",' in source for case in baseline)


def test_aims_are_judged_by_their_sign():
    pytest.importorskip("matplotlib")
    sys.path.insert(0, str(ROOT / "scripts"))
    performance = load(ROOT / "scripts" / "performance.py")
    assert performance.verdict({"value": 4.9, "asked": "<= 5"}) == "yes"
    assert performance.verdict({"value": 5.1, "asked": "<= 5"}) == "no"
    assert performance.verdict({"value": 5.1, "asked": ">= 5"}) == "yes"
    assert performance.verdict({"value": 4.9, "asked": ">= 5"}) == "no"
    assert performance.verdict({"value": 4.9, "asked": ""}) == ""


def test_graphs_are_of_their_kind(tmp_path):
    graphs = load(ROOT / "bench" / "graphs.py")
    for name, (kind, size, _) in graphs.GRAPHS.items():
        sites, edges = graphs.make(name)
        assert edges == graphs.make(name)[1]
        assert all(0 <= i < j < sites for i, j in edges)
        degree = [0] * sites
        for i, j in edges:
            degree[i] += 1
            degree[j] += 1
        if kind == "torus":
            assert set(degree) == {4} and set(edges.values()) == {1, -1}
        elif kind == "sparse":
            assert (sites, len(edges)) == size
        else:  # at most two planar graphs with 3 sites - 6 edges each, of which few are the same
            assert 0.97 * 2 * (3 * sites - 6) < len(edges) <= 0.99 * 2 * (3 * sites - 6)
            assert min(degree) >= 4
    told = graphs.write("planar800", tmp_path)
    lines = Path(told["file"]).read_text().splitlines()
    assert told["distance"] == 400 and lines[0].split() == ["800", str(len(lines) - 1)]


def test_distances_to_the_lowest_energy(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "bench")
    quality = load(ROOT / "bench" / "quality.py")
    assert quality.above_lowest([-999.0, -1000.0], []) == pytest.approx([0.1, 0])
    assert quality.above_lowest([-999.0, -1000.0], [-2000.0]) == pytest.approx([50.05, 50])
