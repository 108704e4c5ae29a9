"""Tempering runs that are stopped and resumed: half and half is the whole, at every temperature, to the bit."""

import json
import os
import shlex
import signal
import subprocess
import time

import numpy
import pytest

netCDF4 = pytest.importorskip("netCDF4")

GLASS = ["spin-glass:4x4x4,seed=4", "-n", "30", "--beta", "0.9"]
# What a run would otherwise choose by its length.
FIXED = ["--sweep", "10", "--warmup", "1500", "--thin", "30"]
GROUPS = "sample_stats", "pair_stats", "posterior", "rungs"


def draws(path):
    """Every column of every group with draws."""
    with netCDF4.Dataset(path) as run:
        return {
            (group, name): numpy.ma.getdata(run[group][name][:])
            for group in GROUPS
            if group in run.groups
            for name in run[group].variables
        }


def assert_same(a, b):
    first, second = draws(a), draws(b)
    assert first.keys() == second.keys()
    for key, column in first.items():
        assert numpy.array_equal(column, second[key]), key


def temper(nhot, folder, *arguments):
    return json.loads(nhot("temper", *arguments, "--json", cwd=folder, ok=True).stdout)


def without_times(value):
    """A result without what the clock decides, the name of its file, and how it was stopped."""
    if isinstance(value, list):
        return [without_times(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    dropped = "out", "notes", "interrupted", "move_share"
    return {key: without_times(entry) for key, entry in value.items()
            if key not in dropped and "second" not in key and not key.startswith("ns_per")}


KINDS = {
    "placed": [*GLASS],
    "given": [*GLASS, "--betas", "0,0.2,0.5", "--chains", "3", "--seed", "11"],
    "clusters": [*GLASS, "--isocluster", "--rungs", "5", "--beta-hot", "0.1"],
    "mixture": [*GLASS, "--move", "0.7*im:length=1..4 + 0.3*swap", "--chains", "1", "--betas", "0,0.9"],
    "rbm": ["rbm:30x20,seed=2", "-n", "17", "--beta", "1.5", "--move", "im:length=1..3"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_half_and_half(nhot, tmp_path, kind):
    """433 moves are no multiple of a sweep, and 44 sweeps no multiple of the three between draws."""
    options = [*KINDS[kind], *FIXED]
    whole = temper(nhot, tmp_path, *options, "--moves", "1000", "--out", "whole.nc", "--threads", "1")
    temper(nhot, tmp_path, *options, "--moves", "433", "--out", "half.nc")
    resumed = temper(nhot, tmp_path, "--resume", "half.nc", "--moves", "567", "--threads", "2")
    assert_same(tmp_path / "whole.nc", tmp_path / "half.nc")
    assert without_times(whole) == without_times(resumed)
    assert len(whole["rows"]) > 1 and all(row["observables"]["energy"]["mean"] is not None for row in whole["rows"])


def test_files_of_all_rungs(nhot, tmp_path):
    options = [*GLASS, *FIXED, "--betas", "0,0.4,0.9", "--trace", "all"]
    temper(nhot, tmp_path, *options, "--moves", "600", "--out", "whole.nc")
    temper(nhot, tmp_path, *options, "--moves", "300", "--out", "half.nc")
    for _ in range(2):
        temper(nhot, tmp_path, "--resume", "half.nc", "--moves", "150")
    for rung in "00", "01":
        with netCDF4.Dataset(tmp_path / f"whole.rung{rung}.nc") as a, netCDF4.Dataset(tmp_path / f"half.rung{rung}.nc") as b:
            for name in a["sample_stats"].variables:
                assert numpy.array_equal(a["sample_stats"][name][:], b["sample_stats"][name][:]), name


def test_longer_runs_are_thinned(nhot, tmp_path):
    """auto keeps at most 20,000 draws: the longer run is thinned as one run would have been."""
    options = ["field:12,seed=1", "-n", "4", "--move", "swap", "--chains", "2", "--warmup", "0", "--sweep", "1", "--betas", "0,1"]
    whole = temper(nhot, tmp_path, *options, "--moves", "40000", "--out", "whole.nc")
    temper(nhot, tmp_path, *options, "--moves", "15001", "--out", "half.nc")
    resumed = temper(nhot, tmp_path, "--resume", "half.nc", "--moves", "24999")
    assert whole["thin"] == resumed["thin"] == 2
    with netCDF4.Dataset(tmp_path / "whole.nc") as a, netCDF4.Dataset(tmp_path / "half.nc") as b:
        for name in "energy", "acceptance_rate", "overlap":
            assert numpy.array_equal(a["rungs"][name][:], b["rungs"][name][:]), name
    assert without_times(whole) == without_times(resumed)


def test_resume_to_another_file(nhot, tmp_path):
    temper(nhot, tmp_path, *GLASS, *FIXED, "--moves", "300", "--out", "first.nc")
    before = (tmp_path / "first.nc").read_bytes()
    temper(nhot, tmp_path, "--resume", "first.nc", "--moves", "300", "--out", "second.nc")
    assert (tmp_path / "first.nc").read_bytes() == before
    assert draws(tmp_path / "second.nc")["rungs", "energy"].shape[1:] == (4, 20)


def test_the_draws_of_all_rungs_can_be_read(nhot, tmp_path):
    xarray = pytest.importorskip("xarray")
    result = temper(nhot, tmp_path, *GLASS, *FIXED, "--moves", "600", "--out", "run.nc")
    rungs = xarray.open_dataset(tmp_path / "run.nc", group="rungs", engine="netcdf4")
    assert rungs.energy.dims == ("rung", "chain", "draw") and rungs.overlap.dims == ("rung", "pair", "draw")
    assert rungs.beta.values.tolist() == [row["beta"] for row in result["rows"]]
    for k, row in enumerate(result["rows"]):
        assert rungs.energy[k].mean().item() == pytest.approx(row["observables"]["energy"]["mean"], rel=1e-12)
    target = xarray.open_dataset(tmp_path / "run.nc", group="sample_stats", engine="netcdf4")
    assert numpy.array_equal(rungs.energy[-1].values, target.energy.values)
    arviz = pytest.importorskip("arviz")
    run = arviz.from_netcdf(tmp_path / "run.nc")
    assert numpy.array_equal(run.sample_stats.energy.values, target.energy.values)


# --- stopped


def start(nhot, folder, *arguments):
    return subprocess.Popen([str(nhot.path), "temper", *arguments], cwd=folder, text=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def checkpoint(path, name):
    """A number of the checkpoint of a file; -1 while there is none."""
    try:
        with netCDF4.Dataset(path) as run:
            return int(run["checkpoint"].getncattr("plan_" + name)) if "checkpoint" in run.groups else -1
    except OSError:  # not there
        return -1


def wait_for(process, condition):
    end = time.monotonic() + 60
    while not condition():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


STOPPED = {
    "placed": [*GLASS, "--move", "swap", "--sweep", "64", "--warmup", "40000", "--thin", "12800", "--chains", "3"],
    "clusters": [*GLASS, "--move", "swap", "--sweep", "64", "--warmup", "2000", "--thin", "6400", "--chains", "2",
                 "--betas", "0,0.3,0.6", "--isocluster"],
}


@pytest.mark.parametrize("kind", STOPPED)
def test_kill_loses_nothing(nhot, tmp_path, kind):
    """kill -9 twice, each once the file holds a later checkpoint with draws."""
    options = STOPPED[kind]
    partial = tmp_path / "run.nc.partial"
    arguments = [*options, "--moves", "1e12", "--out", "run.nc"]
    last = 0
    for _ in range(2):
        process = start(nhot, tmp_path, *arguments)
        wait_for(process, lambda last=last: checkpoint(partial, "draws") > last)
        process.kill()
        process.wait()
        last = checkpoint(partial, "draws")
        arguments = ["--resume", "run.nc", "--moves", "1e12"]
    moves = checkpoint(partial, "moves")
    result = temper(nhot, tmp_path, "--resume", "run.nc", "--moves", "20000")
    assert result["moves"] == -(-(moves + 20000) // 64) * 64
    assert os.listdir(tmp_path) == ["run.nc"]
    whole = temper(nhot, tmp_path, *options, "--moves", str(moves + 20000), "--out", "whole.nc")
    assert without_times(whole) == without_times(result)
    first, second = draws(tmp_path / "whole.nc"), draws(tmp_path / "run.nc")
    for key, column in first.items():
        assert numpy.array_equal(column, second[key]), key


def test_kill_in_warmup(nhot, tmp_path):
    """A warm-up without an end: each run goes on where the one before was killed."""
    partial = tmp_path / "run.nc.partial"
    arguments = [*GLASS, "--move", "swap", "--warmup", "1e12", "--moves", "1000", "--out", "run.nc"]
    last = 0
    for _ in range(2):
        process = start(nhot, tmp_path, *arguments)
        wait_for(process, lambda last=last: checkpoint(partial, "warmup_rounds") > last)
        process.kill()
        process.wait()
        last = checkpoint(partial, "warmup_rounds")
        assert checkpoint(partial, "warming") == 1
        arguments = ["--resume", "run.nc", "--moves", "1000"]
    process = start(nhot, tmp_path, *arguments)
    wait_for(process, lambda: checkpoint(partial, "warmup_rounds") > last)
    process.send_signal(signal.SIGINT)
    error = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and "during warm-up" in error, error
    assert error.strip().endswith("go on with: nhot resume run.nc")
    assert checkpoint(tmp_path / "run.nc", "warmup_rounds") > last
    assert checkpoint(tmp_path / "run.nc", "warming") == 1
    assert os.listdir(tmp_path) == ["run.nc"]


def test_interrupted_while_the_ladder_is_placed(nhot, tmp_path):
    """The signal comes as soon as the file is there: early in a warm-up of many stages."""
    options = [*GLASS, "--move", "swap", "--sweep", "64", "--warmup", "200000", "--thin", "640", "--moves", "10000"]
    process = start(nhot, tmp_path, *options, "--out", "run.nc")
    wait_for(process, (tmp_path / "run.nc.partial").exists)
    process.send_signal(signal.SIGINT)
    error = process.communicate(timeout=60)[1]
    assert process.returncode == 130, error
    command = error.strip().split("go on with: nhot ")[1]
    resumed = json.loads(nhot(*shlex.split(command), "--json", cwd=tmp_path, ok=True).stdout)
    whole = temper(nhot, tmp_path, *options, "--out", "whole.nc")
    assert_same(tmp_path / "whole.nc", tmp_path / "run.nc")
    assert without_times(whole) == without_times(resumed)


def test_interrupted_while_sampling(nhot, tmp_path):
    """The note says how to go on."""
    options = STOPPED["clusters"]
    process = start(nhot, tmp_path, *options, "--moves", "1e12", "--out", "run.nc")
    wait_for(process, lambda: checkpoint(tmp_path / "run.nc.partial", "draws") > 0)
    process.send_signal(signal.SIGINT)
    error = process.communicate(timeout=60)[1]
    assert process.returncode == 130, error
    moves = checkpoint(tmp_path / "run.nc", "moves")
    assert f"interrupted after {moves} moves per replica" in error
    assert error.strip().endswith("go on with: nhot resume run.nc")
    resumed = temper(nhot, tmp_path, "--resume", "run.nc", "--moves", "6400")
    whole = temper(nhot, tmp_path, *options, "--moves", str(moves + 6400))
    assert without_times(whole) == without_times(resumed)


def test_without_a_file_no_way_on_is_told(nhot, tmp_path):
    process = start(nhot, tmp_path, *GLASS, "--warmup", "100", "--moves", "1e12")
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    error = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and "interrupted after" in error and "nhot resume" not in error


def test_kill_while_resuming_keeps_the_old_file(nhot, tmp_path):
    temper(nhot, tmp_path, *GLASS, *FIXED, "--moves", "300", "--out", "run.nc")
    before = (tmp_path / "run.nc").read_bytes()
    process = start(nhot, tmp_path, "--resume", "run.nc", "--moves", "1e12")
    wait_for(process, (tmp_path / "run.nc.partial").exists)
    process.kill()
    process.wait()
    assert (tmp_path / "run.nc").read_bytes() == before
    assert temper(nhot, tmp_path, "--resume", "run.nc", "--moves", "100")["moves"] >= 400


def test_sample_killed_in_a_warmup_by_the_clock(nhot, tmp_path):
    """Such a warm-up makes no draws: what is left of it is the checkpoint."""
    partial = tmp_path / "run.nc.partial"
    process = subprocess.Popen([str(nhot.path), "sample", *GLASS, "--move", "im", "--seconds", "1e6", "--out", "run.nc"], cwd=tmp_path,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wait_for(process, lambda: checkpoint(partial, "warmup_moves") > 0)
    process.kill()
    process.wait()
    done = checkpoint(partial, "warmup_moves")
    result = json.loads(nhot("sample", "--resume", "run.nc", "--moves", "1000", "--json", cwd=tmp_path, ok=True).stdout)
    assert result["moves"] == 1000 and result["warmup"] > done


# --- refused


REFUSED = {
    "other model": (["field:64"], "field:64"),
    "other distance": (["-n", "3"], "--distance"),
    "other reference": (["--reference", "ones"], "--reference"),
    "other beta": (["--beta", "2"], "--beta"),
    "other move": (["--move", "swap"], "--move"),
    "other seed": (["--seed", "5"], "--seed"),
    "other chains": (["--chains", "2"], "--chains"),
    "other ladder": (["--betas", "0,0.3,0.9"], "--betas"),
    "other hot end": (["--beta-hot", "0.2"], "--beta-hot"),
    "other rungs": (["--rungs", "9"], "--rungs"),
    "other sweep": (["--sweep", "11"], "--sweep"),
    "other thin": (["--thin", "20"], "--thin"),
    "clusters": (["--isocluster"], "--isocluster"),
    "warm-up again": (["--warmup", "10"], "started already"),
    "another start": (["--start", "s.txt"], "started already"),
}


@pytest.fixture(scope="module")
def finished(nhot, tmp_path_factory):
    """A short run, as bytes."""
    folder = tmp_path_factory.mktemp("finished")
    temper(nhot, folder, *GLASS, *FIXED, "--moves", "300", "--out", "run.nc")
    return (folder / "run.nc").read_bytes()


@pytest.mark.parametrize("name", REFUSED)
def test_other_options_are_refused(nhot, tmp_path, finished, name):
    (tmp_path / "run.nc").write_bytes(finished)
    arguments, part = REFUSED[name]
    done = nhot("temper", *arguments, "--resume", "run.nc", "--moves", "10", cwd=tmp_path)
    assert done.returncode == 2
    assert part in done.stderr and "leave out" in done.stderr
    assert os.listdir(tmp_path) == ["run.nc"] and (tmp_path / "run.nc").read_bytes() == finished


def test_same_options_are_welcome(nhot, tmp_path, finished):
    (tmp_path / "run.nc").write_bytes(finished)
    options = [*GLASS, "--sweep", "10", "--thin", "30", "--chains", "4", "--move", "im", "--seed", "1"]
    assert temper(nhot, tmp_path, *options, "--moves", "100", "--resume", "run.nc")["moves"] == 400


def test_a_ladder_can_be_written_otherwise(nhot, tmp_path):
    temper(nhot, tmp_path, *GLASS, "--betas", "0,0.50,0.9", "--moves", "100", "--out", "run.nc")
    assert temper(nhot, tmp_path, "--betas", "0.0,5e-1,0.9", "--resume", "run.nc", "--moves", "100")["moves"] >= 200
    done = nhot("temper", "--betas", "0,0.5", "--resume", "run.nc", "--moves", "100", cwd=tmp_path)
    assert done.returncode == 2 and "--betas is '0,0.5' but run.nc was run with '0,0.5,0.9'" in done.stderr


def test_how_long_must_be_said(nhot, tmp_path, finished):
    (tmp_path / "run.nc").write_bytes(finished)
    done = nhot("temper", "--resume", "run.nc", cwd=tmp_path)
    assert done.returncode == 2 and "--moves N or --seconds S" in done.stderr


def test_changed_model_is_refused(nhot, tmp_path):
    nhot("convert", "spin-glass:4x4,seed=1", "m.coo", cwd=tmp_path, ok=True)
    temper(nhot, tmp_path, "m.coo", "-n", "5", "--betas", "0,1", "--moves", "100", "--out", "run.nc")
    nhot("convert", "spin-glass:4x4,seed=2", "m.coo", "--force", cwd=tmp_path, ok=True)
    done = nhot("temper", "--resume", "run.nc", "--moves", "10", cwd=tmp_path)
    assert done.returncode == 2 and "is not the model" in done.stderr


def test_moved_model(nhot, tmp_path):
    """The model may be elsewhere by now: its hash says that it is the same."""
    nhot("convert", "spin-glass:4x4,seed=1", "m.coo", cwd=tmp_path, ok=True)
    options = ["-n", "5", "--betas", "0.2,0.5", "--warmup", "16", "--chains", "2"]
    temper(nhot, tmp_path, "m.coo", *options, "--moves", "200", "--out", "whole.nc")
    temper(nhot, tmp_path, "m.coo", *options, "--moves", "100", "--out", "run.nc")
    (tmp_path / "m.coo").rename(tmp_path / "glass.coo")
    done = nhot("temper", "--resume", "run.nc", "--moves", "100", cwd=tmp_path)
    assert done.returncode == 2 and "nhot temper FILE --resume run.nc" in done.stderr
    temper(nhot, tmp_path, "glass.coo", "--resume", "run.nc", "--moves", "100")
    assert_same(tmp_path / "whole.nc", tmp_path / "run.nc")


def test_runs_of_another_command_are_refused(nhot, tmp_path, finished):
    (tmp_path / "tempered.nc").write_bytes(finished)
    nhot("sample", *GLASS, "--moves", "100", "--out", "sampled.nc", cwd=tmp_path, ok=True)
    for command, path, right in ("sample", "tempered.nc", "temper"), ("temper", "sampled.nc", "sample"):
        done = nhot(command, "--resume", path, "--moves", "10", cwd=tmp_path)
        assert done.returncode == 2
        assert f"is a run of nhot {right}" in done.stderr and f"nhot {right} --resume {path} --moves N" in done.stderr


def test_files_of_single_rungs_are_refused(nhot, tmp_path):
    temper(nhot, tmp_path, *GLASS, *FIXED, "--betas", "0,0.9", "--moves", "300", "--trace", "all", "--out", "run.nc")
    done = nhot("temper", "--resume", "run.rung00.nc", "--moves", "10", cwd=tmp_path)
    assert done.returncode == 2 and "none of its .rung files" in done.stderr


DAMAGED = {
    "cut short": lambda run: run["checkpoint"]["length"].__setitem__(1, run["checkpoint"]["length"][1] - 9),
    "empty": lambda run: run["checkpoint"]["length"].__setitem__(0, 0),
    "zeros": lambda run: run["checkpoint"]["state"].__setitem__((2, slice(None)), 0),
    "no plan": lambda run: run["checkpoint"].delncattr("plan_since_draw"),
    "wrong plan": lambda run: run["checkpoint"].setncattr("plan_thin", 0),
    "other sweep": lambda run: run["checkpoint"].setncattr("plan_sweep", "many"),
    "more draws": lambda run: run["checkpoint"].setncattr("draws", numpy.int64(10**6)),
    "fewer draws": lambda run: run["checkpoint"].setncattr("draws", numpy.int64(2)),
    "no energies": lambda run: run["rungs"].renameVariable("energy", "lost"),
    "no betas": lambda run: run["rungs"].renameVariable("beta", "lost"),
    "other betas": lambda run: run["rungs"]["beta"].__setitem__(slice(None), 3.0),
    "another column": lambda run: run["rungs"].createVariable("extra", "f8", ("rung", "chain", "draw")),
    "another observable": lambda run: run["rungs"].renameVariable("overlap", "underlap"),
    "no rungs": lambda run: run.renameGroup("rungs", "lost"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_refused(nhot, tmp_path, finished, name):
    (tmp_path / "run.nc").write_bytes(finished)
    with netCDF4.Dataset(tmp_path / "run.nc", "a") as run:
        DAMAGED[name](run)
    before = (tmp_path / "run.nc").read_bytes()
    done = nhot("temper", "--resume", "run.nc", "--moves", "10", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("nhot: error: ") and "try: " in done.stderr
    assert os.listdir(tmp_path) == ["run.nc"] and (tmp_path / "run.nc").read_bytes() == before
