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


@pytest.fixture
def page(on_terminal):
    """page(arguments, columns): the lines of standard output on a terminal."""
    def show(arguments, columns, cwd=None, **environment):
        running = on_terminal(*arguments, columns=columns, cwd=cwd, stream="stdout", **environment)
        code, error, _ = running.end()
        assert code == 0, error
        return running.shown.splitlines()
    return show


HELP = [["--help"], ["help", "moves"], ["help", "models"],
        *([command, "--help"] for command in ("sample", "temper", "anneal", "logz", "compare", "reproduce", "info"))]


@pytest.mark.parametrize("arguments", HELP, ids=" ".join)
def test_help_is_as_wide_as_the_terminal(nhot, page, arguments):
    for columns in 60, 200:
        assert max(map(len, page(arguments, columns))) <= columns
    piped = nhot(*arguments, ok=True).stdout
    rows = [len(page(arguments, 60)), len(piped.splitlines()), len(page(arguments, 200))]
    assert rows[0] > rows[1] >= rows[2]
    assert rows[1] > rows[2] or arguments in (["--help"], ["help", "models"])  # which have no line for 200 columns
    # The same text, wherever lines break.
    narrow = "".join(page(arguments, 60)).replace("\\", "")
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


def test_summary_is_as_wide_as_the_terminal(nhot, page, run_folder):
    piped = nhot("diagnose", "run.nc", cwd=run_folder, ok=True).stdout.splitlines()
    wide = page(["diagnose", "run.nc"], 200, run_folder)
    narrow = page(["diagnose", "run.nc"], 60, run_folder)
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


def test_columns_of_the_environment(nhot, page, on_terminal, run_folder):
    """COLUMNS wins on a terminal and means nothing in a pipe."""
    arguments = ["diagnose", "run.nc"]
    assert page(arguments, 200, run_folder, COLUMNS="60") == page(arguments, 60, run_folder)
    assert page(arguments, 60, run_folder, COLUMNS="many") == page(arguments, 60, run_folder)
    running = on_terminal(*arguments, columns=60, cwd=run_folder, COLUMNS="60")
    assert running.end()[1] == nhot(*arguments, cwd=run_folder, ok=True).stdout


def test_rows_with_long_names_become_lists(nhot, page):
    arguments = ["compare", "ferromagnet:6x6", "-n", "18", "--seconds", "0.2",
                 "--move", "swap", "--move", "im:length=1..3,bias=logistic,gamma=0.8beta,order=up-down"]
    narrow = page(arguments, 60)
    assert max(map(len, narrow)) <= 60
    piped = nhot(*arguments, ok=True).stdout.splitlines()
    headings = cells(piped, "sampler")[0]
    for heading in headings[1:]:
        assert sum(line.strip().startswith(heading + " ") for line in narrow) >= 2, heading
