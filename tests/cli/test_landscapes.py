"""nhot temper, anneal and logz: the contract of their output, exact answers, and that numbers depend on the seed
alone. Statistical comparisons use exact.THRESHOLD, whose budget they share with test_sample."""

import importlib.util
import itertools
import json
import math
import pathlib

import numpy
import pytest

spec = importlib.util.spec_from_file_location("exact_answers", pathlib.Path(__file__).with_name("exact_answers.py"))
exact = importlib.util.module_from_spec(spec)
spec.loader.exec_module(exact)

TIMES = {"seconds", "cpu_seconds", "move_share", "ns_per_step", "ns_per_move", "tau_seconds", "ess_per_second", "seconds_to_best"}


def run(nhot, *arguments, **keywords):
    done = nhot(*arguments, "--json", ok=True, **keywords)
    assert done.stderr == ""
    return json.loads(done.stdout)


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES}
    if isinstance(value, list):
        return [without_times(v) for v in value]
    return value


@pytest.fixture(scope="module")
def glass(nhot, tmp_path_factory):
    """A spin glass small enough to enumerate: its file, and the energies of the shell of distance 5."""
    path = tmp_path_factory.mktemp("glass") / "glass.coo"
    nhot("convert", "spin-glass:4x3,seed=5,couplings=gaussian", path, ok=True)
    couplings = exact.read_coo(path)
    energies = []
    for chosen in itertools.combinations(range(12), 5):
        spins = -numpy.ones(12)
        spins[list(chosen)] = 1
        energies.append(sum(q * spins[i] * spins[j] for i, j, q in couplings))
    return str(path), numpy.array(energies)


# --- temper


def test_temper_keys_and_rows(nhot):
    result = run(nhot, "temper", "ferromagnet:6x6", "-n", "18", "--betas", "0,0.2,0.3", "--beta", "0.4", "--moves", "500")
    assert {"best_energy", "converged", "reasons", "observables", "barrier", "round_trips", "rows"} <= set(result)
    assert [row["beta"] for row in result["rows"]] == [0, 0.2, 0.3, 0.4]
    assert result["beta"] == 0.4 and len(result["round_trips"]) == 4
    for row in result["rows"]:
        assert {"swap_rate", "round_trips", "acceptance", "observables"} <= set(row)
        assert {"energy", "slowest_mode", "overlap"} == set(row["observables"])
    assert result["rows"][-1]["swap_rate"] is None
    assert all(0 < row["swap_rate"] <= 1 for row in result["rows"][:-1])
    assert result["rows"][-1]["round_trips"] == sum(result["round_trips"])
    assert result["rows"][-1]["observables"]["energy"] == result["observables"]["energy"]


def test_temper_along_the_weights(nhot, tmp_path):
    arguments = ["temper", "rbm:8x6,seed=3", "-n", "5", "--beta", "3", "--path", "weights", "--chains", "2", "--warmup", "4000", "--sweep", "20"]
    whole = run(nhot, *arguments, "--moves", "4000")
    assert whole["rows"][0]["beta"] == 0 and whole["rows"][-1]["beta"] == 3
    out = str(tmp_path / "run.nc")
    run(nhot, *arguments, "--moves", "1000", "--thin", "20", "--out", out)
    assert nhot("temper", "--resume", out, "--path", "temperatures", "--moves", "3000").returncode == 2
    rest = run(nhot, "temper", "--resume", out, "--moves", "3000")
    unbroken = run(nhot, *arguments, "--moves", "4000", "--thin", "20")
    assert without_times(rest)["rows"] == without_times(unbroken)["rows"]
    assert nhot(*arguments, "--moves", "100", "--trace", "all", "--out", tmp_path / "all.nc").returncode == 2


def test_temper_places_a_ladder(nhot):
    result = run(nhot, "temper", "ferromagnet:12x12", "-n", "72", "--beta", "0.44", "--moves", "4000")
    betas = [row["beta"] for row in result["rows"]]
    assert 0 < betas[0] < 0.44 and betas[-1] == 0.44 and betas == sorted(betas)
    assert len(betas) == pytest.approx(2 * result["barrier"] + 1.5, abs=2)


def test_temper_mean_energy_is_exact(nhot, glass):
    path, energies = glass
    result = run(nhot, "temper", path, "-n", "5", "--beta", "1.5", "--moves", "20000", "--sweep", "4")
    for row in result["rows"]:
        weights = numpy.exp(-row["beta"] * (energies - energies.min()))
        mean = energies @ weights / weights.sum()
        observed = row["observables"]["energy"]
        assert abs(observed["mean"] - mean) < exact.THRESHOLD * observed["mcse"]


def test_temper_does_not_depend_on_threads(nhot):
    arguments = ["temper", "spin-glass:4x4x4,seed=3", "-n", "30", "--moves", "2000", "--chains", "3"]
    first, second, third = (without_times(run(nhot, *arguments, "--threads", t)) for t in ("1", "2", "4"))
    assert first == second == third


def test_temper_writes_files(nhot, tmp_path):
    result = run(nhot, "temper", "ferromagnet:4x4", "-n", "8", "--betas", "0,0.3", "--moves", "400", "--out", "run.nc",
                 "--trace", "all", cwd=tmp_path)
    assert result["beta"] == 0.3  # the coldest of the list
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.nc", "run.rung00.nc"]
    cold = run(nhot, "diagnose", "run.nc", cwd=tmp_path)
    hot = run(nhot, "diagnose", "run.rung00.nc", cwd=tmp_path)
    assert (cold["beta"], hot["beta"]) == (0.3, 0)
    assert cold["observables"]["energy"]["mean"] == pytest.approx(result["observables"]["energy"]["mean"])
    assert hot["observables"]["energy"]["mean"] == pytest.approx(result["rows"][0]["observables"]["energy"]["mean"])


def test_temper_with_clusters(nhot, glass):
    path, energies = glass
    result = run(nhot, "temper", path, "-n", "5", "--beta", "1", "--moves", "20000", "--sweep", "4", "--isocluster")
    weights = numpy.exp(-(energies - energies.min()))
    observed = result["observables"]["energy"]
    assert abs(observed["mean"] - energies @ weights / weights.sum()) < exact.THRESHOLD * observed["mcse"]
    assert all(0 < row["cluster_rate"] < 1 for row in result["rows"])
    assert len(result["round_trips"]) == 4
    text = nhot("temper", path, "-n", "5", "--moves", "400", "--isocluster", ok=True).stdout
    assert "cluster rate" in text and "cluster rate" not in nhot("temper", path, "-n", "5", "--moves", "400", ok=True).stdout


def test_temper_refuses_clusters_where_there_is_one(nhot):
    done = nhot("temper", "rbm:8x6,seed=1", "-n", "4", "--isocluster", "--moves", "100")
    assert done.returncode == 2 and done.stdout == ""
    assert "single cluster" in done.stderr and "sparse couplings" in done.stderr


def test_independent_runs_are_judged_together(nhot, tmp_path):
    for seed in (1, 2, 3):
        run(nhot, "temper", "ferromagnet:4x4", "-n", "8", "--betas", "0,0.3", "--moves", "2000", "--chains", "2", "--out",
            f"{seed}.nc", "--seed", str(seed), cwd=tmp_path)
    one = run(nhot, "diagnose", "1.nc", cwd=tmp_path)
    all_three = run(nhot, "diagnose", "1.nc", "2.nc", "3.nc", cwd=tmp_path)
    assert (one["chains"], all_three["chains"]) == (2, 6)
    assert one["observables"]["overlap"]["rhat"] is None  # a single pair
    assert 0.9 < all_three["observables"]["overlap"]["rhat"] < 1.1
    assert all_three["steps"] > 2 * one["steps"] and all_three["moves"] == one["moves"]
    assert any("seeds 1, 2, 3" in note for note in all_three["notes"])
    means = [run(nhot, "diagnose", f"{seed}.nc", cwd=tmp_path)["observables"]["energy"]["mean"] for seed in (1, 2, 3)]
    assert all_three["observables"]["energy"]["mean"] == pytest.approx(sum(means) / 3)


def test_runs_of_different_laws_are_not_pooled(nhot, tmp_path):
    def sample(name, *words):
        options = ["ferromagnet:4x4", "-n", "8", "--beta", "0.3", "--moves", "200", *words]
        run(nhot, "sample", *options, "--out", name, cwd=tmp_path)

    sample("a.nc")
    sample("b.nc", "--seed", "2", "--beta", "0.4")
    sample("c.nc", "--seed", "2", "-n", "7")
    sample("d.nc", "--seed", "2", "--thin", "3")
    sample("e.nc", "--seed", "2", "--thin", "2")
    for name, what in {"a": "same draws", "b": "beta", "c": "distance", "d": "--thin"}.items():
        done = nhot("diagnose", "a.nc", f"{name}.nc", cwd=tmp_path)
        assert done.returncode == 2 and what in done.stderr and "a.nc" in done.stderr
    assert run(nhot, "diagnose", "a.nc", "e.nc", cwd=tmp_path)["draws"] == 100


def test_temper_text(nhot):
    done = nhot("temper", "ferromagnet:4x4", "-n", "8", "--betas", "0,0.3", "--moves", "400", ok=True)
    for part in ("swap rate", "round trips", "0.3 *", "converged", "\nenergy"):
        assert part in done.stdout


# --- anneal


def test_anneal_finds_the_lowest_energy(nhot, glass):
    path, energies = glass
    result = run(nhot, "anneal", path, "-n", "5", "--reads", "16", "--keep", "3")
    assert {"best_energy", "seconds", "seconds_to_best", "reads", "states"} <= set(result)
    assert result["reads"] == 16
    assert result["best_energy"] == pytest.approx(energies.min())
    assert result["states"][0]["energy"] == result["best_energy"]
    assert all(state["bits"].count("1") == 5 for state in result["states"])
    assert len({state["bits"] for state in result["states"]}) == len(result["states"])


@pytest.mark.parametrize("options", [["--reads", "40"], ["--reads", "20", "--move", "swap"],
                                     ["--reads", "3", "--population", "16"], ["--reads", "20", "--schedule", "linear"],
                                     ["--reads", "20", "--schedule", "geometric", "--sweeps", "100"]])
def test_anneal_does_not_depend_on_threads(nhot, options):
    arguments = ["anneal", "spin-glass:4x4x4,seed=3", "-n", "30", *options]
    first, second, third = (without_times(run(nhot, *arguments, "--threads", t)) for t in ("1", "2", "4"))
    assert first == second == third


def test_anneal_keeps_the_lowest_states(nhot, glass):
    path, energies = glass
    result = run(nhot, "anneal", path, "-n", "5", "--reads", "60", "--keep", "10")
    assert [state["energy"] for state in result["states"]] == pytest.approx(sorted(energies)[:10])


def test_anneal_takes_the_betas_that_are_given(nhot):
    arguments = ["anneal", "spin-glass:4x4x4,seed=3", "-n", "30", "--reads", "4"]
    result = run(nhot, *arguments, "--beta-hot", "0.3", "--beta-cold", "1e300")
    assert (result["beta_hot"], result["beta_cold"]) == (0.3, 1e300)
    done = nhot(*arguments, "--beta-cold", "1e308")
    assert done.returncode == 2 and "beta 1e+308 overflows" in done.stderr


def test_anneal_stops_at_the_target(nhot, tmp_path):
    result = run(nhot, "anneal", "ferromagnet:8x8", "-n", "32", "--target=-96", "--reads", "1e9", "--out", "best.txt",
                 cwd=tmp_path)
    assert result["reached_target"] and result["best_energy"] <= -96 and result["reads"] < 1e6
    again = run(nhot, "anneal", "ferromagnet:8x8", "-n", "32", "--start", "best.txt", "--reads", "1", cwd=tmp_path)
    assert again["best_energy"] <= result["best_energy"]


def test_anneal_takes_its_time(nhot):
    """That it does not take more is tested with a clock by hand, in tests/run/annealing_test.cpp."""
    result = run(nhot, "anneal", "spin-glass:4x4x4,seed=1", "-n", "32", "--seconds", "0.2")
    assert result["seconds"] >= 0.2 and result["reads"] > 0


# --- logz


@pytest.mark.parametrize("method", ["smc", "ais"])
def test_logz_is_exact(nhot, glass, method):
    path, energies = glass
    exactly = math.log(numpy.exp(-1.0 * energies).sum())
    result = run(nhot, "logz", path, "-n", "5", "--beta", "1", "--method", method, "--populations", "64", "--moves", "8")
    assert {"log_z", "stderr", "log_states"} <= set(result)
    assert result["log_states"] == pytest.approx(math.log(math.comb(12, 5)))
    assert len(result["log_z_of"]) == 64
    assert abs(result["log_z"] - exactly) < exact.THRESHOLD * result["stderr"]
    assert 0 < result["stderr"] < 0.1


def test_logz_by_integration(nhot, glass):
    path, energies = glass
    for seconds in "2", "20", "200":  # more only where a machine is too busy for the few draws that an estimate takes
        result = run(nhot, "logz", path, "-n", "5", "--beta", "1", "--method", "ti", "--seconds", seconds,
                     "--populations", "32")
        if result["log_z"] is not None:
            break
    exactly = math.log(numpy.exp(-1.0 * energies).sum())
    assert abs(result["log_z"] - exactly) < exact.THRESHOLD * result["stderr"]


def test_logz_ratio(nhot):
    arguments = ["field:40,seed=2", "--beta", "1", "--populations", "64", "--population", "32"]
    nine = run(nhot, "logz", *arguments, "-n", "9", "--ratio")
    assert nine["ratio"]["distance"] == 10
    ten = run(nhot, "logz", *arguments, "-n", "10")
    error = math.hypot(nine["ratio"]["stderr"], math.hypot(nine["stderr"], ten["stderr"]))
    assert abs(nine["ratio"]["log_ratio"] - (ten["log_z"] - nine["log_z"])) < exact.THRESHOLD * error
    assert nine["ratio"]["stderr"] < 0.1


@pytest.mark.parametrize("n", ["6", "11"])
def test_logz_ratio_takes_its_default_move(nhot, n):
    assert run(nhot, "logz", "ferromagnet:3x4", "-n", n, "--ratio")["ratio"]["distance"] == int(n) + 1


def test_logz_ratio_on_the_last_shell(nhot):
    result = run(nhot, "logz", "ferromagnet:3x4", "-n", "12", "--ratio")
    assert result["ratio"] is None
    assert any("this is the last one" in note for note in result["notes"])
    assert "this is the last one" in nhot("logz", "ferromagnet:3x4", "-n", "12", "--ratio", ok=True).stdout
    assert "ratio" not in run(nhot, "logz", "ferromagnet:3x4", "-n", "12")


def test_logz_does_not_depend_on_threads(nhot):
    arguments = ["logz", "spin-glass:4x4x4,seed=3", "-n", "30", "--population", "8"]
    first, second = (without_times(run(nhot, *arguments, "--threads", t)) for t in ("1", "4"))
    assert first == second


# --- all three


BAD = {
    "temper twice": (["temper", "--betas", "0,1,1"], "twice"),
    "temper text": (["temper", "--betas", "0,hot"], "'hot'"),
    "temper path": (["temper", "--path", "weights", "--moves", "10"], "for RBMs"),
    "temper hot end": (["temper", "--beta", "1", "--beta-hot", "2"], "colder than the target"),
    "anneal backwards": (["anneal", "--beta-hot", "2", "--beta-cold", "1"], "does not cool"),
    "anneal move": (["anneal", "--move", "swpa"], "'swpa'"),
    "logz one population": (["logz", "--populations", "1"], "populations"),
    "logz ti ratio": (["logz", "--method", "ti", "--ratio"], "ratio"),
    "logz method": (["logz", "--method", "smcc"], "smcc"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(nhot, name):
    (command, *options), what = BAD[name]
    done = nhot(command, "ferromagnet:4x4", "-n", "8", *options)
    assert done.returncode == 2, done.stderr
    assert done.stdout == "" and what in done.stderr and "\n  try: " in done.stderr
