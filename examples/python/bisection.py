"""Maximum bisection: split a graph into two halves of equal size with as many edges as possible between them.

nhot anneals among the halves only: every state it visits has exactly 100 of the 200 vertices on one side. A QUBO
solver has to be told by a penalty, weight * (vertices - 100)^2. A small weight lets it cheat, a large one freezes
it. Both get the same graph, the same number of reads and the same length of a read.

    python bisection.py
"""

import time

import dimod
import networkx as nx
import numpy as np
from dwave.samplers import SimulatedAnnealingSampler

import nhot

VERTICES, READS, SWEEPS = 200, 100, 200
graph = nx.barabasi_albert_graph(VERTICES, 8, seed=1)
edges = np.array(graph.edges)


def cut(states):
    """Edges between the halves, for every row of states."""
    return (states[:, edges[:, 0]] != states[:, edges[:, 1]]).sum(axis=1)


def show(name, states, seconds):
    feasible = states.sum(axis=1) == VERTICES // 2
    best = cut(states[feasible]).max() if feasible.any() else "none"
    print(f"{name:20} {feasible.mean():8.0%} {best:>9} {seconds:8.2f}")


# E = -(edges in the cut): an edge (u, v) is cut when x_u + x_v - 2 x_u x_v = 1.
Q = {(v, v): -degree for v, degree in graph.degree} | {edge: 2 for edge in graph.edges}

print(f"{VERTICES} vertices, {len(edges)} edges, {READS} reads of {SWEEPS} sweeps each")
print(f"{'':20} {'feasible':>8} {'best cut':>9} {'seconds':>8}")
begin = time.perf_counter()
found = nhot.anneal(nhot.qubo(Q), VERTICES // 2, reads=READS, sweeps=SWEEPS, keep=READS, seed=1)
show("nhot.anneal", found.states, time.perf_counter() - begin)

for weight in (0.03, 0.3, 3, 30):
    bqm = dimod.BinaryQuadraticModel.from_qubo(Q)
    bqm.add_linear_equality_constraint([(v, 1) for v in graph], weight, -VERTICES // 2)
    begin = time.perf_counter()
    answer = SimulatedAnnealingSampler().sample(bqm, num_reads=READS, num_sweeps=SWEEPS, seed=1)
    seconds = time.perf_counter() - begin
    show(f"QUBO, penalty {weight:g}", answer.samples(sorted_by=None)[:, list(graph)], seconds)
