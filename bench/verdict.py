#!/usr/bin/env python3
"""How often is the verdict wrong? A zoo of models whose answers are known, over many seeds.

    bench/verdict.py [--nhot build/nhot] [--seeds 50] [--jobs 2] [--only WORD] [--json FILE] [--doc doc/diagnostics.md]

Easy cases are runs that are long enough by any measure: a "no" there is wrong. Traps have valleys that chains do
not leave within a run. A coordinate f tells the valleys apart and its exact mean is known, by enumeration of the
shell or by a symmetry. A run in which two chains differ by half of the range of f is split; a run whose chains
agree on an f that is off by more than a tenth of the range sits in one valley. A "yes" to either is wrong; only a
second witness (--verify) can see the latter. The means are computed here, from the states in run files, by code
that shares nothing with nhot. Needs numpy and netCDF4 (scripts/install test).
"""

import argparse
import concurrent.futures
import itertools
import json
import math
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import netCDF4
import numpy

ROOT = Path(__file__).resolve().parents[1]
READING = threading.Lock()  # netCDF4 knows one thread only


# --- models that are made to trap chains ------------------------------------------------------------------------

def write_qubo(path, sites, linear, pairs):
    lines = [f"p qubo 0 {sites} {len(linear)} {len(pairs)}"]
    lines += [f"{i} {i} {value!r}" for i, value in linear.items()]
    lines += [f"{i} {j} {value!r}" for (i, j), value in pairs.items()]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def clique(members, value):
    return {pair: value for pair in itertools.combinations(sorted(members), 2)}


def two_cliques(folder, size, other, scale=1.0):
    """All of the chosen sites in one clique or in the other; equal depth, one state against C(other, size)."""
    first, second = range(size), range(size, size + other)
    pairs = clique(first, -scale) | clique(second, -scale)
    return write_qubo(folder / f"cliques{size}_{other}_{scale}.qubo", size + other, {}, pairs)


def real_cliques(folder):
    """The same with couplings that are no integers, so that every state has an energy of its own."""
    rng = numpy.random.default_rng(5)
    pairs = {pair: value * (1 + 0.01 * rng.random()) for pair, value in
             (clique(range(6), -1.0) | clique(range(6, 12), -1.0)).items()}
    return write_qubo(folder / "real.qubo", 12, {}, pairs)


def hidden_cliques(folder):
    """Two cliques of four among 300 sites that are free: a trap that most of the state does not see."""
    pairs = clique(range(4), -3.0) | clique(range(4, 8), -3.0)
    linear = {i: 0.5 * math.sin(i) for i in range(8, 308)}
    # So that exactly one clique pays: both at once cost more than they bring.
    pairs |= {(i, j): 4.0 for i in range(4) for j in range(4, 8)}
    return write_qubo(folder / "hidden.qubo", 308, linear, pairs)


def triple_cliques(folder, size):
    """Two cliques whose triples pay: a polynomial of degree three, which nhot takes as an energy given as code."""
    terms = [f"{i} {j} {k} -1" for members in (range(size), range(size, 2 * size))
             for i, j, k in itertools.combinations(members, 3)]
    path = folder / f"triples{size}.hubo"
    path.write_text(f"# vartype=BINARY\n# sites={2 * size}\n" + "\n".join(terms) + "\n")
    return str(path)


def random_triples(folder, sites, terms):
    rng = numpy.random.default_rng(7)
    chosen = [sorted(rng.choice(sites, 3, replace=False)) for _ in range(terms)]
    path = folder / "random.hubo"
    path.write_text(f"# vartype=SPIN\n# sites={sites}\n" + "".join(f"{i} {j} {k} {rng.normal()!r}\n" for i, j, k in chosen))
    return str(path)


def kernel(folder, items, rank):
    """A k-DPP of points in the plane: near ones repel."""
    points = numpy.random.default_rng(8).random((items, rank))
    distances = ((points[:, None] - points[None]) ** 2).sum(-1)
    path = folder / "points.kdpp"
    path.write_text("\n".join(" ".join(map(repr, map(float, row))) for row in numpy.exp(-distances / 0.05)) + "\n")
    return str(path)


def regression(folder):
    rng = numpy.random.default_rng(9)
    data = rng.normal(size=(60, 12))
    response = data[:, 0] - 0.5 * data[:, 3] + 0.3 * data[:, 7] + rng.normal(size=60)
    rows = [",".join(map(repr, map(float, (*row, y)))) for row, y in zip(data, response)]
    path = folder / "regression.csv"
    path.write_text(",".join([f"x{i}" for i in range(12)] + ["y"]) + "\n" + "\n".join(rows) + "\n")
    return str(path)


def shares(first, second):
    """+1 when the chosen sites are in the first list, -1 in the second."""
    def coordinate(states):
        a, b = states[..., first].sum(-1), states[..., second].sum(-1)
        return (a - b) / numpy.maximum(1, a + b)
    return coordinate


def direction(side):
    """+1 for stripes along rows, -1 along columns."""
    def coordinate(states):
        grid = states.reshape(*states.shape[:-1], side, side).astype(float)
        rows, columns = grid.mean(-1).var(-1), grid.mean(-2).var(-1)
        return (rows - columns) / numpy.maximum(1e-9, rows + columns)
    return coordinate


def clique_mean(size, other):
    """Of shares(): one state against C(other, size), at zero temperature."""
    states = math.comb(other, size)
    return (1 - states) / (1 + states)


# --- the zoo ----------------------------------------------------------------------------------------------------

def zoo(folder):
    easy, trap = [], []

    def add_easy(name, *words, command="sample"):
        easy.append({"name": name, "command": command, "words": list(words)})

    moves = ("--moves", "20000")
    add_easy("lattice, im", "ferromagnet:8x8", "-n", "32", "--beta", "0.3", *moves)
    add_easy("lattice, swap", "ferromagnet:8x8", "-n", "32", "--beta", "0.3", "--move", "swap", "--moves", "200000")
    add_easy("lattice, kawasaki", "ferromagnet:8x8", "-n", "32", "--beta", "0.3", "--move", "kawasaki", "--moves", "2000000")
    add_easy("lattice, cluster", "ferromagnet:8x8", "-n", "32", "--beta", "0.5", "--move", "cluster", *moves)
    add_easy("lattice, bits", "ferromagnet:8x8", "-n", "32", "--beta", "0.3", "--move", "swap:engine=bits", "--chains", "64", "--moves", "400000")
    add_easy("lattice, two chains", "ferromagnet:8x8", "-n", "32", "--beta", "0.3", "--chains", "2", "--moves", "40000")
    add_easy("lattice, verified", "ferromagnet:8x8", "-n", "32", "--beta", "0.3", "--verify", *moves)
    add_easy("larger lattice", "ferromagnet:16x16", "-n", "128", "--beta", "0.35", "--moves", "200000")
    add_easy("open lattice, few ones", "ferromagnet:12x12,open", "-n", "10", "--beta", "0.4", *moves)
    add_easy("one site", "ferromagnet:6x6", "-n", "1", *moves)
    add_easy("all but one", "field:30,seed=2", "-n", "29", *moves)
    add_easy("glass", "spin-glass:4x4x4,seed=7", "-n", "32", "--beta", "0.3", *moves)
    add_easy("gaussian glass", "spin-glass:4x4,couplings=gaussian,seed=3", "-n", "6", "--beta", "1", *moves)
    add_easy("gaussian glass, larger", "spin-glass:6x6,couplings=gaussian,seed=4", "-n", "12", "--beta", "0.7", "--moves", "60000")
    add_easy("gaussian glass, swap", "spin-glass:4x4,couplings=gaussian,seed=3", "-n", "6", "--beta", "1", "--move", "swap", "--moves", "100000")
    add_easy("RBM", "rbm:6x4,seed=1", "-n", "3", *moves)
    add_easy("RBM, larger", "rbm:20x12,seed=2", "-n", "10", *moves)
    add_easy("RBM, block", "rbm:6x4,seed=1", "-n", "3", "--move", "block", *moves)
    add_easy("RBM, verified", "rbm:6x4,seed=1", "-n", "3", "--verify", *moves)
    add_easy("fields", "field:100,seed=1", "-n", "10", *moves)
    add_easy("fields, many sites", "field:1000,seed=1", "-n", "100", "--moves", "40000")
    add_easy("fields, compared", "field:100,seed=1", "-n", "10", "--moves", "100000", "--move", "swap", "--move", "im", command="compare")
    add_easy("lattice, compared", "ferromagnet:8x8", "-n", "32", "--beta", "0.3", "--moves", "100000", "--move", "im", "--move", "swap", command="compare")
    polynomial, points = random_triples(folder, 24, 60), kernel(folder, 40, 2)
    add_easy("polynomial", polynomial, "-n", "10", "--beta", "0.4", *moves)
    add_easy("polynomial, swap", polynomial, "-n", "10", "--beta", "0.4", "--move", "swap", "--moves", "100000")
    add_easy("polynomial, tempered", polynomial, "-n", "10", "--beta", "0.8", *moves, command="temper")
    add_easy("k-DPP", points, "-n", "6", "--beta", "1", *moves)
    add_easy("k-DPP, compared", points, "-n", "6", "--beta", "1", "--moves", "50000", "--move", "swap", "--move", "im", command="compare")
    add_easy("regression", regression(folder), "--response", "y", "--predictors", "4", *moves, command="select")
    add_easy("glass, tempered", "spin-glass:4x4x4,seed=7", "-n", "32", "--beta", "0.6", "--moves", "30000", command="temper")
    add_easy("real cliques, tempered", real_cliques(folder), "-n", "6", "--beta", "0.7", "--moves", "60000", command="temper")

    def add_trap(name, coordinate, exact, *words, command="sample"):
        trap.append({"name": name, "command": command, "words": list(words), "coordinate": coordinate, "exact": exact})

    first, second = list(range(16)), list(range(16, 32))
    equal = two_cliques(folder, 16, 16)
    add_trap("equal cliques", shares(first, second), 0.0, equal, "-n", "16", "--beta", "2", *moves)
    add_trap("equal cliques, swap", shares(first, second), 0.0, equal, "-n", "16", "--beta", "2", "--move", "swap", *moves)
    add_trap("equal cliques, two chains", shares(first, second), 0.0, equal, "-n", "16", "--beta", "2", "--chains", "2", *moves)
    add_trap("equal cliques, eight chains", shares(first, second), 0.0, equal, "-n", "16", "--beta", "2", "--chains", "8", *moves)
    wide = two_cliques(folder, 6, 7, 4.0)
    narrow, broad = list(range(6)), list(range(6, 13))
    add_trap("unequal valleys", shares(narrow, broad), clique_mean(6, 7), wide, "-n", "6", "--beta", "2", *moves)
    wider = two_cliques(folder, 16, 17, 2.0)
    add_trap("unequal valleys, 33 sites", shares(list(range(16)), list(range(16, 33))), clique_mean(16, 17), wider, "-n", "16", "--beta", "1", *moves)
    add_trap("real cliques", shares(list(range(6)), list(range(6, 12))), None, real_cliques(folder), "-n", "6", "--beta", "6", *moves)
    add_trap("hidden cliques", shares(list(range(4)), list(range(4, 8))), 0.0, hidden_cliques(folder), "-n", "100", "--beta", "2", "--moves", "100000")
    broad_pair = write_qubo(folder / "broad.qubo", 34, {}, clique(range(17), -2.0) | clique(range(17, 34), -2.0))
    (folder / "first.txt").write_text("".join("1\n" if i < 16 else "0\n" for i in range(34)))
    add_trap("broad cliques, one start", shares(list(range(17)), list(range(17, 34))), 0.0, broad_pair, "-n", "16", "--beta", "1",
             "--start", str(folder / "first.txt"), *moves)
    (folder / "rows.txt").write_text("".join("1\n" if i < 32 else "0\n" for i in range(64)))
    add_trap("stripes, one start", direction(8), 0.0, "ferromagnet:8x8", "-n", "32", "--beta", "3", "--start", str(folder / "rows.txt"), *moves)
    add_trap("stripes", direction(8), 0.0, "ferromagnet:8x8", "-n", "32", "--beta", "4", *moves)
    add_trap("stripes, swap", direction(8), 0.0, "ferromagnet:8x8", "-n", "32", "--beta", "3", "--move", "swap", *moves)
    add_trap("frozen stripes", direction(4), 0.0, "ferromagnet:4x4", "-n", "8", "--beta", "5", "--move", "im:length=1..3", *moves)
    triples = triple_cliques(folder, 8)
    add_trap("cliques of triples", shares(list(range(8)), list(range(8, 16))), 0.0, triples, "-n", "8", "--beta", "1", *moves)
    add_trap("cliques of triples, swap", shares(list(range(8)), list(range(8, 16))), 0.0, triples, "-n", "8", "--beta", "1", "--move", "swap", *moves)
    for seed in (1, 2, 3):
        spec, n, beta = f"spin-glass:4x4,couplings=gaussian,seed={seed}", 8, 12.0
        add_trap(f"cold gaussian glass {seed}", "sites", None, spec, "-n", str(n), "--beta", str(beta), "--move", "swap", *moves)
    add_trap("cold RBM", "sites", None, "rbm:8x6,seed=3", "-n", "5", "--beta", "40", *moves)
    add_trap("equal cliques, compared", None, 0.0, equal, "-n", "16", "--beta", "2", "--moves", "20000", "--move", "swap", "--move", "im", command="compare")
    add_trap("equal cliques, hardly tempered", shares(first, second), 0.0, equal, "-n", "16", "--beta", "2", "--betas", "1.8,2", "--moves", "20000", command="temper")
    return easy, trap


# --- exact answers ------------------------------------------------------------------------------------------------

def exact_means(nhot, model, n, beta, folder):
    """Means of the sites, by enumeration of the shell; the energies come from the terms that nhot convert writes."""
    path = folder / f"exact{abs(hash((model, n, beta)))}.coo"
    if not path.exists():
        subprocess.run([nhot, "convert", model, str(path), "--quiet"], check=True, capture_output=True)
    sites, vartype, terms = 0, "SPIN", []
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            if "vartype" in line.lower():
                vartype = line.split("=")[1].strip().upper()
            continue
        i, j, value = line.split()
        terms.append((int(i), int(j), float(value)))
        sites = max(sites, int(i) + 1, int(j) + 1)
    states = numpy.zeros((math.comb(sites, n), sites), numpy.int8)
    for row, chosen in enumerate(itertools.combinations(range(sites), n)):
        states[row, list(chosen)] = 1
    values = states * 2.0 - 1 if vartype == "SPIN" else states.astype(float)
    energy = sum(q * (values[:, i] if i == j else values[:, i] * values[:, j]) for i, j, q in terms)
    weights = numpy.exp(-beta * (energy - energy.min()))
    return weights @ states / weights.sum()


# --- runs -------------------------------------------------------------------------------------------------------

def run(nhot, case, seed, folder, verify):
    words = [nhot, case["command"], *case["words"], "--seed", str(seed), "--json", "--quiet"]
    out = None
    if verify:
        words.append("--verify")
    if "coordinate" in case and case["command"] != "compare":
        out = Path(folder) / f"{abs(hash((case['name'], seed, verify)))}.nc"
        words += ["--out", str(out), "--force"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stderr}")
    answer = json.loads(done.stdout)
    parts = answer.get("results", [answer])
    found = {"yes": [part["converged"] for part in parts], "reasons": sum((part["reasons"] for part in parts if not part["converged"]), [])}
    if out:
        with READING, netCDF4.Dataset(out) as file:
            found["states"] = numpy.asarray(file["posterior"]["state"][:])
        out.unlink()
    return found


def judge_trap(case, found, exact):
    """'split', 'one valley' or 'right', by the states of the chains."""
    if case["coordinate"] is None:
        return "split"  # a comparison has no file; its cliques are left by no chain, and four chains agree seldom
    states = found["states"]
    if isinstance(case["coordinate"], str):
        of_chains = states.mean(1)
        spread = (of_chains.max(0) - of_chains.min(0)).max()
        wrong = numpy.abs(of_chains.mean(0) - exact).max()
        return "split" if spread > 0.5 else "one valley" if wrong > 0.1 else "right"
    of_chains = case["coordinate"](states).mean(1)
    if of_chains.max() - of_chains.min() > 1:
        return "split"
    return "one valley" if abs(of_chains.mean() - exact) > 0.2 else "right"


def write_table(path, result):
    """Replaces what is between the marks in a document."""
    rows = [f"`bench/verdict.py --doc doc/diagnostics.md`, {result['seeds']} seeds of every case. Numbers of runs, and of yes among them.", "",
            "| easy case | verdicts | wrong no |", "|---|---|---|"]
    rows += [f"| {row['name']} | {row['verdicts']} | {row['wrong_no']} |" for row in result["easy"]]
    rows += ["", "| trap | split between valleys | wrong yes | all in one valley | wrong yes | of these with `--verify` | wrong yes | right | yes |",
             "|---|---|---|---|---|---|---|---|---|"]
    for row in result["traps"]:
        cells = [row[kind][key] for kind in ("split", "one valley", "verified", "right") for key in ("verdicts", "yes")]
        rows.append(f"| {row['name']} | " + " | ".join(map(str, cells)) + " |")
    totals = result["totals"]
    rows += ["", f"Wrong no: {totals['wrong_no']} of {totals['easy']}. Wrong yes: {totals['split']['yes']} of {totals['split']['verdicts']} "
             f"where chains are split, {totals['one valley']['yes']} of {totals['one valley']['verdicts']} where all sit in one valley and "
             f"{totals['verified']['yes']} of {totals['verified']['verdicts']} of these with `--verify`."]
    begin, end = "<!-- verdict: bench/verdict.py --doc doc/diagnostics.md -->\n", "<!-- /verdict -->"
    text = path.read_text()
    head, rest = text.split(begin)
    path.write_text(head + begin + "\n".join(rows) + "\n" + end + rest.split(end, 1)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nhot", default=str(ROOT / "build" / "nhot"))
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="cases whose name holds this word")
    parser.add_argument("--kind", choices=("all", "easy", "trap"), default="all")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--doc", type=Path, help="write the tables into this document, between its marks")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.seeds)
    result = {"seeds": options.seeds, "easy": [], "traps": []}
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = Path(name)
        easy, trap = zoo(folder)
        easy = [case for case in easy if options.only in case["name"] and options.kind != "trap"]
        trap = [case for case in trap if options.only in case["name"] and options.kind != "easy"]
        if easy:
            print(f"{'easy case':34} {'verdicts':>8} {'wrong no':>8}")
        for case in easy:
            found = list(pool.map(lambda seed: run(options.nhot, case, seed, folder, False), seeds))
            verdicts = sum((one["yes"] for one in found), [])
            row = {"name": case["name"], "command": " ".join([case["command"], *case["words"]]), "verdicts": len(verdicts), "wrong_no": verdicts.count(False)}
            result["easy"].append(row)
            print(f"{row['name']:34} {row['verdicts']:8} {row['wrong_no']:8}", flush=True)
            for reason in [reason for one in found for reason in one["reasons"]][:3]:
                print(f"    {reason[:150]}")
        if trap:
            print(f"\n{'trap':34} {'split':>6} {'yes':>4} {'one valley':>10} {'yes':>4} {'verified':>9} {'yes':>4} {'right':>6} {'yes':>4}")
        for case in trap:
            exact = case["exact"]
            if exact is None:
                words = case["words"]
                exact = exact_means(options.nhot, words[0], int(words[words.index("-n") + 1]), float(words[words.index("--beta") + 1]), folder)
                if not isinstance(case["coordinate"], str):
                    exact = float(case["coordinate"](exact))
            found = list(pool.map(lambda seed: run(options.nhot, case, seed, folder, False), seeds))
            truth = [judge_trap(case, one, exact) for one in found]
            row = {"name": case["name"], "command": " ".join([case["command"], *case["words"]])}
            for kind in ("split", "one valley", "right"):
                verdicts = sum((one["yes"] for one, t in zip(found, truth) if t == kind), [])
                row[kind] = {"verdicts": len(verdicts), "yes": verdicts.count(True)}
            again = [seed for seed, t in zip(seeds, truth) if t == "one valley"] if case["command"] == "sample" else []
            checked = sum((one["yes"] for one in pool.map(lambda seed: run(options.nhot, case, seed, folder, True), again)), [])
            row["verified"] = {"verdicts": len(checked), "yes": checked.count(True)}
            result["traps"].append(row)
            cells = [row[kind] for kind in ("split", "one valley", "verified", "right")]
            print(f"{row['name']:34} {cells[0]['verdicts']:6} {cells[0]['yes']:4} {cells[1]['verdicts']:10} {cells[1]['yes']:4} "
                  f"{cells[2]['verdicts']:9} {cells[2]['yes']:4} {cells[3]['verdicts']:6} {cells[3]['yes']:4}", flush=True)
    totals = {"wrong_no": sum(row["wrong_no"] for row in result["easy"]), "easy": sum(row["verdicts"] for row in result["easy"])}
    for kind in ("split", "one valley", "verified"):
        totals[kind] = {key: sum(row[kind][key] for row in result["traps"]) for key in ("verdicts", "yes")}
    result["totals"] = totals
    print(f"\nwrong no: {totals['wrong_no']} of {totals['easy']} easy runs")
    print(f"wrong yes: {totals['split']['yes']} of {totals['split']['verdicts']} split runs; with --verify "
          f"{totals['verified']['yes']} of {totals['verified']['verdicts']} in one valley ({totals['one valley']['yes']} without)")
    if options.doc:
        write_table(options.doc, result)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
