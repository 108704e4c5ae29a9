#!/usr/bin/env python3
"""Turns public instances with known answers into files that nhot reads.

    bench/instances.py DATA OUT

DATA holds the folders gset, kcluster, spinglass3d and qplib, each as published; OUT gets the models and
instances.json: for every instance the file, its format, the distance, and the best energy known.
Densest-k-subgraph and the pseudo-Boolean file become .coo, graphs stay as they are (energy = minus
the cut), spin glasses become .coo with a shell that holds the known ground state.
"""

import argparse
import json
import re
from pathlib import Path


def write_coo(path, vartype, sites, linear, couplings):
    lines = [f"# vartype={vartype}", f"# sites={sites}"]

    def plain(value):  # COO readers want decimals without exponents
        return str(value) if isinstance(value, int) else f"{value:.11f}"

    lines += [f"{i} {i} {plain(v)}" for i, v in sorted(linear.items()) if v]
    lines += [f"{i} {j} {plain(v)}" for (i, j), v in sorted(couplings.items()) if v]
    path.write_text("\n".join(lines) + "\n")


def table(path):
    return [line.split() for line in path.read_text().splitlines() if line.strip()]


def gset(data, out):
    for name, _, bisection in table(data / "gset" / "best_known.tsv")[1:]:
        source = data / "gset" / name
        sites = int(source.read_text().split(None, 1)[0])
        yield name, {"file": str(source.resolve()), "format": "gset", "distance": sites // 2,
                     "known": -float(bisection), "family": "bisection"}


def kcluster(data, out):
    for name, edges in table(data / "kcluster" / "optimum.tsv"):
        rows = table(data / "kcluster" / f"{name}.dat")
        sites, k = int(rows[0][0]), int(rows[0][1])
        couplings = {(int(r[0]) - 1, int(r[1]) - 1): -1 for r in rows[1:]}
        write_coo(out / f"{name}.coo", "BINARY", sites, {}, couplings)
        yield name, {"file": str(out / f"{name}.coo"), "format": "coo", "distance": k,
                     "known": -float(edges), "family": "densest-k"}


def spinglass3d(data, out):
    for bonds in sorted((data / "spinglass3d").glob("L12_text_JOrig_*.txt")):
        number = bonds.stem.rsplit("_", 1)[1]
        state = table(data / "spinglass3d" / f"L12_GroundState_{number}.txt")
        spins = [int(row[0]) for row in state[1:]]
        couplings = {(int(i), int(j)): -int(value) // 4 for i, j, value in table(bonds) if int(i) < int(j)}
        energy = sum(value * spins[i] * spins[j] for (i, j), value in couplings.items())
        if energy != float(state[0][0]):
            raise SystemExit(f"{bonds}: the stored state has energy {energy}, not {state[0][0]}")
        write_coo(out / f"L12_{number}.coo", "SPIN", len(spins), {}, couplings)
        yield f"L12_{number}", {"file": str(out / f"L12_{number}.coo"), "format": "coo", "distance": spins.count(1),
                                "known": energy, "family": "spin-glass"}


def qplib(data, out):
    """Pseudo-Boolean files with one objective and one constraint, that all variables add up to k."""
    known = {"QPLIB_0633": 79.5607}  # in units of 1e11
    for source in sorted((data / "qplib").glob("*.opb")):
        text = source.read_text()
        sites = int(re.search(r"#variable=\s*(\d+)", text)[1])
        objective = re.search(r"^min:(.*?);", text, re.MULTILINE | re.DOTALL)[1]
        total = re.search(r"=\s*(\d+)\s*;\s*$", text.strip())[1]
        linear, couplings = {}, {}
        for value, factors in re.findall(r"([+-]\d+)((?:\s+x\d+)+)", objective):
            where = sorted(int(x) - 1 for x in re.findall(r"x(\d+)", factors))
            if len(where) == 1:
                linear[where[0]] = linear.get(where[0], 0) + int(value)
            else:
                couplings[tuple(where)] = couplings.get(tuple(where), 0) + int(value)
        write_coo(out / f"{source.stem}.coo", "BINARY", sites, {i: v / 1e11 for i, v in linear.items()},
                  {pair: v / 1e11 for pair, v in couplings.items()})
        yield source.stem, {"file": str(out / f"{source.stem}.coo"), "format": "coo", "distance": int(total),
                            "known": known.get(source.stem), "tolerance": 5e-5, "family": "k-of-n"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    instances = {}
    for family in (gset, kcluster, qplib, spinglass3d):
        if (arguments.data / family.__name__).is_dir():
            instances.update(family(arguments.data, arguments.out.resolve()))
    index = arguments.out / "instances.json"
    index.write_text(json.dumps(instances, indent=1) + "\n")
    print(f"{len(instances)} instances in {index}")


if __name__ == "__main__":
    main()
