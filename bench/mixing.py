#!/usr/bin/env python3
"""How many effective draws of the energy per second does the best walk here give, against swap?

    bench/mixing.py [--nhot build/nhot] [--seconds 5] [--cold] [--json]

Every case runs `nhot compare` twice, which gives each move the same CPU time, with the seeds 1 and 2, and takes the
mean. Runs are long enough for the slow modes of swap, which short ones do not see, and short enough for
the 100,000 draws that a comparison keeps of a chain to lie closer together than the autocorrelation time of the
fastest walk (the table says how many there are in one): what lies between draws is lost. On the ferromagnet below
the critical temperature chains start from a stripe, the ordered state of a half-filled lattice. The glass has
valleys that swap stays in for many seconds at beta = 1: a run that is not much longer than that counts draws of one valley as
independent and flatters swap. So it is sampled at beta = 0.7, where swap gets about, and its runs take four times longer and
race one walk only, which was among the best of shorter runs; --cold adds beta = 1, for runs that take sixty times longer
(twenty minutes). Beside a ratio stand those of single runs.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

WALKS = ("im:length=1", "im:length=8,bias=min", "im:length=90")
RUNS = 2
CASES = (
    {"name": "60x60 at T = 1.8", "model": "ferromagnet:60x60", "distance": 1800, "beta": 1 / 1.8, "stripe": True,
     "walks": WALKS, "longer": 1, "asked": ">= 8"},
    {"name": "60x60 at T = 2.27", "model": "ferromagnet:60x60", "distance": 1800, "beta": 1 / 2.27, "stripe": False,
     "walks": WALKS, "longer": 1, "asked": ">= 1.2"},
    {"name": "9x9x9 at beta = 0.7", "model": "spin-glass:9x9x9,seed=7", "distance": 364, "beta": 0.7, "stripe": False,
     "walks": ("im:length=1",), "longer": 4, "asked": ""},
)
COLD = {"name": "9x9x9 at beta = 1", "model": "spin-glass:9x9x9,seed=7", "distance": 364, "beta": 1.0, "stripe": False,
        "walks": ("im:length=1",), "longer": 60, "asked": ">= 5"}


def measure(nhot, case, seconds, folder, seed):
    words = [nhot, "compare", case["model"], "-n", str(case["distance"]), "--beta", repr(case["beta"]),
             "--seconds", str(seconds), "--chains", "4", "--seed", str(seed), "--json"]
    if case["stripe"]:
        start = Path(folder) / "stripe.txt"
        start.write_text("".join("1\n" if i < case["distance"] else "0\n" for i in range(2 * case["distance"])))
        words += ["--start", str(start)]
    moves = ("swap", *case["walks"])
    for move in moves:
        words += ["--move", move]
    results = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)["results"]
    return {move: {**result["observables"]["energy"], "thin": result["thin"]} for move, result in zip(moves, results)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nhot", default="build/nhot")
    parser.add_argument("--seconds", type=float, default=5, help="of every move in a run; the glass takes longer")
    parser.add_argument("--cold", action="store_true", help="the glass at beta = 1, too")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    times, numbers = [], []
    with tempfile.TemporaryDirectory() as folder:
        for case in (*CASES, *([COLD] if options.cold else [])):
            runs = [measure(options.nhot, case, options.seconds * case["longer"], folder, 1 + k) for k in range(RUNS)]
            rates = {move: [run[move]["ess_per_second"] for run in runs] for move in ("swap", *case["walks"])}
            means = {move: statistics.mean(values) for move, values in rates.items()}
            for move, mean in means.items():
                times.append({"name": f"{case['name']} {move}", "ns": 1e9 / mean, "ess_per_second": round(mean, 2),
                              "lowest": round(min(rates[move]), 2), "highest": round(max(rates[move]), 2),
                              "rhat": round(max(run[move]["rhat"] for run in runs), 4),
                              "draws_in_tau": round(statistics.mean(run[move]["tau_moves"] / run[move]["thin"] for run in runs), 1)})
            best = max(case["walks"], key=means.get)
            single = [ours / other for ours, other in zip(rates[best], rates["swap"])]
            numbers.append({"name": f"{case['name']}: {best} / swap", "asked": case["asked"],
                            "value": round(means[best] / means["swap"], 2),
                            "lowest": round(min(single), 2), "highest": round(max(single), 2)})
    if options.json:
        print(json.dumps({"program": "mixing", "question": __doc__.splitlines()[0], "times": times, "numbers": numbers}, indent=1))
        return
    for row in times:
        print(f"{row['name']:40} {row['ess_per_second']:12.4g} effective draws/s ({row['lowest']:g} to {row['highest']:g})   R-hat {row['rhat']:.4f}   {row['draws_in_tau']:.1f} draws in tau")
    for row in numbers:
        print(f"{row['name']:40} {row['value']:12.2f}   ({row['lowest']:g} to {row['highest']:g} in single runs)   (aim: {row['asked']})")


if __name__ == "__main__":
    main()
