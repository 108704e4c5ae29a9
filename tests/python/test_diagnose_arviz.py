"""The diagnostics against the ArviZ that is installed, on chains of many shapes.

diagnose_tool (tests/diagnose) reads chains and prints their summary; it is looked for in
$NHOT_BUILD_DIR/tests, by default build/tests.
"""

import json
import logging
import os
import pathlib
import subprocess
import warnings

import numpy
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    arviz = pytest.importorskip("arviz")
    # Where Numba is there, ArviZ takes paths of its own; the plain ones are the reference.
    arviz.Numba.disable_numba()

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = pathlib.Path(os.environ.get("NHOT_BUILD_DIR", ROOT / "build")) / "tests" / "diagnose_tool"

RELATIVE = 1e-6
FIELDS = {
    "ess_bulk": lambda x: arviz.ess(x, method="bulk"),
    "ess_tail": lambda x: arviz.ess(x, method="tail"),
    "ess_mean": lambda x: arviz.ess(x, method="mean"),
    "rhat": lambda x: arviz.rhat(x, method="rank"),
    "rhat_bulk": lambda x: arviz.rhat(x, method="z_scale"),
    "rhat_folded": lambda x: arviz.rhat(x, method="folded"),
    "mcse": lambda x: arviz.mcse(x, method="mean"),
    "mcse_sd": lambda x: arviz.mcse(x, method="sd"),
}


@pytest.fixture(autouse=True)
def quiet_arviz():
    """ArviZ warns of short and constant chains; both are meant here."""
    logging.disable(logging.WARNING)
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
    logging.disable(logging.NOTSET)


def summaries_of(*sets):
    """What the tool says of every set of chains, in one process: under sanitizers its start takes longer than the rest."""
    assert TOOL.exists(), f"{TOOL} is missing: build the target diagnose_tool or set NHOT_BUILD_DIR"
    text = "\n".join("".join(" ".join(repr(float(x)) for x in chain) + "\n" for chain in chains) for chains in sets)
    done = subprocess.run([TOOL], input=text, capture_output=True, text=True, check=True)
    found = [{key: float(value) for key, value in json.loads(part + "}").items()} for part in done.stdout.split("}")[:-1]]
    assert len(found) == len(sets)
    return found


def same(ours, theirs):
    if numpy.isnan(theirs):
        return numpy.isnan(ours)
    # Chains that never moved: nothing within, so infinity; ArviZ's rounding may leave 1e16 instead.
    if numpy.isinf(ours):
        return theirs > 1e12
    return abs(ours - theirs) <= RELATIVE * abs(theirs)


def compare(chains, ours):
    """The fields in which the summary of the tool and ArviZ differ, with both values."""
    chains = numpy.asarray(chains, dtype=float)
    differ = {}
    # What ArviZ gives for chains that never moved says nothing of them: summaries leave it out, functions do not.
    stuck = len(chains) > 1 and (numpy.ptp(chains, axis=1) == 0).all() and numpy.ptp(chains) > 0
    for field, function in FIELDS.items():
        theirs = float(function(chains))
        alone = ours.get("alone_" + field, ours[field])
        if stuck and field.startswith(("ess", "mcse")):
            if not (numpy.isnan(ours[field]) and same(alone, theirs)):
                differ[field] = (ours[field], alone, theirs)
            continue
        if not same(ours[field], theirs):
            differ[field] = (ours[field], theirs)
        if not (alone == ours[field] or numpy.isnan(alone) and numpy.isnan(ours[field])):
            differ["alone_" + field] = (alone, ours[field])
    return differ


def autoregressive(rng, chains, draws, phi):
    noise = rng.standard_normal((chains, draws))
    x = noise.copy()
    for t in range(1, draws):
        x[:, t] += phi * x[:, t - 1]
    return x


SHAPES = {
    "real": lambda rng, x: x,
    "integers": lambda rng, x: numpy.round(x),
    "decimals": lambda rng, x: numpy.round(2 * x) * 0.1 - 37.3,
    "two values": lambda rng, x: (x > 0).astype(float),
    "lattice energies": lambda rng, x: 4 * numpy.round(5 * x) - 4838,
    "shifted": lambda rng, x: x + rng.standard_normal((len(x), 1)),
    "scaled": lambda rng, x: x * numpy.exp(rng.standard_normal((len(x), 1))),
    "heavy tails": lambda rng, x: numpy.sign(x) * numpy.exp(numpy.abs(x)),
    "drifting": lambda rng, x: x + numpy.linspace(0, 1, x.shape[1]),
}


CASES = [
    (shape, phi, chains, draws)
    for chains, draws in [(1, 100), (1, 101), (2, 4), (3, 7), (4, 1000), (5, 999)]
    for phi in (-0.5, 0.0, 0.9)
    for shape in SHAPES
]


def chains_of(case):
    shape, phi, chains, draws = case
    rng = numpy.random.default_rng([chains, draws, int(10 * phi) + 10, sorted(SHAPES).index(shape)])
    return SHAPES[shape](rng, autoregressive(rng, chains, draws, phi))


EDGES = {
    "constant": numpy.full((4, 10), 3.0),
    "constant, not a dyadic number, odd": numpy.full((3, 11), 0.1),
    "one constant chain": numpy.full((1, 10), 2.0),
    "never moved": numpy.repeat([[0.1], [0.2], [0.7]], 51, axis=1),
    "three draws": numpy.arange(12.0).reshape(4, 3),
    "a NaN": numpy.array([[1, 2, 3, 4, 5], [1, 2, numpy.nan, 4, 5]]),
    "alternating": numpy.tile([0.0, 1.0], (2, 20)),
    "stairs": numpy.tile(numpy.arange(30.0), (3, 1)),
    "one rare draw": numpy.eye(1, 1000, 999).reshape(4, 250),
    "large offset": 1e7 + numpy.random.default_rng(2).standard_normal((4, 500)),
    "small scale": 1e-10 * numpy.random.default_rng(3).standard_normal((4, 500)),
    "one chain stands still": numpy.vstack(
        [numpy.random.default_rng(4).standard_normal((3, 100)), numpy.zeros((1, 100))]
    ),
}


@pytest.fixture(scope="module")
def summaries():
    """The summary of every case and of every edge."""
    found = summaries_of(*map(chains_of, CASES), *EDGES.values())
    return dict(zip([*CASES, *EDGES], found, strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
def test_equals_arviz(summaries, case):
    assert compare(chains_of(case), summaries[case]) == {}


def test_equals_arviz_on_long_chains():
    chains = autoregressive(numpy.random.default_rng(1), 4, 20000, 0.97)
    assert compare(chains, *summaries_of(chains)) == {}


@pytest.mark.parametrize("edge", EDGES)
def test_edges_equal_arviz(summaries, edge):
    assert compare(EDGES[edge], summaries[edge]) == {}


def test_planted_differences_are_seen():
    """The comparison fails on chains of which one is moved a little, so it can fail at all."""
    rng = numpy.random.default_rng(5)
    chains = autoregressive(rng, 4, 1000, 0.5)
    [ours] = summaries_of(chains)
    chains[2] += 0.1
    seen = [f for f, function in FIELDS.items() if not same(ours[f], float(function(chains)))]
    assert seen == list(FIELDS)
