"""nhot.tune, and move="auto": what they return, and that a run owes a search nothing but the move. Searches count moves
at nominal costs, so that nothing here depends on the machine, or end when they are told to."""

import json
import math
import signal

import numpy as np
import pytest
from terminal import GUARD_SECONDS

import nhot

LATTICE = ("ferromagnet:8x8", 32)
COUNT = {"beta": 0.4, "tune_objective": "count"}
# Trials of many minutes each.
ENDLESS = {"beta": 0.6, "tune_objective": "count", "seconds": 10**5}
ENDLESS_LATTICE = ("ferromagnet:60x60", 1800)


@pytest.fixture(scope="module")
def tuned():
    return nhot.tune(*LATTICE, seconds=0.6, **COUNT)


# --- what a search returns --------------------------------------------------------------------------------------

def test_the_answer(tuned):
    assert tuned.ess_per_second > 0 and tuned.trapped == [] and not tuned.interrupted
    for gain in tuned.gain_over_default, tuned.gain_over_swap:
        ratio, error = gain
        assert ratio > 0 and error >= 0
    assert tuned.move == tuned.summary()["move"] and all(isinstance(move, str) for move in tuned.ties)
    assert nhot.sample(*LATTICE, move=tuned.move, moves=10).summary()["move"] == tuned.move


def test_is_that_of_the_command_line(tuned, program):
    words = ["tune", LATTICE[0], "-n", LATTICE[1], "--beta", 0.4, "--seconds", 0.6, "--tune-objective", "count"]
    theirs = json.loads(program(*words, "--json", ok=True).stdout)
    ours = tuned.summary()
    assert list(ours) == list(theirs)
    for name in set(ours) - {"seconds"}:
        assert ours[name] == theirs[name], name


def test_by_counts_the_seed_decides(tuned):
    """For any number of threads."""
    for threads in 1, 3:
        again = nhot.tune(*LATTICE, seconds=0.6, threads=threads, **COUNT)
        assert (again.move, again.trials) == (tuned.move, tuned.trials)
    assert nhot.tune(*LATTICE, seconds=0.6, seed=2, **COUNT).trials != tuned.trials


def test_text(tuned):
    assert repr(tuned) == str(tuned) == tuned.text()
    for word in ("best ", "over the default", "over swap", "tried "):
        assert f"\n{word}" in repr(tuned)
    assert tuned._repr_html_().startswith("<pre>") and "over swap" in tuned._repr_html_()


def test_trials(tuned):
    assert {"swap", "cluster"} <= {trial["move"] for trial in tuned.trials}
    tuned.trials[0]["move"] = "another"  # a copy
    assert tuned.trials[0]["move"] == "swap"
    pandas = pytest.importorskip("pandas")
    table = tuned.to_pandas()
    assert len(table) == len(tuned.trials) and list(table["move"]) == [trial["move"] for trial in tuned.trials]
    assert {"round", "log_gain", "error", "length_max", "gamma", "acceptance"} <= set(table.columns)
    assert pandas.isna(table.loc[0, "gamma"])  # swap has none


def test_trapped_chains():
    """They do not say how fast they would cross."""
    cold = nhot.tune("spin-glass:5x5x5,seed=1", 62, beta=4, seconds=0.1, tune_objective="count")
    assert cold.trapped and math.isnan(cold.ess_per_second)
    assert any("temper" in note for note in cold.notes) and cold.move != "auto"


def test_what_a_search_takes():
    model = nhot.qubo({("a", "a"): -1.0, ("b", "b"): 0.5, ("c", "c"): 0.2, ("a", "b"): 2.0, ("d", "d"): 0.1})
    start = {"a": 1, "b": 1, "c": 0, "d": 0}
    seeds = np.random.SeedSequence(7)
    found = nhot.tune(model, 2, start=start, reference="ones", chains=3, seconds=0.002, seed=seeds,
                      tune_objective="count")
    assert nhot.sample(model, 2, reference="ones", start=start, move=found.move, moves=5).states.sum(axis=2).min() == 2


def test_observables_are_followed():
    seen = set()

    def left(x):
        seen.add(int(x.sum()))
        return float(x[:32].sum())

    found = nhot.tune(*LATTICE, observables={"left": left}, seconds=0.05, **COUNT)
    assert seen == {32} and found.trials


def test_an_energy_in_python():
    """Its exceptions come out."""

    def energy(x):
        return float(-np.sum(x * np.roll(x, 1)))

    model = nhot.custom(6, energy)
    found = nhot.tune(model, 3, seconds=0.05)
    assert nhot.sample(model, 3, move=found.move, moves=5).energy.shape == (4, 5)

    def failing(x):
        raise LookupError("from the energy")

    with pytest.raises(LookupError, match="from the energy"):
        nhot.tune(nhot.custom(6, failing), 3, seconds=0.05)
    with pytest.raises(LookupError, match="from the energy"):
        nhot.tune(*LATTICE, observables={"o": failing}, seconds=0.05)


@pytest.mark.parametrize("options, message", [
    ({"seconds": 0}, "seconds is '0'; try: give a finite number"),
    ({"chains": 1}, "chains is '1'; try: give a whole number"),
    ({"tune_objective": "money"}, "tune_objective is 'money'; try: known: time, count"),
    ({"beta": -1}, "beta is '-1'"),
    ({"seed": -1}, "seed"),
    ({"start": np.zeros(64)}, "the start is at distance 0 .* try: give a start on the shell"),
    ({"start": np.zeros(5)}, "start"),
    ({"reference": "twos"}, "reference is 'twos'"),
    ({"observables": [len]}, "observables is no dictionary"),
])
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message) as raised:
        nhot.tune(*LATTICE, **options)
    assert "\n" not in str(raised.value)


def test_unknown_options():
    with pytest.raises(TypeError, match=r"nhot.tune\(\) has no option 'move'; there are: .*tune_objective"):
        nhot.tune(*LATTICE, move="swap")
    with pytest.raises(ValueError, match="distance is not given"):
        nhot.tune("ferromagnet:8x8")
    with pytest.raises(ValueError, match="unknown move 'automatic'"):
        nhot.sample(*LATTICE, move="automatic", moves=10)
    with pytest.raises(ValueError, match="the start is at distance 0"):  # before the search
        nhot.sample(*LATTICE, start=np.zeros(64), move="auto", seconds=10**6)


# --- the figure -------------------------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def agg():
    pytest.importorskip("matplotlib").use("Agg")


def panels(figure):
    """Axes by their titles; what has none is the panel of trials, or the colour bar."""
    return {axes.get_title(): axes for axes in figure.axes if axes.get_title()}


def test_figure(tuned, agg):
    figure = tuned.plot()
    surface, shown = panels(figure), []
    assert len(surface) == 2 and len(figure.axes) == 4
    for title, axes in surface.items():
        assert title.endswith("length 1..L") or title.endswith("length L")
        image, points = axes.collections
        assert np.isfinite(image.get_array()).all() and (np.asarray(image.get_array()) > 0).all()
        shown += points.get_offsets().tolist()
    family = figure.axes[0].get_title().split(",")[0]
    tried = [[trial["length_max"], trial["gamma"]] for trial in tuned.trials
             if trial["move"].startswith(f"{family}:") and trial["log_gain"] is not None]
    assert shown and all(point in tried for point in shown)
    (trials,) = [axes for axes in figure.axes if axes.get_yticklabels() and axes.get_xlabel().startswith("effective")]
    assert {label.get_text() for label in trials.get_yticklabels()} == {
        trial["move"] for trial in tuned.trials if trial["log_gain"] is not None}
    figure.canvas.draw()


def test_the_chosen_move_is_the_unit_of_the_figure(tuned, agg):
    from nhot._tuning_plot import _Search

    facts = tuned.summary()
    search, chosen = _Search(facts), facts["trials"][facts["chosen"]]
    assert search.rate(chosen) == 1
    ratio, _ = tuned.gain_over_swap
    (swap,) = [trial for trial in search.trials if trial["move"] == "swap" and trial["round"] == chosen["round"]]
    assert search.rate(swap) == pytest.approx(1 / ratio)


@pytest.mark.parametrize("model, distance", [("field:10,seed=1", 0), ("field:10,seed=1", 1), ("rbm:6x4,seed=1", 3)])
def test_figure_of_little(model, distance, agg):
    """Also where there are few walks, or none, to draw a surface of."""
    nhot.tune(model, distance, seconds=0.002, tune_objective="count").plot().canvas.draw()


# --- move="auto" ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("driver", ["sample", "temper"])
def test_auto_is_a_search_and_then_the_run_of_its_move(driver):
    options = {"beta": 0.4, "moves": 1000, "seed": 5}
    run = getattr(nhot, driver)
    searched = run(*LATTICE, move="auto", tune_objective="count", threads=1, **options)
    facts = searched.summary()
    assert facts["tuning"]["move"] == facts["move"] and facts["tuning"]["objective"] == "count"
    assert "found by a search" in searched.notes[0] and "found by a search" in repr(searched)
    assert not any("{" in note for note in searched.notes)
    plain = run(*LATTICE, move=facts["move"], **options)
    assert "tuning" not in plain.summary() and not any("found by a search" in note for note in plain.notes)
    assert (plain.energy == searched.energy).all() and (plain.states == searched.states).all()
    again = run(*LATTICE, move="auto", tune_objective="count", threads=3, **options)
    assert again.summary()["move"] == facts["move"] and (again.energy == searched.energy).all()


def test_auto_of_logz():
    options = {"beta": 0.3, "populations": 4, "seed": 2}
    searched = nhot.logz("ferromagnet:4x4", 8, move="auto", tune_objective="count", **options)
    facts = searched.summary()
    assert facts["tuning"]["move"] == facts["move"] and "found by a search" in repr(searched)
    assert "found by a search" in searched.notes[0]
    plain = nhot.logz("ferromagnet:4x4", 8, move=facts["move"], **options)
    assert plain.value == searched.value and "tuning" not in plain.summary()


def test_extend_keeps_the_move():
    options = {"beta": 0.4, "moves": 500, "seed": 5}
    searched = nhot.sample(*LATTICE, move="auto", tune_objective="count", **options)
    longer = searched.extend(moves=300)
    plain = nhot.sample(*LATTICE, move=searched.summary()["move"], **options).extend(moves=300)
    assert (longer.energy == plain.energy).all() and longer.summary()["moves"] == 800
    assert longer.summary()["move"] == searched.summary()["move"]
    assert longer.summary()["tuning"] == searched.summary()["tuning"] and longer.notes[0] == searched.notes[0]


def test_auto_with_functions_of_the_user():
    """An energy and an observable in Python."""
    model = nhot.custom(6, lambda x: float(-np.sum(x * np.roll(x, 1))))
    options = {"moves": 40, "observables": {"first": lambda x: float(x[0])}}
    searched = nhot.sample(model, 3, move="auto", **options)
    plain = nhot.sample(model, 3, move=searched.summary()["move"], **options)
    assert (plain.energy == searched.energy).all()
    assert (plain.observables["first"] == searched.observables["first"]).all()


# --- while it goes on -------------------------------------------------------------------------------------------

INTERRUPTED = f"""
import warnings, nhot
ticks = 0

def show(phase, fraction, seconds, trials):
    global ticks
    assert phase == "tuning" and 0 <= fraction <= 1, (phase, fraction)
    ticks += trials > 0
    if ticks == 2:
        print("going", flush=True)

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    result = nhot.DRIVER(*{ENDLESS_LATTICE}, progress=show, **OPTIONS)
print("interrupted", result.interrupted, len(told), told[0].filename == "<string>")
"""


def interrupt(script, driver, after, **options):
    process = script(INTERRUPTED.replace("DRIVER", driver).replace("OPTIONS", repr({**ENDLESS, **options})) + after)
    for line in process.stdout:
        if line == "going\n":
            break
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=GUARD_SECONDS)
    assert process.returncode == 0, errors
    told, *printed = output.splitlines()
    assert told == "interrupted True 1 True"  # one warning, at the line of the caller
    return printed


def test_ctrl_c_keeps_the_best_so_far(script):
    after = """
print(nhot.sample("ferromagnet:60x60", 1800, move=result.move, moves=1).summary()["move"] == result.move)
print(len(result.trials) == len(result.to_pandas()), "tried" in repr(result))
"""
    assert interrupt(script, "tune", after) == ["True", "True True"]


@pytest.mark.parametrize("driver", ["sample", "temper"])
def test_ctrl_c_during_the_search_ends_the_run(script, driver):
    after = """
facts = result.summary()
print(result.energy.shape, facts["tuning"]["interrupted"], facts["tuning"]["move"] == facts["move"])
"""
    assert interrupt(script, driver, after, move="auto") == ["(4, 0) True True"]


@pytest.mark.parametrize("call", [
    "nhot.tune('ferromagnet:60x60', 1800, seconds=1000, progress=show)",
    "nhot.sample('ferromagnet:60x60', 1800, seconds=10**4, move='auto', progress=show)",
    "nhot.temper('ferromagnet:60x60', 1800, seconds=10**4, move='auto', progress=show)",
    "nhot.logz('ferromagnet:60x60', 1800, method='ti', seconds=10**4, move='auto', progress=show)",
])
def test_ctrl_c_before_anything_is_known(output_of, call):
    output, _ = output_of(f"""
import signal, warnings, nhot
warnings.simplefilter("ignore")

def show(*tick):
    signal.raise_signal(signal.SIGINT)

result = {call}
print(result.interrupted, bool(result.summary()["move"]), len(repr(result)) > 0)
""")
    assert output.split() == ["True"] * 3


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("driver", ["tune", "sample"])
def test_progress_can_end_the_search(driver, agg):
    """By returning True: an end that was asked for needs no warning."""
    answers, seen = iter([None, "no", True]), []

    def show(*tick):
        seen.append(tick)
        return next(answers)

    options = ENDLESS if driver == "tune" else {**ENDLESS, "move": "auto"}
    result = getattr(nhot, driver)(*ENDLESS_LATTICE, progress=show, **options)
    assert result.interrupted and next(answers, None) is None
    assert {phase for phase, *_ in seen} == {"tuning"}
    assert all(0 <= fraction <= 1 and seconds >= 0 and trials == int(trials) for _, fraction, seconds, trials in seen)
    if driver == "tune":
        result.plot().canvas.draw()


def test_exceptions_of_progress_come_out():
    def show(*tick):
        raise LookupError("from progress")

    with pytest.raises(LookupError, match="from progress"):
        nhot.tune(*ENDLESS_LATTICE, progress=show, **ENDLESS)


def test_bar(script):
    pytest.importorskip("tqdm")
    process = script("import nhot\n"
                     f"print(nhot.tune(*{ENDLESS_LATTICE}, progress=True, **{ENDLESS}).interrupted)")
    shown = ""
    while "trials" not in shown:
        shown += process.stderr.read(1)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=GUARD_SECONDS)
    assert (process.returncode, output) == (0, "True\n") and "tuning:" in shown
