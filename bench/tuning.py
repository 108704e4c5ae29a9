#!/usr/bin/env python3
"""How good is the move that a search finds, against every move of a grid?

    bench/tuning.py [--nhot build/nhot] [--search 3] [--each 3] [--cases NAME ...] [--json FILE]

For every model: `nhot tune --seconds 3`, what `--move auto` does before a run of half a minute, finds a move. Then that move, swap,
the default and a grid of others run side by side (`nhot compare`, three seconds for each), and the table shows the
effective draws per CPU second of the observable that is slowest: the best of the grid, the move of the search, swap and
the default. Where chains do not agree (R-hat of some observable above 1.1) the number says little, and the table says so.
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
        "0.99*im + 0.01*cluster", "0.5*im + 0.5*cluster", "0.5*im + 0.5*swap", "0.5*im + 0.5*block")


def run(nhot, *words):
    done = subprocess.run([nhot, *words, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def judged(result):
    """The slowest observable: effective draws per CPU second, and whether chains agree in all of them."""
    observables = result["observables"]
    rate, name = min((values["ess_per_second"] or 0, name) for name, values in observables.items())
    agree = all(values["rhat"] is not None and values["rhat"] < 1.1 for values in observables.values())
    return {"rate": rate, "slowest": name, "agree": agree}


def measure(nhot, words, search, each, seed):
    """The move of a search, and what each move gives."""
    found = run(nhot, "tune", *words, "--seconds", str(search), "--seed", str(seed))
    moves = [found["move"]]
    for move in GRID:  # those that the model takes
        if run(nhot, "sample", *words, "--move", move, "--moves", "1", "--warmup", "0", "--chains", "1"):
            moves.append(move)
    asked = [word for move in moves for word in ("--move", move)]
    compared = run(nhot, "compare", *words, "--seconds", str(each), "--seed", str(1000 + seed), *asked)
    values = [judged(result) for result in compared["results"]]
    return {"found": found["move"], "seconds": found["seconds"], "trapped": found["trapped"], "moves": dict(zip(["auto", *moves[1:]], values))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nhot", default="build/nhot")
    parser.add_argument("--gset", default="../shared/data/gset", help="folder of the max-cut instances")
    parser.add_argument("--search", type=float, default=3, help="seconds of the search")
    parser.add_argument("--each", type=float, default=3, help="seconds of every move in the comparison")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", nargs="+", metavar="NAME", default=list(CASES))
    parser.add_argument("--json", type=Path, help="write everything that was measured")
    options = parser.parse_args()
    print(f"on {machine.describe()}; a search of {options.search:g} s, then {options.each:g} s of every move\n")
    print("| model | best of the grid | ESS/s | auto | of the best | swap | default | observable | the move that was found |")
    print("|---|---|---|---|---|---|---|---|---|")
    rows = {}
    for name in options.cases:
        words = [word.format(gset=options.gset) for word in CASES[name]]
        rows[name] = row = measure(options.nhot, words, options.search, options.each, options.seed)
        moves = row["moves"]
        best = max((move for move in moves if move != "auto"), key=lambda move: moves[move]["rate"])
        show = lambda move: f"{moves[move]['rate']:.3g}" + ("" if moves[move]["agree"] else " ?")  # noqa: E731
        ratio = moves["auto"]["rate"] / max(moves[best]["rate"], 1e-300)
        print(f"| {name} | `{best}` | {show(best)} | {show('auto')} | {ratio:.2f} | {show('swap')} | {show('im')} "
              f"| {moves['auto']['slowest']} | `{row['found']}` |", flush=True)
    print("\n?: some R-hat is above 1.1; the chains of that move do not agree, and its number says little.")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
