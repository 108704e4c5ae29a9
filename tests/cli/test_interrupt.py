"""Ctrl-C: the first writes what there is and exits with 130, the second ends at once."""

import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import time

import pytest

xarray = pytest.importorskip("xarray")
spec = importlib.util.spec_from_file_location("terminal", pathlib.Path(__file__).with_name("terminal.py"))
terminal = importlib.util.module_from_spec(spec)
spec.loader.exec_module(terminal)
OnTerminal = terminal.OnTerminal


MODEL = ["ferromagnet:16x16", "-n", "128"]
INTERRUPTED = 130


def start(nhot, folder, *arguments):
    return subprocess.Popen(
        [str(nhot.path), "sample", *MODEL, *arguments], cwd=folder,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def stop(process, number):
    process.send_signal(number)
    out, error = process.communicate(timeout=120)
    return process.returncode, out, error


def interrupt(nhot, folder, *arguments, bar="%"):
    """Ctrl-C once the progress bar shows the text: exit code, standard output, and what the terminal showed. The
    runs of these tests would take hours: that they end is the proof that the signal was obeyed."""
    program = OnTerminal([nhot.path, *arguments], ["stderr"], cwd=folder)
    program.wait_for(bar)
    program.process.send_signal(signal.SIGINT)
    code, out = program.finish()
    return code, out, program.shown


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_cleanly(nhot, tmp_path, number):
    process = start(nhot, tmp_path, "--warmup", "1000", "--thin", "10", "--moves", "1e12", "--out", "run.nc", "--json")
    partial = tmp_path / "run.nc.partial"
    # Sampled draws are in the file once it has grown past its header.
    wait_for(lambda: partial.exists() and partial.stat().st_size > 2_000_000)
    code, out, error = stop(process, number)
    assert code == INTERRUPTED, error
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
    assert code == INTERRUPTED, error
    assert "Nothing was sampled." in out
    assert "of warm-up" in error


def test_without_a_file(nhot, tmp_path):
    code, out, shown = interrupt(nhot, tmp_path, "sample", *MODEL, "--warmup", "100", "--moves", "1e12", bar="sampling")
    assert code == INTERRUPTED, shown
    assert "energy" in out
    assert "interrupted after" in shown and "--resume" not in shown
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("warmup", ["0", "1e12"])
def test_between_draws(nhot, tmp_path, warmup):
    """One draw of this run takes hours, and so does a warm-up shorter than that; the signal is obeyed on the way."""
    code, out, shown = interrupt(
        nhot, tmp_path, "sample", *MODEL, "--warmup", warmup, "--thin", "1e13", "--moves", "1e13", "--json",
        bar="moves/s")
    assert code == INTERRUPTED, shown
    result = json.loads(out)
    assert result["draws"] == 0
    done = result["warmup"] if warmup != "0" else result["moves"]
    assert 0 < done < 10**12
    assert f"interrupted after {done} moves per chain" in shown
    assert ("of warm-up" in shown) == (warmup != "0")


def test_second_signal_ends_at_once(nhot, tmp_path):
    """Two signals that wait for a stopped program are handled before it does anything else."""
    program = OnTerminal([nhot.path, "sample", *MODEL, "--warmup", "0", "--moves", "1e12"], ["stderr"], cwd=tmp_path)
    program.wait_for("sampling")
    process = program.process
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGCONT)
    code, out = program.finish()
    assert code in (128 + signal.SIGINT, 128 + signal.SIGTERM)
    assert out == "" and "interrupted" not in program.shown


GLASS = ["spin-glass:4x4x4,seed=7", "-n", "32"]
LONG = {  # command: arguments without an end in sight, and what it says when ended
    "temper": ([*GLASS, "--moves", "1e12", "--warmup", "1000"], "interrupted after"),
    "temper warming": ([*GLASS, "--moves", "100", "--warmup", "1e12"], "during warm-up"),
    "anneal": (["spin-glass:6x6x6,seed=7", "-n", "108", "--seconds", "86400"], "the best so far"),
    "anneal large": (["ferromagnet:200x200", "-n", "20000", "--reads", "1e6"], "the best so far"),
    "anneal population": (["spin-glass:6x6x6,seed=7", "-n", "108", "--reads", "1e6", "--population", "100"], "the best so far"),
    "anneal keeping": (["spin-glass:6x6x6,seed=7", "-n", "108", "--reads", "1e6", "--keep", "5"], "the best so far"),
    "logz": ([*GLASS, "--populations", "1e6"], "only finished populations count"),
    "logz many moves": ([*GLASS, "--moves", "1e12"], "only finished populations count"),
    "logz ratio": ([*GLASS, "--populations", "1e6", "--ratio"], "only finished populations count"),
    "logz ti": ([*GLASS, "--method", "ti", "--seconds", "86400"], "the draws so far"),
}


@pytest.mark.parametrize("name", LONG)
def test_every_command_ends_cleanly(nhot, tmp_path, name):
    arguments, note = LONG[name]
    code, out, shown = interrupt(nhot, tmp_path, name.split()[0], *arguments, "--json")
    assert code == INTERRUPTED, shown
    assert json.loads(out)["interrupted"] is True
    assert note in shown


def test_interrupted_comparison(nhot, tmp_path):
    code, out, shown = interrupt(
        nhot, tmp_path, "compare", *GLASS, "--move", "swap", "--move", "im", "--seconds", "86400", "--json", bar="moves/s")
    assert code == INTERRUPTED, shown
    results = json.loads(out)["results"]
    assert all(result["interrupted"] for result in results) and any(result["moves"] > 0 for result in results)
    assert "interrupted; this is what was drawn by then" in shown


def test_interrupted_reproduction(nhot, tmp_path):
    code, _, shown = interrupt(nhot, tmp_path, "reproduce", "ferromagnet", "--scale", "1000", "--out", "found", "--json")
    assert code == INTERRUPTED, shown
    assert json.loads((tmp_path / "found" / "results.json").read_text())["interrupted"] is True
    assert "what was drawn by then" in shown
    assert (tmp_path / "found" / "report.html").exists()
