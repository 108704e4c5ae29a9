"""The verdict, where it was wrong: frozen chains, chains in different valleys, real couplings, few kept states."""

import json

import pytest


def run(nhot, *words, command="sample", **keywords):
    return json.loads(nhot(command, *words, "--json", "--quiet", ok=True, **keywords).stdout)


def reasons(result):
    return "\n".join(result["reasons"])


@pytest.mark.parametrize("seed", range(1, 9))
def test_frozen_chains_are_no_answer(nhot, seed):
    result = run(nhot, "ferromagnet:4x4", "-n", "8", "--beta", "5", "--move", "im:length=1..3", "--moves", "20000", "--seed", str(seed))
    assert result["acceptance"] > 0.5
    if result["changed"] == 0:
        assert not result["converged"] and "led to another state" in reasons(result)
        for observable in result["observables"].values():
            for key in "tau_moves", "tau_seconds", "ess_bulk", "ess_tail", "ess_per_second":
                assert observable[key] is None
    assert not result["converged"]


def test_numbers_of_frozen_chains_are_not_shown(nhot):
    words = ["ferromagnet:4x4", "-n", "8", "--beta", "50", "--move", "swap", "--moves", "2000", "--warmup", "2000"]
    assert run(nhot, *words)["changed"] == 0
    table = nhot("sample", *words, ok=True).stdout.split("observable", 1)[1].splitlines()
    energy = next(line for line in table if line.startswith("energy")).split()
    assert energy[4:8] == ["-", "-", "-", "-"]
    words[words.index("--warmup"):] = ["--move", "im"]
    compared = run(nhot, *words, command="compare")["results"][0]
    assert compared["changed"] < 0.01 and not compared["converged"]


@pytest.mark.parametrize("seed", range(1, 7))
def test_stripes_of_two_directions(nhot, tmp_path, seed):
    """All chains have one energy, one structure factor and wandering stripes; only pairs of sites tell them apart."""
    netCDF4 = pytest.importorskip("netCDF4")
    result = run(nhot, "ferromagnet:8x8", "-n", "32", "--beta", "4", "--moves", "20000", "--seed", str(seed), "--out", tmp_path / "run.nc")
    with netCDF4.Dataset(tmp_path / "run.nc") as file:
        grid = file["posterior"]["state"][:].reshape(4, -1, 8, 8)
    directions = (grid.mean(-1).var(-1) > grid.mean(-2).var(-1)).mean(-1)
    if directions.max() - directions.min() > 0.5:
        assert not result["converged"] and "pairs of sites" in reasons(result)


@pytest.mark.parametrize("words", [["rbm:6x4,seed=1", "-n", "3"], ["spin-glass:4x4,couplings=gaussian,seed=3", "-n", "6"]])
def test_real_couplings_have_one_energy_a_state_and_converge(nhot, tmp_path, words):
    netCDF4 = pytest.importorskip("netCDF4")
    verdicts = []
    for seed in range(1, 6):
        result = run(nhot, *words, "--moves", "20000", "--seed", str(seed), "--out", tmp_path / "run.nc", "--force")
        verdicts.append(result["converged"])
        with netCDF4.Dataset(tmp_path / "run.nc") as file:
            states, draws = file["posterior"]["state"][:], file["posterior"]["draw"][:]
            energies = file["sample_stats"]["energy"][:][:, draws]
        numpy = pytest.importorskip("numpy")
        rows = numpy.ma.getdata(states).reshape(-1, states.shape[-1])
        _, first, which = numpy.unique(numpy.packbits(rows, axis=1), axis=0, return_index=True, return_inverse=True)
        energies = numpy.ma.getdata(energies).ravel()
        assert numpy.array_equal(energies, energies[first][which.ravel()])
    assert verdicts.count(False) <= 1


@pytest.mark.parametrize("moves", [["swap", "im"], ["im", "swap"]], ids=lambda moves: moves[0])
def test_few_kept_states_are_no_coin_toss(nhot, moves):
    """Judges the first move, whose number of moves is given; the other gets its time, little on a fast machine."""
    words = ["field:100,seed=1", "-n", "10", "--moves", "100000", "--move", moves[0], "--move", moves[1]]
    for seed in 1, 2:
        result = run(nhot, *words, "--seed", str(seed), command="compare")["results"][0]
        assert result["converged"], result["reasons"]


CLIQUES = [(i, j) for clique in (range(17), range(17, 34)) for i in clique for j in clique if i < j]


@pytest.fixture
def cliques(tmp_path):
    """16 sites of one of two cliques of 17, and a start in the first: no chain leaves it."""
    (tmp_path / "m.qubo").write_text(f"p qubo 0 34 0 {len(CLIQUES)}\n" + "".join(f"{i} {j} -2\n" for i, j in CLIQUES))
    (tmp_path / "first.txt").write_text("".join("1\n" if i < 16 else "0\n" for i in range(34)))
    return ["m.qubo", "-n", "16", "--moves", "20000", "--start", "first.txt"]


def test_a_second_witness_sees_the_valley_that_all_chains_miss(nhot, tmp_path, cliques):
    alone = run(nhot, *cliques, cwd=tmp_path)
    assert alone["converged"] and "Not excluded" in reasons(alone) and alone["witness"] is None
    asked = run(nhot, *cliques, "--verify", "--out", "run.nc", cwd=tmp_path)
    assert not asked["converged"] and "second witness disagrees" in reasons(asked)
    assert asked["witness"]["populations"] == 16 and asked["observables"] == alone["observables"] | {
        name: entry | {key: asked["observables"][name][key] for key in ("tau_seconds", "ess_per_second")}
        for name, entry in alone["observables"].items()}
    # The file remembers.
    assert not run(nhot, "run.nc", command="diagnose", cwd=tmp_path)["converged"]
    again = run(nhot, *cliques, "--verify", "--threads", "1", cwd=tmp_path)
    assert again["witness"] == asked["witness"]


def test_a_second_witness_agrees_with_good_chains(nhot):
    for model in ["ferromagnet:8x8", "-n", "32", "--beta", "0.3"], ["rbm:6x4,seed=1", "-n", "3"]:
        result = run(nhot, *model, "--moves", "20000", "--verify")
        assert result["converged"] and "second witness agrees" in reasons(result)
    result = run(nhot, "ferromagnet:6x6", "-n", "18", "--beta", "0.2", "--move", "swap:engine=bits", "--moves", "200000", "--verify")
    assert result["witness"]["populations"] == 16


def test_smallest_ess_is_the_smallest(nhot):
    result = run(nhot, "ferromagnet:8x8", "-n", "32", "--beta", "0.3", "--moves", "40000")
    smallest = min(min(o["ess_bulk"], o["ess_tail"]) for o in result["observables"].values())
    assert result["converged"] and f"smallest ESS {smallest:.0f} " in reasons(result)


def test_compare_gives_reasons(nhot):
    done = nhot("compare", "ferromagnet:8x8", "-n", "32", "--beta", "4", "--moves", "2000", "--move", "swap", "--move", "im", ok=True)
    assert "has not converged:\n  - " in done.stdout


def test_states_that_were_not_kept_are_told(nhot, tmp_path):
    words = ["field:30", "-n", "5", "--moves", "20000", "--states", "1500", "--thin", "7", "--out", tmp_path / "run.nc"]
    result = run(nhot, *words)
    assert any("states per chain of the 1500 asked for" in note for note in result["notes"])


def test_long_runs_keep_their_first_draws(on_terminal):
    running = on_terminal("sample", "ferromagnet:16x16", "-n", "128", "--move", "im", "--warmup", "100", "--moves", "1e12",
                          "--json")
    code, out, error = running.wait_for(r"sampling [^\r]*moves/s[^\r]*\r[^\r]*sampling").end(2)
    assert code == 130, error
    assert json.loads(out)["draws"] > 0
