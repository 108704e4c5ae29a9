#!/usr/bin/env python3
"""How good is the answer of `nhot anneal` after a given time, on graphs like the hard ones of Gset?

    bench/graphs.py OUT && bench/quality.py OUT [NAME ...] [--seconds 5 60 | --reads 172 244]

Runs maximum bisection on every graph, once for each limit and seed, and prints the CPU time, the lowest energies (minus
the cut) and, in per cent, how far above the lowest of all these runs they are. With --reads the energies do not depend
on the machine. No optimum is known: what is lowest here may not
be. --reference NAME=E sets a lower energy, known from a longer run, in its place.
"""

import argparse
import json
import resource
import subprocess
from pathlib import Path

from machine import describe

ROOT = Path(__file__).resolve().parents[1]


def run(binary, graph, seed, limit, threads):
    command = [str(binary), "anneal", graph["file"], "--format", graph["format"], "-n", str(graph["distance"]), *limit,
               "--threads", str(threads), "--seed", str(seed), "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)["best_energy"], resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def above_lowest(energies, known):
    """By how many per cent the energies, all below 0, are above the lowest of them and of those known."""
    lowest = min([*energies, *known])
    return [100 * (energy - lowest) / abs(lowest) for energy in energies]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="what graphs.py wrote")
    parser.add_argument("names", nargs="*", help="graphs; all when none is given")
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "nhot")
    parser.add_argument("--seconds", type=float, nargs="+", default=[5, 60])
    parser.add_argument("--reads", type=int, nargs="+", help="limits in place of --seconds")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--reference", action="append", default=[], metavar="NAME=E")
    arguments = parser.parse_args()
    graphs = json.loads((arguments.out / "graphs.json").read_text())
    known = {name: [float(energy)] for name, energy in (text.split("=") for text in arguments.reference)}
    print(f"{describe()}, {arguments.threads} threads")
    unit, limits = ("reads", arguments.reads) if arguments.reads else ("seconds", arguments.seconds)
    print(f"{'graph':14} {unit:>7} {'seed':>4} {'CPU s':>7} {'energy':>8} {'above':>8}")
    for name in arguments.names or graphs:
        runs = [(limit, seed) for limit in limits for seed in range(1, arguments.seeds + 1)]
        results = [run(arguments.binary, graphs[name], seed, [f"--{unit}", str(limit)], arguments.threads) for limit, seed in runs]
        distances = above_lowest([energy for energy, _ in results], known.get(name, []))
        for (limit, seed), (energy, cpu), above in zip(runs, results, distances):
            print(f"{name:14} {limit:7g} {seed:4} {cpu:7.1f} {energy:8g} {above:7.3f}%", flush=True)


if __name__ == "__main__":
    main()
