"""While a driver runs: Ctrl-C, progress, and other threads of Python. Tests wait for what happens, not for a time."""

import signal
import sys
import threading

import numpy as np
import pytest
from terminal import GUARD_SECONDS, OnTerminal

import nhot

# Runs that nobody waits for, by driver.
ENDLESS = {
    "sample": {"move": "im", "seconds": 10**6, "warmup": 0},
    "temper": {"seconds": 10**6, "warmup": 0, "betas": [0.1, 1.0]},
    "compare": {"seconds": 2000, "move": ["swap", "im"], "chains": 2},
    "anneal": {"seconds": 10**6},
    "logz": {"population": 2000, "populations": 10**5},
}

# "going" tells the test that the driver is under way.
INTERRUPTED = """
import warnings, nhot
ticks = 0

def show(phase, fraction, seconds, moves):
    global ticks
    ticks += moves > 0
    if ticks == 2:
        print("going", flush=True)

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    result = nhot.{driver}("ferromagnet:6x6", 18, progress=show, **{options})
print("interrupted", result.interrupted, len(told), told[0].filename == "<string>")
"""


def interrupt(script, driver, after, **options):
    """Runs a driver until it is under way, sends SIGINT, and gives what `after` prints."""
    process = script(INTERRUPTED.format(driver=driver, options={**ENDLESS[driver], **options}) + after)
    for line in process.stdout:
        if line == "going\n":
            break
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=GUARD_SECONDS)
    assert process.returncode == 0, errors
    told, *printed = output.splitlines()
    assert told == "interrupted True 1 True"  # one warning, at the line of the caller
    return printed


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_keeps_the_draws(script, threads):
    after = """
chains, draws = result.energy.shape
print(chains, draws > 0, (result.states.sum(axis=2) == 18).all(), result.observables["overlap"].shape == (2, draws))
print(result.best.bits.sum(), result.extend(moves=10).summary()["moves"] - result.summary()["moves"])
"""
    assert interrupt(script, "sample", after, threads=threads) == ["4 True True True", "18 10"]


def test_ctrl_c_keeps_the_draws_of_all_temperatures(script):
    after = """
print([rung.energy.shape == result.energy.shape for rung in result.rungs], result.energy.shape[1] > 0)
"""
    assert interrupt(script, "temper", after) == ["[True, True] True"]


def test_ctrl_c_keeps_what_annealing_found(script):
    after = "print(result.best.bits.sum(), result.model.energy(result.best) == result.best.energy)\n"
    assert interrupt(script, "anneal", after) == ["18 True"]


def test_ctrl_c_keeps_what_is_known_of_log_z(script):
    """NaN, where no population was finished."""
    after = "print(type(result.value).__name__, type(result.error).__name__)\n"
    assert interrupt(script, "logz", after) == ["float float"]


def test_ctrl_c_keeps_the_comparison(script):
    assert interrupt(script, "compare", "print(len(result.results))\n") == ["2"]


def test_ctrl_c_before_the_first_draw(tmp_path):
    """Whatever is asked of a run without draws has the right shape."""
    pytest.importorskip("matplotlib").use("Agg")

    def show(*tick):
        raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="interrupted"):
        run = nhot.sample("ferromagnet:6x6", 18, move="im", moves=10**12, warmup=10**12, progress=show)
    assert run.interrupted and not run.converged and run.best is None
    assert run.energy.shape == (4, 0) and run.states.shape == (4, 0, 36) and run.packed_states().shape == (4, 0, 5)
    assert np.isnan(run.site_means).all() and np.isnan(run.site_errors).all() and len(run.inclusion()) == 36
    assert len(run.to_xarray().draw) == len(run.to_pandas()) == 0
    run.to_netcdf(tmp_path / "run.nc")
    assert nhot.load_run(tmp_path / "run.nc").energy.shape == (4, 0)
    assert "Nothing was sampled" in repr(run) and len(run.plot().axes) >= 4
    # What was interrupted, and more than once, is over: the next run knows nothing of it.
    assert nhot.sample(nhot.custom(4, lambda x: float(x.sum())), 2, moves=5).best.energy == 2


def test_ctrl_c_while_progress_is_shown(output_of):
    """It may strike in the function that shows it: the draws are kept all the same."""
    output, _ = output_of("""
import signal, warnings, nhot
warnings.simplefilter("ignore")

def show(phase, fraction, seconds, moves):
    if moves:
        signal.raise_signal(signal.SIGINT)

run = nhot.sample("ferromagnet:10x10", 50, move="im", seconds=10**6, warmup=0, progress=show)
print(run.interrupted, run.energy.shape[1] > 0)
""")
    assert output.split() == ["True", "True"]


def test_a_second_ctrl_c_abandons_a_slow_energy(output_of):
    """The first asks for what was drawn; while the energy takes its time for that, another ends the run."""
    output, _ = output_of("""
import os, signal, threading, nhot
handled, slow, go_on = threading.Semaphore(0), threading.Event(), threading.Event()

def handler(number, frame):
    handled.release()
    raise KeyboardInterrupt

def energy(x):
    if threading.current_thread() is not threading.main_thread():
        slow.set()
        go_on.wait()
    return float(x.sum())

def interrupt_twice():
    slow.wait()
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGINT)
        handled.acquire()
    go_on.set()

signal.signal(signal.SIGINT, handler)
model = nhot.custom(6, energy)
threading.Thread(target=interrupt_twice).start()
try:
    nhot.anneal(model, 3, sweeps=10**9, reads=1)
except KeyboardInterrupt:
    print("abandoned")
go_on.set()
print(nhot.sample(model, 3, moves=5).best.energy)
""")
    assert output.split() == ["abandoned", "3.0"]


# --- progress ---------------------------------------------------------------------------------------------------

class Enough(Exception):
    pass


@pytest.mark.parametrize("driver", ENDLESS)
def test_progress_is_told_and_its_exceptions_come_out(driver):
    seen = []

    def show(phase, fraction, seconds, moves):
        seen.append((phase, fraction, seconds, moves))
        assert threading.current_thread() is threading.main_thread()
        if len(seen) == 2:
            raise Enough("twice")

    with pytest.raises(Enough, match="twice"):
        getattr(nhot, driver)("ferromagnet:6x6", 18, progress=show, **ENDLESS[driver])
    assert len(seen) == 2
    phases = {"sample": "sampling", "temper": "sampling", "compare": "comparing", "anneal": "annealing",
              "logz": "cooling"}
    assert {phase for phase, *_ in seen} == {phases[driver]}
    assert all(0 <= fraction <= 1 and seconds >= 0 and moves >= 0 for _, fraction, seconds, moves in seen)
    assert seen[-1][2] > seen[0][2]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("driver", ["sample", "anneal"])
def test_progress_can_end_the_run(driver):
    """By returning True: an end that was asked for needs no warning. Other answers do nothing."""
    answers = iter(["no", 1, True])
    result = getattr(nhot, driver)("ferromagnet:6x6", 18, progress=lambda *tick: next(answers), **ENDLESS[driver])
    assert result.interrupted and next(answers, None) is None


def test_progress_of_a_short_run():
    """It is told how the run ended, however short it was."""
    seen = []
    nhot.sample("ferromagnet:4x4", 8, moves=10, progress=lambda *tick: seen.append(tick))
    assert seen and seen[-1][0] == "sampling" and seen[-1][1] == 1 and seen[-1][3] == 10


def test_exceptions_of_signal_handlers_come_out(output_of):
    output, _ = output_of("""
import signal, nhot

def handler(number, frame):
    raise LookupError("from the handler")

signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.01)
try:
    nhot.sample("ferromagnet:10x10", 50, move="im", moves=10**12)
except LookupError as error:
    print(error)
""")
    assert output == "from the handler\n"


BAR = """
import nhot
run = nhot.sample("ferromagnet:10x10", 50, move="im", seconds=10**6, warmup=0, progress={progress})
print(run.energy.shape[0])
"""


def test_bar_on_a_terminal():
    """Without a word of the user; Ctrl-C ends the run, and the bar goes."""
    pytest.importorskip("tqdm")
    shown = OnTerminal([sys.executable, "-W", "ignore", "-c", BAR.format(progress=None)])
    try:
        code, output, _ = shown.wait_for(r"sampling:\s+\d+%\|.*moves").end(signal.SIGINT)
    finally:
        shown.kill()
    assert (code, output) == (0, "4\n")


@pytest.mark.parametrize("progress, bar", [(True, True), (None, False)])
def test_bar_elsewhere(script, progress, bar):
    """Only when asked for."""
    pytest.importorskip("tqdm")
    begin = BAR.format(progress=progress).replace("warmup=0", "warmup=0, observables={'o': told}")
    process = script("""
calls = 0
def told(x):
    global calls
    calls += 1
    if calls == 100:
        print("going", flush=True)
    return 0
""" + begin)
    for line in process.stdout:
        if line == "going\n":
            break
    shown = ""
    while bar and "sampling:" not in shown:
        shown += process.stderr.read(1)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=GUARD_SECONDS)
    assert (process.returncode, output) == (0, "4\n")
    assert ("sampling:" in shown + errors) == bar and ("%|" in shown + errors) == bar


# --- other threads ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("driver", ["sample", "anneal"])
def test_other_threads_go_on(driver):
    """Between two calls of the function that shows progress, Python's lock is free: another thread counts on."""
    count, at_return, gained = 0, None, []
    ended = threading.Event()

    def counting():
        nonlocal count
        while not ended.is_set():
            count += 1

    def show(*_):
        nonlocal at_return
        if at_return is not None:
            gained.append(count - at_return)
        if len(gained) == 2:
            raise Enough
        at_return = count

    other = threading.Thread(target=counting)
    other.start()
    try:
        with pytest.raises(Enough):
            getattr(nhot, driver)("ferromagnet:6x6", 18, progress=show, **ENDLESS[driver])
    finally:
        ended.set()
        other.join()
    assert min(gained) > 0


def test_runs_on_several_threads():
    """Each gives the numbers that it gives alone."""
    alone = [nhot.sample("ferromagnet:6x6", 12, moves=300, seed=seed).energy for seed in range(4)]
    together = [None] * 4

    def work(seed):
        together[seed] = nhot.sample("ferromagnet:6x6", 12, moves=300, seed=seed).energy

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((a == b).all() for a, b in zip(alone, together))
