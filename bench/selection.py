#!/usr/bin/env python3
"""Are the inclusion probabilities of `nhot select` those of enumeration, and how large can a table be?

    .venv/bin/python bench/selection.py [--nhot build/nhot] [--data ../shared/data/regression/uscrime.txt]
                                        [--response Crime] [--predictors 5] [--wide 10000] [--seconds 20]

First every subset of the columns of a small table is fitted by numpy.linalg.lstsq, and its posterior compared with the
probabilities that `nhot select` prints, in units of their errors. Then a made table of 200 rows and 10,000 columns, five of
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


def select(nhot, file, response, size, *more):
    words = [nhot, "select", file, "--response", response, "--predictors", str(size), *more, "--json"]
    return json.loads(subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout)


def small(nhot, file, response, size, prior):
    names = file.read_text().split("\n")[0].split()
    table = numpy.loadtxt(file, skiprows=1)
    at = names.index(response)
    X, y = numpy.delete(table, at, 1), table[:, at]
    exact = enumerated(X, y, size, len(y) if prior == "unit" else max(len(y), X.shape[1] ** 2))
    found = select(nhot, file, response, size, "--prior", prior, "--moves", "50000")
    print(f"{file.name}, exactly {size} of {X.shape[1]} predictors of {response}, prior {prior}; converged: "
          f"{found['converged']}\n")
    print("predictor   inclusion    error   enumerated   errors off")
    for own, true in zip(found["inclusion"], exact):
        print(f"{own['name']:10} {own['probability']:10.4f} {own['error']:8.4f} {true:12.4f} "
              f"{(own['probability'] - true) / own['error']:12.2f}")
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
    given = parser.parse_args()
    for prior in "unit", "benchmark":
        small(given.nhot, given.data, given.response, given.predictors, prior)
    wide(given.nhot, given.wide, given.seconds)


if __name__ == "__main__":
    main()
