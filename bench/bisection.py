#!/usr/bin/env python3
"""Does it pay to keep a constraint instead of paying for its violation? Maximum bisection of the Gset's graphs.

    .venv/bin/python bench/bisection.py [GRAPH ...] [--data ../shared/data/gset] [--seconds 10] [--json FILE]

Maximises the cut with half of the vertices on each side, with one thread each:
- nhot: NhotSampler().sample_cqm on the CQM; its seconds are those of building it and of the whole call;
- dwave-samplers' SimulatedAnnealingSampler and OpenJij's SASampler on the cut's energy + weight * (sum of spins)^2,
  for five weights. Each weight has all of the seconds, the best of the five is shown, and only their sampling time
  counts: conversions of the dense model and the choice of temperatures (their defaults) are free. A short read tells
  how long reads can be; then about ten of them fill the time.
Cuts and sides are counted here, from the spins. A sample with sides of different size is not feasible; the table has
the share that is, and the best cut among these. Needs the package nhot (scripts/wheel test), dimod, dwave-samplers and
openjij (scripts/install bench).
"""

import argparse
import json
import os
import re
import sys
import time
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import machine

try:
    import dimod
    import numpy
    import openjij
    from dwave.samplers import SimulatedAnnealingSampler
    from dwave.samplers.sa.sampler import default_beta_range
except ImportError as missing:
    sys.exit(f"{missing.name} is missing; run: scripts/install bench, then .venv/bin/python bench/bisection.py")
try:
    from nhot.dimod import NhotSampler
except ImportError:
    sys.exit("the package nhot is missing; run: scripts/build, scripts/wheel test, then "
             ".venv/bin/python bench/bisection.py")

ROOT = Path(__file__).resolve().parents[1]
READS = 10          # that fill the time of the others
SHORT = 100         # sweeps of the read that is timed first
LARGEST = 6000      # vertices: the penalty couples all pairs
FACTORS = (0.0003, 0.001, 0.005, 0.02, 0.1)  # weights, in units of the root mean square of a vertex's weights


# --- graphs -----------------------------------------------------------------------------------------------------

class Graph:
    """Vertices 0 to n - 1, edges (i, j) with weights. E = sum of w s s, cut = (sum of w - E) / 2."""

    def __init__(self, path):
        rows = path.read_text().split("\n")
        self.name, self.vertices = path.name, int(rows[0].split()[0])
        edges = numpy.array([row.split() for row in rows[1:] if row.strip()], dtype=float)
        self.i, self.j = edges[:, 0].astype(int) - 1, edges[:, 1].astype(int) - 1
        self.weights = edges[:, 2]

    @property
    def balance(self):
        """The sum of spins: 0, or 1 for an odd number of vertices."""
        return self.vertices % 2

    def judge(self, spins):
        """(share of feasible rows, best cut among them or None)."""
        good = spins[spins.sum(axis=1) == self.balance]
        cuts = [(self.weights * (row[self.i] != row[self.j])).sum() for row in good]
        return len(good) / len(spins), max(cuts, default=None)

    def energy(self):
        zeros = numpy.zeros(self.vertices)
        return dimod.BinaryQuadraticModel.from_numpy_vectors(zeros, (self.i, self.j, self.weights), 0.0, "SPIN")

    def cqm(self):
        """From arrays, dimod's fastest way: milliseconds for thousands of vertices."""
        cqm = dimod.ConstrainedQuadraticModel.from_bqm(self.energy())
        ones = dimod.BinaryQuadraticModel.from_numpy_vectors(numpy.ones(self.vertices), ([], [], []), 0.0, "SPIN")
        cqm.add_constraint_from_model(ones, "==", self.balance, label="bisection", copy=False)
        return cqm

    def scale(self):
        return float(numpy.sqrt(2 * (self.weights ** 2).sum() / self.vertices))

    def penalised(self, weight):
        """(fields, upper triangle of couplings) of E + weight * (sum of s - balance)^2."""
        couplings = numpy.triu(numpy.full((self.vertices, self.vertices), 2.0 * weight), 1)
        numpy.add.at(couplings, (numpy.minimum(self.i, self.j), numpy.maximum(self.i, self.j)), self.weights)
        return numpy.full(self.vertices, -2.0 * weight * self.balance), couplings


def in_order(found, vertices):
    """The spins of a sample set, column k for vertex k."""
    place = numpy.empty(vertices, dtype=int)
    place[list(found.variables)] = numpy.arange(vertices)
    return found.record.sample[:, place]


# --- samplers ---------------------------------------------------------------------------------------------------

def nhot_spins(graph, seconds):
    begin = time.perf_counter()
    found = NhotSampler().sample_cqm(graph.cqm(), time_limit=seconds, threads=1, seed=1)
    return in_order(found, graph.vertices), time.perf_counter() - begin


def dwave_reads(graph, weight):
    """A function (sweeps, reads) -> spins, seconds."""
    fields, couplings = graph.penalised(weight)
    i, j = numpy.nonzero(couplings)
    bqm = dimod.BinaryQuadraticModel.from_numpy_vectors(fields, (i, j, couplings[i, j]), 0.0, "SPIN")
    betas = default_beta_range(bqm)
    seeds = iter(range(10 ** 6))

    def sample(sweeps, reads):
        found = SimulatedAnnealingSampler().sample(bqm, beta_range=betas, num_sweeps=sweeps, num_reads=reads,
                                                   seed=next(seeds))
        return in_order(found, graph.vertices), found.info["timing"]["sampling_ns"] / 1e9

    return sample


def openjij_reads(graph, weight):
    """The same; its dense models are faster here than its sparse ones. A seed would make all reads alike."""
    fields, couplings = graph.penalised(weight)
    matrix = numpy.ascontiguousarray(couplings + numpy.diag(fields))
    model = openjij.model.model.BinaryQuadraticModel.from_numpy_matrix(matrix, list(range(graph.vertices)), 0.0, "SPIN")

    def sample(sweeps, reads):
        found = openjij.SASampler().sample(model, num_sweeps=sweeps, num_reads=reads, sparse=False)
        return in_order(found, graph.vertices), found.info["sampling_time"] / 1e6

    return sample


def filled(sample, seconds):
    """Reads of equal length that take the time, about."""
    short = sample(SHORT, 1)[1]
    sweeps = max(SHORT, int(SHORT * seconds / READS / short))
    spins, spent, each = [], 0.0, seconds / READS
    while spent < seconds - each / 2:
        found, took = sample(sweeps, max(1, round((seconds - spent) / each / 2)))
        spins.append(found)
        spent += took
        each = spent / sum(map(len, spins))
    return numpy.concatenate(spins), spent


def best_of_weights(graph, reads_of, seconds):
    """The row of the weight with the largest cut; of equal ones, with the largest share of feasible samples."""
    rows = []
    for factor in FACTORS:
        weight = factor * graph.scale()
        spins, spent = filled(reads_of(graph, weight), seconds)
        share, cut = graph.judge(spins)
        rows.append({"weight": weight, "feasible": share, "cut": cut, "seconds": spent, "samples": len(spins)})
    return max(rows, key=lambda row: (-numpy.inf if row["cut"] is None else row["cut"], row["feasible"]))


# --- the table --------------------------------------------------------------------------------------------------

def compare(graph, seconds):
    spins, spent = nhot_spins(graph, seconds)
    share, cut = graph.judge(spins)
    rows = {"nhot": {"weight": None, "feasible": share, "cut": cut, "seconds": spent, "samples": len(spins)}}
    if graph.vertices <= LARGEST:
        rows["dwave-samplers"] = best_of_weights(graph, dwave_reads, seconds)
        rows["openjij"] = best_of_weights(graph, openjij_reads, seconds)
    return rows


def show(graph, rows, known):
    for method, row in rows.items():
        weight = "" if row["weight"] is None else f"{row['weight']:.3g}"
        cut = "none" if row["cut"] is None else f"{row['cut']:.10g}"
        print(f"{graph.name:8} {graph.vertices:8} {method:15} {weight:>7} {100 * row['feasible']:10.0f} {cut:>9} "
              f"{known or '?':>10} {row['seconds']:8.2f}", flush=True)


def at_least_as_good(rows):
    others = [row["cut"] for method, row in rows.items() if method != "nhot" and row["cut"] is not None]
    return rows["nhot"]["cut"] is not None and rows["nhot"]["cut"] >= max(others, default=-numpy.inf)


def best_known(folder):
    path = folder / "best_known.tsv"
    if not path.exists():
        return {}
    return {row.split("\t")[0]: row.split("\t")[2] for row in path.read_text().splitlines()[1:]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="*", help="names of files; all when none is given")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data" / "gset")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    names = options.graphs or sorted((path.name for path in options.data.iterdir() if re.fullmatch(r"G\d+", path.name)),
                                     key=lambda name: int(name[1:]))
    known = best_known(options.data)
    result = {"machine": machine.describe(), "seconds": options.seconds, "graphs": {}}
    print(f"{result['machine']}; {options.seconds:g} s and one thread each\n")
    print(f"{'graph':8} {'vertices':>8} {'method':15} {'weight':>7} {'feasible %':>10} {'best cut':>9} "
          f"{'best known':>10} {'seconds':>8}")
    for name in names:
        graph = Graph(options.data / name)
        rows = compare(graph, options.seconds)
        show(graph, rows, known.get(name))
        result["graphs"][name] = rows
    good = sum(map(at_least_as_good, result["graphs"].values()))
    print(f"\nnhot is at least as good as both others on {good} of {len(names)} graphs")
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
