#!/usr/bin/env python3
"""One-hot groups: does a walk through several groups mix faster than moves within one, and are colourings found?

    bench/groups.py [--nhot build/nhot] [--seconds 10] [--only compare|anneal] [--json]

Three colours of a vertex are three sites with one that is 1: a group. Two models, both with couplings between groups
only:

- a planted 3-colouring: 200 vertices, colours of equal share drawn at random, 450 edges (degree 4.5 on average) drawn
  uniformly among pairs of vertices of different colours; the energy counts edges with both ends of one colour. For
  mixing, 300 edges (degree 3): with 450 the proper colourings fall apart into sets that no move here connects;
- a Potts glass of three states: couplings +1 or -1 at random between the neighbours of a periodic 6x6x6 lattice.

First `nhot compare` at equal CPU time: swap and im, which work within one group at a time, against joint. Effective
draws per second are those of the slowest observable (mostly the overlap of two chains); the energy alone forgets
quickly and flatters. A value with R-hat far above 1 is an upper bound of a chain that is stuck. Then `nhot anneal`, ten seeds with at most ten seconds each: in how many is the colouring proper?
"""

import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path

COLOURS = 3
WITHIN = ("swap", "im:length=1")
JOINT = ("joint:groups=2,length=1,order=up-down", "joint:groups=4,length=1,order=up-down",
         "joint:groups=8,length=1,order=up-down")
SEEDS = 10
LIMIT = 10  # seconds of a search


def planted_graph(vertices, edges, seed):
    """Edges between vertices of different colours of a random colouring."""
    draws = random.Random(seed)
    colours = [v % COLOURS for v in range(vertices)]
    draws.shuffle(colours)
    chosen = set()
    while len(chosen) < edges:
        u, v = sorted(draws.sample(range(vertices), 2))
        if colours[u] != colours[v]:
            chosen.add((u, v))
    return sorted(chosen)


def lattice_edges(side):
    def site(x, y, z):
        return (x % side * side + y % side) * side + z % side
    return [(site(x, y, z), site(x + dx, y + dy, z + dz)) for x in range(side) for y in range(side) for z in range(side)
            for dx, dy, dz in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]


def write_potts(path, vertices, couplings):
    """sum over edges of J times [same colour], as a file of couplings between one-hot sites."""
    lines = ["# vartype=BINARY", f"# sites={COLOURS * vertices}"]
    for u, v, value in couplings:
        lines += [f"{COLOURS * u + c} {COLOURS * v + c} {value}" for c in range(COLOURS)]
    path.write_text("\n".join(lines) + "\n")


def write_colouring(path, vertices=200, edges=450, seed=1):
    write_potts(path, vertices, [(u, v, 1) for u, v in planted_graph(vertices, edges, seed)])


def write_glass(path, side=6, seed=1):
    draws = random.Random(seed)
    write_potts(path, side**3, [(u, v, draws.choice((-1, 1))) for u, v in lattice_edges(side)])


def run(nhot, *words):
    done = subprocess.run([nhot, *map(str, words), "--json"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def race(nhot, model, beta, seconds):
    """Effective draws per second of the slowest observable, by move."""
    moves = [word for move in (*WITHIN, *JOINT) for word in ("--move", move)]
    results = run(nhot, "compare", model, "--groups", f"one-hot:{COLOURS}", "--beta", beta, "--seconds", seconds, *moves)
    rates = {}
    for move, result in zip((*WITHIN, *JOINT), results["results"]):
        seen = [one["ess_per_second"] for one in result["observables"].values() if one["ess_per_second"] is not None]
        rates[move] = {"ess_per_second": min(seen, default=0.0), "acceptance": result["acceptance"],
                       "rhat": max(one["rhat"] or 9 for one in result["observables"].values())}
    return rates


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nhot", default="build/nhot")
    parser.add_argument("--seconds", type=float, default=10, help="of every move in a comparison")
    parser.add_argument("--only", choices=("compare", "anneal"))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    times, numbers = [], []
    with tempfile.TemporaryDirectory() as folder:
        colouring, sparse, glass = (Path(folder) / f"{name}.coo" for name in ("colouring", "sparse", "glass"))
        write_colouring(colouring)
        write_colouring(sparse, edges=300)
        write_glass(glass)
        cases = [("colouring", sparse, beta) for beta in (5, 8)] + [("Potts glass", glass, beta) for beta in (1, 2)]
        for name, model, beta in cases if options.only != "anneal" else []:
            rates = race(options.nhot, model, beta, options.seconds)
            for move, rate in rates.items():
                times.append({"name": f"{name}, beta {beta}: {move}", **rate})
            best = max(JOINT, key=lambda move: rates[move]["ess_per_second"])
            for move in WITHIN:
                other = rates[move]["ess_per_second"]
                numbers.append({"name": f"{name}, beta {beta}: {best.split(',')[0]} / {move}",
                                "value": round(rates[best]["ess_per_second"] / other, 2) if other else None})
        if options.only != "compare":
            found = []
            for seed in range(1, SEEDS + 1):
                result = run(options.nhot, "anneal", colouring, "--groups", f"one-hot:{COLOURS}", "--seed", seed,
                             "--seconds", LIMIT, "--target", 0)
                found.append((result["best_energy"], result["seconds_to_best"]))
            proper = [seconds for energy, seconds in found if energy == 0]
            numbers.append({"name": f"proper colourings in {LIMIT} s, of {SEEDS} seeds", "value": len(proper)})
            numbers.append({"name": "seconds of the slowest", "value": round(max(proper, default=float("nan")), 2)})
    if options.json:
        print(json.dumps({"program": "groups", "question": __doc__.splitlines()[0], "times": times, "numbers": numbers}, indent=1))
        return
    for row in times:
        print(f"{row['name']:58} {row['ess_per_second']:10.4g} effective draws/s   acceptance {row['acceptance']:.3f}   R-hat {row['rhat']:.3f}")
    for row in numbers:
        print(f"{row['name']:74} {row['value']}")


if __name__ == "__main__":
    main()
