#!/usr/bin/env python3
"""How does the lead of the intracluster move change with temperature?

Swap and intracluster moves on the 60 x 60 ferromagnet at half filling, at equal CPU time, for
temperatures around the critical one. Prints effective draws of the energy per CPU second, and their
ratio to swap. All chains start from a stripe, the ordered state of a half-filled lattice, so that cold
runs are not spent on coarsening.

    bench/temperature.py [--nhot build/nhot] [--seconds 3] [--json FILE]
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

SIDE = 60
TEMPERATURES = (1.5, 1.75, 2.0, 2.27, 2.5, 2.75, 3.0)
MOVES = ("swap", "im:length=90", "im:length=1..10")


def measure(nhot, temperature, seconds, chains, start):
    words = [nhot, "compare", f"ferromagnet:{SIDE}x{SIDE}", "-n", str(SIDE * SIDE // 2), "--beta", repr(1 / temperature)]
    words += ["--seconds", str(seconds), "--chains", str(chains), "--start", start, "--json"]
    for move in MOVES:
        words += ["--move", move]
    results = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)["results"]
    rows = {}
    for move, result in zip(MOVES, results):
        energy = result["observables"]["energy"]
        rows[move] = {
            "acceptance": result["acceptance"],
            "mean": energy["mean"],
            "mcse": energy["mcse"],
            "ess_per_second": energy["ess_per_second"],
            "rhat": energy["rhat"],
            "cpu_seconds": result["cpu_seconds"],
        }
    return {"temperature": temperature, "moves": rows}


def table(rows):
    head = ["T"] + [f"{move} ESS/s" for move in MOVES] + [f"{move} / swap" for move in MOVES[1:]] + ["largest R-hat"]
    lines = [head]
    for row in rows:
        speed = {move: row["moves"][move]["ess_per_second"] for move in MOVES}
        lines.append(
            [f"{row['temperature']:.2f}"]
            + [f"{speed[move]:.0f}" for move in MOVES]
            + [f"{speed[move] / speed['swap']:.2f}" for move in MOVES[1:]]
            + [f"{max(r['rhat'] for r in row['moves'].values()):.3f}"]
        )
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nhot", default="build/nhot")
    parser.add_argument("--seconds", type=float, default=3, help="time of every move at every temperature")
    parser.add_argument("--chains", type=int, default=4)
    parser.add_argument("--json", type=Path, help="write what was measured")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        start = Path(folder) / "stripe.txt"
        start.write_text("\n".join("1" if i < SIDE * SIDE // 2 else "0" for i in range(SIDE * SIDE)) + "\n")
        for temperature in TEMPERATURES:
            rows.append(measure(options.nhot, temperature, options.seconds, options.chains, str(start)))
    print(table(rows))
    if options.json:
        command = f"bench/temperature.py --seconds {options.seconds:g} --chains {options.chains}"
        options.json.write_text(json.dumps({"command": command, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
