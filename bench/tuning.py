#!/usr/bin/env python3
"""How good is the move that a search finds, against the best of a grid?

    bench/tuning.py [--nhot build/nhot] [--search 3] [--each 1.5] [--again 5] [--seeds 1] [--cases NAME ...] [--json FILE]

For every model and seed: a search of three seconds by nominal costs, what `nhot sample` does before a run of half a minute,
finds a move. The moves of a grid run side by side (`nhot compare`, 1.5 s for each); the best three of them run
once more, for longer, beside the move of the search, swap and the default walk: the best of many noisy numbers is always too
high, so the second comparison counts. The table shows effective draws per CPU second of the observable that is slowest.
Where chains do not agree (R-hat of some observable above 1.1) the number says little, and the table says so.
"""

import argparse
import json
import subprocess
from pathlib import Path

import machine

CASES = {
    "ferromagnet, T = 1.5": ["ferromagnet:60x60", "-n", "1800", "--beta", repr(1 / 1.5)],
    "ferromagnet, T = 1.8": ["ferromagnet:60x60", "-n", "1800", "--beta", repr(1 / 1.8)],
    "ferromagnet, T = 2.27": ["ferromagnet:60x60", "-n", "1800", "--beta", repr(1 / 2.27)],
    "ferromagnet, T = 3": ["ferromagnet:60x60", "-n", "1800", "--beta", repr(1 / 3)],
    "glass 9x9x9": ["spin-glass:9x9x9,seed=7", "-n", "364", "--beta", "1"],
    "glass 9x9x9, gaussian": ["spin-glass:9x9x9,couplings=gaussian,seed=7", "-n", "364", "--beta", "1"],
    "glass 9x9x9, beta = 0.5": ["spin-glass:9x9x9,seed=7", "-n", "364", "--beta", "0.5"],
    "RBM 784x500": ["rbm:784x500,seed=1", "-n", "428"],
    "field": ["field:1000,seed=1", "-n", "100"],
    "G1, beta = 0.2": ["{gset}/G1", "--format", "gset", "-n", "400", "--beta", "0.2"],
    "G1, beta = 1": ["{gset}/G1", "--format", "gset", "-n", "400", "--beta", "1"],
}
GRID = ("swap", "im", "im:length=1", "im:length=1..3", "im:length=4", "im:length=12", "im:length=1..40", "im:length=36",
        "im:length=90", "im:length=1..10,gamma=0.8beta", "im:length=1..10,gamma=1.2beta", "im:length=1..10,bias=min",
        "im:length=1..10,bias=exp,gamma=0.5beta", "path", "path:length=1..40", "kawasaki", "cluster", "block",
        "0.99*im + 0.01*cluster", "0.9*im + 0.1*cluster", "0.999*swap + 0.001*cluster", "0.99*swap + 0.01*cluster", "0.5*im + 0.5*swap", "0.5*im + 0.5*block")


def run(nhot, *words):
    done = subprocess.run([nhot, *words, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def judged(result):
    """The slowest observable: effective draws per CPU second, and whether chains agree in all of them."""
    observables = result["observables"]
    rate, name = min((values["ess_per_second"] or 0, name) for name, values in observables.items())
    agree = all(values["rhat"] is not None and values["rhat"] < 1.1 for values in observables.values())
    return {"rate": rate, "slowest": name, "agree": agree}


def compare(nhot, words, seconds, seed, moves):
    asked = [word for move in moves for word in ("--move", move)]
    compared = run(nhot, "compare", *words, "--seconds", str(seconds), "--seed", str(seed), *asked)
    return {move: judged(result) for move, result in zip(moves, compared["results"])}


def worth(value):
    """For ranking: a rate of chains that disagree counts a hundredth."""
    return value["rate"] * (1 if value["agree"] else 0.01)


def measure(nhot, words, options, seed, grid):
    """What the best of the grid, the move of a search, swap and the default walk give side by side."""
    found = run(nhot, "tune", *words, "--seconds", str(options.search), "--seed", str(seed), "--tune-objective", "count")
    if not grid:  # once for a model: moves that it takes
        moves = [move for move in GRID
                 if run(nhot, "sample", *words, "--move", move, "--moves", "1", "--warmup", "0", "--chains", "1")]
        grid.update(compare(nhot, words, options.each, 1000, moves))
    best = sorted(grid, key=lambda move: -worth(grid[move]))[:3]
    moves = list(dict.fromkeys([found["move"], *best, "swap", "im"]))
    values = compare(nhot, words, options.again, 2000 + seed, moves)
    return {"found": found["move"], "seconds": found["seconds"], "trapped": found["trapped"], "grid": best, "moves": values}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nhot", default="build/nhot")
    parser.add_argument("--gset", default="../shared/data/gset", help="folder of the max-cut instances")
    parser.add_argument("--search", type=float, default=3, help="seconds of the search")
    parser.add_argument("--each", type=float, default=1.5, help="seconds of every move of the grid")
    parser.add_argument("--again", type=float, default=5, help="seconds of every move in the comparison that counts")
    parser.add_argument("--seeds", type=int, default=1, help="searches of a model")
    parser.add_argument("--cases", nargs="+", metavar="NAME", default=list(CASES))
    parser.add_argument("--json", type=Path, help="write everything that was measured")
    options = parser.parse_args()
    print(f"on {machine.describe()}; searches of {options.search:g} s, then {options.again:g} s of every move\n")
    print("| model | best of the grid | ESS/s | auto | of the best | of swap | swap | default | observable | the move that was found |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    rows = {}
    for name in options.cases:
        words = [word.format(gset=options.gset) for word in CASES[name]]
        grid = {}
        for seed in range(1, options.seeds + 1):
            row = measure(options.nhot, words, options, seed, grid)
            rows[f"{name}, seed {seed}"] = row
            moves = row["moves"]
            best = max(row["grid"], key=lambda move: worth(moves[move]))
            auto = moves[row["found"]]
            show = lambda value: f"{value['rate']:.3g}" + ("" if value["agree"] else " ?")  # noqa: E731
            over = lambda value: f"{auto['rate'] / max(value['rate'], 1e-300):.2f}"  # noqa: E731
            print(f"| {name} | `{best}` | {show(moves[best])} | {show(auto)} | {over(moves[best])} | {over(moves['swap'])} "
                  f"| {show(moves['swap'])} | {show(moves['im'])} | {auto['slowest']} | `{row['found']}` |", flush=True)
    print("\n?: some R-hat is above 1.1; the chains of that move do not agree, and its number says little.")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
