#!/usr/bin/env python3
"""Does stopping early make a yes wrong more often? Traps of bench/verdict.py, and leaky ones, with and without --until.

    bench/until.py [--nhot build/nhot] [--seeds 50] [--jobs 2] [--doc doc/diagnostics.md]

Every case is run to its limit, and with --until converged and the same limit. Chains of a leaky trap cross between
its valleys a few times within the limit, so that a run that is stopped early could be stopped before the first
crossing. As in verdict.py, a yes is wrong where chains are split between valleys, or where all of them are off the
exact mean of the coordinate by more than a tenth of its range. Needs numpy and netCDF4 (scripts/install test).
"""

import argparse
import concurrent.futures
import tempfile
from pathlib import Path

import verdict

TRAPS = ("equal cliques", "unequal valleys, 33 sites", "cold gaussian glass 1")


def cases(folder):
    """Of the zoo, by name; then the leaky ones."""
    chosen = [case for case in verdict.zoo(folder)[1] if case["name"] in TRAPS]
    equal = verdict.two_cliques(folder, 8, 8)
    coordinate = verdict.shares(list(range(8)), list(range(8, 16)))
    for beta in ("0.5", "0.7"):
        chosen.append({"name": f"leaky cliques, beta {beta}", "command": "sample", "coordinate": coordinate, "exact": 0.0,
                       "words": [equal, "-n", "8", "--beta", beta, "--move", "swap", "--moves", "100000"]})
    return chosen


def exact_of(nhot, case, folder):
    if case["exact"] is not None:
        return case["exact"]
    words = case["words"]
    means = verdict.exact_means(nhot, words[0], int(words[words.index("-n") + 1]),
                                float(words[words.index("--beta") + 1]), folder)
    return means if isinstance(case["coordinate"], str) else float(case["coordinate"](means))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nhot", default=str(verdict.ROOT / "build" / "nhot"))
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--doc", type=Path, help="write the table into this document, between its marks")
    options = parser.parse_args()
    seeds = range(1, options.seeds + 1)
    rows = [f"`bench/until.py --doc doc/diagnostics.md`, {options.seeds} seeds of every case. A yes is wrong where chains are "
            "split between valleys or all in one.", "",
            "| trap | runs to the limit: yes | of these wrong | `--until converged`: yes | of these wrong |", "|---|---|---|---|---|"]
    totals = {False: [0, 0], True: [0, 0]}
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = Path(name)
        for case in cases(folder):
            exact = exact_of(options.nhot, case, folder)
            cells = []
            for until in (False, True):
                words = case["words"] + (["--until", "converged"] if until else [])
                one = {**case, "words": words}
                found = list(pool.map(lambda seed: verdict.run(options.nhot, one, seed, folder, False), seeds))
                yes = [run for run in found if run["yes"][0]]
                wrong = [run for run in yes if verdict.judge_trap(case, run, exact) != "right"]
                cells += [len(yes), len(wrong)]
                totals[until][0] += len(yes)
                totals[until][1] += len(wrong)
            rows.append(f"| {case['name']} | " + " | ".join(map(str, cells)) + " |")
            print(rows[-1], flush=True)
    rows += ["", f"Wrong yes: {totals[False][1]} of {totals[False][0]} yes at the limit, {totals[True][1]} of {totals[True][0]} with `--until converged`."]
    print(rows[-1])
    if options.doc:
        begin, end = "<!-- until: bench/until.py --doc doc/diagnostics.md -->\n", "<!-- /until -->"
        head, rest = options.doc.read_text().split(begin)
        options.doc.write_text(head + begin + "\n".join(rows) + "\n" + end + rest.split(end, 1)[1])


if __name__ == "__main__":
    main()
