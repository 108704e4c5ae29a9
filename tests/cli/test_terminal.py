"""The progress bar: on a terminal, and only there."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

ARGUMENTS = ["sample", "ferromagnet:20x20", "-n", "200", "--seconds", "1.2", "--warmup", "2000", "--threads", "1"]


def on_terminal(nhot, arguments, columns=100, **environment):
    """Runs with standard error on a terminal and returns what it showed there."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [str(nhot.path), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=follower,
        env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm", **environment})
    os.close(follower)
    shown = b""
    while True:
        try:
            block = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not block:
            break
        shown += block
    os.close(leader)
    assert process.wait(60) == 0
    return shown.decode()


def lines(shown):
    """What each redrawing of the line showed."""
    plain = re.sub(r"\x1b\[[0-9]*[mK]", "", shown)
    return [line for line in plain.split("\r") if line]


def test_bar_on_a_terminal(nhot):
    shown = on_terminal(nhot, ARGUMENTS)
    drawn = lines(shown)
    assert any(line.startswith("warm-up") for line in drawn)
    bars = [line for line in drawn if line.startswith("sampling")]
    assert len(bars) >= 3
    assert re.search(r"sampling \[#+\.+\] +\d+%  [\d.]+ [kM]?\s?moves/s  [\d.]+ s left", "\n".join(bars))
    percents = [int(re.search(r"(\d+)%", line)[1]) for line in bars]
    assert percents == sorted(percents)
    assert "\x1b[36m" in shown
    # At most ten a second, and the line is gone at the end.
    assert len(bars) <= 40
    assert shown.endswith("\r\x1b[K")


def test_no_colour(nhot):
    assert "\x1b[36m" not in on_terminal(nhot, ARGUMENTS, NO_COLOR="1")


def test_narrow_terminal(nhot):
    for columns in 60, 30, 12:
        drawn = lines(on_terminal(nhot, ARGUMENTS, columns=columns))
        assert drawn
        assert max(map(len, drawn)) < columns


def test_silent_when_quiet_or_dumb(nhot):
    assert on_terminal(nhot, [*ARGUMENTS, "--quiet"]) == ""
    assert on_terminal(nhot, ARGUMENTS, TERM="dumb") == ""


def test_silent_in_a_pipe(nhot):
    assert nhot(*ARGUMENTS, ok=True).stderr == ""


def test_bars_of_the_landscapes(nhot):
    glass = ["spin-glass:8x8x8,seed=7", "-n", "256", "--beta", "1", "--threads", "1"]
    cases = {"temper": ([*glass, "--seconds", "1"], ["warm-up", "sampling"], "moves/s"),
             "anneal": ([*glass[:3], "--seconds", "1", "--threads", "1"], ["annealing"], "sweeps/s"),
             "logz": ([*glass, "--populations", "2"], ["warm-up", "cooling"], "moves/s")}
    for command, (arguments, phases, unit) in cases.items():
        shown = on_terminal(nhot, [command, *arguments])
        drawn = lines(shown)
        assert {line.split()[0] for line in drawn} == set(phases), command
        assert any(unit in line for line in drawn), command
        assert max(map(len, drawn)) < 100
        assert shown.endswith("\r\x1b[K")
