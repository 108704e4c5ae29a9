"""nhot.dimod as dimod's users meet it: dimod's own checks of samplers, answers of dimod's exact solvers, initial states,
interrupts and time limits. CQMs are in test_dimod_cqm.py."""

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
from pypackage.dimod_problems import half, random_bqm


@dimod.testing.load_sampler_bqm_tests(NhotSampler)
class TestDimodsOwn(unittest.TestCase):
    """Empty models, one variable, paths; every BQM class and vartype; energies as dimod computes them."""


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
