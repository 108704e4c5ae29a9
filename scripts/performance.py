#!/usr/bin/env python3
"""Writes doc/performance.md and doc/figures/performance.png from what bench/run measured.

    scripts/performance.py [--machines bench/machines]

Every number in the page comes from the files in that folder, one for a machine, and from bench/instructions.json.
"""

import argparse
import json
import string
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


def aims(machines):
    lines = ["| program | ratio | aim |" + "".join(f" {m['letter']} |" for m in machines), "|---|---|---|" + "---:|" * len(machines)]
    for name in ORDER:
        for asked, label in rows_of(machines, name, "numbers", aimed=True):
            cells = []
            for row in (find(m, name, "numbers", label) for m in machines):
                if row is None:
                    cells.append("")
                    continue
                spread = f" ({number(row['lowest'])} to {number(row['highest'])})" if "lowest" in row else ""
                cells.append(number(row["value"]) + spread + ("" if verdict(row) == "yes" else ", missed"))
            lines.append(f"| `{name}` | {label} | {asked} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def rows_of(machines, name, part, aimed=None):
    """(aim, label) of the rows that any machine has, in order."""
    found = {}
    for machine in machines:
        for row in machine["programs"].get(name, {}).get(part, ()):
            asked = row.get("asked", "")
            if aimed is None or bool(asked) == aimed:
                found.setdefault(row["name"], asked)
    return [(asked, label) for label, asked in found.items()]


def find(machine, name, part, label):
    return next((r for r in machine["programs"].get(name, {}).get(part, ()) if r["name"] == label), None)


def section(name, machines):
    own = [m for m in machines if name in m["programs"]]
    if name == "mixing":
        parts = []
        for m in own:
            lines = ["| case and move | effective draws of the energy per CPU second | of single runs | R-hat | kept draws in an autocorrelation time |", "|---|---:|---:|---:|---:|"]
            lines += [f"| {r['name']} | {number(r['ess_per_second'])} | {number(r['lowest'])} to {number(r['highest'])} | {r['rhat']:.3f} | {number(r['draws_in_tau'])} |" for r in m["programs"][name]["times"]]
            parts.append(f"Machine {m['letter']}:\n\n" + "\n".join(lines))
        body = "\n\n".join(parts)
        command = "bench/mixing.py"
    else:
        lines = ["| ns |" + "".join(f" {m['letter']} |" for m in own), "|---|" + "---:|" * len(own)]
        for _, label in rows_of(own, name, "times"):
            cells = [number(row["ns"]) if row else "" for row in (find(m, name, "times", label) for m in own)]
            lines.append(f"| {label} | " + " | ".join(cells) + " |")
        others = rows_of(own, name, "numbers", aimed=False)
        if others:
            lines += ["", "| ratio |" + "".join(f" {m['letter']} |" for m in own), "|---|" + "---:|" * len(own)]
        for _, label in others:
            cells = [number(row["value"]) if row else "" for row in (find(m, name, "numbers", label) for m in own)]
            lines.append(f"| {label} | " + " | ".join(cells) + " |")
        body = "\n".join(lines)
        command = f"build/bench/bench_{name}"
    return f"## {own[0]['programs'][name]['question']}\n\n    {command}\n\n" + body


def growth(machine, path):
    """How the cost of a step grows on one machine: with sites, neighbours, length."""
    figure, axes = style.plt.subplots(1, 3, figsize=(11, 3.4), dpi=110, layout="constrained")
    for axis, name, fact, title in zip(axes, ("size", "degree", "length"), ("sites", "degree", "length"),
                                       ("number of sites", "neighbours of a site", "length of the walk")):
        series = {}
        for row in machine["programs"][name]["times"]:
            if name == "size" and "engine" in row["name"]:
                continue
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


def page(machines, instructions):
    counts = "\n".join(f"| {case} | {value:,.0f} |" for case, value in instructions["instructions_per_step"].items())
    sections = "\n\n".join(section(name, machines) for name in ORDER if any(name in m["programs"] for m in machines))
    names = "\n".join(f"| {m['letter']} | {m['machine']} |" for m in machines)
    return f"""# Speed

Written by `scripts/performance.py` from what `bench/run` measured (`make bench` does both), machine by machine:

| | machine |
|---|---|
{names}

Ratios were taken in one run, in which contestants take turns in slices of a few milliseconds and the smallest slice of each
counts. A step is one flip of a walk, or one attempt of a move without a walk. Ratios in parentheses are those of single
runs, where there were several. `bench/run --thrash` pretends smaller caches: a neighbour on the last core walks over twice the last cache at random.
To add a machine, run `make bench` on it: its file in `bench/machines` joins those that are there.

## What was aimed at, and what is reached

{aims(machines)}

## How the cost of a step grows

![ns per step against sites, neighbours and length](figures/performance.png)

Machine {machines[0]["letter"]}: `build/bench/bench_size`, `bench_degree` and `bench_length`; the tables are below. On `size`, every lattice is a
periodic ferromagnet at 1/2.27, half of its sites up; those above 1000x1000 begin with an equilibrated state of that size, repeated.

{sections}

## Instructions

Times on a busy machine are noise; instructions are not. `bench/instructions.py` counts those of the hot loops under
callgrind and compares them with `bench/instructions.json`: `make test` fails when a loop takes 5% more. The baseline
is of {instructions["compiler"]}.

| loop | instructions per step |
|---|---:|
{counts}
"""


def read_machines(folder):
    """Complete ones first: the figure is of the first."""
    machines = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    machines.sort(key=lambda m: -sum(name in m["programs"] for name in ORDER))
    for letter, machine in zip(string.ascii_uppercase, machines):
        machine["letter"] = letter
    return machines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--machines", type=Path, default=ROOT / "bench" / "machines")
    options = parser.parse_args()
    machines = read_machines(options.machines)
    missing = [name for name in ("size", "degree", "length") if not machines or name not in machines[0]["programs"]]
    if missing:
        sys.exit(f"performance: no machine in {options.machines} has {', '.join(missing)}: run bench/run")
    instructions = json.loads((ROOT / "bench" / "instructions.json").read_text())
    growth(machines[0], ROOT / "doc" / "figures" / "performance.png")
    (ROOT / "doc" / "performance.md").write_text(page(machines, instructions))
    print("wrote doc/performance.md and doc/figures/performance.png")


if __name__ == "__main__":
    main()
