"""nhot.dimod as dimod's users meet it: dimod's own checks of samplers, answers of dimod's exact solvers, every row
feasible, and refusals that say which constraint and what to do."""

import copy
import itertools
import json
import time
import unittest

import dimod
import dimod.testing
import numpy as np
import pytest
from dwave.samplers import SimulatedAnnealingSampler

from nhot.dimod import NhotSampler


@dimod.testing.load_sampler_bqm_tests(NhotSampler)
class TestDimodsOwn(unittest.TestCase):
    """Empty models, one variable, paths; every BQM class and vartype; energies as dimod computes them."""


def random_bqm(rng, variables, vartype):
    labels = [("v", k) if k % 2 else f"v{k}" for k in range(variables)]
    bqm = dimod.BinaryQuadraticModel(vartype)
    for v in labels:
        bqm.add_variable(v, rng.normal())
    for u, v in itertools.combinations(labels, 2):
        if rng.random() < 0.7:
            bqm.add_quadratic(u, v, rng.normal())
    bqm.offset = rng.normal()
    return bqm


def add_terms(objective, rng, variables, density=0.7):
    """Random terms of these variables, couplings included."""
    for v in variables:
        objective.add_linear(v, rng.normal())
    for u, v in itertools.combinations(variables, 2):
        if rng.random() < density:
            objective.add_quadratic(u, v, rng.normal())


def add_variables(cqm, rng, names, kinds):
    for v in names:
        cqm.add_variable(str(rng.choice(kinds)), v)


def add_count(cqm, rng, names, label):
    """A random constraint with coefficients of one size in bits, that some state satisfies."""
    scale = float(rng.choice([1.0, 0.3, 7.0]))
    left = dimod.QuadraticModel()
    reached = 0.0
    for v in names:
        spin = cqm.vartype(v) is dimod.SPIN
        coefficient = float(rng.choice([-1, 1])) * scale * (1 if spin else 2)
        left.add_variable(cqm.vartype(v), v)
        left.add_linear(v, coefficient)
        reached += coefficient * (rng.choice([-1, 1]) if spin else rng.choice([0, 1]))
    left.offset = float(rng.integers(-2, 3))
    cqm.add_constraint_from_model(left, "==", reached + left.offset, label=label)


def exact_best(cqm):
    found = dimod.ExactCQMSolver().sample_cqm(cqm)
    return found.record.energy[found.record.is_feasible].min()


def half(n, kind="SPIN", rhs=0):
    """A ring with one constraint over all variables."""
    cqm = dimod.ConstrainedQuadraticModel()
    names = [f"x{k}" for k in range(n)]
    for v in names:
        cqm.add_variable(kind, v)
    for k in range(n):
        cqm.objective.add_quadratic(names[k], names[(k + 1) % n], 1.0)
    cqm.add_constraint([(v, 1) for v in names], "==", rhs, label="half")
    return cqm


# --- BQMs -------------------------------------------------------------------------------------------------------

def test_sampler_api():
    sampler = NhotSampler()
    dimod.testing.assert_sampler_api(sampler)
    common = {"num_reads", "num_sweeps", "beta_range", "beta_schedule_type", "initial_states",
              "initial_states_generator", "seed", "interrupt_function"}
    assert common <= set(SimulatedAnnealingSampler().parameters)
    assert common | {"distance", "reference", "time_limit", "threads"} == set(sampler.parameters)


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
@pytest.mark.parametrize("variables", [1, 2, 7])
def test_a_bqm_without_constraint_reaches_the_ground_state(vartype, variables):
    bqm = random_bqm(np.random.default_rng(variables), variables, vartype)
    found = NhotSampler().sample(bqm, num_reads=5, seed=1)
    assert len(found) == 5 and found.vartype is bqm.vartype
    assert set(found.variables) == set(bqm.variables)
    dimod.testing.assert_response_energies(found, bqm)
    assert found.first.energy == pytest.approx(dimod.ExactSolver().sample(bqm).first.energy)


def test_as_good_as_dwaves_annealer_without_constraint():
    bqm = random_bqm(np.random.default_rng(3), 60, "SPIN")
    theirs = SimulatedAnnealingSampler().sample(bqm, num_reads=10, seed=1).first.energy
    assert NhotSampler().sample(bqm, num_reads=10, seed=1).first.energy <= theirs + 1e-9


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_a_distance_is_kept_and_its_lowest_energy_found(vartype):
    rng = np.random.default_rng(5)
    bqm = random_bqm(rng, 8, vartype)
    low, high = sorted(bqm.vartype.value)
    reference = {v: int(rng.choice([low, high])) for v in bqm.variables}
    everything = dimod.ExactSolver().sample(bqm)
    for given, distance in itertools.product((None, reference), (0, 1, 3, 8)):
        origin = given or dict.fromkeys(bqm.variables, low)
        found = NhotSampler().sample(bqm, distance, given, num_reads=4, seed=2)
        apart = [sum(row[v] != origin[v] for v in origin) for row in found.samples(sorted_by=None)]
        assert apart == [distance] * 4
        dimod.testing.assert_response_energies(found, bqm)
        lowest = min(energy for row, energy in everything.data(["sample", "energy"])
                     if sum(row[v] != origin[v] for v in origin) == distance)
        assert found.first.energy == pytest.approx(lowest)


def test_mixins_pass_the_distance_on():
    found = NhotSampler().sample_qubo({("a", "b"): -1.0, ("b", "c"): 1.0, ("c", "c"): 2.0}, distance=2, seed=1)
    assert found.first.sample == {"a": 1, "b": 1, "c": 0}
    found = NhotSampler().sample_ising({"a": 1.0}, {("a", "b"): -1.0, ("b", "c"): 1.0}, distance=1, seed=1)
    assert found.first.sample == {"a": -1, "b": -1, "c": 1}


def test_empty_models():
    empty = dimod.BinaryQuadraticModel({}, {}, 1.5, "SPIN")
    found = NhotSampler().sample(empty, num_reads=3)
    assert list(found.record.energy) == [1.5] * 3
    assert len(NhotSampler().sample(empty, distance=0)) == 1
    found = NhotSampler().sample_cqm(dimod.ConstrainedQuadraticModel(), num_reads=2)
    assert list(found.record.is_feasible) == [True, True]


@pytest.mark.parametrize("threads", [1, 2])
def test_same_seed_same_rows(threads):
    bqm = random_bqm(np.random.default_rng(7), 40, "BINARY")
    keywords = dict(distance=15, num_reads=6, num_sweeps=3)
    first = NhotSampler().sample(bqm, seed=5, threads=1, **keywords)
    again = NhotSampler().sample(bqm, seed=5, threads=threads, **keywords)
    other = NhotSampler().sample(bqm, seed=6, threads=threads, **keywords)
    assert (first.record.sample == again.record.sample).all()
    assert (first.record.sample != other.record.sample).any()
    assert len({tuple(row) for row in first.record.sample}) > 1  # reads are independent
    told = first.info["nhot"]["seed"]
    assert told == 5
    unseeded = NhotSampler().sample(bqm, **keywords)
    repeated = NhotSampler().sample(bqm, seed=unseeded.info["nhot"]["seed"], **keywords)
    assert (unseeded.record.sample == repeated.record.sample).all()


def test_schedules_and_beta_range():
    bqm = random_bqm(np.random.default_rng(8), 12, "SPIN")
    for schedule in ("adaptive", "linear", "geometric"):
        found = NhotSampler().sample(bqm, distance=6, beta_range=(0.2, 5), beta_schedule_type=schedule, num_sweeps=50)
        assert found.info["beta_schedule_type"] == schedule
        assert found.info["nhot"]["parts"][0]["beta_range"] == [0.2, 5.0]
        assert found.info["nhot"]["sweeps"] == 50


# --- initial states ---------------------------------------------------------------------------------------------

def test_initial_states():
    """One sweep at a high beta from the ground state stays there; from anywhere else it does not always arrive."""
    bqm = random_bqm(np.random.default_rng(9), 60, "SPIN")
    good = NhotSampler().sample(bqm, distance=30, num_reads=10, seed=1).first
    cold = dict(distance=30, num_sweeps=1, beta_range=(1e3, 1e4), seed=2)
    states = dimod.SampleSet.from_samples_bqm([good.sample] * 2, bqm)
    backwards = dict(reversed(good.sample.items()))
    for given in (good.sample, backwards, {v: (s + 1) // 2 for v, s in good.sample.items()}, states):
        found = NhotSampler().sample(bqm, initial_states=given, **cold)
        assert len(found) == (2 if given is states else 1)
        assert found.record.energy == pytest.approx(good.energy)
    mixed = NhotSampler().sample(bqm, initial_states=good.sample, num_reads=6, **cold)
    assert mixed.record.energy[0] == pytest.approx(good.energy)
    assert mixed.record.energy[1:].max() > good.energy + 1e-6
    tiled = NhotSampler().sample(bqm, initial_states=good.sample, initial_states_generator="tile", num_reads=6, **cold)
    assert tiled.record.energy == pytest.approx(good.energy)
    free = {**cold, "distance": None}
    from_here = NhotSampler().sample(bqm, initial_states=good.sample, **free)
    assert from_here.first.energy <= good.energy + 1e-9


@pytest.mark.parametrize("keywords, words", [
    (dict(initial_states={"x0": 1, "x1": 1, "x2": 1, "x3": 1}), "initial state 0 is off the shell.*distance 4.*of 2"),
    (dict(initial_states={"x0": 1, "x1": 1}), "same variables"),
    (dict(initial_states={"x0": 1, "x1": 3, "x2": 0, "x3": 0}), "has 3 for 'x1'"),
    (dict(initial_states={"x0": 1, "x1": 1, "x2": 0, "x3": 0}, initial_states_generator="none", num_reads=2),
     "1 initial states for 2 reads"),
    (dict(initial_states_generator="tile"), "at least one"),
    (dict(initial_states_generator="any"), "one of none, tile, random"),
    (dict(num_reads=0), "num_reads is 0"),
    (dict(num_reads=2.5), "num_reads is 2.5"),
    (dict(num_sweeps=-1), "num_sweeps is -1"),
    (dict(threads=0), "threads is 0"),
    (dict(beta_range=(1, 0.1)), "beta_range is .*two positive numbers"),
    (dict(beta_range=(0, 1)), "beta_range"),
    (dict(beta_range=5), "beta_range"),
    (dict(beta_range=(1, 2, 3)), "beta_range"),
    (dict(beta_schedule_type="custom"), "adaptive, linear, geometric"),
    (dict(time_limit=0), "time_limit is 0"),
    (dict(time_limit="1"), "time_limit"),
    (dict(seed=-1), "seed is -1"),
    (dict(interrupt_function=3), "interrupt_function is 3"),
    (dict(distance=5), "distance is 5.*0 to 4"),
    (dict(distance=1.5), "distance is 1.5"),
    (dict(distance=None, reference="ones"), "without a distance"),
    (dict(reference={"x0": 1}), "reference has no value for 'x1'"),
])
def test_wrong_parameters(keywords, words):
    bqm = dimod.BinaryQuadraticModel({f"x{k}": 1.0 for k in range(4)}, {}, "BINARY")
    with pytest.raises(ValueError, match=words):
        NhotSampler().sample(bqm, **{"distance": 2, **keywords})


def test_unknown_parameters_are_warned_of_as_dimod_does():
    with pytest.warns(dimod.exceptions.SamplerUnknownArgWarning):
        NhotSampler().sample_ising({"a": 1.0}, {}, num_raeds=3)


# --- CQMs -------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("kinds", [["BINARY"], ["SPIN"], ["BINARY", "SPIN"]], ids="-".join)
def test_one_constraint_agrees_with_the_exact_solver(kinds):
    rng = np.random.default_rng(11)
    for variables in (2, 3, 4, 5, 6, 7, 8, 9):
        cqm = dimod.ConstrainedQuadraticModel()
        names = [(k, "x") for k in range(variables)]
        add_variables(cqm, rng, names, kinds)
        add_terms(cqm.objective, rng, names)
        add_count(cqm, rng, names, "c")
        found = NhotSampler().sample_cqm(cqm, num_reads=3, seed=variables)
        assert found.record.is_feasible.all() and found.record.is_satisfied.all()
        assert found.record.is_satisfied.shape == (3, 1)
        assert set(found.variables) == set(names)
        assert found.first.energy == pytest.approx(exact_best(cqm), abs=1e-9)


def test_parts_and_fixed_variables_agree_with_the_exact_solver():
    """Two constraints without terms between them, sets with no choice, and free variables with terms of their own."""
    rng = np.random.default_rng(12)
    for trial in range(12):
        cqm = dimod.ConstrainedQuadraticModel()
        groups = {"a": 4, "b": 3, "free": 3, "alone": 1, "fixed": 2, "single": 1}
        names = {group: [f"{group}{k}" for k in range(size)] for group, size in groups.items()}
        kinds = [["BINARY"], ["SPIN"], ["BINARY", "SPIN"]][trial % 3]
        for group in names.values():
            add_variables(cqm, rng, group, kinds)
        for v in rng.permutation(sum(names.values(), [])):
            cqm.objective.add_linear(v, 0.0)  # in any order
        for group in ("a", "b", "free", "alone"):
            add_terms(cqm.objective, rng, names[group])
        for u, v in itertools.product(names["fixed"] + names["single"], names["a"] + names["b"] + names["free"]):
            cqm.objective.add_quadratic(u, v, rng.normal())  # to what is fixed, every coupling is allowed
        add_count(cqm, rng, names["a"], "first")
        add_count(cqm, rng, names["b"], "second")
        highest = [cqm.upper_bound(v) for v in names["fixed"]]
        weights = [1.0 if cqm.vartype(v) is dimod.SPIN else 2.0 for v in names["fixed"]]
        cqm.add_constraint(list(zip(names["fixed"], weights)), "==", np.dot(weights, highest), label="full")
        add_count(cqm, rng, names["single"], "one")
        found = NhotSampler().sample_cqm(cqm, num_reads=3, seed=trial)
        assert found.record.is_feasible.all()
        assert found.info["constraint_labels"] == ["first", "second", "full", "one"]
        assert found.first.energy == pytest.approx(exact_best(cqm), abs=1e-9)


def test_every_row_of_random_cqms_is_feasible():
    """Short, hot reads, larger problems: feasibility does not come from cooling."""
    rng = np.random.default_rng(13)
    for trial in range(25):
        cqm = dimod.ConstrainedQuadraticModel()
        for group in range(rng.integers(1, 4)):
            names = [f"g{group}x{k}" for k in range(rng.integers(2, 40))]
            add_variables(cqm, rng, names, [["BINARY"], ["SPIN"], ["BINARY", "SPIN"]][trial % 3])
            add_terms(cqm.objective, rng, names, 0.2)
            add_count(cqm, rng, names, f"g{group}")
        found = NhotSampler().sample_cqm(cqm, num_reads=3, num_sweeps=1, beta_range=(0.01, 0.02), seed=trial)
        assert len(found) == 3 and found.record.is_feasible.all() and found.record.is_satisfied.all()
        assert all(cqm.check_feasible(row) for row in found.samples())


def test_discrete_variables_are_counts():
    cqm = dimod.ConstrainedQuadraticModel()
    for day in "mon", "tue":
        cqm.add_discrete([(day, k) for k in range(4)], label=day)
        cqm.objective.add_linear((day, 2), -1.0)
    assert NhotSampler().sample_cqm(cqm, seed=1).first.energy == -2


def test_constraints_that_leave_no_choice_fix_each_other():
    """x0 = 1 leaves x1 + x2 = 0, which leaves x3 = 1: overlapping constraints, and nothing to anneal."""
    x = dimod.BinaryArray([f"x{k}" for k in range(4)])
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(-x[1] * x[2])
    cqm.add_constraint(x[2] + x[3] == 1)
    cqm.add_constraint(x[0] + x[1] + x[2] == 1)
    cqm.add_constraint(x[0] == 1)
    found = NhotSampler().sample_cqm(cqm, num_reads=2)
    assert found.first.sample == {"x0": 1, "x1": 0, "x2": 0, "x3": 1}
    assert len(found) == 2 and found.info["nhot"]["fixed_variables"] == 4


def test_a_cqm_without_constraints():
    bqm = random_bqm(np.random.default_rng(14), 7, "SPIN")
    found = NhotSampler().sample_cqm(dimod.ConstrainedQuadraticModel.from_bqm(bqm), num_reads=4, seed=1)
    assert found.first.energy == pytest.approx(dimod.ExactSolver().sample(bqm).first.energy)


def test_initial_states_of_a_cqm():
    cqm = half(4, "BINARY", 2)
    cqm.add_variable("BINARY", "y")
    cqm.add_constraint([("y", 1)], "==", 1, label="one")
    good = {"x0": 1, "x1": 0, "x2": 1, "x3": 0, "y": 1}
    assert NhotSampler().sample_cqm(cqm, initial_states=[good, good]).record.is_feasible.tolist() == [True, True]
    with pytest.raises(ValueError, match="initial state 1 is off the constraint 'half'"):
        NhotSampler().sample_cqm(cqm, initial_states=[good, {**good, "x1": 1}])
    with pytest.raises(ValueError, match="fixes 'y'"):
        NhotSampler().sample_cqm(cqm, initial_states={**good, "y": 0})


def refused(build):
    x, y, z = dimod.Binaries("xyz")
    s, t = dimod.Spins("st")
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(x * y + y * z)
    cqm.add_constraint(x + y + z == 2, label="fine")
    build(cqm, x, y, z, s, t, dimod.Integer("i", upper_bound=5))
    return cqm


@pytest.mark.parametrize("build, words", [
    (lambda cqm, x, y, z, s, t, i: cqm.add_constraint(x + y <= 1, label="bad"), "inequality.*slack"),
    (lambda cqm, x, y, z, s, t, i: cqm.add_constraint(x + y == 1, label="bad"),
     "shares 'x' with the constraint 'fine'"),
    (lambda cqm, x, y, z, s, t, i: cqm.add_constraint(s + 2 * t == 1, label="bad"), r"differently \(1 and 2\)"),
    (lambda cqm, x, y, z, s, t, i: cqm.add_constraint(s + x == 1, label="bad"), "of a bit and a spin"),
    (lambda cqm, x, y, z, s, t, i: cqm.add_constraint(s + t == 1, label="bad"), "cannot hold.*parity"),
    (lambda cqm, x, y, z, s, t, i: cqm.add_constraint(s + t == 4, label="bad"), "cannot hold"),
    (lambda cqm, x, y, z, s, t, i: cqm.add_constraint(x + y == 0.5, label="bad"), "cannot hold"),
    (lambda cqm, x, y, z, s, t, i: cqm.add_constraint(s * t == 1, label="bad"), "quadratic"),
    (lambda cqm, x, y, z, s, t, i: cqm.add_constraint(i + s == 1, label="bad"), "holds 'i', which is INTEGER"),
    (lambda cqm, x, y, z, s, t, i: cqm.add_constraint(s + t == 0, label="bad", weight=2.0), "soft.*weight"),
    (lambda cqm, x, y, z, s, t, i: (cqm.add_constraint(s + t == 0, label="bad"),
                                    cqm.objective.add_quadratic("x", "s", 1)),
     "couples with 'x' of the constraint 'fine'"),
])
def test_refusals_name_the_constraint_and_say_what_to_do(build, words):
    with pytest.raises(ValueError, match=words) as refusal:
        NhotSampler().sample_cqm(refused(build))
    assert "the constraint 'bad'" in str(refusal.value) and ";" in str(refusal.value)


def test_other_refusals():
    cqm = refused(lambda cqm, x, y, z, s, t, i: cqm.set_objective(x * s))
    with pytest.raises(ValueError, match=r"'fine' holds 'x', which the objective couples with 's'.*fix_variable\('s'"):
        NhotSampler().sample_cqm(cqm)
    cqm = refused(lambda cqm, x, y, z, s, t, i: cqm.set_objective(x + i))
    with pytest.raises(ValueError, match="'i' is INTEGER"):
        NhotSampler().sample_cqm(cqm)
    cqm = refused(lambda cqm, x, y, z, s, t, i: (cqm.add_constraint(x == 0), cqm.add_constraint(y == 0)))
    with pytest.raises(ValueError, match="'fine' cannot hold"):
        NhotSampler().sample_cqm(cqm)
    with pytest.raises(ValueError, match="leave both out"):
        NhotSampler().sample_cqm(half(4), distance=2)


def test_slack_variables_make_an_inequality_exact():
    """What the refusal of an inequality advises."""
    rng = np.random.default_rng(15)
    cqm = dimod.ConstrainedQuadraticModel()
    names = [f"x{k}" for k in range(6)]
    add_variables(cqm, rng, names, ["BINARY"])
    add_terms(cqm.objective, rng, names)
    exact = copy.deepcopy(cqm)
    exact.add_constraint([(v, 1) for v in names], "<=", 3)
    slack = [f"slack{k}" for k in range(3)]
    add_variables(cqm, rng, slack, ["BINARY"])
    cqm.add_constraint([(v, 1) for v in names + slack], "==", 3)
    found = NhotSampler().sample_cqm(cqm, num_reads=4, seed=1)
    assert found.first.energy == pytest.approx(exact_best(exact))


# --- time -------------------------------------------------------------------------------------------------------

def test_timing_and_facts():
    found = NhotSampler().sample_cqm(half(20), num_reads=2, seed=3)
    assert found.first.energy == -20
    timing = found.info["timing"]
    assert set(timing) == {"preprocessing_ns", "sampling_ns", "postprocessing_ns"}
    assert all(isinstance(value, int) and value > 0 for value in timing.values())
    facts = found.info["nhot"]
    assert facts["reads"] == 2 and facts["sweeps"] == 2000 and not facts["interrupted"]
    json.dumps(found.info)


def test_an_interrupt_function_ends_the_run_between_reads():
    calls = []

    def enough():
        calls.append(time.monotonic())
        return len(calls) >= 40

    bqm = random_bqm(np.random.default_rng(16), 30, "SPIN")
    found = NhotSampler().sample(bqm, distance=10, num_reads=2000, interrupt_function=enough, seed=1, threads=1)
    assert len(calls) == 40 and found.info["nhot"]["interrupted"]
    assert 1 <= len(found) < 1000
    same = NhotSampler().sample(bqm, distance=10, num_reads=len(found), seed=1, threads=1)
    assert (same.record.sample == found.record.sample).all()


@pytest.mark.parametrize("keywords", [dict(num_sweeps=10**9), dict(time_limit=100)])
def test_an_interrupt_function_ends_a_long_read(keywords):
    begin = time.monotonic()
    found = NhotSampler().sample_cqm(half(500), interrupt_function=lambda: time.monotonic() - begin > 0.2, **keywords)
    assert time.monotonic() - begin < 10
    assert len(found) == 1 and found.record.is_feasible.all() and found.info["nhot"]["interrupted"]


def test_an_exception_of_the_interrupt_function_comes_out():
    with pytest.raises(ZeroDivisionError):
        NhotSampler().sample_cqm(half(500), num_sweeps=10**9, interrupt_function=lambda: 1 / 0)


def test_a_time_limit_is_shared_by_searches():
    begin = time.monotonic()
    found = NhotSampler().sample_cqm(half(100), num_reads=3, time_limit=0.4)
    assert 0.3 < time.monotonic() - begin < 10
    assert len(found) == 3 and found.record.is_feasible.all()
    assert found.info["nhot"]["reads"] > 3  # a search consists of many


def test_a_time_limit_cuts_reads_of_a_given_length():
    begin = time.monotonic()
    found = NhotSampler().sample_cqm(half(1000), num_reads=10**4, num_sweeps=10**4, time_limit=0.2)
    assert time.monotonic() - begin < 10
    assert 1 <= len(found) < 10**4 and found.record.is_feasible.all()
