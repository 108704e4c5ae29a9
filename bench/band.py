#!/usr/bin/env python3
"""Is log Z_n of a band right, are its errors honest, and what does it cost beside `nhot logz` shell by shell?

    bench/band.py [--binary build/nhot] [--seeds 20]

First against answers that need no sampling: independent sites (elementary symmetric polynomials), the 8x8 ferromagnet
(transfer matrix) and a glass (enumeration), at every n, with the share of estimates within one and two of their errors
over the seeds. Then a profile of the 16x16 ferromagnet over all n against `logz` on a few shells: the CPU time of one
profile over that of logz for all shells, and the ratio of the costs at equal errors. Needs numpy.
"""

import argparse
import json
import os
import subprocess
from pathlib import Path

import numpy
from partition import coo, enumerated, symmetric, transfer_matrix

ROOT = Path(__file__).resolve().parents[1]


def run(binary, *words):
    """The JSON of a command, and the CPU seconds that it took."""
    before = os.times()
    done = subprocess.run([str(binary), *words, "--threads", "1", "--json"], check=True, capture_output=True, text=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return json.loads(done.stdout), cpu


def truths(binary):
    field, glass = "field:1000,seed=1", "spin-glass:4x4,seed=1,couplings=gaussian"
    fields = [value for _, _, value in coo(binary, field)]
    couplings = coo(binary, glass)
    places = range(0, 1001, 100)
    yield field, 1.0, "0..1000", "400000", {n: symmetric(fields, n, 1.0) for n in places}
    yield "ferromagnet:8x8", 0.44, "0..64", "30000", {n: transfer_matrix(8, n, 0.44) for n in range(4, 64, 8)}
    yield glass, 1.0, "2..14", "5000", {n: enumerated(couplings, 16, n, 1.0) for n in range(2, 15)}


def calibrate(binary, seeds):
    print(f"{'model':40} {'band':8} {'estimates':>9} {'rms':>6} {'< 1':>6} {'< 2':>6} {'worst':>6}   error, mean")
    for model, beta, band, moves, exact in truths(binary):
        off, errors = [], []
        for seed in range(1, seeds + 1):
            found, _ = run(binary, "profile", model, "-n", band, "--beta", str(beta), "--moves", moves, "--seed", str(seed))
            first = found["distance"][0]
            for n, value in exact.items():
                error = found["stderr"][n - first]
                if error and error > 1e-9:
                    off.append((found["log_z"][n - first] - value) / error)
                    errors.append(error)
        size = numpy.abs(off)
        print(f"{model:40} {band:8} {len(off):9} {numpy.sqrt(numpy.mean(size ** 2)):6.2f} {numpy.mean(size < 1):6.2f} "
              f"{numpy.mean(size < 2):6.2f} {size.max():6.1f}   {numpy.mean(errors):.3f}", flush=True)
    print("right for 16 chains: rms 1.00, < 1 0.70, < 2 0.95")


def compare(binary):
    model, beta, moves = "ferromagnet:16x16", "0.5", "300000"
    profile, cpu = run(binary, "profile", model, "-n", "0..256", "--beta", beta, "--moves", moves)
    print(f"\n{model} at beta {beta}, all 257 shells: {cpu:.1f} CPU seconds, {profile['round_trips']:.0f} round trips")
    print(f"{'n':>4} {'profile':>12} {'error':>8} {'logz':>12} {'error':>8} {'off by':>7} {'CPU s':>7}")
    ratios, costs = [], []
    for n in (16, 48, 80, 112, 128, 176, 240):
        single, own = run(binary, "logz", model, "-n", str(n), "--beta", beta)
        a, b = profile["stderr"][n], single["stderr"]
        off = (profile["log_z"][n] - single["log_z"]) / numpy.hypot(a, b)
        print(f"{n:4} {profile['log_z'][n]:12.4f} {a:8.4f} {single['log_z']:12.4f} {b:8.4f} {off:+7.2f} {own:7.2f}", flush=True)
        costs.append(own)
        ratios.append(cpu * a * a / (257 * own * b * b))
    print(f"CPU time, profile / logz of all shells: {cpu / (257 * numpy.mean(costs)):.4f}")
    print(f"CPU time at equal errors, profile / logz of all shells: {numpy.exp(numpy.mean(numpy.log(ratios))):.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "nhot")
    parser.add_argument("--seeds", type=int, default=20)
    arguments = parser.parse_args()
    calibrate(arguments.binary, arguments.seeds)
    compare(arguments.binary)


if __name__ == "__main__":
    main()
