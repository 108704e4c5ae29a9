"""Ctrl-C: the first writes what there is and exits 0, the second ends at once."""

import json
import signal
import subprocess
import time

import pytest

xarray = pytest.importorskip("xarray")


MODEL = ["ferromagnet:16x16", "-n", "128"]


def start(nhot, folder, *arguments, model=MODEL):
    return subprocess.Popen(
        [str(nhot.path), "sample", *model, *arguments], cwd=folder,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def stop(process, number):
    process.send_signal(number)
    out, error = process.communicate(timeout=60)
    return process.returncode, out, error


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_cleanly(nhot, tmp_path, number):
    process = start(nhot, tmp_path, "--warmup", "1000", "--thin", "10", "--moves", "1e12", "--out", "run.nc", "--json")
    partial = tmp_path / "run.nc.partial"
    # Sampled draws are in the file once it has grown past its header.
    wait_for(lambda: partial.exists() and partial.stat().st_size > 2_000_000)
    code, out, error = stop(process, number)
    assert code == 0, error
    result = json.loads(out)
    assert result["interrupted"] is True
    assert 0 < result["moves"] < 10**12
    assert error.startswith(f"nhot: note: interrupted after {result['moves']} moves per chain")
    assert "run.nc" in error and f"--resume run.nc --moves {10**12 - result['moves']}" in error
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]
    stored = xarray.open_dataset(tmp_path / "run.nc", group="sample_stats", engine="netcdf4")
    assert stored.sizes["draw"] == result["draws"] == result["moves"] // 10
    assert stored["energy"].mean().item() == pytest.approx(result["observables"]["energy"]["mean"], rel=1e-12)
    again = json.loads(nhot("diagnose", "run.nc", "--json", cwd=tmp_path, ok=True).stdout)
    assert again["observables"] == result["observables"]
    assert again["interrupted"] is True


def test_interrupted_warmup(nhot, tmp_path):
    process = start(nhot, tmp_path, "--warmup", "1e12", "--thin", "100", "--moves", "1e12", "--out", "run.nc")
    wait_for(lambda: (tmp_path / "run.nc.partial").exists())
    code, out, error = stop(process, signal.SIGINT)
    assert code == 0, error
    assert "Nothing was sampled." in out
    assert "of warm-up" in error


def test_without_a_file(nhot, tmp_path):
    process = start(nhot, tmp_path, "--warmup", "100", "--seconds", "600")
    time.sleep(1)
    code, out, error = stop(process, signal.SIGINT)
    assert code == 0, error
    assert "energy" in out
    assert "interrupted after" in error and "--resume" not in error
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("warmup", ["0", "1e12"])
def test_between_draws(nhot, tmp_path, warmup):
    """One draw of this run takes hours, and so does a warm-up shorter than that; the signal is obeyed on the way."""
    process = start(nhot, tmp_path, "--warmup", warmup, "--thin", "1e13", "--moves", "1e13", "--json")
    time.sleep(1)
    begin = time.monotonic()
    code, out, error = stop(process, signal.SIGINT)
    assert time.monotonic() - begin < 10
    assert code == 0, error
    result = json.loads(out)
    assert result["draws"] == 0
    done = result["warmup"] if warmup != "0" else result["moves"]
    assert 0 < done < 10**12
    assert f"interrupted after {done} moves per chain" in error
    assert ("of warm-up" in error) == (warmup != "0")


def test_second_signal_ends_at_once(nhot, tmp_path):
    """One move of all these chains takes seconds, so the first signal cannot be obeyed at once. It may
    come just at the end of a move, though: then the run ends as it should, and the next one counts."""
    for _ in range(3):
        process = start(
            nhot, tmp_path, "--move", "im:length=13500", "--chains", "256", "--threads", "1", "--warmup", "0",
            "--moves", "1e9", model=["spin-glass:30x30x30,couplings=gaussian,seed=1", "-n", "13500"])
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        code, out, _ = stop(process, signal.SIGINT)
        assert code in (0, 130)
        if code == 130:
            assert out == ""
            return
    raise AssertionError("never ended by the second signal")


LONG = {  # command: arguments without an end in sight, and what it says when ended
    "temper": (["spin-glass:4x4x4,seed=7", "-n", "32", "--seconds", "600", "--warmup", "1000"], "interrupted after"),
    "temper warming": (["spin-glass:4x4x4,seed=7", "-n", "32", "--moves", "100", "--warmup", "1e12"], "during warm-up"),
    "anneal": (["spin-glass:6x6x6,seed=7", "-n", "108", "--seconds", "600"], "the best so far"),
    "anneal large": (["ferromagnet:200x200", "-n", "20000", "--reads", "1e6"], "the best so far"),
    "anneal population": (["spin-glass:6x6x6,seed=7", "-n", "108", "--reads", "1e6", "--population", "100"], "the best so far"),
    "logz": (["spin-glass:4x4x4,seed=7", "-n", "32", "--populations", "1e6"], "only finished populations count"),
    "logz ti": (["spin-glass:4x4x4,seed=7", "-n", "32", "--method", "ti", "--seconds", "600"], "the draws so far"),
}


@pytest.mark.parametrize("name", LONG)
def test_landscapes_end_cleanly(nhot, tmp_path, name):
    arguments, note = LONG[name]
    process = subprocess.Popen([str(nhot.path), name.split()[0], *arguments, "--json"], cwd=tmp_path, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    begin = time.monotonic()
    code, out, error = stop(process, signal.SIGINT)
    assert code == 0, error
    assert time.monotonic() - begin < 10
    assert json.loads(out)["interrupted"] is True
    assert note in error
