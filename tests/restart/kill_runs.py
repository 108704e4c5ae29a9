#!/usr/bin/env python3
"""Kills runs of every driver at random moments (kill -9), goes on with nhot resume, and compares with a run that was
left alone: nothing lost, nothing doubled, every file readable by xarray at every instant.

    tests/restart/kill_runs.py --kills 200 [--seed 1] [--nhot build/nhot]

Prints kills survived, runs compared and losses, driver by driver and in all; exits with 1 when anything was lost.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import netCDF4
import numpy
import xarray

GLASS = ["spin-glass:5x5x5,seed=4", "-n", "60"]

# The command, its file, and how the file is named to it. All of these but `logz ti` end after a number of moves, reads or
# trials: the result is a function of the seed. The first word of each name is the command.
DRIVERS = {
    "sample": (["sample", *GLASS, "--beta", "0.9", "--move", "swap", "--thin", "50", "--warmup", "10000",
                "--moves", "150000"], "--out"),
    "sample im": (["sample", *GLASS, "--beta", "0.9", "--move", "im:length=1..4", "--moves", "8000", "--states", "40"],
                  "--out"),
    "sample until": (["sample", *GLASS, "--beta", "0.4", "--move", "swap", "--ess", "4000", "--moves", "1e7"], "--out"),
    "temper": (["temper", *GLASS, "--beta", "0.9", "--rungs", "4", "--chains", "2", "--warmup", "1000",
                "--moves", "4000", "--sweep", "20"], "--out"),
    "temper weights": (["temper", "rbm:30x20,seed=2", "-n", "17", "--beta", "1.5", "--path", "weights", "--rungs", "4",
                        "--chains", "2", "--warmup", "1000", "--moves", "4000", "--sweep", "20"], "--out"),
    "anneal": (["anneal", "spin-glass:6x6x6,seed=7", "-n", "108", "--reads", "64", "--keep", "4"], "--checkpoint"),
    "anneal population": (["anneal", *GLASS, "--reads", "6", "--population", "40"], "--checkpoint"),
    "logz": (["logz", *GLASS, "--beta", "1.2", "--population", "20", "--populations", "8", "--ratio"], "--checkpoint"),
    "logz ais": (["logz", *GLASS, "--beta", "0.7", "--population", "24", "--populations", "8", "--method", "ais"],
                 "--checkpoint"),
    "logz ti": (["logz", *GLASS, "--beta", "0.7", "--method", "ti", "--seconds", "0.4"], "--checkpoint"),
    "sample scan": (["sample", *GLASS, "--beta", "0.3..0.9/5", "--move", "swap", "--moves", "40000"], "--out"),
    "logz scan": (["logz", "spin-glass:5x5x5,seed=4", "-n", "50..60/3", "--beta", "0.5,0.9", "--population", "12", "--populations", "6"],
                  "--checkpoint"),
    "profile": (["profile", "ferromagnet:6x6", "-n", "6..30", "--beta", "0.4", "--moves", "40000"], "--checkpoint"),
    "tune": (["tune", "field:40,seed=1", "-n", "10", "--seconds", "0.1", "--tune-objective", "count"], "--checkpoint"),
    "compare": (["compare", *GLASS, "--beta", "0.9", "--moves", "60000", "--move", "swap", "--move", "im:length=2"],
                "--checkpoint"),
    "reproduce": (["reproduce", "ferromagnet", "--model", "ferromagnet:8x8", "--trials", "2", "--scale", "0.01",
                   "--out", "results", "--force"], "--checkpoint"),
}
TIMES = ("second", "ns_per", "notes", "cpu", "speed", "created", "stamps", "draw_time", "attempts_per_move", "move_share", "series")


def without_times(value):
    """Of a result, what the seed decides."""
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items() if not any(word in key for word in TIMES)}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def columns(path):
    """Every variable of a run file but the state of its chains."""
    found = {}

    def walk(group):
        for name, variable in group.variables.items():
            found[group.path + "/" + name] = numpy.ma.getdata(variable[:])
        for name, inner in group.groups.items():
            if name != "checkpoint":
                walk(inner)

    with netCDF4.Dataset(path) as run:
        walk(run)
    return found


def result_of(driver, folder, output):
    """What must be the same: columns of files, and the JSON without times."""
    told = without_times(json.loads(output))
    run = folder / "run.nc"
    if driver == "sample scan":
        # A scan that was killed between its end and its words is told from its file.
        found = columns(run)
        # As bytes, where NaN is what NaN was.
        return {}, {name: found[name].astype(float).tobytes().hex() for name in found if not any(word in name for word in TIMES)}
    if driver.startswith(("sample", "temper")):
        # A run that was killed between its end and its words is told by nhot diagnose, which says less.
        told = {key: told[key] for key in ("moves", "steps", "acceptance", "best_energy", "draws", "observables")}
    elif driver == "logz ti":  # ended by the clock: that it ends, and on the same shell
        told = {key: told[key] for key in ("method", "log_states", "seed")}
    elif driver == "compare":  # other moves are ended by the clock
        told = told["results"][0]
    elif driver == "reproduce":
        # Samplers with a number of moves; those of equal time are ended by the clock.
        results = without_times(json.loads((folder / "results" / "results.json").read_text()))
        experiment = results["experiments"]["ferromagnet"]
        told = [experiment["reference"], *(experiment["samplers"][key] for key in ("im", "swap_paper", "im_printed"))]
    return told, columns(run) if driver.startswith(("sample", "temper")) else {}


def same(one, other):
    return (json.dumps(one[0], sort_keys=True) == json.dumps(other[0], sort_keys=True) and
            one[1].keys() == other[1].keys() and
            all(numpy.array_equal(column, other[1][name]) for name, column in one[1].items()))


def check_readable(folder):
    """Whether xarray reads what is there; whether it holds something to go on from."""
    for name in "run.nc", "run.nc.partial":
        path = folder / name
        if not path.exists():
            continue
        with xarray.open_dataset(path, engine="netcdf4"):
            pass
        with netCDF4.Dataset(path) as run:
            if "checkpoint" not in run.groups:
                continue
        with xarray.open_dataset(path, group="checkpoint", engine="netcdf4") as state:
            if "state" in state:
                state["state"].values[:1].sum()
                return True
    return False


class Killer:
    def __init__(self, nhot, seed):
        self.nhot = str(pathlib.Path(nhot).absolute())
        self.random = random.Random(seed)
        self.kills = self.traces = self.losses = 0
        self.whole = {}  # driver: result and seconds
        self.tally = {}  # driver: kills, runs compared, losses
        self.environment = {**os.environ, "NHOT_CHECKPOINT_SECONDS": "0.01"}

    def call(self, words, folder, patience=None):
        """Exit code, output, message; exit code None when it was killed."""
        process = subprocess.Popen([self.nhot, *words, "--json"], cwd=folder, env=self.environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            output, message = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None, "", ""
        return process.returncode, output, message

    def left_alone(self, driver, folder):
        if driver not in self.whole:
            words, option = DRIVERS[driver]
            folder = folder / "whole"
            folder.mkdir()
            begin = time.monotonic()
            code, output, message = self.call([*words, option, "run.nc"], folder)
            if code != 0:
                raise RuntimeError(f"{driver}: {message}")
            self.whole[driver] = result_of(driver, folder, output), time.monotonic() - begin
        return self.whole[driver]

    def run(self, driver, threads, kills):
        """Kills one run up to so many times, lets it end, and compares. True when it is as if left alone."""
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            expected, seconds = self.left_alone(driver, folder)
            words, option = DRIVERS[driver]
            begin = [*words, option, "run.nc", "--threads", str(threads)]
            command, done = begin, 0
            while True:
                patience = self.random.uniform(0, seconds) if done < kills else None
                code, output, message = self.call(command, folder, patience)
                if code == 0:
                    break
                if code is None:
                    done += 1
                    kept = check_readable(folder)
                    self.kills += 1
                    command = (["resume", "run.nc", "--threads", str(threads)] if kept else
                               begin if "--force" in begin else [*begin, "--force"])
                    continue
                print(f"{driver}, {threads} threads: {' '.join(command)} ended with {code}: {message}", flush=True)
                return False
            self.traces += 1
            if same(result_of(driver, folder, output), expected):
                return True
            print(f"{driver}, {threads} threads: another result after {done} kills", flush=True)
            return False

    def kill(self, wanted, drivers=tuple(DRIVERS), most=4):
        """Until there were so many kills, over drivers and thread counts in turn."""
        turn = 0
        while self.kills < wanted or turn < len(drivers):
            driver = drivers[turn % len(drivers)]
            threads = 1 + (turn + turn // len(drivers)) % 3
            before = self.kills, self.traces
            lost = not self.run(driver, threads, min(most, max(1, wanted - self.kills)))
            self.losses += lost
            now = self.kills - before[0], self.traces - before[1], int(lost)
            self.tally[driver] = tuple(map(sum, zip(self.tally.get(driver, (0, 0, 0)), now)))
            turn += 1
        return self.losses == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--nhot", default=os.environ.get("NHOT_BIN", "build/nhot"))
    parser.add_argument("--drivers", nargs="*", default=list(DRIVERS))
    options = parser.parse_args()
    killer = Killer(options.nhot, options.seed)
    whole = killer.kill(options.kills, options.drivers)
    print(f"{'driver':<20}{'kills':>8}{'compared':>10}{'losses':>8}")
    for driver, (kills, traces, losses) in killer.tally.items():
        print(f"{driver:<20}{kills:>8}{traces:>10}{losses:>8}")
    print(f"seed {options.seed}: kills survived {killer.kills}, traces compared {killer.traces}, losses {killer.losses}")
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
