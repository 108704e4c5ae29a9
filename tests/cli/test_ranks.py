"""mpirun: a run shared out to ranks gives the numbers of one that is not; what is lost with a rank can be gone on with."""

import json
import os
import signal

import mpi
import pytest
from restart.kill_runs import check_readable, columns, same, without_times
from terminal import GUARD_SECONDS, wait_for

GLASS = ["spin-glass:5x5x5,seed=4", "-n", "60"]
WALK = ["--move", "im:length=1..4"]  # named: no search, which goes by the clock

# Chains, rungs, reads and populations that four ranks cannot share evenly.
DRIVERS = {
    "sample": ["sample", *GLASS, *WALK, "--beta", "0.9", "--chains", "5", "--moves", "3000"],
    "temper": ["temper", *GLASS, *WALK, "--beta", "0.9", "--rungs", "5", "--chains", "3", "--warmup", "1000",
               "--sweep", "20", "--moves", "2000"],
    "anneal": ["anneal", *GLASS, "--reads", "41", "--keep", "4"],
    "logz": ["logz", *GLASS, *WALK, "--beta", "0.9", "--population", "16", "--populations", "6", "--ratio"],
}


def test_there_is_a_module(nhot):
    """Where mpirun is there, so is MPI: the build has found it."""
    mpi.need_mpirun()
    assert (nhot.path.parent / "nhot-mpi.so").is_file()


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_numbers_are_those_of_one_rank(nhot, tmp_path, driver):
    mpi.need_mpirun()
    written = driver.startswith(("sample", "temper"))
    results = []
    for ranks in 1, 4:
        folder = tmp_path / str(ranks)
        folder.mkdir()
        words = [*DRIVERS[driver], "--json", *(["--out", "run.nc"] if written else [])]
        if ranks == 1:
            output = nhot(*words, cwd=folder, ok=True).stdout
        else:
            code, output, messages = mpi.run(ranks, nhot.path, *words, cwd=folder)
            assert code == 0 and messages == ""
        results.append((without_times(json.loads(output)), columns(folder / "run.nc") if written else {}))
        assert [path.name for path in folder.iterdir()] == (["run.nc"] if written else [])
    assert same(*results)


def lose_a_rank(nhot, folder, words, left):
    """Begins with four ranks and kills one when left() holds; what mpirun said. A run that is over before that is
    begun again, longer."""
    moves = 200_000
    while True:
        job = mpi.start(4, nhot.path, *words, "--moves", moves, "--force", cwd=folder, NHOT_CHECKPOINT_SECONDS="0.01")
        wait_for(lambda: left() or job.poll() is not None)
        if job.poll() is None:
            mpi.lose(job, 2)
        output, messages = job.communicate(timeout=GUARD_SECONDS)
        if job.returncode != 0 and output == "" and check_readable(folder):
            return moves, messages
        for path in folder.glob("run.nc*"):  # may have come further than the next one
            path.unlink()
        moves *= 4


def test_a_lost_rank_leaves_a_run_to_go_on_with(nhot, tmp_path):
    words = DRIVERS["temper"][:-2]
    partial = tmp_path / "run.nc.partial"
    moves, messages = lose_a_rank(
        nhot, tmp_path, [*words, "--out", "run.nc"], lambda: partial.exists() and partial.stat().st_size > 6_000_000)
    assert "nhot: error" not in messages
    assert messages.count("signal 9 (Killed)") == 1
    code, output, messages = mpi.run(2, nhot.path, "resume", "run.nc", "--json", cwd=tmp_path)
    assert code == 0, messages
    alone = nhot(*words, "--moves", moves, "--out", "alone.nc", "--json", cwd=tmp_path, ok=True).stdout
    # A run that was lost after its last draw is told by nhot diagnose, which says less.
    keys = ("moves", "steps", "acceptance", "best_energy", "draws", "observables")
    pair = [({key: without_times(json.loads(text))[key] for key in keys}, columns(tmp_path / name)) for text, name in
            ((output, "run.nc"), (alone, "alone.nc"))]
    assert same(*pair)


def start_endless(nhot, folder):
    """A run that has begun to draw."""
    job = mpi.start(3, nhot.path, *DRIVERS["sample"][:-2], "--moves", "1e12", "--thin", "10", "--warmup", "1000", "--out",
                    "run.nc", "--json", cwd=folder)
    partial = folder / "run.nc.partial"
    wait_for(lambda: partial.exists() and partial.stat().st_size > 500_000)
    return job


def test_a_signal_ends_all_ranks(nhot, tmp_path):
    """As srun sends it: the first rank ends the run, with the exit code of an interrupted one."""
    job = start_endless(nhot, tmp_path)
    os.kill(mpi.processes_of(job)[0], signal.SIGTERM)
    output, messages = job.communicate(timeout=GUARD_SECONDS)
    assert job.returncode == 130, messages
    result = json.loads(output)
    assert result["interrupted"] and result["moves"] > 0
    assert messages.count("nhot: note: interrupted after") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["run.nc"]


def test_a_signal_to_mpirun_leaves_a_run_to_go_on_with(nhot, tmp_path):
    """mpirun passes it on, kills what is left after a second, and has an exit code of its own."""
    job = start_endless(nhot, tmp_path)
    job.send_signal(signal.SIGTERM)
    _, messages = job.communicate(timeout=GUARD_SECONDS)
    assert job.returncode != 0 and "nhot: error" not in messages
    code, output, messages = mpi.run(2, nhot.path, "resume", "run.nc", "--moves", "10", "--json", cwd=tmp_path)
    assert code == 0 and json.loads(output)["moves"] > 10, messages


def test_one_message(nhot, tmp_path):
    code, output, messages = mpi.run(3, nhot.path, "sample", "nosuch.coo", "-n", "3", "--moves", "10", cwd=tmp_path)
    assert code == 2 and output == ""
    assert messages.count("nhot: error") == 1 and "nosuch.coo" in messages


def test_commands_that_do_not_share(nhot, tmp_path):
    code, output, messages = mpi.run(2, nhot.path, "compare", "field:20", "-n", "5", "--move", "swap", "--move", "im",
                                     "--seconds", "0.1", "--json", cwd=tmp_path)
    assert code == 0 and json.loads(output)["results"]
    assert messages == "nhot: note: nhot compare works on rank 0 alone; the other ranks wait\n"


def test_one_rank_needs_no_mpi(nhot):
    """The module is loaded only where there are several ranks."""
    words = ["info", "field:9"]
    assert nhot(*words, env={"OMPI_COMM_WORLD_SIZE": "1"}).returncode == 0
    assert nhot(*words, env={"OMPI_COMM_WORLD_SIZE": "4", "NHOT_MPI": "off"}).returncode == 0


def test_no_module(nhot, tmp_path):
    """Built without MPI, the program does not do the same thing four times."""
    copy = tmp_path / "nhot"
    copy.write_bytes(nhot.path.read_bytes())
    copy.chmod(0o755)
    code, output, messages = mpi.run(2, copy, "info", "field:9", cwd=tmp_path)
    assert code == 3 and output == ""
    assert messages.count("nhot: error: this is one of 2 ranks, but nhot-mpi.so cannot be loaded") == 1
