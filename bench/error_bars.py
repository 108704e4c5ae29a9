#!/usr/bin/env python3
"""Are the errors that `nhot logz` states the errors it makes?

    bench/error_bars.py [--seeds N] [NAME ...]

Runs every method with many seeds on problems whose log Z_n is known without sampling, with moves enough and with too few,
and prints how (estimate - exact) / (stated error) spreads: mean, root of the mean square (1 is right; 1.07 for errors
from 16 populations), and the share beyond 3 (0.009). Then the standard deviation of log Z over the populations of a run, and
the share of runs with a note that warns of the error bar. Needs numpy.
"""

import argparse
import json
import subprocess
from pathlib import Path

import numpy
import partition

ROOT = Path(__file__).resolve().parents[1]
FEW = "--move im:length=1 --moves"
SETTINGS = [("smc", "--ratio"), ("smc", f"{FEW} 4 --ratio"), ("smc", f"{FEW} 2 --ratio"), ("smc", f"{FEW} 1 --ratio"), ("ais", ""),
            ("ais", f"{FEW} 4"), ("ais", f"{FEW} 2"), ("ais", f"{FEW} 1"), ("ti", "--seconds 0.5"), ("ti", "--seconds 0.05")]
WARNINGS = ("populations disagree", "not converged", "too few draws")


def problems(binary):
    """name: model, distance, beta, and log Z at any distance."""
    fields = [value for _, _, value in partition.coo(binary, "field:50,seed=1")]
    return {"ferromagnet": ("ferromagnet:8x8", 31, 0.44, lambda n: partition.transfer_matrix(8, n, 0.44)),
            "field": ("field:50,seed=1", 20, 3.0, lambda n: partition.symmetric(fields, n, 3.0))}


def row(name, what, options, off, spreads, warned):
    off = numpy.array(off)
    print(f"{name:12} {what:10} {options:36} {len(off):5} {off.mean():+6.2f} {numpy.sqrt((off ** 2).mean()):6.2f} "
          f"{(abs(off) > 3).mean():8.3f} {abs(off).max():6.1f} {numpy.mean(spreads):8.2f} {warned / len(off):7.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="ferromagnet, field; both when none is given")
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "nhot")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--threads", default="1")
    arguments = parser.parse_args()
    known = problems(arguments.binary)
    for name in arguments.names:
        if name not in known:
            parser.error(f"no problem {name}")
    print(f"{'':12} {'method':10} {'options':36} {'runs':>5} {'mean':>6} {'rms':>6} {'beyond 3':>8} {'worst':>6} {'spread':>8} "
          f"{'warned':>7}")
    for name in arguments.names or known:
        model, n, beta, log_z = known[name]
        exact, ratio = log_z(n), log_z(n + 1) - log_z(n)
        for method, options in SETTINGS:
            off, off_ratio, spreads, warned = [], [], [], 0
            for seed in range(1, arguments.seeds + 1):
                command = [str(arguments.binary), "logz", model, "-n", str(n), "--beta", str(beta), "--method", method,
                           *options.split(), "--seed", str(seed), "--threads", arguments.threads, "--json"]
                result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                warned += any(warning in note for warning in WARNINGS for note in result["notes"])
                if result["log_z"] is None:
                    continue
                off.append((result["log_z"] - exact) / result["stderr"])
                spreads.append(numpy.std(result["log_z_of"], ddof=1))
                if "ratio" in result:
                    off_ratio.append((result["ratio"]["log_ratio"] - ratio) / result["ratio"]["stderr"])
            row(name, method, options, off, spreads, warned)
            if off_ratio:
                row(name, f"{method} ratio", options, off_ratio, spreads, warned)


if __name__ == "__main__":
    main()
