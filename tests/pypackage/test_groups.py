"""Groups of sites in Python: what drivers give for them, labels, and refusals."""

import itertools

import numpy as np
import pytest

import nhot

GROUPS = [([0, 2, 4], 1), ([1, 3], 1)]  # site 5 is free


def model():
    rng = np.random.default_rng(7)
    return nhot.ising(rng.normal(size=6), {(i, j): rng.normal() for i, j in itertools.combinations(range(6), 2)})


def exact(energy, beta):
    """Means of the sites, log Z and the lowest energy."""
    states = np.array([s for s in itertools.product((0, 1), repeat=6)
                       if all(sum(s[i] for i in sites) == n for sites, n in GROUPS)], dtype=np.uint8)
    energies = energy(states)
    weights = np.exp(-beta * energies)
    return weights @ states / weights.sum(), np.log(weights.sum()), energies.min()


@pytest.mark.parametrize("move", ["swap", "im", "joint", "0.5*joint + 0.5*path", "auto"])
def test_draws_have_the_exact_means(move):
    m = model()
    run = nhot.sample(m, groups=GROUPS, free="rest", beta=0.7, moves=40_000, move=move, seed=3, progress=False)
    means, _, _ = exact(m.energy, 0.7)
    for sites, n in GROUPS:
        assert (run.states[..., sites].sum(-1) == n).all()
    assert np.abs(run.site_means - means).max() < 0.05
    assert run.summary()["groups"]["free"] == 1
    assert "2 groups of 2 to 3 sites at distance 1, 1 free site" in str(run)


def test_other_drivers_know_groups():
    m = model()
    _, log_z, lowest = exact(m.energy, 0.7)
    assert nhot.anneal(m, groups=GROUPS, free=[5], reads=4, progress=False).best.energy == pytest.approx(lowest)
    answer = nhot.logz(m, groups=GROUPS, free=[5], beta=0.7, progress=False)
    assert abs(answer.value - log_z) < 4 * answer.error + 1e-9
    ladder = nhot.temper(m, groups=GROUPS, free=[5], beta=0.7, moves=500, isocluster=False, progress=False)
    assert (ladder.states[..., [0, 2, 4]].sum(-1) == 1).all()
    with pytest.raises(ValueError, match="several groups|groups"):
        nhot.logz(m, groups=GROUPS, free=[5], beta=0.7, ratio=True, progress=False)


def test_labels_and_words():
    m = nhot.qubo({("a", "b"): 1.0, ("b", "c"): -2.0, ("c", "d"): 1.0})
    found = nhot.anneal(m, groups=[(["a", "c"], 1), (["b", "d"], 1)], reads=2, progress=False).best
    assert sorted(found.chosen) == ["b", "c"]
    pairs = nhot.anneal("ferromagnet:2x3", groups="one-hot:2", reads=2, progress=False).best.bits
    assert np.asarray(pairs).reshape(3, 2).sum(1).tolist() == [1, 1, 1]


@pytest.mark.parametrize("words, said", [
    (dict(groups=[([0, 1], 1)]), "2 is in no group"),
    (dict(groups=[([0, 1], 1), ([1, 2], 1)], free="rest"), "site 1 is in group 1 and in group 2"),
    (dict(groups=[([0, 9], 1)], free="rest"), "group 1 has 9, which is no site"),
    (dict(groups=[([0, 1], 3)], free="rest"), "3 sites are to differ in group 1, which has 2"),
    (dict(groups=[([0, 1], -1)], free="rest"), "whole number"),
    (dict(groups=[0, 1], free="rest"), "group 1 is 0"),
    (dict(groups="one-hot:4"), "divides"),
    (dict(groups=[([0, 1], 1)], free=[1, 2, 3, 4, 5]), "1 is free and in a group"),
    (dict(free=[0]), "free is given without groups"),
    (dict(distance=2, groups=[([0, 1], 1)], free="rest"), "groups and distance are both given"),
    (dict(groups=GROUPS, free="rest", move="cluster"), "cluster"),
    (dict(groups=GROUPS, free="rest", move="swap:engine=bits"), "one group"),
    (dict(groups=GROUPS, free="rest", start=[1, 0, 1, 1, 0, 0]), "off the shell in group 1: 2 of its 3"),
    (dict(distance=2, move="joint"), "one group of sites.*groups"),
    (dict(distance=2, move="flip"), "no free sites"),
])
def test_refusals(words, said):
    with pytest.raises(ValueError, match=said):
        nhot.sample(model(), moves=100, progress=False, **words)
