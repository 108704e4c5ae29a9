#!/usr/bin/env python3
"""How fast is the sampler in a browser, beside the program that was built for this processor?

Takes turns between the two on ferromagnet:60x60, n = 1800, T = 2.27, and prints the CPU time of a step of each and their ratio.
The page is opened in Debian's chromium; its CPU time is that of the worker's thread, as the kernel counts it, so that a busy
machine does not matter. What the page does beside the samplers (states, estimates, messages) is in it.

    make web && bench/live_page.py --turns 3
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOVES = ("swap", "im:length=10")


def worker_seconds(pid):
    """CPU seconds of the threads of workers of a process, by thread."""
    found = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
        if (task / "comm").read_text().startswith("DedicatedWorker"):
            found[task.name] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def native_step(binary, move):
    words = ["sample", "ferromagnet:60x60", "-n", "1800", "--beta", str(1 / 2.27), "--move", move, "--chains", "1", "--seed", "1",
             "--moves", "100000000" if move == "swap" else "1500000", "--json"]
    done = subprocess.run([binary, *words], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["ns_per_step"]


def page_step(page, pid, sampler, seconds):
    """Both samplers are the one that is measured: the other's time would be in the thread's as well."""
    page.evaluate("(move) => send('start', { model: models.lattice.make(60), distance: 1800, beta: 1 / 2.27, seed: 1, run: true,"
                  " fair: 'cpu', pace: null, moves: [move, move], round: nextRound() })", MOVES[sampler])
    page.wait_for_function("() => samplersNow.length === 2 && samplersNow[0].cpu > 300")  # compiled well by then
    steps = "() => drawsOf(0).then(() => samplersNow.reduce((sum, s) => sum + s.steps, 0))"
    page.evaluate("send('settings', {})")  # posts the numbers of this moment
    before, began = page.evaluate(steps), worker_seconds(pid)
    page.wait_for_timeout(1000 * seconds)
    page.evaluate("send('settings', {})")
    after, ended = page.evaluate(steps), worker_seconds(pid)
    return 1e9 * sum(ended[k] - began.get(k, 0) for k in ended) / (after - before)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4, help="of the page, for each turn and move")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    args = parser.parse_args()
    html = args.build / "web" / "index.html"
    if not html.is_file():
        sys.exit(f"{html} is missing; run: make web")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(html.as_uri())
        page.wait_for_function("() => samplersNow.length === 2")
        processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        [pid] = [p["id"] for p in processes if p["type"] == "renderer" and worker_seconds(p["id"])]
        print(f"{'move':14}{'native':>12}{'page':>12}{'speed':>10}")
        steps = {move: ([], []) for move in MOVES}
        for _ in range(args.turns):
            for sampler, move in enumerate(MOVES):
                steps[move][0].append(native_step(args.build / "nhot", move))
                steps[move][1].append(page_step(page, pid, sampler, args.seconds))
        for move, (native, live) in steps.items():
            a, b = statistics.median(native), statistics.median(live)
            print(f"{move:14}{a:9.1f} ns{b:9.1f} ns{a / b:10.2f}")
        browser.close()


if __name__ == "__main__":
    main()
