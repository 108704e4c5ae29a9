#!/usr/bin/env python3
"""Are the inclusion probabilities of `nhot select` those of enumeration, and how large can a table be?

    .venv/bin/python bench/selection.py [--nhot build/nhot] [--data ../shared/data/regression/uscrime.txt]
                                        [--response Crime] [--predictors 5] [--wide 10000] [--seconds 20]
                                        [--seeds 20] [--only rates]

First every subset of the columns of a small table is fitted by numpy.linalg.lstsq, and its posterior compared with the
probabilities that `nhot select` prints, in units of their errors; over many seeds, with that many predictors and with any
number of them, how often these are within one, two and three errors. Then a made table of 200 rows and 10,000 columns, five of
which make the response: what is found, and the time. CPU seconds.
"""

import argparse
import json
import subprocess
import tempfile
from itertools import combinations
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parents[1]


def enumerated(X, y, size, g):
    """Inclusion probabilities under the g-prior, by least squares on every subset."""
    rows, total = len(y), ((y - y.mean()) ** 2).sum()
    chosen, scores = list(combinations(range(X.shape[1]), size)), []
    for subset in chosen:
        columns = numpy.column_stack([numpy.ones(rows), X[:, subset]])
        rest = ((y - columns @ numpy.linalg.lstsq(columns, y, rcond=None)[0]) ** 2).sum() / total
        scores.append(-(rows - 1) / 2 * numpy.log1p(g * rest))
    weights = numpy.exp(numpy.array(scores) - max(scores))
    inclusion = numpy.zeros(X.shape[1])
    for subset, weight in zip(chosen, weights / weights.sum()):
        inclusion[list(subset)] += weight
    return inclusion


def all_sizes(X, y, g):
    """Inclusion probabilities over all subsets, equally probable beforehand."""
    rows, total = len(y), ((y - y.mean()) ** 2).sum()
    centred = (X - X.mean(0)) / numpy.linalg.norm(X - X.mean(0), axis=0)
    gram, parallel = centred.T @ centred, centred.T @ (y - y.mean())
    logs, inclusion = [], []
    for size in range(X.shape[1] + 1):
        for subset in map(list, combinations(range(X.shape[1]), size)):
            fit = parallel[subset] @ numpy.linalg.solve(gram[numpy.ix_(subset, subset)], parallel[subset]) / total if size else 0
            logs.append(-(rows - 1) / 2 * numpy.log((1 + g * (1 - fit)) / (1 + g)) - size / 2 * numpy.log1p(g))
            inclusion.append(numpy.isin(range(X.shape[1]), subset))
    weights = numpy.exp(numpy.array(logs) - max(logs))
    return weights @ numpy.array(inclusion) / weights.sum()


def select(nhot, file, response, size, *more):
    words = [nhot, "select", file, "--response", response, "--predictors", str(size), *more, "--json"]
    return json.loads(subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout)


def read(file, response):
    names = file.read_text().split("\n")[0].split()
    table = numpy.loadtxt(file, skiprows=1)
    at = names.index(response)
    return numpy.delete(table, at, 1), table[:, at]


def small(nhot, file, response, size, prior):
    X, y = read(file, response)
    exact = enumerated(X, y, size, len(y) if prior == "unit" else max(len(y), X.shape[1] ** 2))
    found = select(nhot, file, response, size, "--prior", prior, "--moves", "50000")
    print(f"{file.name}, exactly {size} of {X.shape[1]} predictors of {response}, prior {prior}; converged: "
          f"{found['converged']}\n")
    print("predictor   inclusion    error   enumerated   errors off")
    for own, true in zip(found["inclusion"], exact):
        print(f"{own['name']:10} {own['probability']:10.4f} {own['error']:8.4f} {true:12.4f} "
              f"{(own['probability'] - true) / own['error']:12.2f}")
    print()


def rates(nhot, file, response, size, seeds):
    X, y = read(file, response)
    most = f"0..{X.shape[1]}"
    print(f"{file.name}, prior unit, over {seeds} seeds\n")
    print("predictors  chains    moves  mean error    rms    < 1    < 2     < 3  largest  seeds with all < 3")
    for words, moves, exact in ((size, 20_000, enumerated(X, y, size, len(y))), (most, 100_000, all_sizes(X, y, len(y)))):
        off, errors = [], []
        for seed in range(1, seeds + 1):
            found = select(nhot, file, response, words, "--moves", moves, "--seed", seed, "--threads", 1)
            error = numpy.array([own["error"] for own in found["inclusion"]])
            off.append(numpy.abs(numpy.array([own["probability"] for own in found["inclusion"]]) - exact) / error)
            errors.append(error)
        off = numpy.array(off)
        print(f"{words!s:10} {found['run']['chains']:7} {moves:8} {numpy.mean(errors):11.5f} {(off**2).mean() ** 0.5:6.2f} "
              f"{(off < 1).mean():6.3f} {(off < 2).mean():6.3f} {(off < 3).mean():7.4f} {off.max():8.2f} "
              f"{(off < 3).all(1).mean():19.2f}")
    print()


def wide(nhot, columns, seconds):
    rng = numpy.random.default_rng(1)
    X = rng.normal(size=(200, columns))
    y = X[:, :5] @ numpy.array([1.0, -0.8, 0.6, 0.5, -0.4]) + rng.normal(size=200)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "wide.csv"
        header = ",".join(["y", *(f"x{c}" for c in range(columns))])
        numpy.savetxt(file, numpy.column_stack([y, X]), delimiter=",", header=header, comments="", fmt="%.8g")
        found = select(nhot, file, "y", 5, "--seconds", seconds, "--warmup", "100", "--prior", "benchmark")
    run = found["run"]
    print(f"{columns} columns, 200 rows: {run['moves']} moves of {run['chains']} chains in {run['cpu_seconds']:.1f} CPU s, "
          f"{run['ns_per_step'] / 1e6:.2f} ms a step, acceptance {run['acceptance']:.3f}")
    top = sorted(found["inclusion"], key=lambda own: -own["probability"])[:7]
    print("most probable: " + ", ".join(f"{own['name']} {own['probability']:.3f}" for own in top))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nhot", type=Path, default=ROOT / "build" / "nhot")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data" / "regression" / "uscrime.txt")
    parser.add_argument("--response", default="Crime")
    parser.add_argument("--predictors", type=int, default=5)
    parser.add_argument("--wide", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only", choices=("rates",))
    given = parser.parse_args()
    rates(given.nhot, given.data, given.response, given.predictors, given.seeds)
    if given.only:
        return
    for prior in "unit", "benchmark":
        small(given.nhot, given.data, given.response, given.predictors, prior)
    wide(given.nhot, given.wide, given.seconds)


if __name__ == "__main__":
    main()
