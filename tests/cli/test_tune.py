"""nhot tune, and --move auto: what they say, and that a run owes a search nothing but the move."""

import json
import signal

import pytest

LATTICE = ["ferromagnet:8x8", "-n", "32", "--beta", "0.4"]
COUNT = ["--tune-objective", "count"]


def told(nhot, *words):
    return json.loads(nhot(*words, "--json", ok=True).stdout)


@pytest.fixture(scope="module")
def tuned(nhot):
    return told(nhot, "tune", *LATTICE, "--seconds", 0.3, *COUNT)


def test_says_what_was_found(tuned):
    assert tuned["objective"] == "count" and tuned["interrupted"] is False
    assert tuned["ess_per_second"] > 0 and 0 <= tuned["relative_error"] < 1
    assert tuned["slowest"] in ("energy", "slowest_mode", "overlap", "sites")
    for gain in ("gain_over_default", "gain_over_swap"):
        assert tuned[gain]["ratio"] > 0 and tuned[gain]["error"] >= 0


def test_keeps_every_trial(tuned):
    trials = tuned["trials"]
    assert {"swap", "kawasaki", "cluster"} <= {trial["move"] for trial in trials}
    assert [trial["round"] for trial in trials] == sorted(trial["round"] for trial in trials)
    for trial in trials:
        assert trial["ns_per_move"] > 0 and 0 <= trial["acceptance"] <= 1
        assert trial["purpose"] and (trial["log_gain"] is None) == (trial["error"] is None)
    assert trials[tuned["chosen"]]["log_gain"] == 0
    walks = [trial for trial in trials if "length_max" in trial]
    assert all(1 <= trial["length_min"] <= trial["length_max"] and trial["gamma"] > 0 for trial in walks)
    assert {"move", "length_max", "gamma", "log_gain", "error"} <= set(tuned["surface"][0])


def test_the_move_is_one_that_move_takes(nhot, tuned):
    run = told(nhot, "sample", *LATTICE, "--moves", 100, "--move", tuned["move"])
    assert run["move"] == tuned["move"]


def test_by_counts_the_seed_decides(nhot, tuned):
    again = told(nhot, "tune", *LATTICE, "--seconds", 0.3, *COUNT, "--threads", 1)
    for name in set(tuned) - {"seconds"}:
        assert again[name] == tuned[name], name
    others = {told(nhot, "tune", *LATTICE, "--seconds", 0.3, *COUNT, "--seed", seed)["ess_per_second"] for seed in (2, 3)}
    assert tuned["ess_per_second"] not in others


def test_text(nhot):
    text = nhot("tune", *LATTICE, "--seconds", 0.3, *COUNT, ok=True).stdout
    assert text.startswith("move ")
    for word in ("best ", "over the default", "over swap", "tried "):
        assert f"\n{word}" in text


def test_says_when_chains_are_trapped(nhot):
    glass = ["spin-glass:5x5x5,seed=1", "-n", "62", "--beta", "4"]
    result = told(nhot, "tune", *glass, "--seconds", 0.2, *COUNT)
    assert result["trapped"] and result["ess_per_second"] is None
    assert any("tempering" in note for note in result["notes"])


@pytest.mark.parametrize("command", ["sample", "temper"])
def test_auto_is_a_search_and_then_the_run_of_its_move(nhot, command):
    words = [command, *LATTICE, "--moves", 2000, "--seed", 5]
    searched = told(nhot, *words, "--move", "auto", *COUNT)
    assert searched["tuning"]["objective"] == "count" and searched["tuning"]["move"] == searched["move"]
    assert any("found by a search" in note for note in searched["notes"])
    plain = told(nhot, *words, "--move", searched["move"])
    for name in ("moves", "acceptance", "changed", "steps", "best_energy", "best_state", "site_means"):
        assert plain[name] == searched[name], name
    for name, values in plain["observables"].items():
        untimed = {key for key in values if "second" not in key}
        assert {key: values[key] for key in untimed} == {key: searched["observables"][name][key] for key in untimed}


def test_a_named_move_is_not_searched_for(nhot):
    assert "tuning" not in told(nhot, "sample", *LATTICE, "--moves", 100, "--move", "im")


def test_without_a_name_a_short_run_takes_the_default_walk(nhot):
    run = told(nhot, "sample", *LATTICE, "--moves", 2000)
    assert "tuning" not in run and run["move"].startswith("im:length=1..10")
    assert run["best_state"] == told(nhot, "sample", *LATTICE, "--moves", 2000, "--move", "im")["best_state"]


def test_without_a_name_a_longer_run_searches_and_the_seed_decides(nhot):
    first, second = (told(nhot, "sample", *LATTICE, "--seconds", 0.6, "--seed", 3) for _ in range(2))
    assert first["tuning"]["objective"] == "count" and first["move"] == first["tuning"]["move"]
    assert first["move"] == second["move"]
    assert first["tuning"]["gain_over_swap"] == second["tuning"]["gain_over_swap"]


def test_a_run_of_auto_goes_on_with_its_move(nhot, tmp_path):
    path = tmp_path / "run.nc"
    first = told(nhot, "sample", *LATTICE, "--moves", 500, "--move", "auto", *COUNT, "--out", path)
    for words in [], ["--move", "auto"]:
        more = told(nhot, "sample", "--resume", path, "--moves", 500, *words)
        assert more["move"] == first["move"] and "tuning" not in more


def test_logz_and_compare_take_auto(nhot):
    estimate = told(nhot, "logz", "ferromagnet:4x4", "-n", 8, "--beta", 0.3, "--move", "auto", *COUNT)
    assert estimate["move"] == estimate["tuning"]["move"] and estimate["log_z"] > 0
    compared = told(nhot, "compare", *LATTICE, "--moves", 2000, "--move", "auto", "--move", "swap")
    assert len(compared["results"]) == 2 and any(note.startswith("auto is ") for note in compared["notes"])


def test_ctrl_c_keeps_the_best_so_far(on_terminal):
    running = on_terminal("tune", *LATTICE, "--seconds", "600", "--json")
    code, out, error = running.wait_for("tuning").end(signal.SIGINT)
    assert code == 130 and "interrupted" in error
    assert json.loads(out)["interrupted"] is True


@pytest.mark.parametrize("words, what", [
    (["--seconds", 0], "--seconds"),
    (["--chains", 1], "--chains"),
    (["--tune-objective", "money"], "--tune-objective"),
    (["--beta", -1], "--beta"),
    (["--move", "swap"], "--move"),
])
def test_bad_options(nhot, words, what):
    done = nhot("tune", *LATTICE, *words)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("nhot: error") == 1 and what in done.stderr
