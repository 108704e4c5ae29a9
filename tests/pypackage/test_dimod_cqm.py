"""CQMs whose constraints are counts: every row feasible, answers of dimod's exact solver, and refusals that say which
constraint and what to do."""

import copy
import itertools

import dimod
import numpy as np
import pytest

from nhot.dimod import NhotSampler
from pypackage.dimod_problems import add_count, add_terms, add_variables, exact_best, half, random_bqm


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
])
def test_refusals_name_the_constraint_and_say_what_to_do(build, words):
    with pytest.raises(ValueError, match=words) as refusal:
        NhotSampler().sample_cqm(refused(build))
    assert "the constraint 'bad'" in str(refusal.value) and ";" in str(refusal.value)


def test_other_refusals():
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
