#!/usr/bin/env python3
"""How fast are intracluster walks of every length and gamma, on the paper's three models?

    bench/tuning_surface.py [--nhot build/nhot] [--seconds 1] [--figure FILE.png] [--json FILE]

Runs all of them, the default, the authors' choice and swap side by side (`nhot compare`, the same CPU time for each), and prints the effective
draws of the energy per CPU second of the best, of the default, of the authors' choice and of swap. The figure, which needs
matplotlib, shows the surface: walks of one length above, of lengths from 1 on below. The energy alone is shown because chains of the
glass and of the RBM do not agree in slower observables within such times.
"""

import argparse
import json
import math
import subprocess
from pathlib import Path

import machine

CASES = (
    {"name": "ferromagnet 60x60, T = 2.27", "words": ["ferromagnet:60x60", "-n", "1800", "--beta", repr(1 / 2.27)],
     "authors": "im:length=90", "place": (90, 1.0, True), "longest": 128},
    {"name": "spin glass 9x9x9, beta = 1", "words": ["spin-glass:9x9x9,seed=7", "-n", "364", "--beta", "1"],
     "authors": "im:length=1..25,gamma=0.8beta", "place": (25, 0.8, False), "longest": 64},
    {"name": "RBM 784x500, beta = 1", "words": ["rbm:784x500,seed=1", "-n", "428", "--beta", "1"],
     "authors": "im:length=1..20,gamma=0.8beta", "place": (20, 0.8, False), "longest": 64},
)
GAMMAS = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.4)


def lengths_to(longest):
    return [2**k for k in range(int(math.log2(longest)) + 1)]


def text_of(length, gamma, fixed):
    return f"im:length={length if fixed or length == 1 else f'1..{length}'}" + (f",gamma={gamma:g}beta" if gamma != 1 else "")


def measure(nhot, case, seconds):
    places = {(length, gamma, fixed): text_of(length, gamma, fixed)
              for length in lengths_to(case["longest"]) for gamma in GAMMAS for fixed in (True, False)}
    moves = list(dict.fromkeys(["swap", "im", case["authors"], *places.values()]))
    words = [nhot, "compare", *case["words"], "--seconds", str(seconds), "--json"]
    for move in moves:
        words += ["--move", move]
    results = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)["results"]
    rates = {move: result["observables"]["energy"]["ess_per_second"] or 0 for move, result in zip(moves, results)}
    return rates, {place: rates[move] for place, move in places.items()}


def draw(measured, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, len(measured), figsize=(4.2 * len(measured), 6.6), constrained_layout=True)
    for column, (case, _, surface) in enumerate(measured):
        best = max(surface.values())
        lengths = lengths_to(case["longest"])
        for row, fixed in enumerate((True, False)):
            axis = axes[row][column]
            values = [[math.log10(max(surface[length, gamma, fixed], best * 1e-3) / best) for length in lengths] for gamma in GAMMAS]
            image = axis.imshow(values, origin="lower", aspect="auto", vmin=-3, vmax=0, cmap="viridis")
            axis.set_xticks(range(len(lengths)), lengths)
            axis.set_yticks(range(len(GAMMAS)), [f"{gamma:g}" for gamma in GAMMAS])
            axis.set_xlabel("length" if fixed else "lengths 1 to")
            axis.set_ylabel("gamma / beta")
            axis.set_title(case["name"] if row == 0 else "")
            top = max((place for place in surface if place[2] == fixed), key=surface.get)
            axis.plot(lengths.index(top[0]), GAMMAS.index(top[1]), "*", color="white", markersize=14, markeredgecolor="black", label="best here")
            if case["place"][2] == fixed:
                axis.plot(math.log2(case["place"][0]), GAMMAS.index(case["place"][1]), "o", color="white", markersize=9,
                          markeredgecolor="black", label="the authors'")
            if not fixed:
                axis.plot(math.log2(10), GAMMAS.index(1.0), "s", color="white", markersize=8, markeredgecolor="black", label="default")
            axis.legend(loc="lower left", fontsize=8)
    bar = figure.colorbar(image, ax=axes, shrink=0.6, ticks=[-3, -2, -1, 0])
    bar.ax.set_yticklabels(["1/1000 or less", "1/100", "1/10", "the best"])
    bar.set_label("effective draws of the energy per CPU second")
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nhot", default="build/nhot")
    parser.add_argument("--seconds", type=float, default=1, help="of every walk")
    parser.add_argument("--figure", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    print(f"on {machine.describe()}, {options.seconds:g} s of every walk: effective draws of the energy per CPU second\n")
    print("| model | best walk | its ESS/s | default | authors' choice | swap |")
    print("|---|---|---|---|---|---|")
    measured = []
    for case in CASES:
        rates, surface = measure(options.nhot, case, options.seconds)
        measured.append((case, rates, surface))
        best = max((move for move in rates if move != "swap"), key=rates.get)
        print(f"| {case['name']} | `{best}` | {rates[best]:.3g} | {rates['im']:.3g} | `{case['authors']}`: {rates[case['authors']]:.3g} "
              f"| {rates['swap']:.3g} |", flush=True)
    if options.figure:
        draw(measured, options.figure)
    if options.json:
        options.json.write_text(json.dumps([{"name": case["name"], "ess_per_second": rates} for case, rates, _ in measured], indent=1) + "\n")


if __name__ == "__main__":
    main()
