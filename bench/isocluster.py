#!/usr/bin/env python3
"""Does the exchange of clusters between two replicas pay for the second replica?

    bench/isocluster.py [--seconds S] [--seeds N] [NAME ...]

Tempers two-dimensional spin glasses on their middle shell with and without `--isocluster`, with the same settings and time, and
prints per CPU second of the whole process: effective draws of the overlap between ladders and of the energy at the
target, and round trips; each the mean over the seeds and its standard error. Then the share of cluster exchanges
that changed anything at the target, the largest R-hat of any seed, and the ratios with / without. Partners are not recorded: all
that the second replica can give is faster mixing of the first.
"""

import argparse
import json
import resource
import statistics
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GLASSES = {
    "16x16": "spin-glass:16x16,seed=1 -n 128 --beta 2",
    "cold": "spin-glass:16x16,seed=1 -n 128 --beta 3",
    "24x24": "spin-glass:24x24,seed=1 -n 288 --beta 2",
}
LADDER = "--beta-hot 0.3 --move im:length=1..3 --chains 4"
COLUMNS = ("overlap ESS/s", "energy ESS/s", "trips/s")


def cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(arguments, problem, seed, extra):
    command = [str(arguments.binary), "temper", *problem.split(), *LADDER.split(), "--seconds", str(arguments.seconds), "--seed",
               str(seed), "--threads", arguments.threads, "--json", *extra]
    begin = cpu()
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    seconds = cpu() - begin
    overlap, energy = result["observables"]["overlap"], result["observables"]["energy"]
    return {"rates": [overlap["ess_bulk"] / seconds, energy["ess_bulk"] / seconds, sum(result["round_trips"]) / seconds],
            "clusters": result["rows"][-1].get("cluster_rate"), "rhat": max(overlap["rhat"], energy["rhat"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(GLASSES)}; all when none is given")
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "nhot")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", default="1")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in GLASSES:
            parser.error(f"no glass {name}")
    print(f"{'':10} {'':8} " + " ".join(f"{column:>18}" for column in COLUMNS) + f" {'clusters':>9} {'R-hat':>7}")
    for name in arguments.names or GLASSES:
        means = {}
        for label, extra in (("without", []), ("with", ["--isocluster"])):
            runs = [measure(arguments, GLASSES[name], seed, extra) for seed in range(1, arguments.seeds + 1)]
            columns = list(zip(*(run["rates"] for run in runs)))
            means[label] = [statistics.mean(column) for column in columns]
            errors = [statistics.stdev(column) / len(runs) ** 0.5 if len(runs) > 1 else 0 for column in columns]
            clusters = "" if runs[0]["clusters"] is None else f"{statistics.mean(run['clusters'] for run in runs):.3f}"
            print(f"{name:10} {label:8} " + " ".join(f"{m:9.1f} +- {e:5.1f}" for m, e in zip(means[label], errors)) +
                  f" {clusters:>9} {max(run['rhat'] for run in runs):7.3f}", flush=True)
        print(f"{name:10} {'ratio':8} " + " ".join(f"{a / b if b else float('nan'):18.2f}"
                                                   for a, b in zip(means["with"], means["without"])), flush=True)


if __name__ == "__main__":
    main()
