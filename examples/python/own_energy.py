"""An energy of one's own, compiled: particles on a ring that like to come in threes.

The energy is minus the number of places where three neighbours are occupied. The intracluster move (im) samples it
compiled by numba.cfunc, in plain Python with the changes of all sites at once (delta), and as an energy only. The
law is the same, so the means agree within their errors; the speeds do not.

    python own_energy.py
"""

import numpy as np
from numba import carray, cfunc, types

import nhot

SITES, PARTICLES, BETA = 60, 20, 0.8
STATE = types.CPointer(types.uint8)
L2, L1, R1, R2 = [(np.arange(SITES) + d) % SITES for d in (-2, -1, 1, 2)]  # the neighbours of every site


@cfunc(types.float64(STATE, types.int64))
def energy(state, sites):
    x, triplets = carray(state, sites), 0
    for i in range(sites):
        triplets += x[i] & x[(i + 1) % sites] & x[(i + 2) % sites]
    return -triplets


@cfunc(types.float64(STATE, types.int64, types.int64))
def change(state, sites, i):
    """The change of the energy when site i is flipped."""
    x = carray(state, sites)
    l2, l1, r1, r2 = x[(i - 2) % sites], x[(i - 1) % sites], x[(i + 1) % sites], x[(i + 2) % sites]
    triplets = float(l2 * l1 + l1 * r1 + r1 * r2)  # a float: minus an unsigned number would be huge
    return triplets if x[i] else -triplets


def python_energy(x):
    return -np.sum(x * x[R1] * x[R2])


def python_delta(x):
    """The change for every site at once."""
    return (2 * x - 1.0) * (x[L2] * x[L1] + x[L1] * x[R1] + x[R1] * x[R2])


# After a flip only four changes are new, and change() computes no others; delta() gives all of them anyway.
compiled = nhot.custom(SITES, energy, change=change, touched=np.stack([L2, L1, R1, R2], axis=1))
with_delta, energy_only = nhot.custom(SITES, python_energy, delta=python_delta), nhot.custom(SITES, python_energy)

means, errors = [], []
for name, model, moves in (("numba", compiled, 50_000), ("delta", with_delta, 1_000), ("energy", energy_only, 8)):
    run = nhot.sample(model, distance=PARTICLES, beta=BETA, move="im", moves=moves, seed=1)
    facts = run.summary()["observables"]["energy"]
    means.append(facts["mean"])
    errors.append(facts["mcse"])
    mean = f"mean energy {means[-1]:.3f} +- {errors[-1]:.3f}" if run.converged else "too short for a mean"
    print(f"{name:6} {1e9 / run.summary()['ns_per_move']:9,.0f} moves per CPU second, {mean}")
apart = abs(means[0] - means[1]) / np.hypot(errors[0], errors[1])
assert apart < 4, f"the mean energies are {apart:.1f} errors apart"
print(f"numba and delta: means {apart:.1f} errors apart")
