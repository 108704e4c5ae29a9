"""--groups: shells of several groups from files, through every command, and back from run files."""

import importlib.util
import itertools
import json
import math
from pathlib import Path

import pytest

FILE = "# two groups, the rest free\n1: 0 2 4\none-hot 2: 1 3, 5..6\nfree: rest\n"
MODEL = ["field:8,seed=3"]


@pytest.fixture
def groups(tmp_path):
    path = tmp_path / "groups.txt"
    path.write_text(FILE)
    return ["--groups", str(path)]


def told(nhot, *words):
    return json.loads(nhot(*words, "--json", ok=True).stdout)


def exact(nhot):
    """Mean energy, log Z and the lowest energy at beta 1, from the fields of the sites."""
    text = nhot("convert", *MODEL, "/dev/stdout", "--to", "coo", "--force", ok=True).stdout
    h = [0.0] * 8
    for words in (line.split() for line in text.splitlines() if not line.startswith("#")):
        if len(words) == 3:
            h[int(words[0])] += float(words[2])
    energies = [sum(x * y for x, y in zip(s, h)) for s in itertools.product((0, 1), repeat=8)
                if s[0] + s[2] + s[4] == 1 and s[1] + s[3] == 1 and s[5] + s[6] == 1]
    z = sum(math.exp(-e) for e in energies)
    return sum(e * math.exp(-e) for e in energies) / z, math.log(z), min(energies)


def test_every_command_takes_groups(nhot, groups):
    mean, log_z, lowest = exact(nhot)
    run = told(nhot, "sample", *MODEL, *groups, "--moves", "30000")
    energy = run["observables"]["energy"]
    assert abs(energy["mean"] - mean) < 4 * energy["mcse"] and run["converged"]
    assert run["groups"] == {"text": "3 groups of 2 to 3 sites at distance 1, 1 free site", "sizes": [3, 2, 2],
                             "distances": [1, 1, 1], "free": 1}
    assert told(nhot, "anneal", *MODEL, *groups, "--reads", "2")["best_energy"] == pytest.approx(lowest)
    answer = told(nhot, "logz", *MODEL, *groups)
    assert abs(answer["log_z"] - log_z) < 4 * answer["stderr"] + 1e-9
    assert answer["log_states"] == pytest.approx(math.log(3 * 2 * 2 * 2))
    ladder = told(nhot, "temper", *MODEL, *groups, "--moves", "2000")
    assert ladder["groups"]["free"] == 1 if "groups" in ladder else ladder["rungs"][-1]["groups"]["free"] == 1
    races = told(nhot, "compare", *MODEL, *groups, "--seconds", "0.2", "--move", "swap", "--move", "joint")
    assert len(races["results"]) == 2
    assert told(nhot, "tune", *MODEL, *groups, "--seconds", "0.3")["move"]
    assert "3 groups" in nhot("sample", *MODEL, *groups, "--moves", "2000", ok=True).stdout


def test_a_run_goes_on_with_its_groups(nhot, groups, tmp_path):
    whole, half = str(tmp_path / "whole.nc"), str(tmp_path / "half.nc")
    words = [*MODEL, *groups, "--move", "0.5*joint + 0.5*swap", "--warmup", "100", "--thin", "1", "--chains", "2"]
    told(nhot, "sample", *words, "--moves", "400", "--out", whole)
    told(nhot, "sample", *words, "--moves", "200", "--out", half)
    Path(groups[1]).unlink()  # the file of the run has them
    run = told(nhot, "sample", "--resume", half, "--moves", "200")
    assert run["moves"] == 400 and run["groups"]["sizes"] == [3, 2, 2]
    results = [told(nhot, "diagnose", path) for path in (whole, half)]
    assert results[0]["observables"]["energy"]["mean"] == results[1]["observables"]["energy"]["mean"]
    assert "3 groups" in nhot("diagnose", half, ok=True).stdout
    page = tmp_path / "page.html"
    nhot("report", half, "-o", str(page), ok=True)
    assert "3 groups of 2 to 3 sites" in page.read_text()


def test_a_run_refuses_another_shell(nhot, groups, tmp_path):
    out, other = str(tmp_path / "run.nc"), tmp_path / "other.txt"
    other.write_text("2: 0..7\n")
    told(nhot, "sample", *MODEL, *groups, "--moves", "200", "--out", out)
    for words in (["--groups", str(other)], ["-n", "3"]):
        refused = nhot("sample", "--resume", out, "--moves", "100", *words)
        assert refused.returncode == 2 and "leave out --" in refused.stderr
    plain = str(tmp_path / "plain.nc")
    told(nhot, "sample", *MODEL, "-n", "3", "--moves", "200", "--out", plain)
    refused = nhot("sample", "--resume", plain, "--moves", "100", *groups)
    assert refused.returncode == 2 and "was run without it" in refused.stderr
    pooled = nhot("diagnose", plain, out)
    assert pooled.returncode == 2 and "differ in" in pooled.stderr


def test_an_annealing_goes_on_with_its_groups(nhot, groups, tmp_path):
    path = str(tmp_path / "search.nc")
    told(nhot, "anneal", *MODEL, *groups, "--reads", "2", "--checkpoint", path)
    Path(groups[1]).unlink()
    assert told(nhot, "resume", path, "--reads", "2")["groups"]["sizes"] == [3, 2, 2]


@pytest.mark.parametrize("text, said", [
    ("1: 0 1\n1: 1 2\n", ":2: site 1 is in line 1 already"),
    ("1: 0 0\n", ":1: site 0 is in line 1 twice"),
    ("1: 0..8\n", "site '8' is out of range"),
    ("3: 0 1\nfree: rest\n", ":1: 3 sites are to differ in a group of 2"),
    ("9: rest\n", "'9' is more than the model has sites, 8"),
    ("1: 0 1 2\n", "site 3 is in no group"),
    ("0 1 2\n", "has no colon"),
    ("some: 0 1\n", "'some' before the colon is no number"),
    ("-1: 0 1\n", "is no number of sites"),
    ("one-hot 3: 0 1 2 3\nfree: rest\n", "4 sites are no blocks of 3"),
    ("1: 5..2\n", "runs backwards"),
    ("1: rest\nfree: rest\n", "two lines have 'rest'"),
    ("1:\nfree: rest\n", "the group has no sites"),
    ("1: zero one\n", "site 'zero' is not a whole number"),
    ("", "site 0 is in no group"),
])
def test_bad_files_get_one_clear_message(nhot, tmp_path, text, said):
    path = tmp_path / "bad.txt"
    path.write_text(text)
    refused = nhot("sample", *MODEL, "--groups", str(path), "--moves", "10")
    assert refused.returncode == 2 and said in refused.stderr and "try:" in refused.stderr


def test_other_refusals(nhot, groups):
    for words, said in ((["-n", "3", *groups], "--groups and --distance are both given"),
                        (["--groups", "missing.txt"], "cannot find the groups 'missing.txt'"),
                        (["--groups", "one-hot:3"], "8 sites are no blocks of '3'"),
                        ([*groups, "--move", "im:length=2,engine=classes"], "does not fit"),
                        ([*groups, "--move", "im:engine=classes"], "one group of sites")):
        refused = nhot("sample", *MODEL, *words, "--moves", "10")
        assert refused.returncode == 2 and said in refused.stderr, refused.stderr


def test_a_planted_colouring_is_found(nhot, tmp_path):
    """A smaller one of bench/groups.py."""
    source = Path(__file__).resolve().parents[2] / "bench" / "groups.py"
    spec = importlib.util.spec_from_file_location("groups", source)
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    path = tmp_path / "colouring.coo"
    bench.write_colouring(path, 60, 120)
    for seed in ("1", "2", "3"):
        found = told(nhot, "anneal", str(path), "--groups", "one-hot:3", "--seed", seed, "--reads", "60", "--target", "0")
        assert found["best_energy"] == 0
