#!/usr/bin/env python3
"""Runs the fuzzer (tests/fuzz) over every parser and prints how many inputs each met. An input that crashes a parser,
takes long or much memory, or makes it throw anything but an InputError is kept in a file, and the exit code is 1.

    tests/fuzz/run.py --runs 1000                 as often as that, the same inputs every time
    tests/fuzz/run.py --seconds 60 --keep FOLDER  as long as that for each; what opens new branches goes to FOLDER
    tests/fuzz/run.py --seconds 60 --total 1e7    the same again and again, until there were so many in all
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
# Of one input.
LIMITS = ["-max_len=1024", "-rss_limit_mb=1500", "-malloc_limit_mb=256"]
# What takes a quarter of the time otherwise: long memory of what was freed, and of who allocated it. Files in memory.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=4:malloc_context_size=2"}
if Path("/dev/shm").is_dir():
    ENVIRONMENT["TMPDIR"] = "/dev/shm"
# Of what libFuzzer and the sanitizers say, what tells the bug.
TELLING = re.compile(r"BUG|ERROR|SUMMARY|runtime error|terminate|what\(\)|Test unit written|src/nhot|app/")
# Parsers that open files through HDF5, which loses memory on damaged ones: that is no bug of ours.
FILES = {"rbm", "run", "checkpoint", "scan"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=TREE / "build-asan/tests/fuzz/fuzz")
    parser.add_argument("--runs", type=int, help="inputs per parser; a fortieth for those that read whole files")
    parser.add_argument("--seconds", type=int, help="seconds per parser")
    parser.add_argument("--total", type=float, default=0, help="inputs in all: more rounds of so many seconds until then")
    parser.add_argument("--keep", type=Path, help="folder for inputs that open new branches, to go on from")
    parser.add_argument("--jobs", type=int, default=1, help="parsers at a time")
    parser.add_argument("names", nargs="*", metavar="PARSER", help="only these")
    args = parser.parse_args()
    if (args.runs is None) == (args.seconds is None):
        parser.error("give either --runs or --seconds")
    return args


def fuzz(args, name, scratch):
    """(executions, seconds, what went wrong)"""
    found = (args.keep or scratch) / name
    bugs = (args.keep or TREE / "build-asan") / "bugs" / name
    for folder in found, bugs:
        folder.mkdir(parents=True, exist_ok=True)
    seeds = Path(__file__).parent / "corpus" / name
    words = [args.program, name, *LIMITS, f"-artifact_prefix={bugs}/", "-print_final_stats=1"]
    if name in FILES:
        words.append("-detect_leaks=0")
    if args.runs is not None:
        # By the clock, so long that a busy machine is no hang.
        words += [f"-runs={max(1, args.runs // (40 if name in FILES else 1))}", "-seed=1", "-timeout=600"]
    else:
        words += [f"-max_total_time={args.seconds}", "-timeout=20"]
    words += [found] + ([seeds] if seeds.is_dir() else [])
    begin = time.monotonic()
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, errors="replace", env=ENVIRONMENT)
    units = re.search(r"stat::number_of_executed_units: (\d+)", done.stderr)
    trouble = "" if done.returncode == 0 else "\n".join(filter(TELLING.search, done.stderr.splitlines()))
    return int(units[1]) if units else 0, time.monotonic() - begin, trouble


def main():
    args = arguments()
    names = subprocess.run([args.program, "--list"], capture_output=True, text=True, check=True).stdout.split()
    names = [name for name in names if not args.names or name in args.names]
    begin = time.monotonic()
    runs, seconds, failed = dict.fromkeys(names, 0), dict.fromkeys(names, 0.0), {}
    while True:
        with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(args.jobs) as team:
            for name, (more, took, trouble) in zip(names, team.map(lambda name: fuzz(args, name, Path(scratch)), names)):
                runs[name] += more
                seconds[name] += took
                if trouble:
                    failed[name] = trouble
        total = sum(runs.values())
        if failed or total >= args.total:
            break
        print(f"after {time.monotonic() - begin:.0f} s: {total:,} executions", flush=True)
    print(f"{'parser':<16}{'executions':>14}{'per second':>12}")
    for name in names:
        print(f"{name:<16}{runs[name]:>14,}{runs[name] / seconds[name]:>12,.0f}{'   FAILED' if name in failed else ''}")
    print(f"fuzz executions {total:,} over {len(names)} parsers in {time.monotonic() - begin:.0f} s, {args.jobs} at a time; "
          f"parsers with a crash, a hang or a refused allocation: {len(failed)}")
    for name, trouble in failed.items():
        print(f"\n{name}:\n{trouble}", file=sys.stderr)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
