"""The drivers of the package: the numbers of the command line, and options, seeds and starts as Python has them. What
happens while they run is in test_watch.py."""

import inspect
import json

import numpy as np
import pytest

import nhot
from nhot import _core

xr = pytest.importorskip("xarray")

DRIVERS = ("sample", "temper", "compare", "anneal", "logz")


def flags(options):
    words = []
    for name, value in options.items():
        words += [f"--{name.replace('_', '-')}", str(value)]
    return words


# --- the same numbers as the command line -----------------------------------------------------------------------

RUNS = {
    "lattice": ("ferromagnet:8x8", {"distance": 20, "beta": 0.4, "moves": 600, "seed": 3}),
    "glass": ("spin-glass:4x4x4,seed=2,couplings=gaussian",
              {"distance": 32, "beta": 1.5, "moves": 500, "move": "swap", "thin": 5, "seed": 11}),
    "rbm": ("rbm:30x10,seed=4", {"distance": 9, "beta": 0.7, "moves": 300, "move": "im:length=1..4", "chains": 3}),
    "mixture": ("field:40,seed=2", {"distance": 13, "moves": 400, "move": "0.7*im:length=2 + 0.3*swap", "warmup": 50}),
    "ones": ("ferromagnet:6x6", {"distance": 5, "reference": "ones", "moves": 300, "states": 20, "chains": 2}),
}


@pytest.mark.parametrize("spec, options", RUNS.values(), ids=RUNS)
def test_sample_is_the_command_lines(program, tmp_path, spec, options):
    program("sample", spec, *flags(options), "--out", tmp_path / "run.nc", "--quiet", ok=True)
    run = nhot.sample(nhot.from_spec(spec), **options)
    stored = nhot.load_run(tmp_path / "run.nc")
    for name, values in run.columns.items():
        np.testing.assert_array_equal(values, stored.columns[name], err_msg=name)
    assert run.observables.keys() == stored.observables.keys()
    for name, values in run.observables.items():
        np.testing.assert_array_equal(values, stored.observables[name], err_msg=name)
    np.testing.assert_array_equal(run.states, stored.states)
    np.testing.assert_array_equal(run.state_draws, stored.state_draws)
    warmup = xr.load_dataset(tmp_path / "run.nc", group="warmup_sample_stats")
    np.testing.assert_array_equal(run.warmup_energy, warmup.energy)
    assert run.summary()["model"]["hash"] == stored.attributes["model_hash"]
    assert run.converged == stored.converged


def test_temper_is_the_command_lines(program, tmp_path):
    options = {"distance": 18, "beta": 0.6, "moves": 200, "seed": 5, "chains": 2}
    program("temper", "spin-glass:6x6", *flags(options), "--out", tmp_path / "run.nc", "--quiet", ok=True)
    run = nhot.temper("spin-glass:6x6", **options)
    rungs = xr.load_dataset(tmp_path / "run.nc", group="rungs")
    np.testing.assert_array_equal(run.betas, rungs.beta)
    np.testing.assert_array_equal([rung.energy for rung in run.rungs], rungs.energy)
    np.testing.assert_array_equal(run.states, nhot.load_run(tmp_path / "run.nc").states)
    assert run.beta == 0.6 == run.betas[-1]


def test_anneal_is_the_command_lines(program):
    options = {"distance": 20, "reads": 12, "keep": 3, "seed": 5, "sweeps": 20}
    said = json.loads(program("anneal", "spin-glass:6x6,seed=3", *flags(options), "--json", ok=True).stdout)
    found = nhot.anneal("spin-glass:6x6,seed=3", **options)
    assert ["".join(map(str, bits)) for bits in found.states] == [state["bits"] for state in said["states"]]
    assert list(found.energies) == [state["energy"] for state in said["states"]]
    assert found.energies[0] == found.best.energy == min(found.energies)
    assert [state.energy for state in found] == list(found.energies)
    assert len(found) == 3


@pytest.mark.parametrize("method", ["smc", "ais"])
def test_logz_is_the_command_lines(program, method):
    options = {"distance": 12, "beta": 0.5, "population": 8, "populations": 4, "method": method, "seed": 7}
    said = json.loads(program("logz", "ferromagnet:5x5", *flags(options), "--json", ok=True).stdout)
    found = nhot.logz("ferromagnet:5x5", **options)
    assert found.summary()["log_z_of"] == said["log_z_of"]
    assert (found.value, found.error) == (said["log_z"], said["stderr"])


def test_compare():
    found = nhot.compare("ferromagnet:5x5", 12, move=["swap", "im"], moves=200, chains=2)
    assert [result["move"].split(":")[0] for result in found.results] == ["swap", "im"]
    assert found.conclusions and not found.interrupted
    assert "swap" in repr(found)


# --- going on ---------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("options", [{"thin": 1}, {"thin": 3, "move": "swap"}, {}], ids=["thin 1", "thin 3", "auto"])
def test_extend_is_the_uninterrupted_run(options):
    model = nhot.ferromagnet(6, 6)
    common = {"distance": 12, "beta": 0.3, "warmup": 40, "seed": 9, "observables": {"first": lambda x: x[0]}, **options}
    whole = nhot.sample(model, moves=500, **common)
    parts = nhot.sample(model, moves=110, **common).extend(moves=190).extend(moves=200, threads=1)
    for name, values in whole.columns.items():
        np.testing.assert_array_equal(values, parts.columns[name], err_msg=name)
    for name, values in whole.observables.items():
        np.testing.assert_array_equal(values, parts.observables[name], err_msg=name)
    np.testing.assert_array_equal(whole.states, parts.states)
    np.testing.assert_array_equal(whole.warmup_energy, parts.warmup_energy)
    assert whole.best.energy == parts.best.energy
    assert parts.summary()["moves"] == 500


def test_extend_keeps_the_run_as_it_was():
    run = nhot.sample("ferromagnet:5x5", 10, moves=100, thin=1, seed=2)
    energy = run.energy.copy()
    longer = run.extend(moves=50)
    assert longer.energy.shape == (4, 150)
    np.testing.assert_array_equal(run.energy, energy)
    np.testing.assert_array_equal(longer.energy[:, :100], energy)


def test_extend_refuses_what_the_run_has_decided():
    run = nhot.sample("ferromagnet:5x5", 10, moves=20)
    for options in ({"beta": 2.0}, {"chains": 2}, {"seed": 2}, {"distance": 3}, {"bogus": 1}):
        with pytest.raises(TypeError, match=next(iter(options))):
            run.extend(moves=10, **options)
    for options in ({}, {"moves": 10, "seconds": 1}):
        with pytest.raises(ValueError, match="moves or seconds"):
            run.extend(**options)


# --- seeds and threads ------------------------------------------------------------------------------------------

def energies(seed, **options):
    return nhot.sample("ferromagnet:5x5", 10, beta=0.3, moves=60, seed=seed, **options).energy


def test_seeds():
    np.testing.assert_array_equal(energies(5), energies(np.int32(5)))
    assert (energies(5) != energies(6)).any()
    np.testing.assert_array_equal(energies(np.random.SeedSequence(5)), energies(np.random.SeedSequence(5)))
    children = np.random.SeedSequence(5).spawn(2)
    assert (energies(children[0]) != energies(children[1])).any()
    np.testing.assert_array_equal(energies(np.random.default_rng(5)), energies(np.random.default_rng(5)))
    generator = np.random.default_rng(5)
    assert (energies(generator) != energies(generator)).any()


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "1", True, [1], np.array([1, 2])], ids=repr)
def test_bad_seeds(seed):
    with pytest.raises(ValueError, match="seed"):
        energies(seed)


def test_threads_do_not_matter():
    for threads in (2, 3, "auto"):
        np.testing.assert_array_equal(energies(5, threads=1), energies(5, threads=threads))
    one, two = (nhot.temper("spin-glass:4x4", 8, moves=50, threads=threads).energy for threads in (1, 2))
    np.testing.assert_array_equal(one, two)
    one, two = (nhot.anneal("spin-glass:4x4", 8, reads=6, sweeps=5, threads=threads).states for threads in (1, 2))
    np.testing.assert_array_equal(one, two)
    one, two = (nhot.logz("spin-glass:4x4", 8, population=8, populations=4, threads=threads) for threads in (1, 2))
    assert one.value == two.value


# --- options ----------------------------------------------------------------------------------------------------

SHORT = {
    "sample": {"moves": 30, "chains": 2},
    "temper": {"moves": 30, "chains": 2},
    "compare": {"moves": 30, "chains": 2, "move": ["swap"]},
    "anneal": {"reads": 2, "sweeps": 5},
    "logz": {"population": 4, "populations": 2},
}
VALUES = {"distance": 3, "seconds": 0.01, "moves": 20, "warmup": 5, "reads": 2, "target": -1e9, "betas": [0.1, 1.0],
          "move": "swap", "states": 16, "rungs": 3, "keep": 2, "seed": 3, "ess": 100}
EVERY = [(driver, option["name"].replace("-", "_")) for driver in DRIVERS for option in _core.options_of(driver)]


@pytest.mark.parametrize("driver, keyword", EVERY, ids=[f"{driver}-{keyword}" for driver, keyword in EVERY])
def test_every_option_is_a_keyword(driver, keyword):
    """With a value, with its default and with None."""
    function = getattr(nhot, driver)
    option = next(o for o in _core.options_of(driver) if o["name"] == keyword.replace("_", "-"))
    assert keyword in inspect.signature(function).parameters
    said = " ".join(function.__doc__.split())
    assert " ".join(option["help"].split()) in said
    assert f"{keyword} : {option['type']}" in said
    base = {"distance": 3, **SHORT[driver]}
    value = VALUES.get(keyword, option["default"])
    if option["type"] == "bool":
        value = True
    for given in (value, None) if keyword != "distance" else (value,):
        options = {**base, keyword: given}
        if keyword == "seconds" and given is not None:
            options.pop("moves", None)
        if given is None and keyword in base:
            options[keyword] = base[keyword]
        function("ferromagnet:3x3", **options)


@pytest.mark.parametrize("driver", DRIVERS)
def test_signatures(driver):
    parameters = inspect.signature(getattr(nhot, driver)).parameters
    assert list(parameters)[:2] == ["model", "distance"]
    assert all(p.kind is not inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in list(parameters.values())[2:])


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("value", [3, None])
def test_unknown_options(driver, value):
    with pytest.raises(TypeError, match=rf"nhot\.{driver}\(\) has no option 'temperature'.*seed"):
        getattr(nhot, driver)("ferromagnet:3x3", 3, temperature=value)


@pytest.mark.parametrize("options, said", [
    ({"moves": 0}, "moves is '0'; try: give a whole number, at least 1"),
    ({"moves": "many"}, "moves is 'many'"),
    ({"moves": 2**70}, "the largest is"),
    ({"moves": 10.5}, "whole number"),
    ({"moves": object()}, "moves is <object"),
    ({"beta": -1}, "beta is '-1'"),
    ({"beta": float("nan")}, "finite number"),
    ({"beta": float("inf")}, "finite number"),
    ({"verify": "perhaps"}, "true or false"),
    ({"thin": "often"}, "'auto'"),
    ({"thin": 100}, "thin=100 keeps no draw of 50 moves"),
    ({"move": "jump"}, "unknown move 'jump'"),
    ({"chains": 0}, "chains is '0'"),
    ({"seconds": 1, "moves": 10}, "moves and seconds are both given"),
    ({"distance": 10}, "distance is 10 but ferromagnet:3x3 has 9 sites"),
    ({"distance": -1}, "distance is '-1'"),
    ({"distance": None}, "distance is not given; try: give distance=N with N between 0 and 9"),
], ids=lambda value: None if isinstance(value, str) else repr(value)[:30])
def test_bad_values(options, said):
    with pytest.raises(ValueError) as problem:
        nhot.sample("ferromagnet:3x3", **{"distance": 3, "moves": 50, **options})
    assert said in str(problem.value)
    assert "--" not in str(problem.value)  # options are keywords here


def test_numbers_of_all_kinds():
    """1e3, NumPy scalars and arrays without dimensions count as numbers."""
    one = nhot.sample("ferromagnet:4x4", 8, moves=1000, beta=0.5, thin=1).energy
    two = nhot.sample("ferromagnet:4x4", np.int8(8), moves=1e3, beta=np.float64(0.5), thin=np.array(1)).energy
    np.testing.assert_array_equal(one, two)
    assert list(nhot.temper("ferromagnet:4x4", 8, betas=np.array([0.1, 0.2]), moves=20).betas) == [0.1, 0.2]


def test_models_by_name_and_path(tmp_path):
    (tmp_path / "m.coo").write_text("# vartype=BINARY\n0 1 1\n1 2 -2\n")
    one = nhot.sample(nhot.load(tmp_path / "m.coo"), 1, moves=20).energy
    np.testing.assert_array_equal(one, nhot.sample(str(tmp_path / "m.coo"), 1, moves=20).energy)
    np.testing.assert_array_equal(one, nhot.sample(tmp_path / "m.coo", 1, moves=20).energy)
    for model in (3, None, [1, 2], {(0, 1): 1.0}):
        with pytest.raises(ValueError, match="give a nhot.Model"):
            nhot.sample(model, 1, moves=20)


# --- reference and start ----------------------------------------------------------------------------------------

LETTERS = nhot.qubo({(u, v): 0.3 for u, v in zip("abcdefg", "bcdefgh")})
BITS = np.array([1, 0, 1, 1, 0, 0, 0, 1])
FORMS = {
    "array": BITS,
    "list": BITS.tolist(),
    "tuple": tuple(BITS.tolist()),
    "booleans": BITS.astype(bool),
    "spins": 2 * BITS - 1,
    "real spins": 2.0 * BITS - 1,
    "bytes": BITS.astype(np.uint8),
    "every second": np.repeat(BITS, 2)[::2],
    "backwards": BITS[::-1].copy()[::-1],
    "mapping": dict(zip("hgfedcba", BITS[::-1])),
    "spins by name": dict(zip("abcdefgh", (2 * BITS - 1).tolist())),
    "state": nhot.State(LETTERS, BITS, 0.0),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_reference(form):
    run = nhot.sample(LETTERS, 3, reference=form, moves=100)
    assert ((run.states != BITS).sum(axis=2) == 3).all()
    np.testing.assert_array_equal(run.energy, nhot.sample(LETTERS, 3, reference=BITS, moves=100).energy)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_start(form):
    """A long way from home and no time to leave: the first draw is next to the start."""
    run = nhot.sample(LETTERS, 4, start=form, moves=1, warmup=0, move="swap", thin=1, states=16)
    assert ((run.states[:, 0] != BITS).sum(axis=1) <= 2).all()
    for driver in (nhot.temper, nhot.anneal, nhot.compare):
        options = {nhot.temper: {"moves": 5}, nhot.anneal: {"reads": 1, "sweeps": 1},
                   nhot.compare: {"moves": 5, "move": "swap"}}[driver]
        driver(LETTERS, 4, start=form, **options)


def test_words_for_the_reference():
    for word, ones in (("zeros", 3), ("ones", 5)):
        run = nhot.sample(LETTERS, 3, reference=word, moves=50)
        assert (run.states.sum(axis=2) == ones).all()
        tempered = nhot.temper(LETTERS, 3, reference=word, moves=5, betas=[0.5, 1.0])
        for result in (run, run.extend(moves=5), tempered, *tempered.rungs):
            assert result.summary()["reference"] == word
        compared = nhot.compare(LETTERS, 3, reference=word, moves=5, move="swap").results
        assert [result["reference"] for result in compared] == [word]
    assert nhot.sample(LETTERS, 3, reference=BITS, moves=5).summary()["reference"] == "given"
    assert nhot.anneal(LETTERS, 3, reference="ones", reads=1, sweeps=2).best.bits.sum() == 5
    nhot.logz(LETTERS, 3, reference="ones", population=4, populations=2)


@pytest.mark.parametrize("what", ["reference", "start"])
@pytest.mark.parametrize("form, said", [
    ([0, 1], "has the shape (2,); give one value for each of 8 sites"),
    ([[0] * 8], "has the shape (1, 8)"),
    ([2] * 8, "holds 2 at site 0"),
    ([-1, 0, 1, 1, 1, 1, 1, 1], "holds 0 at site 1"),
    ([0.5] * 8, "holds 0.5 at site 0"),
    ([float("nan")] * 8, "holds nan at site 0"),
    ("nothing", "'nothing'"),
    (["a"] * 8, "dtype"),
    ([1j] * 8, "dtype complex128"),
    ([None] * 8, "dtype object"),
    ([[0], [0, 1]], "is no array of numbers"),
    ({"a": 1}, "has no value for 'b'"),
], ids=str)
def test_bad_states(what, form, said):
    with pytest.raises(ValueError) as problem:
        nhot.sample(LETTERS, 3, moves=10, **{what: form})
    assert said in str(problem.value) and what in str(problem.value)


def test_a_start_off_the_shell():
    with pytest.raises(ValueError, match="at distance 4 from the reference, off the shell of distance 3"):
        nhot.sample(LETTERS, 3, start=BITS, moves=10)


# --- observables and verify -------------------------------------------------------------------------------------

def test_observables():
    def left(x):
        """ones in the left half
        and more words"""
        assert x.dtype == np.int64 and x.flags.writeable and x.shape == (36,)
        return x[:18].sum()

    run = nhot.sample("ferromagnet:6x6", 12, moves=100, thin=1, observables={"left": left, "constant": lambda x: 1})
    assert run.observables["left"].shape == run.energy.shape
    np.testing.assert_array_equal(run.observables["left"][:, run.state_draws], run.states[:, :, :18].sum(axis=2))
    assert (run.observables["constant"] == 1).all()
    assert {"energy", "left", "constant", "overlap"} <= run.summary()["observables"].keys()
    tempered = nhot.temper("ferromagnet:6x6", 12, moves=50, thin=1, observables={"left": left})
    for rung in tempered.rungs:
        np.testing.assert_array_equal(rung.observables["left"][:, rung.state_draws],
                                      rung.states[:, :, :18].sum(axis=2))


@pytest.mark.parametrize("observables, said", [
    ({"energy": len}, "there is an observable 'energy' already"),
    ({"two words": len}, "is no name for an observable"),
    ({"": len}, "is no name"),
    ({3: len}, "the observable 3"),
    ({"x": 3}, "the observable 'x' is no function"),
    ([len], "observables is no dictionary"),
], ids=str)
def test_bad_observables(observables, said):
    with pytest.raises(ValueError, match=said):
        nhot.sample("ferromagnet:3x3", 3, moves=10, observables=observables)


def test_verify():
    options = {"distance": 8, "beta": 0.3, "moves": 2000, "seed": 4}
    alone = nhot.sample("ferromagnet:4x4", **options)
    assert alone.summary()["witness"] is None
    run = nhot.sample("ferromagnet:4x4", verify=True, **options)
    np.testing.assert_array_equal(run.energy, alone.energy)
    assert run.summary()["witness"]
    assert run.converged and any("witness" in reason or "populations" in reason for reason in run.reasons)


def test_states_asked_for():
    assert nhot.sample("ferromagnet:4x4", 8, moves=400, thin=1, states=40).states.shape == (4, 40, 16)
    none = nhot.sample("ferromagnet:4x4", 8, moves=400, states=0)
    assert none.states.shape == (4, 0, 16) and none.packed_states().shape == (4, 0, 2)
    assert np.isnan(none.site_means).all() and np.isnan(none.site_errors).all() and len(none.state_draws) == 0
    assert none.extend(moves=100).states.shape == (4, 0, 16)
    assert 0 < none.extend(moves=100, states=20).states.shape[1] <= 20
    assert nhot.temper("ferromagnet:4x4", 8, moves=100, states=0).rungs[0].states.shape == (4, 0, 16)


def test_until_converged():
    model = nhot.field(40, seed=2)
    one = nhot.sample(model, 8, move="im", until="converged", moves=1_000_000)
    other = nhot.sample(model, 8, move="im", until="converged", seconds=600, threads=1)
    assert one.converged and one.summary()["stop"]["reached"] and one.summary()["moves"] < 100_000
    assert np.array_equal(one.energy, other.energy)
    more = nhot.sample(model, 8, move="im", ess=3000, moves=1_000_000)
    assert min(o["ess_bulk"] for o in more.summary()["observables"].values()) >= 3000
    longer = one.extend(moves=5_000)  # the rule is not taken over
    assert longer.summary()["moves"] == one.summary()["moves"] + 5_000
    brief = nhot.sample(nhot.ferromagnet(8, 8), 32, beta=0.35, move="swap", moves=3_000)
    assert "times as long would do" in brief.summary()["advice"]
    with pytest.raises(ValueError, match="no scan"):
        nhot.sample(model, 8, beta=[0.5, 1.0], moves=100)
