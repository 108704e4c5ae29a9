"""Choose exactly 10 of 50: with a penalty, and on the shell.

The picnic of examples/picnic.edges as a QUBO solver sees it: the condition "exactly 10" becomes weight * (chosen - 10)^2 in
the objective. The simulated annealer of dwave-samplers gets 200 reads of 1,000 sweeps at each of nine weights; nhot gets 200
reads of 1,000 sweeps on the shell of states with ten ones. For each: the share of answers that have ten items, and the best
and the median value of those.

    python penalty.py MODEL [figure.svg]
"""

import sys

import dimod
import numpy as np
from dwave.samplers import SimulatedAnnealingSampler

import nhot

CHOSEN, READS, SWEEPS = 10, 200, 1_000
WEIGHTS = (0.3, 0.5, 0.7, 1, 1.4, 2, 3, 5, 10)
model = nhot.load(sys.argv[1])
_, offset, linear, i, j, value = model.terms()
pairs = {(int(a), int(b)): float(v) for a, b, v in zip(i, j, value)}


def with_penalty(weight):
    """The objective plus weight * (chosen - 10)^2."""
    bqm = dimod.BinaryQuadraticModel(dict(enumerate(map(float, linear))), pairs, float(offset), "BINARY")
    bqm.add_linear_equality_constraint([(site, 1) for site in range(model.sites)], weight, -CHOSEN)
    return bqm


def summary(states):
    """The share of the answers that have ten items, and the values of those."""
    feasible = states[states.sum(axis=1) == CHOSEN]
    return len(feasible) / len(states), model.energy(feasible) if len(feasible) else np.array([np.nan])


def row(name, states):
    share, values = summary(states)
    best, middle = (f"{number:8.2f}" if share else f"{'none':>8}" for number in (values.min(), np.median(values)))
    print(f"{name:12}  {share:8.1%}  {best}  {middle}")
    return share, values.min(), np.median(values)


print("              feasible      best    median")
reads = [nhot.anneal(model, CHOSEN, reads=1, sweeps=SWEEPS, seed=seed, progress=False).best for seed in range(1, READS + 1)]
shell = row("on the shell", np.array([read.bits for read in reads]))
rows = []
for weight in WEIGHTS:
    answer = SimulatedAnnealingSampler().sample(with_penalty(weight), num_reads=READS, num_sweeps=SWEEPS, seed=1)
    states = answer.record.sample[:, np.argsort(answer.variables)].astype(np.uint8)
    rows.append(row(f"weight {weight:g}", states))

if len(sys.argv) > 2:
    from figure_style import plt, save

    def draw(scheme):
        figure, (left, right) = plt.subplots(2, 1, figsize=(6.2, 5), sharex=True, layout="constrained")
        shares, best, middle = zip(*rows)
        left.semilogx(WEIGHTS, shares, "o-", ms=4, color=scheme["colours"][1], label="with a penalty")
        left.axhline(shell[0], color=scheme["colours"][0], lw=1.5, label="on the shell")
        left.set(ylabel="share of answers\nwith ten items", ylim=(-0.03, 1.08), title="how many answers can be used")
        left.legend()
        right.semilogx(WEIGHTS, best, "o-", ms=4, color=scheme["colours"][1], label="best, with a penalty")
        right.semilogx(WEIGHTS, middle, "s--", ms=4, color=scheme["colours"][1], label="median, with a penalty")
        right.axhline(shell[1], color=scheme["colours"][0], lw=1.5, label="best, on the shell")
        right.axhline(shell[2], color=scheme["colours"][0], lw=1.5, ls="--", label="median, on the shell")
        right.set(xlabel="weight of the penalty", ylabel="value of those\n(lower is better)", title="how good they are")
        right.set_xticks(WEIGHTS, [f"{weight:g}" for weight in WEIGHTS])
        right.minorticks_off()
        right.legend(ncols=2)
        return figure

    save(draw, sys.argv[2])
