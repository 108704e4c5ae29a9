#!/usr/bin/env python3
"""How fast are draws from a k-DPP by chains of nhot, beside the swap chain and the exact sampler of DPPy?

    .venv/bin/python bench/dpp.py [--items 200] [--size 20] [--seconds 5] [--seeds 20] [--only rates] [--json FILE]

One kernel, L = q S q with S of a Gaussian kernel over points in the plane and random qualities q. All in one process,
with one thread; CPU seconds. Effective draws are ArviZ's bulk ESS of the energy and of a sum over the chosen items with
fixed random weights, the smaller of the two; draws of the exact sampler count as they are. The time of its
eigendecomposition is apart. Then the marginals and log Z of nhot against the elementary symmetric polynomials of the
eigenvalues, and before that the same over many seeds: how often they are within one, two and three of their errors.
Needs the package nhot (scripts/wheel test), arviz (scripts/install test) and dppy (scripts/install bench; not for the
rates).
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import machine

try:
    import arviz
    import numpy
except ImportError as missing:
    sys.exit(f"{missing.name} is missing; run: scripts/install bench test, then .venv/bin/python bench/dpp.py")
try:
    import nhot
except ImportError:
    sys.exit("the package nhot is missing; run: scripts/wheel test, then .venv/bin/python bench/dpp.py")

CHAINS = 4
MOVES = 4000  # of a chain, for rates over seeds


def kernel(items, seed=1):
    """Of points in the unit square, items of different quality."""
    rng = numpy.random.default_rng(seed)
    points = rng.uniform(size=(items, 2))
    quality = numpy.exp(0.5 * rng.normal(size=items))
    squares = ((points[:, None] - points[None]) ** 2).sum(-1)
    width = 0.6 / items**0.5  # about the distance of neighbours
    return quality[:, None] * numpy.exp(-squares / (2 * width**2)) * quality[None]


def effective(states, energies, weights):
    """The smaller ESS of energy and weighted sum; (chain, draw, item) and (chain, draw)."""
    return float(min(arviz.ess(numpy.asarray(series), method="bulk")
                     for series in (energies, states.astype(float) @ weights)))


def by_nhot(model, size, move, seconds, weights):
    trial = nhot.sample(model, size, moves=300, move=move, chains=CHAINS, threads=1, progress=False)
    moves = int(min(60_000, max(500, seconds * 1e9 / trial.summary()["ns_per_move"] / CHAINS)))
    run = nhot.sample(model, size, moves=moves, move=move, thin=1, states=moves, chains=CHAINS, threads=1, progress=False)
    facts = run.summary()
    return run, {"name": f"nhot {move}", "draws": CHAINS * moves, "seconds": facts["cpu_seconds"],
                 "acceptance": facts["acceptance"], "ess": effective(run.states, run.energy[:, run.state_draws], weights)}


def as_states(samples, items):
    states = numpy.zeros((len(samples), items), dtype=numpy.int8)
    for state, chosen in zip(states, samples):
        state[list(chosen)] = 1
    return states


def dppy_model(L):
    try:
        from dppy.finite_dpps import FiniteDPP
    except ImportError:
        sys.exit("dppy is missing; run: scripts/install bench, then .venv/bin/python bench/dpp.py")
    return FiniteDPP("likelihood", L=L)


def by_dppy_chain(L, model, size, seconds, weights):
    rng, chains, spent = numpy.random.RandomState(1), [], 0.0
    dpp = dppy_model(L)
    began = time.process_time()
    dpp.sample_mcmc_k_dpp(size=size, nb_iter=300, random_state=rng)
    length = int(max(500, seconds / CHAINS / ((time.process_time() - began) / 300)))
    for _ in range(CHAINS):
        dpp.flush_samples()
        began = time.process_time()
        dpp.sample_mcmc_k_dpp(size=size, nb_iter=length + length // 10, random_state=rng)
        spent += (time.process_time() - began) / 1.1  # the warm-up is not counted
        chains.append(as_states(dpp.list_of_samples[0][-length:], len(L)))
    states = numpy.stack(chains)
    energies = numpy.stack([model.energy(chain) for chain in states])
    return {"name": "DPPy swap chain", "draws": CHAINS * length, "seconds": spent,
            "acceptance": float((states[:, 1:] != states[:, :-1]).any(-1).mean()), "ess": effective(states, energies, weights)}


def by_dppy_exact(L, size, seconds):
    rng = numpy.random.RandomState(2)
    dpp = dppy_model(L)
    began = time.process_time()
    dpp.sample_exact_k_dpp(size=size, random_state=rng)
    first, draws, began = time.process_time() - began, 0, time.process_time()
    while time.process_time() - began < seconds:
        dpp.sample_exact_k_dpp(size=size, random_state=rng)
        draws += 1
    return {"name": "DPPy exact sampler", "draws": draws, "seconds": time.process_time() - began, "acceptance": 1.0,
            "ess": float(draws), "first_draw_seconds": first}


def against_exact(L, model, size, run):
    log_z, marginals = nhot.kdpp_exact(L, size)
    mean, error = run.site_means, run.site_errors
    found = nhot.logz(model, size, move="im:length=1", moves=10, population=32, threads=1, progress=False)
    return {"log_z": found.value, "log_z_error": found.error, "log_z_exact": log_z,
            "log_z_errors_off": abs(found.value - log_z) / found.error,
            "marginals_off": float(numpy.abs(mean - marginals).max()),
            "marginals_errors_off": float((numpy.abs(mean - marginals) / error).max()),
            "marginals_within_3": float((numpy.abs(mean - marginals) <= 3 * error).mean())}


def rates(L, model, size, seeds):
    """How far marginals and log Z are from exact over seeds, in errors."""
    log_z, marginals = nhot.kdpp_exact(L, size)
    sites, logs = [], []
    for seed in range(1, seeds + 1):
        run = nhot.sample(model, size, moves=MOVES, move="im:length=1", thin=1, states=MOVES, chains=CHAINS, threads=1, seed=seed,
                          progress=False)
        sites.append((run.site_means - marginals) / run.site_errors)
        found = nhot.logz(model, size, move="im:length=1", moves=2, population=16, threads=1, seed=seed, progress=False)
        logs.append((found.value - log_z) / found.error)
    sites, logs = numpy.abs(sites), numpy.abs(logs)
    rare = sites[:, marginals < 0.02]
    return [{"name": name, "values": off.size, "rms": float((off**2).mean() ** 0.5), "largest": float(off.max()),
             **{f"within_{k}": float((off < k).mean()) for k in (1, 2, 3)}}
            for name, off in ((f"marginals, {CHAINS} x {MOVES} moves", sites), ("those below 0.02", rare), ("log Z", logs))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--size", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=5, help="CPU seconds of each sampler, about")
    parser.add_argument("--seeds", type=int, default=20, help="of the rates")
    parser.add_argument("--only", choices=("rates",))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()

    L = kernel(given.items)
    model = nhot.kdpp(L)
    print(f"k-DPP, {given.items} items, {given.size} chosen; {machine.describe()}\n")
    print(f"over {given.seeds} seeds{'':10} {'values':>7} {'rms':>6} {'< 1':>6} {'< 2':>6} {'< 3':>6} {'largest':>8}")
    seen = rates(L, model, given.size, given.seeds)
    for row in seen:
        print(f"{row['name']:23} {row['values']:7} {row['rms']:6.2f} {row['within_1']:6.3f} {row['within_2']:6.3f} "
              f"{row['within_3']:6.4f} {row['largest']:8.2f}")
    if given.only:
        return
    weights = numpy.random.default_rng(3).normal(size=given.items)
    rows, runs = [], {}
    for move in ("im:length=1", "im:length=1..5", "swap"):
        runs[move], row = by_nhot(model, given.size, move, given.seconds, weights)
        rows.append(row)
    rows += [by_dppy_chain(L, model, given.size, given.seconds, weights), by_dppy_exact(L, given.size, given.seconds)]
    exact = against_exact(L, model, given.size, runs["im:length=1"])

    print(f"\n{'sampler':22} {'draws':>8} {'CPU s':>7} {'accepted':>9} {'ESS':>9} {'ESS/s':>9}")
    for row in rows:
        row["ess_per_second"] = row["ess"] / row["seconds"]
        print(f"{row['name']:22} {row['draws']:8} {row['seconds']:7.2f} {row['acceptance']:9.3f} {row['ess']:9.0f} "
              f"{row['ess_per_second']:9.0f}")
    print(f"\nlog Z {exact['log_z']:.4f} +- {exact['log_z_error']:.4f}, exact {exact['log_z_exact']:.4f}: "
          f"{exact['log_z_errors_off']:.2f} errors off")
    print(f"marginals: at most {exact['marginals_off']:.4f} and {exact['marginals_errors_off']:.2f} errors off, "
          f"{100 * exact['marginals_within_3']:.1f}% within 3 errors")
    if given.json:
        given.json.write_text(json.dumps({"samplers": rows, "exact": exact, "rates": seen}, indent=1) + "\n")


if __name__ == "__main__":
    main()
