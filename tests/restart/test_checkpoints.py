"""Checkpoints of the commands that write no draws, and nhot resume: whatever happens to program, file or machine, the
run goes on from what was done, or says what is wrong."""

import fcntl
import json
import os
import shlex
import shutil
import signal
import subprocess

import pytest
from restart.kill_runs import DRIVERS, without_times
from terminal import wait_for

netCDF4 = pytest.importorskip("netCDF4")

GLASS = ["spin-glass:4x4x4,seed=4", "-n", "30"]
ANNEAL = ["anneal", *GLASS, "--keep", "2"]


def told(nhot, folder, *arguments):
    return without_times(json.loads(nhot(*arguments, "--json", cwd=folder, ok=True).stdout))


def start(nhot, folder, *arguments):
    return subprocess.Popen([str(nhot.path), *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={"NHOT_CHECKPOINT_SECONDS": "0.01"})


def parts(path):
    """Names in a checkpoint, or none."""
    try:
        with netCDF4.Dataset(path) as run:
            return run["checkpoint"].names.split("\n")[:-1]
    except (OSError, IndexError):
        return []


@pytest.fixture(scope="module")
def finished(nhot, tmp_path_factory):
    """A run that is over, and what it said."""
    folder = tmp_path_factory.mktemp("finished")
    result = told(nhot, folder, *ANNEAL, "--reads", "12", "--checkpoint", "run.nc")
    return folder / "run.nc", result


def test_nothing_is_left(nhot, tmp_path, finished):
    shutil.copy(finished[0], tmp_path)
    (tmp_path / "run.nc").chmod(0o444)  # looking at a result writes nothing
    done = nhot("resume", "run.nc", "--json", cwd=tmp_path, ok=True)
    assert "nothing is left" in done.stderr and without_times(json.loads(done.stdout)) == finished[1]
    nhot("sample", *GLASS, "--moves", "100", "--out", "draws.nc", cwd=tmp_path, ok=True)
    done = nhot("resume", "draws.nc", "--json", cwd=tmp_path, ok=True)
    assert "nothing is left" in done.stderr and json.loads(done.stdout)["moves"] == 100


def test_longer(nhot, tmp_path, finished):
    shutil.copy(finished[0], tmp_path)
    assert told(nhot, tmp_path, "resume", "run.nc", "--reads", "4")["reads"] == 16
    assert told(nhot, tmp_path, *ANNEAL, "--resume", "run.nc", "--reads", "4")["reads"] == 20
    nhot("sample", *GLASS, "--moves", "100", "--out", "draws.nc", cwd=tmp_path, ok=True)
    assert told(nhot, tmp_path, "resume", "draws.nc", "--moves", "50")["moves"] == 150
    logz = ["logz", *GLASS, "--population", "8"]
    whole = told(nhot, tmp_path, *logz, "--populations", "6")
    told(nhot, tmp_path, *logz, "--populations", "4", "--checkpoint", "z.nc")
    assert told(nhot, tmp_path, "resume", "z.nc", "--populations", "2") == whole
    compare = told(nhot, tmp_path, "compare", *GLASS, "--move", "swap", "--moves", "900", "--checkpoint", "c.nc")
    more = told(nhot, tmp_path, "resume", "c.nc", "--moves", "900")
    assert more["results"][0]["moves"] == 2 * compare["results"][0]["moves"]


def test_a_run_that_ends_by_itself(nhot, tmp_path):
    """A run with --until that has ended is over, however much longer it might have been; given a length, it goes on."""
    words = ["sample", "field:40,seed=2", "-n", "8", "--move", "im", "--until", "converged", "--moves", "1e6", "--out", "run.nc"]
    whole = told(nhot, tmp_path, *words)
    assert whole["stop"]["reached"] and whole["moves"] < 1e5
    done = nhot("resume", "run.nc", "--json", cwd=tmp_path, ok=True)
    assert "nothing is left" in done.stderr and json.loads(done.stdout)["moves"] == whole["moves"]
    assert told(nhot, tmp_path, "resume", "run.nc", "--moves", "100")["moves"] == whole["moves"] + 100


REFUSED = {
    "another seed": (["anneal", "--seed", "5"], "--seed is '5' but run.nc was run with '1'"),
    "another number of states": (["anneal", "--keep", "3"], "--keep is '3' but run.nc was run with '2'"),
    "another model": (["anneal", "field:64"], "is not the model"),
    "another command": (["logz"], "is a run of nhot anneal, not of nhot logz"),
    "another unit": (["anneal", "--seconds", "3"], "was asked for reads, not for seconds"),
    "an option of others": (["resume", "--moves", "3"], "--moves does not apply to a run of nhot anneal"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_options_are_refused(nhot, tmp_path, finished, name):
    shutil.copy(finished[0], tmp_path)
    (command, *words), part = REFUSED[name]
    done = nhot(command, *words, *(["run.nc"] if command == "resume" else ["--resume", "run.nc"]), cwd=tmp_path)
    assert done.returncode == 2 and part in done.stderr and "try:" in done.stderr
    assert (tmp_path / "run.nc").read_bytes() == finished[0].read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["run.nc"]


def test_files_that_are_none(nhot, tmp_path, finished):
    whole = finished[0].read_bytes()
    for name, content in {"cut.nc": whole[: len(whole) // 2], "text.nc": b"hello", "empty.nc": b""}.items():
        (tmp_path / name).write_bytes(content)
        done = nhot("resume", name, cwd=tmp_path)
        assert done.returncode == 2 and name in done.stderr and "try:" in done.stderr
    done = nhot("diagnose", finished[0], cwd=tmp_path)
    assert done.returncode == 2 and "nhot resume" in done.stderr


def test_stopped_before_the_first_state(nhot, tmp_path):
    """Draws were written, and then there was no room for the chains: nothing to go on from, and that is said."""
    nhot("sample", *GLASS, "--moves", "100", "--out", "run.nc", cwd=tmp_path, ok=True)
    (tmp_path / "run.nc").rename(tmp_path / "run.nc.partial")
    with netCDF4.Dataset(tmp_path / "run.nc.partial", "a") as run:
        run.renameGroup("checkpoint", "lost")
    for name in "run.nc", "run.nc.partial":
        done = nhot("resume", name, cwd=tmp_path)
        assert done.returncode == 2 and "before it held a state" in done.stderr and "--force" in done.stderr


def test_a_checkpoint_of_the_first_version_goes_on(nhot, root, tmp_path):
    """Kept from 0.1.0, killed after some reads; a later version goes on with it or says what to do."""
    shutil.copy(root / "tests" / "data" / "anneal_checkpoint1.nc", tmp_path / "run.nc")
    assert told(nhot, tmp_path, "resume", "run.nc")["reads"] == 12
    with netCDF4.Dataset(tmp_path / "run.nc", "a") as run:
        run.nhot_checkpoint = 99
    done = nhot("resume", "run.nc", cwd=tmp_path)
    assert done.returncode == 2 and "another version" in done.stderr and "try:" in done.stderr


@pytest.mark.parametrize("signals", [[signal.SIGTERM], [signal.SIGINT, signal.SIGINT]])
def test_signals(nhot, tmp_path, finished, signals):
    """SIGTERM, as schedulers send it, ends in order; Ctrl-C twice ends at once. Both go on as if nothing had been."""
    process = start(nhot, tmp_path, *ANNEAL, "--reads", "4000", "--sweeps", "1000", "--checkpoint", "run.nc")
    wait_for(lambda: "batches" in parts(tmp_path / "run.nc") or process.poll() is not None)
    for number in signals:
        process.send_signal(number)
    _, error = process.communicate()
    assert process.returncode in (130, 143), error
    if len(signals) == 1:
        assert "interrupted" in error and "go on with: nhot resume run.nc" in error
    process = start(nhot, tmp_path, "resume", "run.nc")  # goes on, and holds more when it is stopped again
    before = (tmp_path / "run.nc").read_bytes()
    wait_for(lambda: (tmp_path / "run.nc").read_bytes() != before)
    process.kill()
    process.communicate()
    assert "batches" in parts(tmp_path / "run.nc")


def test_two_programs(nhot, tmp_path):
    """The second is refused, however it asks; the first does not notice."""
    endless = {"run.nc": [*ANNEAL, "--reads", "1000000000", "--checkpoint"],
               "draws.nc": ["sample", *GLASS, "--move", "swap", "--moves", "1e12", "--out"]}
    for name, words in endless.items():
        first = start(nhot, tmp_path, *words, name)
        wait_for((tmp_path / f"{name}.lock").exists)
        wait_for(lambda: (tmp_path / name).exists() or (tmp_path / f"{name}.partial").exists())
        for second in [*words, name, "--force"], ["resume", name]:
            done = nhot(*second, cwd=tmp_path)
            assert done.returncode == 2 and f"another nhot is writing {name}" in done.stderr
        assert first.poll() is None
        first.kill()
        first.communicate()


@pytest.mark.parametrize("words", [[*ANNEAL, "--reads", "1000000000", "--checkpoint"],
                                   ["sample", *GLASS, "--move", "swap", "--moves", "1e12", "--out"]], ids=["anneal", "sample"])
def test_folder_removed(nhot, tmp_path, words):
    folder = tmp_path / "out"
    folder.mkdir()
    process = start(nhot, tmp_path, *words, "out/run.nc")
    wait_for(lambda: (folder / "run.nc").exists() or (folder / "run.nc.partial").exists())  # not only the lock
    # A folder that is written to at this moment may need a second attempt.
    wait_for(lambda: shutil.rmtree(folder, ignore_errors=True) or not folder.exists())
    _, error = process.communicate()
    assert process.returncode == 3 and error.count("nhot: error") == 1 and "out/run.nc" in error


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("blocks", [16, 120])
def test_full_disk(nhot, tmp_path, driver, blocks):
    """At the start, and for most in the middle: one message and exit code 3, or the file had room enough."""
    words, option = DRIVERS[driver]
    command = " ".join(shlex.quote(word) for word in [str(nhot.path), *words, option, "run.nc"])
    done = subprocess.run(["bash", "-c", f"ulimit -f {blocks}; exec {command}"], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "NHOT_CHECKPOINT_SECONDS": "0.01"})
    if done.returncode == 0:
        assert blocks > 16 and "nhot: error" not in done.stderr
        return
    assert done.returncode == 3 and done.stderr.count("nhot: error") == 1 and "try: " in done.stderr, done.stderr
    assert "run.nc" in done.stderr or driver == "reproduce"
    left = {path.name for path in tmp_path.glob("run.nc*")}
    assert left <= {"run.nc", "run.nc.partial"}, left
    if blocks == 16:
        assert not left


@pytest.mark.parametrize("driver", DRIVERS)
def test_places_that_refuse(nhot, tmp_path, driver):
    """A folder that is not there, a file that is protected or taken: one message, nothing is written."""
    words, option = DRIVERS[driver]
    words = [word for word in words if word != "--force"]
    done = nhot(*words, option, "missing/run.nc", cwd=tmp_path)
    assert done.returncode == 2 and "mkdir -p missing" in done.stderr
    (tmp_path / "run.nc").write_text("mine")
    done = nhot(*words, option, "run.nc", cwd=tmp_path)
    assert done.returncode == 2 and "run.nc exists already" in done.stderr
    (tmp_path / "run.nc").chmod(0o444)
    done = nhot(*words, option, "run.nc", "--force", cwd=tmp_path)
    assert done.returncode == 3 and "run.nc is read-only" in done.stderr
    (tmp_path / "run.nc").chmod(0o644)
    with open(tmp_path / "run.nc.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = nhot(*words, option, "run.nc", "--force", cwd=tmp_path)
        assert done.returncode == 2 and "another nhot is writing run.nc" in done.stderr
    assert (tmp_path / "run.nc").read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} <= {"run.nc", "run.nc.lock", "results"}


def test_read_only(nhot, tmp_path, finished):
    shutil.copy(finished[0], tmp_path)
    (tmp_path / "run.nc").chmod(0o444)
    done = nhot("resume", "run.nc", "--reads", "3", cwd=tmp_path)
    assert done.returncode == 3 and "read-only" in done.stderr and "chmod u+w" in done.stderr
    assert (tmp_path / "run.nc").read_bytes() == finished[0].read_bytes()


def test_read_only_draws(nhot, tmp_path):
    """A run with draws that is protected is not made longer in its place, and not replaced with --force either."""
    words = ["sample", *GLASS, "--move", "swap", "--moves", "100", "--out", "draws.nc"]
    nhot(*words, cwd=tmp_path, ok=True)
    whole = (tmp_path / "draws.nc").read_bytes()
    (tmp_path / "draws.nc").chmod(0o444)
    for again in ["resume", "draws.nc", "--moves", "50"], [*words, "--force"]:
        done = nhot(*again, cwd=tmp_path)
        assert done.returncode == 3 and "draws.nc is read-only" in done.stderr
        assert (tmp_path / "draws.nc").read_bytes() == whole


def test_moved_model_and_inputs(nhot, tmp_path):
    """Reference and start are in the checkpoint; the model is known by its hash."""
    nhot("convert", "spin-glass:4x4,seed=1", "m.coo", cwd=tmp_path, ok=True)
    (tmp_path / "c.txt").write_text("01" * 8)
    words = ["anneal", "m.coo", "-n", "5", "--reference", "c.txt"]
    whole = told(nhot, tmp_path, *words, "--reads", "8")
    told(nhot, tmp_path, *words, "--reads", "8", "--checkpoint", "run.nc")
    (tmp_path / "c.txt").unlink()
    (tmp_path / "m.coo").rename(tmp_path / "glass.coo")
    done = nhot("resume", "run.nc", cwd=tmp_path)
    assert done.returncode == 2 and "'m.coo', is not there" in done.stderr
    again = told(nhot, tmp_path, "resume", "run.nc", "--model", "glass.coo")
    assert again["states"] == whole["states"]


SCANS = {"sample": ["sample", "field:20,seed=3", "-n", "5,8", "--beta", "0.5..1/2", "--moves", "100000", "--out"],
         "temper": ["temper", "field:20,seed=3", "-n", "5,8", "--betas", "0.1,0.7", "--moves", "20000", "--out"],
         "logz": ["logz", "field:20,seed=3", "-n", "5,8", "--beta", "0,0.5", "--checkpoint"]}


@pytest.mark.parametrize("driver", SCANS)
def test_a_scan_goes_on(nhot, tmp_path, driver):
    """Whatever points a stopped scan has kept, it ends as one that was left alone, and does not repeat them."""
    words = SCANS[driver]
    for name in "whole", "cut":
        (tmp_path / name).mkdir()
    whole = told(nhot, tmp_path / "whole", *words, "run.nc")
    kept = tmp_path / "cut" / ("run.nc" if driver == "logz" else "run.nc.partial")
    process = start(nhot, tmp_path / "cut", *words, "run.nc")
    wait_for(lambda: "point 0" in parts(kept) or process.poll() is not None)
    process.kill()
    process.communicate()
    again = told(nhot, tmp_path / "cut", "resume", "run.nc")
    if process.returncode == 0:  # it was quicker than the kill
        assert "nothing is left" in nhot("resume", "run.nc", cwd=tmp_path / "cut", ok=True).stderr
    else:
        assert again["points"] == whole["points"]
    if driver != "logz":
        assert sorted(path.name for path in (tmp_path / "cut").glob("run.nc*")) in (["run.nc"], ["run.nc", "run.nc.partial.lock"])


def test_points_that_are_kept_are_not_repeated(nhot, tmp_path):
    """A kept point is what is told, not what a second run of it would give."""
    words = SCANS["logz"]
    told(nhot, tmp_path, *words, "run.nc")
    done = nhot("resume", "run.nc", "--json", cwd=tmp_path, ok=True)
    assert "nothing is left" in done.stderr and len(json.loads(done.stdout)["points"]) == 4
    done = nhot(*words[:-1], "--resume", "run.nc", "--seed", "3", cwd=tmp_path)
    assert done.returncode == 2 and "--seed is '3' but run.nc was run with '1'" in done.stderr
    done = nhot("resume", "run.nc", "--populations", "3", cwd=tmp_path)
    assert done.returncode == 2 and "try:" in done.stderr
