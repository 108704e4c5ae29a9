#!/usr/bin/env python3
"""Is log Z_n right, within the errors that `nhot logz` states?

    bench/partition.py [--binary build/nhot]

Compares every method with answers that need no sampling: enumeration of a small glass, the elementary symmetric
polynomial of independent sites, and a transfer matrix that counts the spins up for the 8x8 periodic ferromagnet. Prints
the estimate, its error, and how many errors it is off. Needs numpy.
"""

import argparse
import itertools
import json
import math
import subprocess
import tempfile
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parents[1]


def coo(binary, spec):
    """Entries (i, j, value) of a generated model."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.coo"
        subprocess.run([str(binary), "convert", spec, str(path)], check=True, capture_output=True)
        rows = [line.split() for line in path.read_text().splitlines() if line and line[0] != "#"]
    return [(int(i), int(j), float(value)) for i, j, value in rows]


def enumerated(couplings, sites, n, beta):
    logs = []
    for chosen in itertools.combinations(range(sites), n):
        spins = -numpy.ones(sites)
        spins[list(chosen)] = 1
        logs.append(-beta * sum(q * spins[i] * spins[j] for i, j, q in couplings))
    return float(numpy.logaddexp.reduce(logs))


def symmetric(fields, n, beta):
    logs = numpy.full(n + 1, -numpy.inf)
    logs[0] = 0
    for field in fields:
        logs[1:] = numpy.logaddexp(logs[1:], logs[:-1] - beta * field)
    return float(logs[n])


def transfer_matrix(side, n, beta):
    """log of the sum over the states of a periodic side x side ferromagnet with n spins up, row by row."""
    rows = numpy.array(list(itertools.product((-1, 1), repeat=side)))
    ups = (rows == 1).sum(axis=1)
    within = numpy.exp(beta * (rows * numpy.roll(rows, 1, axis=1)).sum(axis=1))
    between = numpy.exp(beta * rows @ rows.T)
    table = numpy.zeros((n + 1, len(rows), len(rows)))  # ups so far, first row, latest row
    for row, up in enumerate(ups):
        if up <= n:
            table[up, row, row] = within[row]
    for _ in range(side - 1):
        table = table @ between * within
        moved = numpy.zeros_like(table)
        for row, up in enumerate(ups):
            if up <= n:
                moved[up:, :, row] = table[:n + 1 - up, :, row]
        table = moved
    return math.log((table[n] * between).sum())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "nhot")
    parser.add_argument("--threads", default="2")
    arguments = parser.parse_args()
    glass, field = "spin-glass:4x4,seed=1,couplings=gaussian", "field:1000,seed=1"
    couplings = coo(arguments.binary, glass)
    fields = [value for _, _, value in coo(arguments.binary, field)]
    cases = [(glass, 8, 1.0, enumerated(couplings, 16, 8, 1.0), method) for method in ("smc", "ais", "ti")]
    cases += [(field, n, 1.0, symmetric(fields, n, 1.0), "smc") for n in (1, 10, 100, 500, 900)]
    cases += [("ferromagnet:8x8", n, 0.44, transfer_matrix(8, n, 0.44), method) for n in (8, 20, 32)
              for method in ("smc", "ais", "ti")]
    print(f"{'model':40} {'n':>4} {'method':6} {'exact':>12} {'log Z':>12} {'error':>8} {'off by':>8} {'seconds':>8}")
    worst = 0
    for model, n, beta, exact, method in cases:
        command = [str(arguments.binary), "logz", model, "-n", str(n), "--beta", str(beta), "--method", method, "--seconds",
                   "3", "--threads", arguments.threads, "--json"]
        result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        off = (result["log_z"] - exact) / result["stderr"]
        worst = max(worst, abs(off))
        print(f"{model:40} {n:4} {method:6} {exact:12.5f} {result['log_z']:12.5f} {result['stderr']:8.5f} {off:+8.2f} "
              f"{result['seconds']:8.1f}", flush=True)
    print(f"worst: {worst:.2f} errors off")


if __name__ == "__main__":
    main()
