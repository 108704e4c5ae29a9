"""A terminal: the progress bar is there and only there, and text is as wide as it."""

import importlib.util
import pathlib
import re

import pytest

spec = importlib.util.spec_from_file_location("terminal", pathlib.Path(__file__).with_name("terminal.py"))
terminal = importlib.util.module_from_spec(spec)
spec.loader.exec_module(terminal)
OnTerminal = terminal.OnTerminal

ARGUMENTS = ["sample", "ferromagnet:20x20", "-n", "200", "--seconds", "1.2", "--warmup", "2000", "--threads", "1"]


def on_terminal(nhot, arguments, columns=100, **environment):
    """Runs with standard error on a terminal and returns what it showed there."""
    program = OnTerminal([nhot.path, *arguments], ["stderr"], columns, **environment)
    assert program.finish()[0] == 0
    return program.shown


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


def page(nhot, arguments, columns, cwd=None, **environment):
    """The lines of standard output on a terminal."""
    program = OnTerminal([nhot.path, *arguments], ["stdout"], columns, cwd, **environment)
    code, error = program.finish()
    assert code == 0, error
    return program.shown.replace("\r\n", "\n").splitlines()


HELP = [["--help"], ["help", "moves"], ["help", "models"],
        *([command, "--help"] for command in ("sample", "temper", "anneal", "logz", "compare", "reproduce", "info"))]


@pytest.mark.parametrize("arguments", HELP, ids=" ".join)
def test_help_is_as_wide_as_the_terminal(nhot, arguments):
    for columns in 60, 200:
        assert max(map(len, page(nhot, arguments, columns))) <= columns
    piped = nhot(*arguments, ok=True).stdout
    rows = [len(page(nhot, arguments, 60)), len(piped.splitlines()), len(page(nhot, arguments, 200))]
    assert rows[0] > rows[1] >= rows[2]
    assert rows[1] > rows[2] or arguments in (["--help"], ["help", "models"])  # which have no line for 200 columns
    # The same text, wherever lines break.
    narrow = "".join(page(nhot, arguments, 60)).replace("\\", "")
    assert "".join(narrow.split()) == "".join(piped.split())


@pytest.fixture(scope="module")
def run_folder(nhot, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    nhot("sample", "ferromagnet:6x6", "-n", "18", "--beta", "0.3", "--moves", "300", "--out", "run.nc", cwd=folder, ok=True)
    return folder


def cells(lines, heading):
    """The cells of the table whose heading begins like this, to the next empty line."""
    begin = next(k for k, line in enumerate(lines) if line.startswith(heading))
    end = lines.index("", begin)
    return [re.split(r"\s\s+", line.strip()) for line in lines[begin:end]]


def test_summary_is_as_wide_as_the_terminal(nhot, run_folder):
    piped = nhot("diagnose", "run.nc", cwd=run_folder, ok=True).stdout.splitlines()
    wide = page(nhot, ["diagnose", "run.nc"], 200, run_folder)
    narrow = page(nhot, ["diagnose", "run.nc"], 60, run_folder)
    assert max(map(len, narrow)) <= 60
    assert 100 < max(map(len, wide)) <= 200
    # The table is whole on 200 columns and in a pipe, and in blocks of columns on 60.
    table = cells(piped, "observable")
    assert cells(wide, "observable") == table
    assert len(table[0]) == 9
    blocks, lines = [], narrow
    while any(line.startswith("observable") for line in lines):
        blocks.append(cells(lines, "observable"))
        lines = lines[lines.index("", next(k for k, line in enumerate(lines) if line.startswith("observable"))):]
    assert len(blocks) > 1
    joined = [[row[0]] for row in table]
    for block in blocks:
        for whole, part in zip(joined, block, strict=True):
            assert part[0] == whole[0]
            whole.extend(part[1:])
    assert joined == table


def test_columns_of_the_environment(nhot, run_folder):
    """COLUMNS wins on a terminal and means nothing in a pipe."""
    arguments = ["diagnose", "run.nc"]
    assert page(nhot, arguments, 200, run_folder, COLUMNS="60") == page(nhot, arguments, 60, run_folder)
    assert page(nhot, arguments, 60, run_folder, COLUMNS="many") == page(nhot, arguments, 60, run_folder)
    program = OnTerminal([nhot.path, *arguments], ["stderr"], 60, run_folder, COLUMNS="60")
    assert program.finish()[1] == nhot(*arguments, cwd=run_folder, ok=True).stdout


def test_rows_with_long_names_become_lists(nhot):
    arguments = ["compare", "ferromagnet:6x6", "-n", "18", "--seconds", "0.2",
                 "--move", "swap", "--move", "im:length=1..3,bias=logistic,gamma=0.8beta,order=up-down"]
    narrow = page(nhot, arguments, 60)
    assert max(map(len, narrow)) <= 60
    piped = nhot(*arguments, ok=True).stdout.splitlines()
    headings = cells(piped, "sampler")[0]
    for heading in headings[1:]:
        assert sum(line.strip().startswith(heading + " ") for line in narrow) >= 2, heading
