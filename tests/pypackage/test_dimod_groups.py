"""CQMs whose objective couples constraints with each other and with free variables: groups of one shell."""

import dimod
import numpy as np
import pytest

from nhot.dimod import NhotSampler
from pypackage.dimod_problems import add_count, add_terms, add_variables, exact_best


@pytest.mark.parametrize("kinds", [["BINARY"], ["SPIN"], ["BINARY", "SPIN"]], ids="-".join)
def test_coupled_constraints_and_free_variables_agree_with_the_exact_solver(kinds):
    rng = np.random.default_rng(21)
    for trial in range(6):
        cqm = dimod.ConstrainedQuadraticModel()
        groups = {"a": 4, "b": 3, "free": 2, "full": 2}
        names = {group: [f"{group}{k}" for k in range(size)] for group, size in groups.items()}
        for group in names.values():
            add_variables(cqm, rng, group, kinds)
        add_terms(cqm.objective, rng, sum(names.values(), []))
        add_count(cqm, rng, names["a"], "first")
        add_count(cqm, rng, names["b"], "second")
        found = NhotSampler().sample_cqm(cqm, num_reads=4, seed=trial)
        assert found.record.is_feasible.all()
        assert found.first.energy == pytest.approx(exact_best(cqm), abs=1e-9)
        part, = found.info["nhot"]["parts"]
        assert part["groups"] in (1, 2) and part["auxiliary_sites"] == 0


def colouring(vertices, edges, colours=3):
    cqm = dimod.ConstrainedQuadraticModel()
    for v in range(vertices):
        cqm.add_discrete([(v, c) for c in range(colours)], label=f"vertex {v}")
    cqm.set_objective(dimod.BinaryQuadraticModel({}, {((u, c), (v, c)): 1 for u, v in edges for c in range(colours)},
                                                 "BINARY"))
    return cqm


def test_discrete_variables_are_one_hot_groups():
    rng = np.random.default_rng(3)
    colour = rng.permutation(np.arange(24) % 3)
    edges = [(u, v) for u in range(24) for v in range(u) if colour[u] != colour[v] and rng.random() < 0.2]
    found = NhotSampler().sample_cqm(colouring(24, edges), num_reads=5, seed=1)
    assert found.record.is_feasible.all()
    assert found.first.energy == 0
    parts = found.info["nhot"]["parts"]  # a vertex without edges is a part of its own
    assert sum(part["groups"] for part in parts) == 24 and max(part["groups"] for part in parts) > 12


def test_every_row_is_feasible_when_hot():
    rng = np.random.default_rng(5)
    cqm = colouring(9, [(v, (v + 1) % 9) for v in range(9)])
    names = [f"x{k}" for k in range(7)]
    add_variables(cqm, rng, names, ["BINARY"])
    add_count(cqm, rng, names[:5], "count")
    for k, v in enumerate(names):
        cqm.objective.add_quadratic(v, (k, 0), rng.normal())
    found = NhotSampler().sample_cqm(cqm, num_reads=20, num_sweeps=2, beta_range=(0.01, 0.02), seed=2)
    assert found.record.is_feasible.all()
    assert len(np.unique(found.record.sample, axis=0)) > 1


def test_initial_states_keep_every_constraint():
    cqm = colouring(2, [(0, 1)])
    good = {(0, 0): 1, (0, 1): 0, (0, 2): 0, (1, 0): 0, (1, 1): 1, (1, 2): 0}
    assert NhotSampler().sample_cqm(cqm, initial_states=good, seed=1).record.is_feasible.all()
    bad = {**good, (0, 0): 0, (1, 2): 1}  # two ones in all, as in the good one
    with pytest.raises(ValueError, match="initial state 0 is off the constraint 'vertex 0'"):
        NhotSampler().sample_cqm(cqm, initial_states=bad, seed=1)


def test_shared_variables_are_refused_by_label():
    cqm = colouring(2, [(0, 1)])
    cqm.add_constraint([((0, 0), 1), ((1, 0), 1)], "==", 1, label="once")
    with pytest.raises(ValueError, match="the constraint 'once' shares .* with the constraint 'vertex 0'"):
        NhotSampler().sample_cqm(cqm)
