#!/usr/bin/env python3
"""Instructions per step of the hot loops, counted by callgrind: a speed that noise does not touch.

    bench/instructions.py            compare with bench/instructions.json; exit 1 when a loop takes 5% more
    bench/instructions.py --write    measure and make this the baseline

Counts belong to a compiler: with another one than the baseline's, the counts are printed and not compared.
A loop that takes 5% less is reported as well, so that the baseline follows.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BASELINE = ROOT / "bench" / "instructions.json"
TOLERANCE = 0.05


def compiler(build):
    cache = (build / "CMakeCache.txt").read_text()
    path = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M).group(1)
    return subprocess.run([path, "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]


def count(program, case):
    """Instructions per step."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=measured_loop", f"--callgrind-out-file={out}", program, case],
            capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"instructions: {case} failed under valgrind:\n{done.stderr}")
        total = int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M).group(1))
        return total / int(done.stdout)


def judge(counts, baseline):
    """Lines to print, and whether all is well."""
    lines = []
    well = True
    for case, value in counts.items():
        before = baseline.get(case)
        if before is None:
            lines.append(f"{case:20} {value:10.1f}   not in the baseline: run bench/instructions.py --write")
            well = False
            continue
        change = value / before - 1
        note = ""
        if change > TOLERANCE:
            note = "   MORE than the baseline allows"
            well = False
        elif change < -TOLERANCE:
            note = "   less: run bench/instructions.py --write to keep it"
        lines.append(f"{case:20} {value:10.1f} {100 * change:+7.1f}%{note}")
    for case in baseline.keys() - counts.keys():
        lines.append(f"{case:20} is in the baseline but is not measured")
        well = False
    return lines, well


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--write", action="store_true", help="make what is measured the baseline")
    options = parser.parse_args()
    program = options.build / "bench" / "bench_instructions"
    cases = subprocess.run([program, "--list"], check=True, capture_output=True, text=True).stdout.split()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = dict(zip(cases, (round(value, 1) for value in pool.map(lambda case: count(program, case), cases))))
    name = compiler(options.build)
    if options.write:
        BASELINE.write_text(json.dumps({"compiler": name, "instructions_per_step": counts}, indent=2) + "\n")
        print(f"wrote {BASELINE.relative_to(ROOT)}")
        return 0
    baseline = json.loads(BASELINE.read_text())
    same = baseline["compiler"] == name
    lines, well = judge(counts, baseline["instructions_per_step"])
    print("instructions per step, and the change against bench/instructions.json")
    print("\n".join(lines))
    if not same:
        print(f"not compared: this is {name}, the baseline is of {baseline['compiler']}")
        return 0
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
