#!/usr/bin/env python3
"""Draws what `nhot profile --json` printed: F(n), its mirrored difference, and P(n).

    build/nhot profile MODEL -n 0..M ... --json > profile.json
    .venv/bin/python scripts/profile_figure.py profile.json doc/figures/profile.png

Prints how far the profile is from symmetric, in errors, for models that have that symmetry. Needs matplotlib.
"""

import argparse
import json
from pathlib import Path

import matplotlib
import numpy

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("profile", type=Path)
    parser.add_argument("figure", type=Path)
    arguments = parser.parse_args()
    facts = json.loads(arguments.profile.read_text())
    n = numpy.array(facts["distance"])
    free, error, log_p = (numpy.array([numpy.nan if v is None else v for v in facts[name]], dtype=float)
                          for name in ("free_energy", "free_energy_stderr", "log_p"))
    # The two halves come from the same chains: their errors are taken as independent.
    off = (free - free[::-1]) / numpy.where(error > 0, numpy.hypot(error, error[::-1]), numpy.nan)
    half = slice(1, len(n) // 2)
    print(f"{facts['model']['name']}: {facts['cpu_seconds']:.0f} CPU seconds with frozen weights, "
          f"{facts['seconds']:.0f} s in all, {facts['round_trips']:g} round trips")
    print(f"F(n) - F(M - n) in errors: rms {numpy.sqrt(numpy.nanmean(off[half] ** 2)):.2f}, "
          f"largest {numpy.nanmax(numpy.abs(off[half])):.2f}; largest difference {numpy.nanmax(numpy.abs(free - free[::-1])):.2f}")
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 2.8), dpi=100)
    left.fill_between(n, free - 3 * error, free + 3 * error, color="tab:orange", alpha=0.5, linewidth=0)
    left.plot(n, free, linewidth=1)
    left.set(xlabel="n", ylabel="F(n) = -log Z / beta", title=f"{facts['model']['name']}, beta {facts['beta']:.4g}")
    right.plot(n, log_p / numpy.log(10), linewidth=1)
    right.set(xlabel="n", ylabel="log10 P(n)", title=f"mu = {facts['mu']:g}")
    figure.tight_layout()
    figure.savefig(arguments.figure)


if __name__ == "__main__":
    main()
