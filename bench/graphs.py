#!/usr/bin/env python3
"""Graphs like the hard ones of Gset, for maximum bisection: writes them as files that nhot reads.

    bench/graphs.py OUT

OUT gets the graphs of GRAPHS and graphs.json: for every graph the file, its format and the distance, half of the
vertices. Each graph is a function of its line in GRAPHS alone. Three kinds:

    planar  the union of two random almost maximal planar graphs (each grows by a vertex in a random triangle, then
            loses an edge in a hundred), weight 1
    sparse  that many different random edges, weight 1
    torus   a periodic square grid, weights +1 and -1 with equal probability
"""

import argparse
import json
import random
from pathlib import Path

GRAPHS = {  # name: kind, size, seed
    "planar800": ("planar", (800,), 1),
    "sparse1000": ("sparse", (1000, 2500), 1),
    "planar2000": ("planar", (2000,), 1),
    "sparse5000": ("sparse", (5000, 12498), 1),
    "torus100x200": ("torus", (100, 200), 1),
}


def triangulation(sites, draw):
    """The edges of a random maximal planar graph, almost all of them."""
    labels = draw.sample(range(sites), sites)
    faces = [(0, 1, 2), (0, 1, 2)]  # the inside and the outside
    edges = [(0, 1), (0, 2), (1, 2)]
    for vertex in range(3, sites):
        k = draw.randrange(len(faces))
        a, b, c = faces[k]
        faces[k] = (a, b, vertex)
        faces += [(a, c, vertex), (b, c, vertex)]
        edges += [(a, vertex), (b, vertex), (c, vertex)]
    kept = sorted(draw.sample(range(len(edges)), len(edges) * 99 // 100))
    return {tuple(sorted((labels[edges[k][0]], labels[edges[k][1]]))) for k in kept}


def planar(draw, sites):
    return sites, dict.fromkeys(sorted(triangulation(sites, draw) | triangulation(sites, draw)), 1)


def sparse(draw, sites, count):
    edges = set()
    while len(edges) < count:
        edges.add(tuple(sorted(draw.sample(range(sites), 2))))
    return sites, dict.fromkeys(sorted(edges), 1)


def torus(draw, rows, columns):
    edges = {}
    for row in range(rows):
        for column in range(columns):
            here = row * columns + column
            for there in (row * columns + (column + 1) % columns, (row + 1) % rows * columns + column):
                edges[min(here, there), max(here, there)] = draw.choice((1, -1))
    return rows * columns, edges


def make(name):
    """Number of vertices and {(i, j): weight} of a graph of GRAPHS."""
    kind, size, seed = GRAPHS[name]
    return {"planar": planar, "sparse": sparse, "torus": torus}[kind](random.Random(seed), *size)


def write(name, folder):
    sites, edges = make(name)
    path = folder / f"{name}.gset"
    lines = [f"{sites} {len(edges)}"] + [f"{i + 1} {j + 1} {weight}" for (i, j), weight in edges.items()]
    path.write_text("\n".join(lines) + "\n")
    return {"file": str(path), "format": "gset", "distance": sites // 2}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    folder = parser.parse_args().out.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    graphs = {name: write(name, folder) for name in GRAPHS}
    (folder / "graphs.json").write_text(json.dumps(graphs, indent=1) + "\n")
    print(f"{len(graphs)} graphs in {folder}")


if __name__ == "__main__":
    main()
