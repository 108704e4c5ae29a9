"""nhot sample: the contract of its output, its physics, and that numbers depend on the seed alone."""

import importlib.util
import json
import math
import pathlib

import numpy
import pytest

spec = importlib.util.spec_from_file_location("exact_answers", pathlib.Path(__file__).with_name("exact_answers.py"))
exact = importlib.util.module_from_spec(spec)
spec.loader.exec_module(exact)

KEYS = {
    "model", "distance", "beta", "move", "engine", "chains", "moves", "seconds", "cpu_seconds", "acceptance", "steps",
    "ns_per_step", "ns_per_move", "best_energy", "converged", "reasons", "seed", "observables",
}
OBSERVABLE_KEYS = {
    "mean", "sd", "mcse", "tau_moves", "tau_seconds", "ess_bulk", "ess_tail", "ess_per_second", "rhat",
}
TIMES = {"seconds", "cpu_seconds", "move_share", "ns_per_step", "ns_per_move", "tau_seconds", "ess_per_second", "out"}


def sample(nhot, *arguments, **keywords):
    done = nhot("sample", *arguments, "--json", ok=True, **keywords)
    assert done.stderr == ""
    return json.loads(done.stdout)


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES}
    return value


# --- the contract


def test_json_keys(nhot):
    result = sample(nhot, "ferromagnet:8x8", "-n", "32", "--beta", "0.3", "--moves", "2000")
    assert KEYS <= set(result)
    assert {"sites": 64, "couplings": 128}.items() <= result["model"].items()
    assert result["distance"] == 32 and result["beta"] == 0.3
    assert result["move"] == "im:length=1..10,bias=logistic,gamma=beta,order=random,engine=auto"
    assert result["engine"] == "classes"
    assert (result["chains"], result["moves"], result["seed"]) == (4, 2000, 1)
    assert result["warmup"] == 200
    assert set(result["observables"]) == {"energy", "slowest_mode", "overlap"}
    for observable in result["observables"].values():
        assert set(observable) == OBSERVABLE_KEYS
    assert isinstance(result["converged"], bool) and result["reasons"]


def test_json_numbers_fit_together(nhot):
    result = sample(nhot, "field:50", "-n", "20", "--move", "im:length=3", "--moves", "3000", "--thin", "2")
    energy = result["observables"]["energy"]
    moves = result["moves"] * result["chains"]
    assert result["steps"] == 6 * moves  # 2k flips a move
    assert result["draws"] == 1500 and result["thin"] == 2
    assert result["ns_per_step"] == pytest.approx(1e9 * result["cpu_seconds"] / result["steps"])
    assert result["ns_per_move"] == pytest.approx(1e9 * result["cpu_seconds"] / moves)
    assert energy["ess_per_second"] == pytest.approx(energy["ess_bulk"] / result["cpu_seconds"])
    assert energy["tau_seconds"] == pytest.approx(energy["tau_moves"] * result["cpu_seconds"] / moves)
    assert energy["tau_moves"] >= 2 * 0.2  # in moves, not in draws
    assert 0 < result["acceptance"] <= 1


def test_steps_of_swap_are_attempts(nhot):
    result = sample(nhot, "field:50", "-n", "20", "--move", "swap", "--moves", "3000")
    assert result["steps"] == result["moves"] * result["chains"]
    assert result["engine"] == "none" and result["move"] == "swap"


def test_numbers_without_meaning_are_null(nhot):
    result = sample(nhot, "field:50", "-n", "20", "--chains", "1", "--moves", "2")
    assert result["observables"]["energy"]["tau_moves"] is None
    assert result["converged"] is False


def test_single_state(nhot):
    for distance in "0", "16":
        result = sample(nhot, "ferromagnet:4x4", "-n", distance, "--moves", "500")
        assert result["observables"]["energy"]["mean"] == -32
        assert result["observables"]["energy"]["sd"] == 0


TWO_PARTS = "# vartype=SPIN\n0 1 -1\n1 2 -1\n2 3 -1\n4 5 1\n5 6 1\n6 7 1\n"


def test_moves_that_do_not_reach_every_state(nhot, tmp_path):
    """kawasaki on a graph of two parts agrees with itself, and says no all the same, then and later."""
    (tmp_path / "two.coo").write_text(TWO_PARTS)
    (tmp_path / "start.txt").write_text("11100001")
    options = ["--beta", "0.5", "--moves", "20000", "--json"]
    nhot("sample", "two.coo", "-n", "4", "--move", "kawasaki", "--start", "start.txt", *options, "--out", "run.nc",
         cwd=tmp_path, ok=True)
    for command in ["diagnose", "run.nc", "--json"], ["sample", "two.coo", "-n", "4", "--move", "kawasaki", *options]:
        result = json.loads(nhot(*command, cwd=tmp_path, ok=True).stdout)
        assert result["converged"] is False
        assert any("do not reach every state" in r and "2 connected components" in r for r in result["reasons"])
    for distance, move in ("4", "0.9*kawasaki + 0.1*swap"), ("0", "kawasaki"):
        done = nhot("sample", "two.coo", "-n", distance, "--move", move, *options, cwd=tmp_path, ok=True)
        assert json.loads(done.stdout)["converged"] is True and "components" not in done.stdout


def test_numbers_near_the_end_of_the_range(nhot, tmp_path):
    (tmp_path / "m.coo").write_text("# vartype=SPIN\n0 1 1e300\n1 2 1e-300\n2 3 5\n")
    result = json.loads(nhot(
        "sample", "m.coo", "-n", "2", "--beta", "0", "--moves", "20000", "--json", cwd=tmp_path, ok=True).stdout)
    energy = result["observables"]["energy"]
    assert result["converged"] is True
    assert abs(energy["mean"] + 1e300 / 3) < 5 * energy["mcse"] and 0.9e300 < energy["sd"] < 1e300


def test_seconds(nhot):
    result = sample(nhot, "field:50", "-n", "20", "--seconds", "0.5")
    assert result["seconds"] >= 0.5
    assert result["draws"] <= 20_000
    assert result["draws"] == result["moves"] // result["thin"]


def test_thin_auto_says_what_it_did(nhot):
    result = sample(nhot, "field:20", "-n", "3", "--moves", "50000", "--chains", "2")
    assert 1 < result["thin"] < 10 and result["draws"] == 50000 // result["thin"]
    assert any(f"every {result['thin']} moves" in note for note in result["notes"])


def test_thin_auto_weighs_what_a_draw_costs(nhot):
    """Every move of a small model tells something; a million sites take longer to read than to move."""
    small = sample(nhot, "field:16", "-n", "3", "--moves", "1500", "--chains", "2")
    assert small["thin"] == 1
    large = sample(nhot, "ferromagnet:600x600", "-n", "180000", "--moves", "20000", "--chains", "2")
    assert 2 <= large["draws"] <= 40
    asked = sample(nhot, "ferromagnet:600x600", "-n", "180000", "--moves", "2000", "--thin", "20", "--chains", "2")
    assert asked["draws"] == 100
    assert 0 < asked["move_share"] < large["move_share"] <= 1


def test_text_summary(nhot):
    done = nhot("sample", "ferromagnet:8x8", "-n", "32", "--beta", "0.2", "--moves", "2000", ok=True)
    assert done.stderr == ""
    for part in ("ferromagnet:8x8: 64 sites, 128 couplings", "distance 32 from zeros", "im:length=1..10",
                 "ESS bulk", "R-hat", "acceptance", "best energy", "converged", "\nenergy", "\noverlap"):
        assert part in done.stdout
    # The columns line up: every row of the table is as long as its heading.
    lines = done.stdout.splitlines()
    head = next(k for k, line in enumerate(lines) if line.startswith("observable"))
    assert {len(line) for line in lines[head : head + 4]} == {len(lines[head])}


def test_disagreeing_chains_do_not_converge(nhot):
    """Two valleys that swap cannot leave at this temperature: the verdict says so."""
    result = sample(nhot, "ferromagnet:16x16", "-n", "128", "--beta", "2", "--move", "kawasaki", "--moves", "20000")
    assert result["converged"] is False
    assert any("disagree" in reason for reason in result["reasons"])


# --- same seed, same numbers


@pytest.mark.parametrize("move", ["swap", "im:length=1..5", "0.7*im:length=2 + 0.3*swap"])
def test_numbers_do_not_depend_on_threads(nhot, move):
    arguments = ["spin-glass:5x5x5,seed=3", "-n", "60", "--move", move, "--moves", "1500", "--chains", "5"]
    first, second, third = (without_times(sample(nhot, *arguments, "--threads", t)) for t in ("1", "2", "4"))
    assert first == second == third


def test_seed(nhot):
    arguments = ["spin-glass:5x5x5,seed=3", "-n", "60", "--moves", "500"]
    default, one, two = (without_times(sample(nhot, *arguments, *seed)) for seed in ([], ["--seed", "1"], ["--seed", "2"]))
    assert default == one
    assert one["observables"]["energy"]["mean"] != two["observables"]["energy"]["mean"]


# --- physics
#
# z = (mean - exact) / mcse, with the error that the program reports: it includes autocorrelation.
# Every comparison is against exact.THRESHOLD, which follows from one budget.

comparisons = 0


def z_score(result, answer):
    energy = result["observables"]["energy"]
    assert result["converged"], result["reasons"]
    return (energy["mean"] - answer) / energy["mcse"]


def check_mean(result, answer):
    global comparisons
    comparisons += 1
    assert abs(z_score(result, answer)) < exact.THRESHOLD


@pytest.fixture(scope="module")
def fields(nhot, tmp_path_factory):
    """The fields of field:40, as the program writes them."""
    path = tmp_path_factory.mktemp("fields") / "fields.coo"
    nhot("convert", "field:40,seed=9", path, ok=True)
    values = numpy.zeros(40)
    for i, j, value in exact.read_coo(path):
        assert i == j
        values[i] += value
    return values


FIELD_MOVES = [
    "swap",
    "im:length=1",
    "im:length=1..10,bias=logistic,gamma=beta",
    "im:length=4,bias=exp,gamma=0.5beta,order=up-down",
    "im:length=3,bias=min,gamma-up=0.8beta,gamma-down=1.1beta,order=down-up",
    "im:length=1..3,gamma=0.5beta/beta,engine=tree",
    "0.6*im:length=1..8 + 0.4*swap",
]


@pytest.mark.parametrize("move", FIELD_MOVES)
def test_independent_sites(nhot, fields, move):
    result = sample(nhot, "field:40,seed=9", "-n", "15", "--beta", "0.8", "--move", move, "--moves", "100000")
    check_mean(result, exact.independent_mean(fields, numpy.zeros(40), 15, 0.8))


@pytest.mark.parametrize("kind", ["ones", "file"])
def test_references(nhot, fields, tmp_path, kind):
    reference = numpy.ones(40)
    name = "ones"
    if kind == "file":
        reference = (numpy.arange(40) % 3 == 0).astype(float)
        name = tmp_path / "reference.txt"
        name.write_text("".join(str(int(bit)) for bit in reference))
    result = sample(
        nhot, "field:40,seed=9", "-n", "11", "--beta", "0.8", "--reference", name, "--moves", "100000")
    check_mean(result, exact.independent_mean(fields, reference, 11, 0.8))


def test_start_from_a_file(nhot, fields, tmp_path):
    start = tmp_path / "start.txt"
    start.write_text("1" * 15 + "0" * 25)
    result = sample(nhot, "field:40,seed=9", "-n", "15", "--beta", "0.8", "--start", start, "--moves", "100000")
    check_mean(result, exact.independent_mean(fields, numpy.zeros(40), 15, 0.8))


@pytest.mark.parametrize("move", ["swap", "kawasaki", "im:length=1..5", "im:length=2,engine=tree", "0.5*kawasaki + im"])
def test_small_lattice(nhot, tmp_path, move):
    path = tmp_path / "lattice.coo"
    nhot("convert", "spin-glass:3x4,seed=2", path, ok=True)
    answer = exact.quadratic_mean(exact.read_coo(path), 12, 5, 0.7)
    result = sample(nhot, "spin-glass:3x4,seed=2", "-n", "5", "--beta", "0.7", "--move", move, "--moves", "100000")
    check_mean(result, answer)


def test_wrong_laws_are_caught(nhot, fields):
    """The same comparison sees a weight that is wrong by 2%, and a distance that is off by one."""
    result = sample(nhot, "field:40,seed=9", "-n", "15", "--beta", "0.8", "--moves", "100000")
    zeros = numpy.zeros(40)
    check_mean(result, exact.independent_mean(fields, zeros, 15, 0.8))
    assert abs(z_score(result, exact.independent_mean(fields, zeros, 15, 0.8 * 1.02))) > exact.THRESHOLD
    assert abs(z_score(result, exact.independent_mean(fields, zeros, 16, 0.8))) > exact.THRESHOLD


def test_budget_of_comparisons():
    """Runs last in this file: the comparisons above fit the budget."""
    assert comparisons <= exact.COMPARISONS
    assert 4 < exact.THRESHOLD < 6.5 and math.isfinite(exact.THRESHOLD)
