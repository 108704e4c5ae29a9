"""Verdicts on an RBM made to fool a ladder: ten ones of 200 visible and 20 hidden units that repel each other.

Uniform states have hardly a hidden unit, and stay so: all ones visible, log weight log C(200, 10) = 37.6. The base rates of
the units lead to the law: all ones hidden, 40 + log C(20, 10) = 52.1. Between them lies a barrier of about 30.
"""

import numpy as np
import pytest

import nhot

SEEDS = range(1, 9)
PATHS = ["temperatures", "weights"]


def machine(repulsion):
    return nhot.rbm(np.full((200, 20), -repulsion), np.full(20, 4.0), np.zeros(200))


def verdicts(model, moves, **options):
    return [nhot.temper(model, 10, beta=1, moves=moves, chains=4, seed=seed, progress=False, **options).converged
            for seed in SEEDS]


@pytest.mark.parametrize("path", PATHS)
def test_two_phases_that_do_not_meet_are_not_called_converged(path):
    found = verdicts(machine(2.0), 4000, path=path)
    print(f"path {path}: wrong yes {sum(found)} of {len(found)}")
    assert not any(found)


@pytest.mark.parametrize("path", PATHS)
def test_where_units_hardly_repel_the_starts_are_forgotten(path):
    found = verdicts(machine(0.04), 60_000, path=path)
    print(f"path {path}: wrong no {found.count(False)} of {len(found)}")
    assert all(found)


def test_ladders_of_one_start_are_fooled():
    """What the two starts are for: from one state, runs of the first machine pass, with the wrong phase."""
    start = np.repeat([1, 0], [10, 210])
    assert any(verdicts(machine(2.0), 4000, start=start))
