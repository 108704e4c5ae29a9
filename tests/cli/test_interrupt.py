"""Ctrl-C: the first writes what there is and exits with 130, the second ends at once."""

import json
import signal
import subprocess

import pytest
from terminal import GUARD_SECONDS, wait_for

xarray = pytest.importorskip("xarray")


MODEL = ["ferromagnet:16x16", "-n", "128", "--move", "im"]  # named: no search before the run


def start(nhot, folder, *arguments):
    return subprocess.Popen(
        [str(nhot.path), "sample", *MODEL, *arguments], cwd=folder,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def stop(process, number):
    process.send_signal(number)
    out, error = process.communicate(timeout=GUARD_SECONDS)
    return process.returncode, out, error


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_cleanly(nhot, tmp_path, number):
    process = start(nhot, tmp_path, "--warmup", "1000", "--thin", "10", "--moves", "1e12", "--out", "run.nc", "--json")
    partial = tmp_path / "run.nc.partial"
    # Sampled draws are in the file once it has grown past its header.
    wait_for(lambda: partial.exists() and partial.stat().st_size > 2_000_000)
    code, out, error = stop(process, number)
    assert code == 130, error
    result = json.loads(out)
    assert result["interrupted"] is True
    assert 0 < result["moves"] < 10**12
    assert error.startswith(f"nhot: note: interrupted after {result['moves']} moves per chain")
    assert "run.nc" in error and "go on with: nhot resume run.nc" in error
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]
    stored = xarray.open_dataset(tmp_path / "run.nc", group="sample_stats", engine="netcdf4")
    assert stored.sizes["draw"] == result["draws"] == result["moves"] // 10
    assert stored["energy"].mean().item() == pytest.approx(result["observables"]["energy"]["mean"], rel=1e-12)
    again = json.loads(nhot("diagnose", "run.nc", "--json", cwd=tmp_path, ok=True).stdout)
    assert again["observables"] == result["observables"]
    assert again["interrupted"] is True


def test_interrupted_warmup(on_terminal, tmp_path):
    running = on_terminal("sample", *MODEL, "--warmup", "1e12", "--thin", "100", "--moves", "1e12", "--out", "run.nc",
                          cwd=tmp_path)
    code, out, error = running.wait_for("warm-up").end(signal.SIGINT)
    assert code == 130, error
    assert "Nothing was sampled." in out
    assert "of warm-up" in error


def test_without_a_file(on_terminal, tmp_path):
    """Every move is a draw: once the bar says that it is sampling, there are some."""
    running = on_terminal("sample", *MODEL, "--warmup", "100", "--moves", "1e12", "--thin", "1", cwd=tmp_path)
    code, out, error = running.wait_for("sampling").end(signal.SIGINT)
    assert code == 130, error
    assert "energy" in out
    assert "interrupted after" in error and "nhot resume" not in error
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("warmup", ["0", "1e12"])
def test_between_draws(on_terminal, tmp_path, warmup):
    """One draw of this run takes hours, and so does a warm-up shorter than that; the signal is obeyed on the way."""
    running = on_terminal("sample", *MODEL, "--warmup", warmup, "--thin", "1e13", "--moves", "1e13", "--json",
                          cwd=tmp_path)
    running.wait_for("sampling" if warmup == "0" else "warm-up")
    code, out, error = running.end(signal.SIGINT)
    assert code == 130, error
    result = json.loads(out)
    assert result["draws"] == 0
    done = result["warmup"] if warmup != "0" else result["moves"]
    assert 0 < done < 10**12
    assert f"interrupted after {done} moves per chain" in error
    assert ("of warm-up" in error) == (warmup != "0")


def test_second_signal_ends_at_once(on_terminal, tmp_path):
    """Both signals wait for a program that is stopped, so that it meets the second before it can obey the first."""
    running = on_terminal("sample", *MODEL, "--warmup", "0", "--moves", "1e12", "--threads", "1", cwd=tmp_path)
    running.wait_for("sampling").stop()
    running.process.send_signal(signal.SIGINT)
    running.process.send_signal(signal.SIGTERM)
    code, out, error = running.end(signal.SIGCONT)
    assert code in (128 + signal.SIGINT, 128 + signal.SIGTERM)
    assert out == "" and "interrupted" not in error


GLASS = ["spin-glass:4x4x4,seed=7", "-n", "32"]
LONG = {  # command: arguments without an end in sight, the phase to wait for, and what it says when ended
    "temper": ([*GLASS, "--seconds", "600", "--warmup", "1000"], "sampling", "interrupted after"),
    "temper warming": ([*GLASS, "--moves", "100", "--warmup", "1e12"], "warm-up", "during warm-up"),
    "anneal": (["spin-glass:6x6x6,seed=7", "-n", "108", "--seconds", "600"], "annealing", "the best so far"),
    "anneal large": (["ferromagnet:200x200", "-n", "20000", "--reads", "1e6"], "annealing", "the best so far"),
    "anneal population": (["spin-glass:6x6x6,seed=7", "-n", "108", "--reads", "1e6", "--population", "100"], "annealing", "the best so far"),
    "anneal keeping": (["spin-glass:6x6x6,seed=7", "-n", "108", "--reads", "1e6", "--keep", "5"], "annealing", "the best so far"),
    "logz many moves": ([*GLASS, "--moves", "1e12"], "warm-up|cooling", "only finished populations count"),
    "logz ratio": ([*GLASS, "--populations", "1e6", "--ratio"], "warm-up|cooling", "only finished populations count"),
    "logz": ([*GLASS, "--populations", "1e6"], "cooling", "only finished populations count"),
    "logz ti": ([*GLASS, "--method", "ti", "--seconds", "600"], "warm-up|cooling", "the draws so far"),
}


@pytest.mark.parametrize("name", LONG)
def test_landscapes_end_cleanly(on_terminal, tmp_path, name):
    arguments, phase, note = LONG[name]
    running = on_terminal(name.split()[0], *arguments, "--json", cwd=tmp_path)
    code, out, error = running.wait_for(phase).end(signal.SIGINT)
    assert code == 130, error
    assert json.loads(out)["interrupted"] is True
    assert error.startswith("nhot: note: interrupted") and note in error
