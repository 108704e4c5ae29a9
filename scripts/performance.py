#!/usr/bin/env python3
"""Writes doc/performance.md and doc/figures/performance.png from what bench/run measured.

    scripts/performance.py [--bench results/bench]

Every number in the page comes from the files in that folder and from bench/instructions.json.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import results_figures as style  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
ORDER = ("steps", "floor", "size", "degree", "length", "threads", "turns", "dense", "bits", "mixing")


def number(value):
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def verdict(row):
    """'yes' or 'no' for a number that has an aim."""
    if not row["asked"]:
        return ""
    sign, bound = row["asked"].split()
    reached = row["value"] <= float(bound) if sign == "<=" else row["value"] >= float(bound)
    return "yes" if reached else "no"


def aims(results):
    lines = ["| program | ratio | measured | aim | reached |", "|---|---|---:|---:|---|"]
    for name in ORDER:
        for row in results[name]["numbers"]:
            if row["asked"]:
                spread = f" ({number(row['lowest'])} to {number(row['highest'])})" if "lowest" in row else ""
                lines.append(f"| `{name}` | {row['name']} | {number(row['value'])}{spread} | {row['asked']} | {verdict(row)} |")
    return "\n".join(lines)


def section(name, result):
    if name == "mixing":
        lines = ["| case and move | effective draws of the energy per CPU second | of single runs | R-hat | kept draws in an autocorrelation time |", "|---|---:|---:|---:|---:|"]
        lines += [f"| {r['name']} | {number(r['ess_per_second'])} | {number(r['lowest'])} to {number(r['highest'])} | {r['rhat']:.3f} | {number(r['draws_in_tau'])} |" for r in result["times"]]
        command = "bench/mixing.py"
    else:
        facts = sorted({k for r in result["times"] for k in r} - {"name", "ns"})
        lines = ["| contestant | ns |" + "".join(f" {f} |" for f in facts), "|---|---:|" + "---:|" * len(facts)]
        lines += [f"| {r['name']} | {number(r['ns'])} |" + "".join(f" {r.get(f, 0):,.0f} |" for f in facts) for r in result["times"]]
        command = f"build/bench/bench_{name}"
    others = [f"- {r['name']}: {number(r['value'])}" for r in result["numbers"] if not r["asked"]]
    tail = "\n\n" + "\n".join(others) if others else ""
    return f"## {result['question']}\n\n    {command}\n\n" + "\n".join(lines) + tail


def growth(results, path):
    """How the cost of a step grows: with sites, neighbours, length."""
    figure, axes = style.plt.subplots(1, 3, figsize=(11, 3.4), dpi=110, layout="constrained")
    for axis, name, fact, title in zip(axes, ("size", "degree", "length"), ("sites", "degree", "length"),
                                       ("number of sites", "neighbours of a site", "length of the walk")):
        series = {}
        for row in results[name]["times"]:
            label = {"size": lambda n: n.split()[-1], "degree": lambda n: n.rsplit(", degree", 1)[0],
                     "length": lambda n: "im"}[name](row["name"])
            series.setdefault(label, []).append((row[fact], row["ns"]))
        for k, (label, points) in enumerate(series.items()):
            axis.plot(*zip(*points), style.LINES[k], marker="o", markersize=3, color=style.COLOURS[k], label=label)
        axis.set_xscale("log")
        if name == "length":
            axis.set_ylim(bottom=0)
        else:
            axis.set_yscale("log")
        axis.set_xlabel(title)
        axis.set_title(f"ns against the {title}")
        axis.legend()
    figure.savefig(path)


def page(results, instructions, machine):
    counts = "\n".join(f"| {case} | {value:,.0f} |" for case, value in instructions["instructions_per_step"].items())
    sections = "\n\n".join(section(name, results[name]) for name in ORDER)
    return f"""# Speed

Written by `scripts/performance.py` from what `bench/run` measured (`make bench` does both) on one machine:
{machine}. The ratios were taken in one run, in which contestants take turns in slices of a few milliseconds and the
smallest slice of each counts. A step is one flip of a walk, or one attempt of a move without a walk. Ratios in
parentheses are those of single runs, where there were several.

## What was aimed at, and what is reached

{aims(results)}

## How the cost of a step grows

![ns per step against sites, neighbours and length](figures/performance.png)

`build/bench/bench_size`, `bench_degree` and `bench_length`; the tables are below. On `size`, every lattice is a
periodic ferromagnet at 1/2.27, half of its sites up.

{sections}

## Instructions

Times on a busy machine are noise; instructions are not. `bench/instructions.py` counts those of the hot loops under
callgrind and compares them with `bench/instructions.json`: `make test` fails when a loop takes 5% more. The baseline
is of {instructions["compiler"]}.

| loop | instructions per step |
|---|---:|
{counts}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=Path, default=ROOT / "results" / "bench")
    options = parser.parse_args()
    missing = [name for name in ORDER if not (options.bench / f"{name}.json").exists()]
    if missing:
        sys.exit(f"performance: {options.bench} has no {', '.join(missing)}: run bench/run")
    results = {name: json.loads((options.bench / f"{name}.json").read_text()) for name in ORDER}
    instructions = json.loads((ROOT / "bench" / "instructions.json").read_text())
    machine = (options.bench / "machine.txt").read_text().strip()
    growth(results, ROOT / "doc" / "figures" / "performance.png")
    (ROOT / "doc" / "performance.md").write_text(page(results, instructions, machine))
    print("wrote doc/performance.md and doc/figures/performance.png")


if __name__ == "__main__":
    main()
