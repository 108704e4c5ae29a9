#!/usr/bin/env python3
"""Makes the figures of doc/models: doc/figures/kdpp.png, regression.png, hubo.png and groups.png.

    .venv/bin/python scripts/model_figures.py [kdpp] [regression] [hubo] [groups]

Needs the package nhot (scripts/wheel test), matplotlib and scikit-learn (scripts/install test).
"""

import re
import sys
from itertools import combinations
from pathlib import Path

import numpy as np

import nhot

sys.path.insert(0, str(Path(__file__).resolve().parent))
import results_figures as style  # noqa: E402

FIGURES = Path(__file__).resolve().parents[1] / "doc" / "figures"


def new(count, width=9, height=3.7):
    return style.plt.subplots(1, count, figsize=(width, height), dpi=110, layout="constrained")


# --- k-DPP ------------------------------------------------------------------------------------------------------

def kdpp(path):
    """Twenty of 200 points, by a k-DPP and by chance; marginals beside exact ones."""
    rng = np.random.default_rng(1)
    points = rng.uniform(size=(200, 2))
    quality = np.exp(0.5 * rng.normal(size=200))
    squares = ((points[:, None] - points[None]) ** 2).sum(-1)
    L = quality[:, None] * np.exp(-squares / (2 * 0.12**2)) * quality[None]
    run = nhot.sample(nhot.kdpp(L), 20, moves=10_000, move="im:length=1", states=10_000, thin=1, progress=False)
    log_z, exact = nhot.kdpp_exact(L, 20)
    figure, (diverse, chance, marginals) = new(3, 10)
    alone = rng.choice(200, size=20, replace=False, p=quality**2 / (quality**2).sum())
    for axis, chosen, title in ((diverse, run.states[0, -1] == 1, "a draw of the k-DPP"),
                                (chance, alone, "by quality alone")):
        axis.scatter(*points.T, s=12 * quality**2, color="#c9ced6", linewidth=0)
        axis.scatter(*points[chosen].T, s=26, color=style.COLOURS[1], linewidth=0)
        axis.set(title=title, xticks=[], yticks=[], aspect="equal")
    off = np.abs(run.site_means - exact) / run.site_errors
    marginals.errorbar(exact, run.site_means, run.site_errors, fmt="o", ms=2.5, lw=0.8, color=style.COLOURS[0])
    marginals.plot([0, exact.max()], [0, exact.max()], color="#8a929c", lw=1, zorder=0)
    marginals.set(title="marginals of the 200 items", xlabel="exact", ylabel="share of draws")
    figure.savefig(path)
    print(f"k-DPP: marginals at most {off.max():.1f} errors off, {100 * (off < 3).mean():.1f}% within 3; converged: "
          f"{run.converged}")


# --- regression -------------------------------------------------------------------------------------------------

def enumerated(model, size):
    chosen = list(combinations(range(model.sites), size))
    states = np.zeros((len(chosen), model.sites), dtype=np.uint8)
    for state, ones in zip(states, chosen):
        state[list(ones)] = 1
    energies = model.energy(states)
    weights = np.exp(energies.min() - energies)
    return weights @ states / weights.sum()


def regression(path):
    """Inclusion probabilities of the ten features of the diabetes data, for every number of them."""
    from sklearn.datasets import load_diabetes

    data = load_diabetes()
    model = nhot.regression(data.data[::4], data.target[::4], names=data.feature_names)
    shares, worst = np.zeros((9, 10)), 0.0
    for size in range(1, 10):
        run = nhot.sample(model, size, moves=8000, states=8000, thin=1, progress=False)
        shares[size - 1] = run.site_means
        exact = enumerated(model, size)
        seen = (exact > 0.01) & (exact < 0.99)  # often enough for the errors to be known
        worst = max([worst, *(np.abs(run.site_means - exact)[seen] / run.site_errors[seen])])
        if size == 4:
            four = run.site_means, run.site_errors, exact
    figure, (bars, map_) = new(2)
    order = np.argsort(-four[2])
    bars.bar(range(10), four[0][order], yerr=four[1][order], color=style.COLOURS[0], width=0.6, label="sampled")
    bars.plot(range(10), four[2][order], "_", ms=16, color=style.COLOURS[1], label="enumerated")
    bars.set_xticks(range(10), [data.feature_names[i] for i in order])
    bars.set(title="exactly 4 predictors", ylabel="inclusion probability", ylim=(0, 1.03))
    bars.set_axisbelow(True)
    bars.legend()
    image = map_.imshow(shares[:, order], vmin=0, vmax=1, cmap="Blues", aspect="auto", origin="lower")
    map_.grid(False)
    map_.set_xticks(range(10), [data.feature_names[i] for i in order])
    map_.set_yticks(range(9), range(1, 10))
    map_.set(title="inclusion, by number of predictors", ylabel="predictors")
    figure.colorbar(image, ax=map_)
    figure.savefig(path)
    print(f"regression: inclusion probabilities between 0.01 and 0.99 are at most {worst:.1f} errors from enumeration, over 9 sizes")


# --- polynomials ------------------------------------------------------------------------------------------------

def autocorrelations(length):
    """E = sum over lags of (sum_i s_i s_{i+lag})^2, as a polynomial of degree 4 in spins."""
    terms, offset = {}, 0
    for lag in range(1, length):
        pairs = [(i, i + lag) for i in range(length - lag)]
        offset += len(pairs)
        for one, other in combinations(pairs, 2):
            key = tuple(sorted(set(one) ^ set(other)))
            terms[key] = terms.get(key, 0) + 2
    return nhot.hubo(terms, "SPIN", offset=offset)


def hubo(path):
    """Lowest autocorrelation of sequences of 13 and of 20 signs, at every number of plus signs."""
    figure, axis = new(1, 6.4, 3.6)
    for style_, length in enumerate((13, 20)):
        model = autocorrelations(length)
        best = np.array([nhot.anneal(model, n, seconds=1, seed=1, progress=False).best.energy
                         for n in range(length + 1)])
        axis.semilogy(np.arange(length + 1), best, style.LINES[style_], marker="o", ms=3.5, color=style.COLOURS[style_],
                      label=f"{length} signs, lowest {min(best):g} at {int(np.argmin(best))} plus")
        print(f"hubo: {length} signs, lowest energy {min(best):g}, at n = {np.flatnonzero(best == min(best)).tolist()}")
    axis.set(xticks=range(0, 21, 2), xlabel="number of plus signs", ylabel="lowest energy found", title="binary sequences of low autocorrelation")
    axis.legend()
    figure.savefig(path)


# --- groups -----------------------------------------------------------------------------------------------------

def posterior(model, states):
    energies = model.energy(states)
    weights = np.exp(energies.min() - energies)
    return weights @ states / weights.sum()


def assignments(counts, samples):
    """Every assignment of doc/models/groups.md."""
    blocks = []
    for count in counts:
        chosen = list(combinations(range(samples), count))
        block = np.zeros((len(chosen), samples), dtype=np.uint8)
        for row, ones in zip(block, chosen):
            row[list(ones)] = 1
        blocks.append(block)
    places = np.stack(np.meshgrid(*map(lambda block: np.arange(len(block)), blocks), indexing="ij"), -1)
    return np.concatenate([block[places[..., k].ravel()] for k, block in enumerate(blocks)], axis=1)


def groups(path):
    """The mixture of doc/models/groups.md, by the code of the page."""
    text = (FIGURES.parent / "models" / "groups.md").read_text()
    page = {}
    exec(re.search(r"```python\n(.*?)```", text, re.S)[1], page)
    model, run, x, kind = (page[name] for name in ("model", "run", "x", "kind"))
    exact = posterior(model, assignments(page["counts"], page["samples"]))
    alone = nhot.sample(model, int(kind.sum()), moves=50_000, seed=1, progress=False).site_means
    figure, (cloud, beside) = new(2)
    shown = cloud.scatter(*x.T, s=46, c=run.site_means, vmin=0, vmax=1, cmap="viridis", linewidth=0)
    cloud.scatter(*x[kind].T, s=110, facecolor="none", edgecolor=style.COLOURS[1], linewidth=1.3)
    cloud.set(title="24 samples of four laboratories", xticks=[], yticks=[])
    figure.colorbar(shown, ax=cloud, label="probability of kind B")
    beside.plot([0, 1], [0, 1], color="#8a929c", lw=1, zorder=0)
    beside.plot(exact, alone, "s", ms=3.5, color=style.COLOURS[1], label="one count for all")
    beside.errorbar(exact, run.site_means, run.site_errors, fmt="o", ms=3.5, lw=0.8, color=style.COLOURS[0],
                    label="a count for each")
    beside.set(title="probability of kind B", xlabel="enumerated, a count for each laboratory", ylabel="sampled")
    beside.legend()
    figure.savefig(path)
    off = np.abs(run.site_means - exact) / run.site_errors
    print(f"groups: probabilities at most {off.max():.1f} errors from enumeration of {len(assignments(page['counts'], 6))} "
          f"assignments; converged: {run.converged}")


def main():
    makers = {"kdpp": kdpp, "regression": regression, "hubo": hubo, "groups": groups}
    for name in sys.argv[1:] or makers:
        makers[name](FIGURES / f"{name}.png")


if __name__ == "__main__":
    main()
