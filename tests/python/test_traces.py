"""Run files as a user meets them: written by the program, opened by xarray and ArviZ."""

import datetime
import json
import resource
import signal
import subprocess
import time
import warnings

import numpy as np
import pytest
from terminal import GUARD_SECONDS

az = pytest.importorskip("arviz")
xr = pytest.importorskip("xarray")

MOVES = ("--beta", "0.4", "--move", "im:length=2", "--chains", "4", "--seed", "7")


@pytest.fixture(scope="module")
def run_file(nhot, tmp_path_factory):
    """A finished run: four chains on a 6x6 ferromagnet, half up."""
    path = tmp_path_factory.mktemp("traces") / "run.nc"
    nhot("sample", "ferromagnet:6x6", "-n", "18", *MOVES, "--moves", "2000", "--thin", "1", "--out", path, ok=True)
    return path


def ferromagnet_energy(state, side):
    """E = -sum over bonds of s s on a periodic square lattice."""
    s = (2 * state.astype(int) - 1).reshape(*state.shape[:-1], side, side)
    return -(s * np.roll(s, 1, -1) + s * np.roll(s, 1, -2)).sum((-1, -2))


@pytest.mark.parametrize("engine", ["h5netcdf", "netcdf4"])
def test_arviz_opens_it(run_file, engine):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = az.from_netcdf(run_file, engine=engine)
    assert {"posterior", "sample_stats", "warmup_sample_stats"} <= set(run.groups())
    assert run.attrs["inference_library"] == "nhot"
    assert dict(run.sample_stats.sizes) == {"chain": 4, "draw": 2000}
    assert dict(run.warmup_sample_stats.sizes) == {"chain": 4, "draw": 200}


def test_arviz_diagnoses_it(run_file):
    run = az.from_netcdf(run_file)
    ess = az.ess(run.sample_stats)
    assert 10 < float(ess["energy"]) <= 8000 * np.log10(8000)
    assert float(ess["lp"]) == pytest.approx(float(ess["energy"]))
    assert float(az.rhat(run.sample_stats, var_names=["energy"])["energy"]) < 1.1
    assert float(az.mcse(run.sample_stats)["energy"]) > 0
    # A pair of chains is a replica of its own.
    assert float(az.ess(run.pair_stats.rename(pair="chain"))["overlap"]) > 10


def test_columns(run_file):
    stats = xr.open_dataset(run_file, group="sample_stats")
    for name in ("energy", "lp", "accepted", "acceptance_rate", "saw_length", "hamming_move"):
        assert stats[name].dims == ("chain", "draw")
        assert stats[name].attrs["long_name"]
    assert stats.accepted.dtype == bool
    assert (stats.chain == np.arange(4)).all()
    assert (stats.draw == np.arange(2000)).all()
    np.testing.assert_array_equal(stats.lp, -0.4 * stats.energy)
    # One move per draw: the rate is what the last move did, and it changed an even number of sites.
    assert stats.attrs["thin"] == 1
    np.testing.assert_array_equal(stats.acceptance_rate, stats.accepted.astype(float))
    assert (stats.hamming_move % 2 == 0).all()
    assert stats["slowest_mode"].dims == ("chain", "draw")
    pairs = xr.open_dataset(run_file, group="pair_stats")
    assert pairs.overlap.dims == ("pair", "draw")
    assert dict(pairs.sizes) == {"pair": 2, "draw": 2000}


def test_states_belong_to_their_draws(run_file):
    state = xr.open_dataset(run_file, group="posterior").state
    stats = xr.open_dataset(run_file, group="sample_stats")
    assert state.dims == ("chain", "draw", "site")
    assert state.dtype == np.int8
    assert 1 < state.sizes["draw"] <= 512
    assert (state.sum("site") == 18).all()
    np.testing.assert_array_equal(
        ferromagnet_energy(state.values, 6), stats.energy.sel(draw=state.draw)
    )
    pairs = xr.open_dataset(run_file, group="pair_stats")
    spins = 2 * state.values.astype(int) - 1
    np.testing.assert_allclose(
        (spins[0::2] * spins[1::2]).mean(-1), pairs.overlap.sel(draw=state.draw), rtol=1e-15
    )


@pytest.mark.parametrize("group", ["/", "posterior", "sample_stats", "warmup_sample_stats"])
def test_attributes(nhot, run_file, group):
    attributes = xr.open_dataset(run_file, group=group).attrs
    assert attributes["inference_library"] == "nhot"
    assert attributes["inference_library_version"]
    created = datetime.datetime.fromisoformat(attributes["created_at"])
    age = datetime.datetime.now(datetime.timezone.utc) - created
    assert datetime.timedelta(seconds=-1) <= age < datetime.timedelta(hours=1)
    assert attributes["model"] == "ferromagnet:6x6"
    assert len(attributes["model_hash"]) == 16
    assert attributes["seed"] == 7
    assert attributes["beta"] == 0.4
    assert attributes["move"].startswith("im:length=2,")


def test_root_attributes(run_file):
    attributes = xr.open_dataset(run_file).attrs
    assert attributes["nhot_format"] == 2
    assert list(attributes["lattice_sides"]) == [6, 6]
    assert attributes["moves"] == 2000
    assert 0 < attributes["acceptance"] <= 1


@pytest.mark.parametrize("engine", ["h5netcdf", "netcdf4"])
def test_numbers_are_numbers(run_file, engine):
    """No attribute holds a number, a list of numbers or a truth value as text."""
    tree = xr.open_datatree(run_file, engine=engine)
    seen = 0
    for node in tree.subtree:
        for name, value in node.attrs.items():
            if not isinstance(value, str) or name in ("model_hash", "inference_library_version"):
                continue
            seen += 1
            assert value not in ("true", "false"), name
            for word in value.replace(",", " ").split():
                with pytest.raises(ValueError, match="could not convert"):
                    float(word)
    assert seen > 10
    root = tree.attrs
    assert len(root["chain_acceptance"]) == 4
    assert np.mean(root["chain_acceptance"]) == pytest.approx(root["acceptance"], rel=1e-12)
    assert root["converged"].dtype == root["interrupted"].dtype == root["lattice_periodic"].dtype == np.int8
    assert root["converged"] in (0, 1) and root["interrupted"] == 0 and root["lattice_periodic"] == 1
    assert list(tree["checkpoint"].attrs["plan_accepted_since_draw"]) == [0, 0, 0, 0]


def test_tempering_stores_its_ladder_as_numbers(nhot, tmp_path):
    nhot("temper", "ferromagnet:4x4", "-n", "8", "--betas", "0,0.1,0.45", "--beta", "0.45", "--moves", "100",
         "--out", tmp_path / "run.nc", ok=True)  # fmt: skip
    attributes = xr.open_dataset(tmp_path / "run.nc").attrs
    assert list(attributes["betas"]) == [0, 0.1, 0.45]
    assert attributes["isocluster"].dtype == np.int8 and attributes["isocluster"] == 0


def test_a_file_of_format_1(nhot, root, tmp_path):
    """Written by nhot before truth values and lists were numbers: it reads as it did then."""
    path = root / "tests" / "data" / "sample_format1.nc"
    stored = xr.open_dataset(path).attrs
    assert stored["nhot_format"] == 1
    assert stored["converged"] == "false" and stored["chain_acceptance"] == "1 0.9166666666666666 1"
    result = json.loads(nhot("diagnose", path, "--json", ok=True).stdout)
    assert result["interrupted"] is False
    assert result["chains"] == 3 and result["moves"] == 12
    assert result["acceptance"] == stored["acceptance"] == pytest.approx(np.mean([1, 1, 11 / 12]))
    assert result["best_energy"] == stored["best_energy"] == -2.7789471405251165


def test_tree(run_file):
    tree = xr.open_datatree(run_file)
    assert {"posterior", "sample_stats"} <= set(tree.children)


def wait_for_draws(path, process):
    """The number of draws per chain once the file has any."""
    end = time.monotonic() + GUARD_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, process.stderr.read()
        if path.exists():
            with xr.open_datatree(path) as tree:
                if "sample_stats" in tree.children:
                    return tree["sample_stats"].sizes["draw"]
        time.sleep(0.1)
    pytest.fail(f"no draws in {path}")


def test_killed_run_can_be_read(nhot, tmp_path):
    path = tmp_path / "run.nc"
    command = [nhot.path, "sample", "ferromagnet:6x6", "-n", "18", *MOVES, "--moves", "1e12", "--thin", "10"]
    with subprocess.Popen(
        [*command, "--warmup", "100", "--out", path], stderr=subprocess.PIPE, text=True
    ) as process:
        partial = path.with_name("run.nc.partial")
        seen = wait_for_draws(partial, process)
        process.send_signal(signal.SIGKILL)
    assert not path.exists()
    run = az.from_netcdf(partial)
    assert run.sample_stats.sizes["draw"] >= seen > 0
    assert np.isfinite(run.sample_stats.energy).all()


def test_full_disk(nhot, tmp_path):
    path = tmp_path / "run.nc"

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    done = nhot("sample", "ferromagnet:6x6", "-n", "18", *MOVES, "--moves", "2000", "--out", path,
                preexec_fn=small_files)  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert "run.nc" in done.stderr
    assert "File too large" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_state_of_other_numbers_is_refused(nhot, tmp_path):
    """States are bits: a file that holds a 2 among them is damaged, and says so."""
    netCDF4 = pytest.importorskip("netCDF4")
    nhot("sample", "ferromagnet:4x4", "-n", 4, "--moves", 200, "--out", "run.nc", cwd=tmp_path, ok=True)
    with netCDF4.Dataset(tmp_path / "run.nc", "a") as file:
        file["posterior"]["state"][1, 0, 3] = 2
    done = nhot("diagnose", "run.nc", cwd=tmp_path)
    assert done.returncode == 2
    assert "run.nc" in done.stderr and "a state holds other numbers than 0 and 1" in done.stderr
