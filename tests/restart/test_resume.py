"""Stopped and resumed runs: half and half is the whole, to the bit, and kill -9 loses nothing."""

import json
import os
import signal
import subprocess

import numpy
import pytest
from terminal import wait_for

netCDF4 = pytest.importorskip("netCDF4")

GLASS = ["spin-glass:5x5x5,seed=4", "-n", "60", "--beta", "0.9"]


def draws(path):
    """Every column of both phases."""
    with netCDF4.Dataset(path) as run:
        return {
            (group, name): numpy.ma.getdata(run[group][name][:])
            for group in ("warmup_sample_stats", "sample_stats", "pair_stats")
            for name in run[group].variables
        }


def assert_same(a, b):
    first, second = draws(a), draws(b)
    assert first.keys() == second.keys()
    for key, column in first.items():
        assert numpy.array_equal(column, second[key]), key


def sample(nhot, folder, *arguments):
    return json.loads(nhot("sample", *arguments, "--json", cwd=folder, ok=True).stdout)


MOVES = ["swap", "kawasaki", "im:length=1..4", "im:length=3,engine=tree", "im:length=2,engine=thinned", "im:length=2,engine=compact",
         "0.7*im:length=1..4 + 0.3*swap"]


@pytest.mark.parametrize(("move", "thin"), [*((move, "7") for move in MOVES), ("swap", "1"), ("im:length=1..4", "1")])
def test_half_and_half(nhot, tmp_path, move, thin):
    """500 moves are no multiple of 7: the moves after the last draw count for the next one."""
    options = [*GLASS, "--move", move, "--warmup", "100", "--thin", thin]
    whole = sample(nhot, tmp_path, *options, "--moves", "1000", "--out", "whole.nc")
    sample(nhot, tmp_path, *options, "--moves", "500", "--out", "half.nc")
    resumed = sample(nhot, tmp_path, "--resume", "half.nc", "--moves", "500")
    assert_same(tmp_path / "whole.nc", tmp_path / "half.nc")
    for key in "moves", "warmup", "steps", "acceptance", "best_energy", "move", "seed", "draws":
        assert whole[key] == resumed[key], key
    assert whole["observables"]["energy"]["mean"] == resumed["observables"]["energy"]["mean"]


@pytest.mark.parametrize("model", ["rbm:30x20,seed=2", "field:60,seed=1"])
def test_other_models(nhot, tmp_path, model):
    (tmp_path / "c.txt").write_text("01" * 25 if model.startswith("rbm") else "011" * 20)
    options = [model, "-n", "17", "--reference", "c.txt", "--warmup", "50"]
    sample(nhot, tmp_path, *options, "--moves", "600", "--out", "whole.nc")
    sample(nhot, tmp_path, *options, "--moves", "200", "--out", "half.nc")
    (tmp_path / "c.txt").unlink()  # the file of the run remembers the reference
    for _ in range(2):
        sample(nhot, tmp_path, "--resume", "half.nc", "--moves", "200", "--threads", "1")
    assert_same(tmp_path / "whole.nc", tmp_path / "half.nc")


def test_thinning_grows_with_the_run(nhot, tmp_path):
    """auto keeps at most 20,000 draws: the longer run is thinned as one run would have been."""
    options = ["field:12,seed=1", "-n", "4", "--move", "im:length=3", "--chains", "2", "--warmup", "10"]
    whole = sample(nhot, tmp_path, *options, "--moves", "40000", "--out", "whole.nc")
    sample(nhot, tmp_path, *options, "--moves", "15001", "--out", "half.nc")
    resumed = sample(nhot, tmp_path, "--resume", "half.nc", "--moves", "24999")
    assert whole["thin"] == resumed["thin"] == 2
    for group, name in [("sample_stats", "energy"), ("sample_stats", "acceptance_rate"), ("pair_stats", "overlap")]:
        with netCDF4.Dataset(tmp_path / "whole.nc") as a, netCDF4.Dataset(tmp_path / "half.nc") as b:
            assert numpy.array_equal(a[group][name][:], b[group][name][:]), name


def test_resume_to_another_file(nhot, tmp_path):
    sample(nhot, tmp_path, *GLASS, "--moves", "300", "--out", "first.nc")
    before = (tmp_path / "first.nc").read_bytes()
    sample(nhot, tmp_path, "--resume", "first.nc", "--moves", "100", "--out", "second.nc")
    assert (tmp_path / "first.nc").read_bytes() == before
    assert draws(tmp_path / "second.nc")["sample_stats", "energy"].shape == (4, 400)


def test_states_stay_bounded(nhot, tmp_path):
    sample(nhot, tmp_path, *GLASS, "--moves", "300", "--states", "16", "--out", "run.nc")
    for _ in range(3):
        sample(nhot, tmp_path, "--resume", "run.nc", "--moves", "300", "--states", "16")
    with netCDF4.Dataset(tmp_path / "run.nc") as run:
        states = run["posterior"]["state"]
        assert 8 <= states.shape[1] <= 16
        assert (states[:].sum(axis=2) == 60).all()


def interrupt(on_terminal, folder, phase, *arguments):
    """Runs until the bar shows the phase, then interrupts. Gives what the file says of the checkpoint then."""
    running = on_terminal("sample", *arguments, cwd=folder)
    code, _, error = running.wait_for(phase).end(signal.SIGINT)
    assert code in (0, 130), error
    with netCDF4.Dataset(folder / "run.nc") as run:
        return run["checkpoint"].__dict__


# A run that ended before the signal reached it shows nothing: these are repeated with longer ones until the signal is
# in time, however slow the test may be against the program.
LENGTHS = [4**k * 1_000_000 for k in range(8)]


def test_interrupted_warmup_goes_on(nhot, on_terminal, tmp_path):
    for warmup in LENGTHS:
        options = [*GLASS, "--move", "swap", "--thin", "100", "--warmup", str(warmup), "--moves", "5000"]
        left = int(interrupt(on_terminal, tmp_path, "warm-up", *options, "--out", "run.nc", "--force")["plan_warmup_left"])
        if left > 0:
            break
    assert 0 < left < warmup
    sample(nhot, tmp_path, "--resume", "run.nc", "--moves", "5000")
    sample(nhot, tmp_path, *options, "--out", "whole.nc")
    assert_same(tmp_path / "whole.nc", tmp_path / "run.nc")


def test_interrupted_between_draws(nhot, on_terminal, tmp_path):
    """Draws are so far apart that signals come between them, in warm-up and in sampling."""
    for thin in LENGTHS:
        total = 2 * thin
        options = [*GLASS, "--move", "swap", "--thin", str(thin), "--chains", "2", "--warmup", str(thin)]
        command = [*options, "--moves", str(total), "--out", "run.nc", "--force"]
        between = []
        for phase in "warm-up", "sampling", "sampling":
            stopped = interrupt(on_terminal, tmp_path, phase, *command)
            done = int(stopped["plan_moves"])
            between.append((done > 0, int(stopped["plan_since_draw"]) > 0))
            if done >= total:
                break
            command = ["--resume", "run.nc", "--moves", str(total - done)]
        if done < total and (False, True) in between and (True, True) in between:
            break
    assert done < total, "no run was slow enough for three signals"
    sample(nhot, tmp_path, "--resume", "run.nc", "--moves", str(total - done))
    sample(nhot, tmp_path, *options, "--moves", str(total), "--out", "whole.nc")
    assert_same(tmp_path / "whole.nc", tmp_path / "run.nc")


def checkpoint(path):
    """Moves done at the checkpoint of a file, or None."""
    try:
        with netCDF4.Dataset(path) as run:
            return int(run["checkpoint"].plan_moves) if "checkpoint" in run.groups else None
    except OSError:  # not there
        return None


def test_kill_loses_nothing(nhot, tmp_path):
    """kill -9 three times; what is resumed each time is what an unbroken run gives."""
    total = 2_000_000
    options = [*GLASS, "--move", "swap", "--warmup", "1000", "--thin", "500"]
    sample(nhot, tmp_path, *options, "--moves", str(total), "--out", "whole.nc")

    # These go on for ever; each is killed once its file holds a later checkpoint.
    command = [str(nhot.path), "sample", *options, "--moves", "1e12", "--out", "run.nc"]
    last, folder = 0, tmp_path
    partial = folder / "run.nc.partial"
    for _ in range(3):
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda: process.poll() is not None or (checkpoint(partial) or 0) > last)
        assert process.poll() is None
        process.kill()
        process.wait()
        last = checkpoint(partial)
        command = [str(nhot.path), "sample", "--resume", "run.nc", "--moves", "1e12"]

    # The runs went past the whole one, or are brought there: compare what both have.
    result = sample(nhot, folder, "--resume", "run.nc", "--moves", str(max(500, total - last)))
    assert result["moves"] == max(last + 500, total)
    assert not partial.exists()
    whole, resumed = draws(folder / "whole.nc"), draws(folder / "run.nc")
    for key, column in whole.items():
        assert numpy.array_equal(column, resumed[key][..., : column.shape[-1]]), key


def test_kill_while_resuming_keeps_the_old_file(nhot, tmp_path):
    """The file that is resumed stays whole until the new one takes its place."""
    sample(nhot, tmp_path, *GLASS, "--moves", "300", "--out", "run.nc")
    before = (tmp_path / "run.nc").read_bytes()
    process = subprocess.Popen(
        [str(nhot.path), "sample", "--resume", "run.nc", "--moves", "1e12"], cwd=tmp_path,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for((tmp_path / "run.nc.partial").exists)
    process.kill()
    process.wait()
    assert (tmp_path / "run.nc").read_bytes() == before
    assert sample(nhot, tmp_path, "--resume", "run.nc", "--moves", "100")["moves"] >= 400


REFUSED = {
    "other beta": (["--beta", "2"], "--beta"),
    "other model": (["field:125"], "field:125"),
    "other move": (["--move", "swap"], "--move"),
    "other seed": (["--seed", "5"], "--seed"),
    "other chains": (["--chains", "2"], "--chains"),
    "other distance": (["-n", "3"], "--distance"),
    "warm-up again": (["--warmup", "10"], "started already"),
}


@pytest.fixture(scope="module")
def finished(nhot, tmp_path_factory):
    """A short run, as bytes."""
    folder = tmp_path_factory.mktemp("finished")
    sample(nhot, folder, *GLASS, "--moves", "100", "--out", "run.nc")
    return (folder / "run.nc").read_bytes()


@pytest.mark.parametrize("name", REFUSED)
def test_other_options_are_refused(nhot, tmp_path, finished, name):
    (tmp_path / "run.nc").write_bytes(finished)
    arguments, part = REFUSED[name]
    done = nhot("sample", *arguments, "--resume", "run.nc", "--moves", "10", cwd=tmp_path)
    assert done.returncode == 2
    assert part in done.stderr and "leave out" in done.stderr
    assert os.listdir(tmp_path) == ["run.nc"] and (tmp_path / "run.nc").read_bytes() == finished


def test_same_options_are_welcome(nhot, tmp_path):
    options = [*GLASS, "--move", "im:length=1..4", "--seed", "3"]
    sample(nhot, tmp_path, *options, "--moves", "100", "--out", "run.nc")
    assert sample(nhot, tmp_path, *options, "--moves", "100", "--resume", "run.nc")["moves"] == 200


def test_how_long_must_be_said(nhot, tmp_path, finished):
    (tmp_path / "run.nc").write_bytes(finished)
    done = nhot("sample", "--resume", "run.nc", cwd=tmp_path)
    assert done.returncode == 2 and "--moves N or --seconds S" in done.stderr


def test_moved_model(nhot, tmp_path):
    """A run is resumed with its model, wherever the file is now: the hash says which one it is."""
    nhot("convert", "spin-glass:4x4,seed=1", "m.coo", cwd=tmp_path, ok=True)
    options = ["-n", "5", "--warmup", "10"]
    sample(nhot, tmp_path, "m.coo", *options, "--moves", "200", "--out", "whole.nc")
    sample(nhot, tmp_path, "m.coo", *options, "--moves", "100", "--out", "run.nc")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "m.coo").rename(tmp_path / "elsewhere" / "glass.coo")
    before = (tmp_path / "run.nc").read_bytes()
    done = nhot("sample", "--resume", "run.nc", "--moves", "100", cwd=tmp_path)
    assert done.returncode == 2
    assert "'m.coo', is not there" in done.stderr and "nhot sample FILE --resume run.nc" in done.stderr
    assert (tmp_path / "run.nc").read_bytes() == before

    resumed = sample(nhot, tmp_path, "elsewhere/glass.coo", "--resume", "run.nc", "--moves", "100")
    assert resumed["moves"] == 200
    assert_same(tmp_path / "whole.nc", tmp_path / "run.nc")
    # From now on the run knows the new place.
    assert sample(nhot, tmp_path, "--resume", "run.nc", "--moves", "10")["model"]["name"] == "elsewhere/glass.coo"


def test_moved_model_that_is_another(nhot, tmp_path):
    nhot("convert", "spin-glass:4x4,seed=1", "m.coo", cwd=tmp_path, ok=True)
    sample(nhot, tmp_path, "m.coo", "-n", "5", "--moves", "100", "--out", "run.nc")
    hashes = []
    for name in "spin-glass:4x4,seed=2", "field:3":  # as large, and too small for the distance
        done = nhot("sample", name, "--resume", "run.nc", "--moves", "10", cwd=tmp_path)
        assert done.returncode == 2 and "is not the model" in done.stderr
        hashes += [json.loads(nhot("info", model, "--json", cwd=tmp_path).stdout)["hash"] for model in ("m.coo", name)]
        assert all(value in done.stderr for value in hashes[-2:])


def test_moved_model_with_a_format(nhot, tmp_path):
    """A format that was named holds for the moved file, unless its name says another."""
    nhot("convert", "spin-glass:4x4,seed=1", "graph", "--to", "gset", cwd=tmp_path, ok=True)
    sample(nhot, tmp_path, "graph", "--format", "gset", "-n", "5", "--moves", "100", "--out", "run.nc")
    nhot("convert", "graph", "graph.coo", "--format", "gset", cwd=tmp_path, ok=True)
    (tmp_path / "graph").rename(tmp_path / "moved")
    for name in ["moved"], ["graph.coo"], ["moved", "--format", "gset"]:
        sample(nhot, tmp_path, *name, "--resume", "run.nc", "--moves", "10")


def test_changed_model_is_refused(nhot, tmp_path):
    nhot("convert", "spin-glass:4x4,seed=1", "m.coo", cwd=tmp_path, ok=True)
    sample(nhot, tmp_path, "m.coo", "-n", "5", "--moves", "100", "--out", "run.nc")
    nhot("convert", "spin-glass:4x4,seed=2", "m.coo", "--force", cwd=tmp_path, ok=True)
    done = nhot("sample", "--resume", "run.nc", "--moves", "10", cwd=tmp_path)
    assert done.returncode == 2 and "is not the model" in done.stderr


def test_a_run_of_an_earlier_version_is_read_but_does_not_go_on(nhot, root, tmp_path):
    old = (root / "tests" / "data" / "sample_format1.nc").read_bytes()
    (tmp_path / "old.nc").write_bytes(old)
    assert json.loads(nhot("diagnose", "old.nc", "--json", cwd=tmp_path, ok=True).stdout)["draws"] > 0
    done = nhot("sample", "--resume", "old.nc", "--moves", "10", cwd=tmp_path)
    assert done.returncode == 2 and "earlier version of nhot (run format 1)" in done.stderr and "try:" in done.stderr
    assert (tmp_path / "old.nc").read_bytes() == old
