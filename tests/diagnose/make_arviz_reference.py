"""Writes arviz_reference.hpp: what ArviZ says of chains that the C++ test can make again.

    python tests/diagnose/make_arviz_reference.py > tests/diagnose/arviz_reference.hpp

The draws come from a 64-bit linear congruential generator, state' = a state + c mod 2^64 with
a = 6364136223846793005 and c = 1442695040888963407, started at the case's seed and stepped before
each draw; u = (state >> 11) / 2^53. Chain by chain, starting from x = 0 in each:

    x = phi * x + (u - 0.5)
    y = x * (1 + spread * chain) + shift * chain + trend * draw
    y = floor(y * levels)        only if levels > 0

arviz_reference_test.cpp does the same; there is no rounding freedom in it.
"""

import logging
import math
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.WARNING)

import arviz  # noqa: E402
import numpy  # noqa: E402

FIELDS = "name chains draws seed phi shift spread trend levels".split()
CASES = [
    ("white", 4, 1000, 1, 0.0, 0.0, 0.0, 0.0, 0.0),
    ("correlated", 4, 1000, 2, 0.9, 0.0, 0.0, 0.0, 0.0),
    ("very_correlated", 3, 3000, 3, 0.99, 0.0, 0.0, 0.0, 0.0),
    ("alternating", 4, 500, 4, -0.3, 0.0, 0.0, 0.0, 0.0),
    ("odd_draws", 4, 1001, 5, 0.5, 0.0, 0.0, 0.0, 0.0),
    ("odd_chains", 5, 777, 6, 0.5, 0.0, 0.0, 0.0, 0.0),
    ("one_chain", 1, 2000, 7, 0.7, 0.0, 0.0, 0.0, 0.0),
    ("one_chain_odd", 1, 333, 8, 0.7, 0.0, 0.0, 0.0, 0.0),
    ("shifted", 4, 1000, 9, 0.3, 0.2, 0.0, 0.0, 0.0),
    ("spread", 4, 1000, 10, 0.3, 0.0, 0.5, 0.0, 0.0),
    ("drifting", 4, 1000, 11, 0.3, 0.0, 0.0, 0.001, 0.0),
    ("ties", 4, 1000, 12, 0.8, 0.0, 0.0, 0.0, 5.0),
    ("ties_odd", 3, 501, 13, 0.8, 0.0, 0.0, 0.0, 3.0),
    ("two_values", 4, 800, 14, 0.5, 0.0, 0.0, 0.0, 0.9),
    ("bounded", 4, 500, 18, -0.8, 0.0, 0.0, 0.0, 0.0),
    ("four_draws", 2, 4, 15, 0.0, 0.0, 0.0, 0.0, 0.0),
    ("five_draws", 3, 5, 16, 0.0, 0.0, 0.0, 0.0, 0.0),
    ("eight_draws", 2, 8, 17, 0.5, 0.0, 0.0, 0.0, 0.0),
]


def make_chains(case):
    chains = numpy.empty((case["chains"], case["draws"]))
    state = case["seed"]
    for chain in range(case["chains"]):
        x = 0.0
        for draw in range(case["draws"]):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            u = (state >> 11) * 2.0**-53
            x = case["phi"] * x + (u - 0.5)
            y = x * (1.0 + case["spread"] * chain) + case["shift"] * chain + case["trend"] * draw
            if case["levels"] > 0:
                y = math.floor(y * case["levels"])
            chains[chain, draw] = y
    return chains


def reference(chains):
    return {
        "ess_bulk": arviz.ess(chains, method="bulk"),
        "ess_tail": arviz.ess(chains, method="tail"),
        "ess_mean": arviz.ess(chains, method="mean"),
        "rhat": arviz.rhat(chains, method="rank"),
        "rhat_bulk": arviz.rhat(chains, method="z_scale"),
        "rhat_folded": arviz.rhat(chains, method="folded"),
        "mcse": arviz.mcse(chains, method="mean"),
        "mcse_sd": arviz.mcse(chains, method="sd"),
    }


def number(value):
    return "NAN" if math.isnan(value) else repr(float(value))


def main():
    print("// Written by make_arviz_reference.py with ArviZ", arviz.__version__ + "; do not edit.")
    print("#pragma once\n")
    print("#include <cmath>\n#include <cstddef>\n#include <cstdint>\n")
    print("namespace nhot::testing {\n")
    print("struct ArvizCase {")
    print("  const char* name;")
    print("  std::size_t chains, draws;")
    print("  std::uint64_t seed;")
    print("  double phi, shift, spread, trend, levels;")
    print("  double ess_bulk, ess_tail, ess_mean, rhat, rhat_bulk, rhat_folded, mcse, mcse_sd;")
    print("};\n")
    print("// clang-format off")
    print("inline const ArvizCase arviz_cases[] = {")
    for row in CASES:
        case = dict(zip(FIELDS, row))
        expected = ", ".join(number(v) for v in reference(make_chains(case)).values())
        inputs = ", ".join(repr(v).replace("'", '"') for v in row)
        print(f"    {{{inputs},\n     {expected}}},")
    print("};\n// clang-format on\n")
    print("}  // namespace nhot::testing")


if __name__ == "__main__":
    main()
