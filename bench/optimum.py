#!/usr/bin/env python3
"""How often does `nhot anneal` find the best energy known, and how fast?

    bench/instances.py DATA OUT && bench/optimum.py OUT [NAME ...]

Runs every instance with several seeds and prints a table: hits, the median and the longest time to the
known energy over the hits, and the best and worst energy. --seconds sets one limit for all; without it
every instance has the limit of its row in LIMITS.
"""

import argparse
import json
import statistics
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIMITS = {"G6": 60, "G14": 60, "G51": 60, "spin-glass": 120}  # by name or family; 5 s for the rest


def limit(name, instance):
    return LIMITS.get(name, LIMITS.get(instance["family"], 5))


def run(binary, instance, seed, seconds, threads, extra):
    target = instance["known"] + instance.get("tolerance", 0)
    command = [str(binary), "anneal", instance["file"], "--format", instance["format"], "-n", str(instance["distance"]),
               f"--target={target!r}", "--seconds", str(seconds), "--threads", str(threads), "--seed", str(seed),
               "--json", *extra]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="what instances.py wrote")
    parser.add_argument("names", nargs="*", help="instances; all when none is given")
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "nhot")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--option", action="append", default=[], help="passed on, as in --option=--move=swap")
    arguments = parser.parse_args()
    instances = json.loads((arguments.out / "instances.json").read_text())
    print(f"{'instance':22} {'limit':>6} {'hits':>7} {'median s':>9} {'longest s':>9} {'known':>10} {'best':>10} {'worst':>10}")
    for name in arguments.names or instances:
        instance = instances[name]
        seconds = arguments.seconds or limit(name, instance)
        results = [run(arguments.binary, instance, seed, seconds, arguments.threads, arguments.option)
                   for seed in range(1, arguments.seeds + 1)]
        times = [r["seconds_to_best"] for r in results if r["reached_target"]]
        energies = [r["best_energy"] for r in results]
        print(f"{name:22} {seconds:6g} {len(times):3}/{len(results):<3} "
              f"{statistics.median(times) if times else float('nan'):9.2f} {max(times, default=float('nan')):9.2f} "
              f"{instance['known']:10.7g} {min(energies):10.7g} {max(energies):10.7g}", flush=True)


if __name__ == "__main__":
    main()
