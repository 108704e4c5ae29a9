#!/usr/bin/env python3
"""Does tempering give the right answer where chains at one temperature stay in their valleys?

    bench/landscapes.py [--scale X] [--threads T] [NAME ...]

For each landscape: four tempering runs with different seeds, two ladders each, judged together by `nhot
diagnose`; and four chains at the target temperature alone, with the same move and the same CPU time. Prints R-hat
over all of them for the energy and for the overlap, the largest R-hat of any observable, and the verdict.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LANDSCAPES = {
    # name: the problem, the move, the ladder, moves of a replica
    "glass": ("spin-glass:9x9x9,seed=7 -n 364 --beta 1", "im:length=1..3", "--beta-hot 0.4 --sweep 50", 1_500_000),
    "rbm": ("rbm:144x100,seed=1 -n 80 --beta 8", "im:length=1..3", "--beta-hot 0.4 --sweep 30", 80_000),
    "rbm-large": ("rbm:784x500,seed=1 -n 428 --beta 3", "im:length=1..3", "--beta-hot 0.7 --sweep 20", 800_000),
}
SEEDS = (1, 2, 3, 4)


class Bench:
    def __init__(self, binary, threads, folder):
        self.binary, self.threads, self.folder = binary, threads, Path(folder)

    def nhot(self, *words):
        command = [str(self.binary), *words, "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
        return json.loads(done.stdout)

    def temper(self, name, scale):
        problem, move, ladder, moves = LANDSCAPES[name]
        runs, files = [], []
        for seed in SEEDS:
            files.append(str(self.folder / f"{name}{seed}.nc"))
            runs.append(self.nhot("temper", *problem.split(), "--move", move, *ladder.split(), "--chains", "2", "--moves",
                                  str(int(scale * moves)), "--seed", str(seed), "--threads", self.threads, "--states", "0",
                                  "--out", files[-1]))
        pooled = self.nhot("diagnose", *files)
        trips = min(min(run["round_trips"]) for run in runs)
        return {"chains": pooled["chains"], "cpu": sum(run["cpu_seconds"] for run in runs),
                "wall": sum(run["seconds"] for run in runs), "trips": trips, "rungs": len(runs[0]["rows"]),
                "observables": pooled["observables"], "converged": pooled["converged"] and trips >= 10}

    def single(self, name, cpu):
        problem, move, _, _ = LANDSCAPES[name]
        common = ["sample", *problem.split(), "--move", move, "--chains", "4", "--threads", self.threads]
        pilot = self.nhot(*common, "--moves", "50000")
        run = self.nhot(*common, "--moves", str(int(cpu / 4 / (1e-9 * pilot["ns_per_move"]))))
        return {"chains": 4, "cpu": run["cpu_seconds"], "wall": run["seconds"], "observables": run["observables"],
                "converged": run["converged"]}


def row(name, method, result):
    observables = result["observables"]
    energy = observables["energy"]
    largest = max(o["rhat"] for o in observables.values() if o["rhat"])
    print(f"{name:10} {method:10} {result['cpu']:7.0f} {result['wall']:7.0f} {result.get('rungs', 1):6} "
          f"{result.get('trips', '-'):>6} {result['chains']:7} {energy['mean']:11.2f} {energy['mcse']:7.2f} "
          f"{energy['rhat']:8.4f} {observables['overlap']['rhat']:8.4f} {largest:8.4f}  "
          f"{'yes' if result['converged'] else 'no'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(LANDSCAPES)}; all when none is given")
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "nhot")
    parser.add_argument("--scale", type=float, default=1.0, help="times the moves")
    parser.add_argument("--threads", default="2")
    arguments = parser.parse_args()
    names = arguments.names or list(LANDSCAPES)
    for name in names:
        if name not in LANDSCAPES:
            parser.error(f"no landscape {name}")
    print(f"{'':10} {'':10} {'CPU s':>7} {'wall s':>7} {'rungs':>6} {'trips':>6} {'chains':>7} {'energy':>11} {'mcse':>7} "
          f"{'R-hat E':>8} {'R-hat q':>8} {'largest':>8}  converged")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(arguments.binary, arguments.threads, folder)
            tempered = bench.temper(name, arguments.scale)
            row(name, "temper", tempered)
            row(name, "single", bench.single(name, tempered["cpu"]))


if __name__ == "__main__":
    main()
