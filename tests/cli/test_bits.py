"""nhot sample --move swap:engine=bits: many chains in the bits of words."""

import json
import math

import numpy
import pytest

netCDF4 = pytest.importorskip("netCDF4")

BITS = ["--move", "swap:engine=bits"]
LATTICE = ["ferromagnet:12x12", "-n", "72", "--beta", "0.3", *BITS]
TIMES = {"seconds", "cpu_seconds", "move_share", "ns_per_step", "ns_per_move", "tau_seconds", "ess_per_second", "out"}


def sample(nhot, *arguments, **keywords):
    done = nhot("sample", *arguments, "--json", ok=True, **keywords)
    assert done.stderr == ""
    return json.loads(done.stdout)


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES}
    return value


def test_contract(nhot, tmp_path):
    result = sample(nhot, *LATTICE, "--chains", "70", "--moves", "5000", "--out", "run.nc", cwd=tmp_path)
    assert result["engine"] == "bits" and result["move"] == "swap:engine=bits"
    assert (result["chains"], result["moves"]) == (70, 5000)
    # Steps are the moves that met unlike sites.
    expected = 2 * 72 * 72 / (144 * 143)
    share = result["steps"] / (result["moves"] * result["chains"])
    assert share == pytest.approx(expected, abs=0.01)
    assert 0 < result["acceptance"] < share
    assert any("engine bits" in note for note in result["notes"])
    with netCDF4.Dataset(tmp_path / "run.nc") as run:
        states = run["posterior"]["state"][:]
        energy = run["sample_stats"]["energy"][:]
        assert states.shape[0] == energy.shape[0] == 70
        assert (states.sum(axis=2) == 72).all()
        # No two chains are alike, and none stands still.
        assert len({chain[-1].tobytes() for chain in states.filled()}) == 70
        assert (energy.std(axis=1) > 0).all()
        assert result["best_energy"] <= energy.min()


def test_agrees_with_swap(nhot):
    plain = sample(nhot, "ferromagnet:8x8", "-n", "32", "--beta", "0.3", "--move", "swap", "--moves", "400000",
                   "--seed", "3")
    bits = sample(nhot, "ferromagnet:8x8", "-n", "32", "--beta", "0.3", *BITS, "--chains", "64", "--moves", "100000",
                  "--seed", "3")
    for name in "energy", "slowest_mode", "overlap":
        a, b = plain["observables"][name], bits["observables"][name]
        assert abs(a["mean"] - b["mean"]) < 5 * math.hypot(a["mcse"], b["mcse"]), name
    assert bits["converged"] is True
    assert bits["observables"]["energy"]["mcse"] < 0.3


def test_chains_are_independent(nhot, tmp_path):
    """Correlations of energies between chains, at equal times, are those of independent chains: their mean square is
    1 / ESS. The mean over all pairs would be far off if chains followed each other."""
    sample(nhot, "ferromagnet:12x12", "-n", "72", "--beta", "0.2", *BITS, "--chains", "64", "--moves", "400000",
           "--thin", "400", "--out", "run.nc", cwd=tmp_path)
    with netCDF4.Dataset(tmp_path / "run.nc") as run:
        energy = run["sample_stats"]["energy"][:].filled()
    correlation = numpy.corrcoef(energy)
    pairs = correlation[numpy.triu_indices(64, 1)]
    draws = energy.shape[1]
    # 2016 pairs of 1000 draws: the mean has a standard error of about 1 / sqrt(2016 * ESS), ESS at least draws / 4.
    assert abs(pairs.mean()) < 5 * math.sqrt(4 / (len(pairs) * draws))
    assert (pairs**2).mean() < 6 / draws


@pytest.mark.parametrize("chains", ["3", "64", "200"])
def test_numbers_do_not_depend_on_threads(nhot, chains):
    options = [*LATTICE, "--chains", chains, "--moves", "3000"]
    first = without_times(sample(nhot, *options, "--threads", "1"))
    assert without_times(sample(nhot, *options, "--threads", "4")) == first
    assert without_times(sample(nhot, *options, "--seed", "2")) != first


def draws(path):
    with netCDF4.Dataset(path) as run:
        return {
            (group, name): numpy.ma.getdata(run[group][name][:])
            for group in ("warmup_sample_stats", "sample_stats", "pair_stats")
            for name in run[group].variables
        }


@pytest.mark.parametrize("model", ["ferromagnet:12x12", "ferromagnet:6x7,open"])
def test_half_and_half(nhot, tmp_path, model):
    options = [model, "-n", "20", "--beta", "0.4", *BITS, "--chains", "66", "--warmup", "100", "--thin", "7"]
    whole = sample(nhot, *options, "--moves", "1000", "--out", "whole.nc", cwd=tmp_path)
    sample(nhot, *options, "--moves", "500", "--out", "half.nc", cwd=tmp_path)
    resumed = sample(nhot, "--resume", "half.nc", "--moves", "500", cwd=tmp_path)
    first, second = draws(tmp_path / "whole.nc"), draws(tmp_path / "half.nc")
    assert first.keys() == second.keys()
    for key, column in first.items():
        assert numpy.array_equal(column, second[key]), key
    for key in "moves", "warmup", "steps", "acceptance", "best_energy", "move", "seed", "draws":
        assert whole[key] == resumed[key], key
    done = nhot("sample", "--resume", "half.nc", "--moves", "10", "--move", "swap", cwd=tmp_path)
    assert done.returncode == 2 and "--move" in done.stderr


def test_thin_keeps_fewer_draws(nhot):
    result = sample(nhot, *LATTICE, "--chains", "64", "--moves", "100000")
    assert 1000 <= result["draws"] <= 2000


@pytest.mark.parametrize("distance", ["0", "1", "143", "144"])
def test_edges_of_the_shell(nhot, distance):
    result = sample(nhot, "ferromagnet:12x12", "-n", distance, *BITS, "--moves", "500")
    assert result["observables"]["energy"]["mean"] == (-288 if distance in ("0", "144") else -280)


REFUSED = {
    "real couplings": (["sample", "spin-glass:6x6,couplings=gaussian,seed=1", "-n", "10", *BITS], "integer grid"),
    "rbm": (["sample", "rbm:20x10,seed=1", "-n", "10", *BITS], "RBM"),
    "mixture": (["sample", "ferromagnet:6x6", "-n", "10", "--move", "0.5*swap:engine=bits + 0.5*im"], "mixture"),
    "other move": (["sample", "ferromagnet:6x6", "-n", "10", "--move", "im:engine=bits"], "engine"),
    "temper": (["temper", "ferromagnet:6x6", "-n", "10", "--beta", "1", *BITS, "--moves", "10"], "nhot sample"),
    "compare": (["compare", "ferromagnet:6x6", "-n", "10", *BITS, "--move", "swap", "--seconds", "0.1"],
                "nhot sample"),
    "anneal": (["anneal", "ferromagnet:6x6", "-n", "10", *BITS, "--seconds", "0.1"], "nhot sample"),
    "logz": (["logz", "ferromagnet:6x6", "-n", "10", "--beta", "0.1", *BITS], "nhot sample"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(nhot, name):
    arguments, part = REFUSED[name]
    done = nhot(*arguments)
    assert done.returncode == 2, done.stderr
    assert part in done.stderr and done.stdout == ""


def test_too_many_levels(nhot, tmp_path):
    (tmp_path / "m.coo").write_text("# vartype=SPIN\n" + "".join(f"{i} {i + 1} {1 + 20 * (i % 3)}\n" for i in range(9)))
    done = nhot("sample", "m.coo", "-n", "4", *BITS, "--moves", "10", cwd=tmp_path)
    assert done.returncode == 2 and "at most 32 fit" in done.stderr
