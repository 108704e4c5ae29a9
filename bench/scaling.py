#!/usr/bin/env python3
"""What several ranks cost and gain: weak and strong scaling measured on this machine, the cost of an exchange fitted,
and what a thousand ranks would do by that model, checked by simulating every message of the pattern.

    bench/scaling.py [--nhot build/nhot] [--latency SECONDS --bandwidth BYTES_PER_SECOND]

Needs mpirun, and mpi4py for the fit. On a machine that does other things, wall-clock times say little: the ratios of
CPU seconds say what sharing costs.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from machine import describe

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_btl": "self,vader", "OMPI_MCA_mpi_yield_when_idle": "1",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_hwloc_base_binding_policy": "none"}
GLASS = ["spin-glass:9x9x9,seed=7", "-n", "364", "--beta", "1", "--move", "im:length=2"]
RANKS = 1, 2, 4
SIZES = [16, 256, 4096, 65536]


def mpirun(ranks, *command):
    done = subprocess.run(["mpirun", "-np", str(ranks), *map(str, command)], env=ENVIRONMENT, text=True,
                          capture_output=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def temper(nhot, ranks, ladders, rungs, threads=1):
    """Wall-clock and CPU seconds of sampling, and steps: the shortest of three runs."""
    runs = [mpirun(ranks, nhot, "temper", *GLASS, "--threads", threads, "--chains", ladders, "--rungs", rungs, "--beta-hot",
                   "0.2", "--warmup", "2000", "--sweep", "500", "--moves", "500000", "--json") for _ in range(3)]
    return min((told["seconds"], told["cpu_seconds"], told["steps"]) for told in runs)


def scaling(nhot):
    """Efficiency: of the wall-clock time, what perfect sharing would take; only where every rank has a core."""
    cores = len(os.sched_getaffinity(0))
    print("shortest of three runs each")
    print("ranks x threads  ladders x rungs   wall s   CPU s   CPU s per step / that of one rank   efficiency")
    for title, strong, problems in (
            ("strong: the same 12 replicas", True, {(r, 1): (1, 12) for r in RANKS} | {(1, 2): (1, 12)}),
            ("weak: 6 replicas a rank, one ladder", False, {(r, 1): (1, 6 * r) for r in RANKS} | {(1, 2): (1, 12)}),
            ("weak: a ladder of 6 a rank", False, {(r, 1): (r, 6) for r in RANKS} | {(1, 2): (2, 6)})):
        print(title)
        first = None
        for (ranks, threads), (ladders, rungs) in problems.items():
            wall, cpu, steps = temper(nhot, ranks, ladders, rungs, threads)
            first = first or (wall, cpu / steps)
            share = first[0] / wall / (ranks * threads if strong else 1)
            print(f"{ranks:5} x {threads:<7}  {ladders:7} x {rungs:<7} {wall:7.2f} {cpu:7.2f} {cpu / steps / first[1]:12.2f}"
                  + (f"{share:38.2f}" if ranks * threads <= cores else ""))


def probe():
    """On each rank: the least seconds of a gathering, by bytes of a rank."""
    from mpi4py import MPI
    comm = MPI.COMM_WORLD
    least = []
    for size in SIZES:
        mine, everything = np.zeros(size, np.uint8), np.zeros(size * comm.size, np.uint8)
        times = []
        for _ in range(2000):
            begin = time.perf_counter()
            comm.Allgather(mine, everything)
            times.append(time.perf_counter() - begin)
        least.append(float(np.percentile(times, 10)))
    if comm.rank == 0:
        print(json.dumps(least))


def fit():
    """Latency and bandwidth of two ranks on this machine, by least squares over the sizes, relative."""
    seconds = np.array(mpirun(2, sys.executable, __file__, "--probe"))
    columns = np.stack([np.ones(len(SIZES)), np.array(SIZES, float)], axis=1) / seconds[:, None]
    latency, per_byte = np.linalg.lstsq(columns, np.ones(len(SIZES)), rcond=None)[0]
    for size, measured in zip(SIZES, seconds):
        print(f"  {size:6} bytes a rank: {1e6 * measured:8.2f} us, fitted {1e6 * (latency + per_byte * size):8.2f} us")
    return latency, 1 / per_byte


def bytes_of_exchange(replicas, ranks):
    """What a rank gives to a gathering: its energies, and one number that says that it goes on."""
    return 8 * (1 + math.ceil(replicas / ranks))


def model(replicas, ranks, latency, bandwidth):
    """Seconds of a gathering, by Bruck's way: ceil(log2 P) round trips, and all bytes come in once."""
    return math.ceil(math.log2(ranks)) * latency + (ranks - 1) * bytes_of_exchange(replicas, ranks) / bandwidth


def simulate(replicas, ranks, latency, bandwidth, sweeps, rounds=200, seed=1):
    """Mean seconds of a round: every message of Bruck's gathering, begun by ranks whose sweeps take their own time."""
    rng = np.random.default_rng(seed)
    ready = np.zeros(ranks)
    everyone = np.arange(ranks)
    for _ in range(rounds):
        ready = ready + sweeps(rng, ranks)
        distance = 1
        while distance < ranks:
            size = min(distance, ranks - distance) * bytes_of_exchange(replicas, ranks)
            # A rank goes on when it has sent its part and has got that of the rank `distance` behind it.
            ready = np.maximum(ready, ready[(everyone + distance) % ranks]) + latency + size / bandwidth
            distance *= 2
    return float(ready.max()) / rounds


def bytes_of_draw(sites, observables):
    """What comes to rank 0 of one draw of one replica."""
    return 8 + 24 + 8 * observables + 16 + 8 * math.ceil(sites / 64) + 16


def predict(latency, bandwidth, sites=729):
    print("ranks  bytes/exchange  round trips   exchange us: model  simulated   share of the time in moves, sweep of"
          "  0.1 ms   1 ms  10 ms")
    for ranks in 2, 16, 128, 1000:
        cost = model(ranks, ranks, latency, bandwidth)
        still = simulate(ranks, ranks, latency, bandwidth, lambda rng, n: np.zeros(n))
        shares = []
        for sweep in 1e-4, 1e-3, 1e-2:
            # Sweeps differ by a twentieth: every round waits for the slowest rank.
            round_ = simulate(ranks, ranks, latency, bandwidth, lambda rng, n: sweep * (1 + 0.05 * rng.standard_normal(n)))
            shares.append(sweep / round_)
        print(f"{ranks:5} {bytes_of_exchange(ranks, ranks):12} a rank {math.ceil(math.log2(ranks)):10}"
              f" {1e6 * cost:19.1f} {1e6 * still:10.1f}" + " " * 38 + "".join(f"{share:7.2f}" for share in shares))
    draw = 1000 * bytes_of_draw(sites, 2)
    print(f"a draw of 1000 replicas of {sites} sites: {draw / 1e3:.0f} kB come to rank 0, "
          f"{1e6 * (1000 * latency + draw / bandwidth):.0f} us in 1000 messages; a block of draws needs no more messages")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--nhot", type=Path, default=ROOT / "build" / "nhot")
    options.add_argument("--latency", type=float, help="of the network to predict for; default: as fitted here")
    options.add_argument("--bandwidth", type=float, help="bytes a second; default: as fitted here")
    options.add_argument("--probe", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.probe:
        return probe()
    print(f"{describe()}; load {os.getloadavg()[0]:.1f}\n")
    scaling(given.nhot)
    print("\na gathering of two ranks on this machine (tenth percentile of 2000)")
    latency, bandwidth = fit()
    print(f"  latency {1e6 * latency:.2f} us, bandwidth {bandwidth / 1e9:.2f} GB/s")
    print("\nby this machine's figures")
    predict(latency, bandwidth)
    if given.latency and given.bandwidth:
        print(f"\nby a latency of {1e6 * given.latency:g} us and {given.bandwidth / 1e9:g} GB/s")
        predict(given.latency, given.bandwidth)


if __name__ == "__main__":
    main()
