"""nhot compare: several moves at equal CPU time."""

import json
import math
import signal

import pytest

LATTICE = ["ferromagnet:12x12", "-n", "72", "--beta", "0.4"]
MOVES = ["--move", "swap", "--move", "im:length=1..5"]


def compare(nhot, *words, **keywords):
    return json.loads(nhot("compare", *words, "--json", ok=True, **keywords).stdout)


def test_every_move_has_its_result(nhot):
    """That their times are the same is tested with a clock by hand, in tests/run/comparison_test.cpp."""
    results = compare(nhot, *LATTICE, *MOVES, "--move", "kawasaki", "--seconds", 0.1, "--chains", 2)["results"]
    assert [r["move"].split(":")[0] for r in results] == ["swap", "im", "kawasaki"]
    assert all(r["cpu_seconds"] > 0 and r["moves"] > 0 for r in results)


def test_each_result_has_the_keys_of_sample(nhot):
    sampled = json.loads(nhot("sample", *LATTICE, "--moves", 1000, "--json", ok=True).stdout)
    results = compare(nhot, *LATTICE, *MOVES, "--moves", 1000, "--chains", 3)["results"]
    for result in results:
        assert set(sampled) - {"witness", "best_state", "site_means"} <= set(result)
        assert set(sampled["observables"]) == set(result["observables"])
        assert set(sampled["observables"]["energy"]) == set(result["observables"]["energy"])
        energy = result["observables"]["energy"]
        # Only the first has a number of moves. The others have its time, which may be too short for an ESS.
        assert energy["ess_bulk"] is not None or result is not results[0]
        rate = None if energy["ess_bulk"] is None else pytest.approx(energy["ess_bulk"] / result["cpu_seconds"])
        assert energy["ess_per_second"] == rate
        assert result["ns_per_step"] == pytest.approx(1e9 * result["cpu_seconds"] / result["steps"])
        assert result["chains"] == 3


def test_moves_agree_on_the_mean(nhot):
    results = compare(nhot, *LATTICE, *MOVES, "--moves", 600000, "--chains", 4, "--seed", 11)["results"]
    means = [r["observables"]["energy"] for r in results]
    error = math.hypot(*(m["mcse"] for m in means))
    assert abs(means[0]["mean"] - means[1]["mean"]) < 5 * error
    assert 0 < error < 2


def test_a_number_of_moves_gives_the_same_numbers_again(nhot):
    words = [*LATTICE, *MOVES, "--moves", 9000, "--chains", 3]
    first = compare(nhot, *words, "--threads", 1)["results"][0]
    again = compare(nhot, *words, "--threads", 2)["results"][0]
    assert first["moves"] + first["warmup"] == again["moves"] + again["warmup"] == 10000
    assert first["observables"]["energy"]["mean"] == again["observables"]["energy"]["mean"]
    assert first["acceptance"] == again["acceptance"]


def test_the_table_names_every_move(nhot):
    done = nhot("compare", *LATTICE, *MOVES, "--seconds", 0.2, ok=True)
    assert done.stderr == ""
    for words in ("swap", "im:length=1..5", "ESS/s", "R-hat", "standard errors"):
        assert words in done.stdout


def test_the_same_move_twice(nhot):
    results = compare(nhot, *LATTICE, "--move", "swap", "--move", "swap", "--moves", 2000)["results"]
    assert len(results) == 2
    assert results[0]["observables"]["energy"]["mean"] != results[1]["observables"]["energy"]["mean"]


def test_the_page_is_not_overwritten(nhot, tmp_path):
    words = ["compare", *LATTICE, *MOVES, "--seconds", 0.1, "--report", "page.html"]
    nhot(*words, cwd=tmp_path, ok=True)
    assert (tmp_path / "page.html").stat().st_size > 50_000
    refused = nhot(*words, cwd=tmp_path)
    assert refused.returncode == 2 and "page.html" in refused.stderr
    nhot(*words, "--force", cwd=tmp_path, ok=True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (LATTICE, "no move is given"),
        ([*LATTICE, "--move", "swop"], "did you mean 'swap'"),
        ([*LATTICE, *MOVES, "--moves", "10", "--seconds", "1"], "both given"),
        ([*LATTICE, "--move", "im:length=100"], "length"),
        (["ferromagnet:4x4", *MOVES], "--distance"),
    ],
)
def test_bad_input(nhot, words, said):
    done = nhot("compare", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_ctrl_c_ends_with_what_was_drawn(on_terminal):
    running = on_terminal("compare", *LATTICE, *MOVES, "--seconds", "600", "--json")
    code, out, error = running.wait_for("comparing").end(signal.SIGINT)
    assert code == 130, error
    results = json.loads(out)["results"]
    assert all(r["interrupted"] and r["moves"] > 0 for r in results)
    assert "interrupted" in error
