"""The progress bar of the whole program: on a terminal, and only there. How often it is drawn and what it says is tested
with a clock by hand, in tests/app/progress_test.cpp."""

import re
import signal

import pytest

ARGUMENTS = ["sample", "ferromagnet:20x20", "-n", "200", "--moves", "3000", "--warmup", "2000", "--threads", "1"]


def test_bar_on_a_terminal(on_terminal):
    running = on_terminal(*ARGUMENTS)
    code, _, rest = running.end()
    assert code == 0 and rest == ""
    drawn = running.lines()
    assert {line.split()[0] for line in drawn} == {"warm-up", "sampling"}
    for line in drawn:
        assert re.fullmatch(r"(warm-up|sampling) \[#*\.*\] +\d+%  [\d.]+ [kM]?\s?moves/s  [\d.]+ s left", line), line
    bars = [line for line in drawn if line.startswith("sampling")]
    percents = [int(re.search(r"(\d+)%", line)[1]) for line in bars]
    assert percents == sorted(percents)
    assert "\x1b[36m" in running.shown
    # The line is gone at the end.
    assert running.shown.endswith("\r\x1b[K")


def test_no_colour(on_terminal):
    running = on_terminal(*ARGUMENTS, NO_COLOR="1")
    assert running.end()[0] == 0
    assert running.lines() and "\x1b[36m" not in running.shown


def test_narrow_terminal(on_terminal):
    for columns in 60, 30, 12:
        running = on_terminal(*ARGUMENTS, columns=columns)
        running.end()
        assert running.lines()
        assert max(map(len, running.lines())) < columns


def test_silent_when_quiet_or_dumb(on_terminal):
    for running in on_terminal(*ARGUMENTS, "--quiet"), on_terminal(*ARGUMENTS, TERM="dumb"):
        assert running.end()[0] == 0
        assert running.shown == ""


def test_silent_in_a_pipe(nhot):
    assert nhot(*ARGUMENTS, ok=True).stderr == ""


GLASS = ["spin-glass:8x8x8,seed=7", "-n", "256", "--threads", "1"]
FOR_EVER = {  # command: its arguments, the phases of its bar, what it counts
    "temper": (["--beta", "1", "--warmup", "100", "--seconds", "600"], ["warm-up", "sampling"], "moves/s"),
    "anneal": (["--reads", "1e9"], ["annealing"], "sweeps/s"),
    "logz": (["--beta", "1", "--populations", "1e6"], ["warm-up", "cooling"], "moves/s"),
}


@pytest.mark.parametrize("command", FOR_EVER)
def test_bars_of_the_landscapes(on_terminal, command):
    arguments, phases, unit = FOR_EVER[command]
    running = on_terminal(command, *GLASS, *arguments)
    running.wait_for(rf"{phases[-1]} [^\r]*{unit}").end(signal.SIGINT)
    before, _, rest = running.shown.rpartition("\r\x1b[K")
    assert "interrupted" in rest
    drawn = [line for line in re.sub(r"\x1b\[[0-9]*[mK]", "", before).split("\r") if line]
    assert {line.split()[0] for line in drawn} == set(phases)
    assert max(map(len, drawn)) < 100
