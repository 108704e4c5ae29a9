#!/usr/bin/env python3
"""Writes doc/results.md and the figures in doc/figures from what was measured.

    scripts/results.py --reproduction results/reproduce/results.json --sweep results/reproduce/sweep.json

`nhot reproduce all` makes the first file, `bench/temperature.py --json` the second; a second file that
is not there is made. Every number in the page comes from these two, and the name of the processor from the machine
that this runs on.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
import machine  # noqa: E402
import results_figures  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
NAMES = {"ferromagnet": "ferromagnet", "spin-glass": "spin glass", "rbm": "RBM", "digits": "RBM, trained"}


def number(value, digits=3):
    if value is None:
        return "-"
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    return f"{float(text):,.10g}" if "e" in text or abs(value) >= 1000 else text


def energy(sampler):
    return sampler["observables"]["energy"]


def signed(value, digits):
    """A difference with its sign."""
    text = number(value, digits)
    return text if text in ("-", "0") or text.startswith("-") else "+" + text


def reference_of(experiment):
    """The run that found the true mean energy, or None."""
    reference = experiment.get("reference")
    return reference if reference and reference["converged"] else None


def reference_sentence(experiment):
    reference = reference_of(experiment)
    if reference is None:
        made = experiment.get("reference")
        return "There is no reference." if made is None else f"No reference: {made['how']} did not converge. {made['reasons'][0]}"
    decimals = 1 if reference["mcse"] >= 0.5 else 2
    return (
        f"The true mean energy is {reference['mean']:,.{decimals}f} ± {number(reference['mcse'], 2)}: {reference['how']}, which converged "
        f"in {number(reference['cpu_seconds'], 2)} CPU seconds that no sampler is charged with (`{reference['command']}`)."
    )


def sampler_table(experiment):
    lines = [
        "| sampler | moves per trial | per IM move | acceptance | ns per step | mean energy | off the true mean | in errors | tau (CPU ms) | ESS per CPU s | R-hat | CPU s | converged |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for sampler in experiment["samplers"].values():
        tau = sampler["tau_seconds"]
        error = energy(sampler)["mcse"]
        decimals = 1 if error is None or error >= 0.5 else 2
        lines.append(
            f"| {sampler['label']} | {number(sampler['moves'] + sampler['warmup'], 4)} | {number(sampler['attempts_per_move'])} "
            f"| {number(sampler['acceptance'])} | {number(sampler['ns_per_step'])} "
            f"| {energy(sampler)['mean']:,.{decimals}f} ± {number(error, 2)} "
            f"| {signed(sampler.get('from_reference'), 3)} | {signed(sampler.get('errors_from_reference'), 2)} "
            f"| {number(None if tau is None else 1e3 * tau)} | {number(sampler['ess_per_second'])} "
            f"| {number(sampler['rhat'], 4)} | {number(sampler['cpu_seconds'])} | {'yes' if sampler['converged'] else 'no'} |"
        )
    return "\n".join(lines)


def times(ratio):
    """'2.3 times' for a ratio of speeds that is at least one."""
    return f"{number(ratio, 2)} times"


def speed_sentence(experiment, key="im"):
    """Who gives more effective draws of the energy in the same CPU time."""
    im, swap = experiment["samplers"][key], experiment["samplers"]["swap_equal_time"]
    if not im["ess_per_second"] or not swap["ess_per_second"]:
        return f"{im['label']} and swap cannot be compared by effective draws: one of them has none."
    ratio = im["ess_per_second"] / swap["ess_per_second"]
    if 0.8 < ratio < 1.25:
        return f"In effective draws of the energy per CPU second {im['label']} and swap are level (ratio {number(ratio, 2)})."
    if ratio > 1:
        return f"{im['label']} gives {times(ratio)} the effective draws of the energy that swap gives in the same CPU time."
    return f"**Swap wins**: in the same CPU time it gives {times(1 / ratio)} the effective draws of the energy that {im['label']} gives."


def agreement_sentence(experiment):
    z = experiment["energy_difference_in_errors"]["swap_equal_time"]
    if z is None:
        return "Whether the mean energies of the two samplers agree cannot be said: an error is not known."
    im = experiment["samplers"]["im"]
    verdict = "agree within their errors" if abs(z) < 3 else "do **not** agree"
    return (
        f"The mean energies of the two samplers at equal CPU time {verdict}: they differ by {number(abs(z), 2)} standard errors. "
        f"R-hat of the energy over the trials is {number(im['rhat'], 4)} for the intracluster move and "
        f"{number(experiment['samplers']['swap_equal_time']['rhat'], 4)} for swap."
    )


def verdict_sentence(experiment):
    said = []
    for key in ("im", "swap_equal_time"):
        sampler = experiment["samplers"][key]
        if sampler["converged"]:
            said.append(f"{sampler['label']}: converged.")
        else:
            said.append(f"{sampler['label']}: not converged. {sampler['reasons'][0]}")
    return " ".join(said)


def overlap_sentence(experiment):
    parts = []
    for key in ("im", "im_balanced", "swap_equal_time"):
        if key not in experiment["samplers"]:
            continue
        overlap = experiment["samplers"][key]["series"]["overlap"]
        parts.append(
            f"{experiment['samplers'][key]['label']}: {number(overlap['between_mean'], 2)} between trials, "
            f"{number(overlap['within_mean'], 2)} within one"
        )
    return "Mean overlap of two states: " + "; ".join(parts) + "."


def parity_sentence(experiment):
    paper, equal = experiment["samplers"]["swap_paper"], experiment["samplers"]["swap_equal_time"]
    return (
        f"The paper gave swap {number(paper['attempts_per_move'])} attempts for every intracluster move. "
        f"In the CPU time of one move our swap makes {number(equal['attempts_per_move'])}."
    )


def summary(experiments):
    lines = [
        "| experiment | ESS per CPU s, IM | ESS per CPU s, swap | ratio | converged (IM, swap) |",
        "|---|---:|---:|---:|---|",
    ]
    for key, experiment in experiments.items():
        swap = experiment["samplers"]["swap_equal_time"]
        for name in ("im", "im_balanced"):
            im = experiment["samplers"].get(name)
            if im:
                both = im["ess_per_second"] and swap["ess_per_second"]
                ratio = im["ess_per_second"] / swap["ess_per_second"] if both else None
                yes = ["yes" if s["converged"] else "no" for s in (im, swap)]
                lines.append(
                    f"| {NAMES[key]}, {im['label']} | {number(im['ess_per_second'])} | {number(swap['ess_per_second'])} "
                    f"| {number(ratio, 2)} | {yes[0]}, {yes[1]} |"
                )
    return "\n".join(lines)


def printed_table(experiments):
    lines = ["| experiment | move | accepted |", "|---|---|---:|"]
    for key, experiment in experiments.items():
        for name in ("im", "im_balanced", "im_exp_half", "im_printed"):
            sampler = experiment["samplers"].get(name)
            if sampler:
                move = ",".join(p for p in sampler["move"].split(",") if not p.startswith(("engine=", "order=")))
                lines.append(f"| {NAMES[key]} | `{move}` | {number(sampler['acceptance'])} |")
    return "\n".join(lines)


def sweep_table(rows):
    moves = list(rows[0]["moves"])
    lines = [
        "| T | " + " | ".join(f"`{m}` ESS/s" for m in moves) + " | " + " | ".join(f"`{m}` / swap" for m in moves[1:]) + " | largest R-hat |",
        "|---|" + "---:|" * (2 * len(moves)),
    ]
    for row in rows:
        speed = {m: row["moves"][m]["ess_per_second"] for m in moves}
        rhat = max(r["rhat"] for r in row["moves"].values())
        cells = [number(row["temperature"])] + [number(speed[m]) for m in moves]
        cells += [number(speed[m] / speed[moves[0]], 2) for m in moves[1:]] + [number(rhat, 4)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def sweep_sentences(rows):
    moves = list(rows[0]["moves"])
    short = moves[-1]

    def ratio(row, move):
        return row["moves"][move]["ess_per_second"] / row["moves"]["swap"]["ess_per_second"]

    cold, hot = rows[0], rows[-1]
    crossing = [row["temperature"] for row in rows if ratio(row, short) < 1]
    text = (
        f"Short walks (`{short}`) give {number(ratio(cold, short), 2)} times the effective draws of swap at T = {number(cold['temperature'])} "
        f"and {number(ratio(hot, short), 2)} times at T = {number(hot['temperature'])}; walks of the paper's length (`{moves[1]}`) "
        f"{number(ratio(cold, moves[1]), 2)} and {number(ratio(hot, moves[1]), 2)} times. "
    )
    if crossing:
        text += f"From T = {number(min(crossing))} upwards swap is the better choice. "
    return text + (
        "The reason is the acceptance of swap: cold, nearly all pairs that it tries would cost energy and are refused, while a walk looks for "
        "sites that may flip. Hot, almost any pair will do, and a cheap attempt beats a clever one."
    )


def page(data, sweep):
    e = data["experiments"]
    parts = [
        "# Results\n",
        f"Made by `scripts/results.py` from a run of `nhot reproduce all` (version {data['version']}, {data['cores']} cores, "
        f"{number(data['seconds'])} s, {data['trials']} trials{'' if data['scale'] == 1 else ', scale ' + number(data['scale'])}); "
        f"`make results` makes it again, here on {machine.describe()}. Times are CPU times, measured while the samplers took turns in slices of a few milliseconds: "
        "trust the ratios more than the numbers.\n",
        "The paper is F. Hamze and N. de Freitas, *Intracluster Moves for Constrained Discrete-Space MCMC* (2010). It compares the "
        "intracluster move (IM) with pair swaps on three models, at a parity of time that came from a slow swap. Here are its settings with "
        "two baselines: swap with the paper's number of attempts, and swap with the same CPU time.\n",
        "## In short\n",
        "At equal CPU time, with the paper's settings:\n",
        summary(e),
        "",
        "- " + speed_sentence(e["ferromagnet"]).replace("IM", "On the ferromagnet at its critical temperature the IM", 1)
        if speed_sentence(e["ferromagnet"]).startswith("IM")
        else "- Ferromagnet at its critical temperature. " + speed_sentence(e["ferromagnet"]),
        "- Spin glass. " + speed_sentence(e["spin-glass"]) + " " + speed_sentence(e["spin-glass"], "im_balanced"),
        "- RBM. " + speed_sentence(e["rbm"]),
        "- RBM trained on digits. " + speed_sentence(e["digits"]),
        "- The lead of the IM grows as the temperature falls, with walks much shorter than the paper's (see the end of this page).",
        "- None of this is seen in energies alone: on the spin glass and the RBM trials sit in valleys of their own, whatever the "
        "autocorrelation says. Single-temperature chains of either kind do not answer there; tempering is the tool.\n",
    ]
    parts += [
        "## Ferromagnet, 60 x 60 (the paper's figure 2)\n",
        "![Energy and autocorrelation on the ferromagnet](figures/ferromagnet.png)\n",
        "`nhot reproduce ferromagnet`: periodic, half of the sites up, beta = 1/2.27, walks of 90.\n",
        sampler_table(e["ferromagnet"]),
        "",
        speed_sentence(e["ferromagnet"]) + " " + parity_sentence(e["ferromagnet"]) + "\n",
        reference_sentence(e["ferromagnet"]) + " " + agreement_sentence(e["ferromagnet"]) + "\n",
        verdict_sentence(e["ferromagnet"]) + "\n",
        "## Spin glass, 9 x 9 x 9 (figure 3)\n",
        "![Energy and autocorrelation on the spin glass](figures/spin-glass.png)\n",
        "`nhot reproduce spin-glass`: periodic, couplings +1 and -1, 364 of 729 sites up, beta = 1, walks of 1 to 25, gamma = 0.8 beta as in the "
        "paper and gamma = beta, which is balanced: acceptance then holds no energy term.\n",
        sampler_table(e["spin-glass"]),
        "",
        speed_sentence(e["spin-glass"]) + " " + speed_sentence(e["spin-glass"], "im_balanced") + " " + parity_sentence(e["spin-glass"]) + "\n",
        reference_sentence(e["spin-glass"]) + " " + agreement_sentence(e["spin-glass"]) + " " + overlap_sentence(e["spin-glass"])
        + " Where the two numbers differ, each trial keeps to its own valley, and its effective draws count draws from that valley.\n",
        verdict_sentence(e["spin-glass"]) + "\n",
        "## Restricted Boltzmann machine, 784 + 500 units (figure 4)\n",
        "![Energy and autocorrelation on the RBM](figures/rbm.png)\n",
        "`nhot reproduce rbm`: Gabor-like weights, 428 of 1,284 units on, beta = 1, walks of 1 to 20, gamma = 0.8. The authors' weights are not "
        "public; `--rbm-weights FILE.h5` runs the same on others.\n",
        sampler_table(e["rbm"]),
        "",
        speed_sentence(e["rbm"]) + " " + parity_sentence(e["rbm"])
        + " A step of a walk changes the weights of a whole layer, a swap attempt only reads two fields: on dense models that gap is the price of the walk.\n",
        reference_sentence(e["rbm"]) + " " + agreement_sentence(e["rbm"]) + " " + overlap_sentence(e["rbm"]) + "\n",
        verdict_sentence(e["rbm"]) + "\n",
        "## The same machine, trained on handwritten digits\n",
        "![Energy and autocorrelation on the trained RBM](figures/digits.png)\n",
        "The second part of `nhot reproduce rbm` (alone: `nhot reproduce digits`): 784 x 500 units trained on 10,000 digits by "
        "`scripts/train_rbm.py`, 214 of 1,284 units on, about as many as a digit has with its hidden units; the rest as above.\n",
        sampler_table(e["digits"]),
        "",
        speed_sentence(e["digits"]) + "\n",
        reference_sentence(e["digits"]) + " " + agreement_sentence(e["digits"]) + " " + overlap_sentence(e["digits"]) + "\n",
        verdict_sentence(e["digits"]) + "\n",
        "## What the printed equation 2 does\n",
        "The paper prints the weight of a step as exp(-gamma E), with gamma = beta on the ferromagnet. Walks with that weight are hardly ever accepted:\n",
        printed_table(e),
        "",
        "The exponential weight takes the energy twice into the proposal, forwards and backwards, so it is balanced at gamma = beta/2, not beta; "
        "and its totals are ruled by a few sites of very low energy, which a step uses up. The logistic weight 1/(1 + exp(gamma dE)) is balanced at "
        "gamma = beta and bounded. The authors' own program used it, and so does the reproduction.\n",
        "Other slips of the text: in equation 2 the sets P and N are swapped against their definitions; the products of equation 3 run to k, not M; "
        "the RBM has 784 + 500 = 1,284 units, not 1,484.\n",
        "## What changes with temperature\n",
        "![Effective draws per second against temperature](figures/temperature.png)\n",
        f"`{sweep['command']}`: the ferromagnet again, every chain started from a stripe.\n",
        sweep_table(sweep["rows"]),
        "",
        sweep_sentences(sweep["rows"]) + "\n",
    ]
    return "\n".join(parts).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reproduction", type=Path, default=ROOT / "results/reproduce/results.json")
    parser.add_argument("--sweep", type=Path, default=ROOT / "results/reproduce/sweep.json")
    parser.add_argument("--nhot", default=str(ROOT / "build/nhot"), help="for the sweep, when it is to be made")
    parser.add_argument("--out", type=Path, default=ROOT / "doc", help="folder of results.md and figures/")
    options = parser.parse_args()
    data = json.loads(options.reproduction.read_text())
    missing = set(NAMES) - set(data["experiments"])
    if missing or data["interrupted"]:
        sys.exit(f"{options.reproduction} is not whole; run: nhot reproduce all")
    if not options.sweep.exists():
        bench = [sys.executable, str(ROOT / "bench/temperature.py"), "--nhot", options.nhot, "--json", str(options.sweep)]
        subprocess.run(bench, check=True)
    sweep = json.loads(options.sweep.read_text())
    figures = options.out / "figures"
    figures.mkdir(parents=True, exist_ok=True)
    for key in NAMES:
        results_figures.experiment(data["experiments"][key], figures / f"{key}.png")
    results_figures.temperatures(sweep["rows"], figures / "temperature.png")
    (options.out / "results.md").write_text(page(data, sweep))
    print(f"written: {options.out / 'results.md'}")


if __name__ == "__main__":
    main()
