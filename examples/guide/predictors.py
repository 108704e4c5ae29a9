"""Which measurements explain the progress of diabetes, with exactly k of them?

The diabetes data of scikit-learn: 442 patients, ten measurements; here every fourth patient, so that several answers are
plausible. For four predictors: the inclusion probability of every measurement, sampled and by enumeration of all 210
subsets. Then the same data with all squares and products, 64 columns, and eight predictors: 4 billion subsets. There the
check is a second run with other seeds.

    python predictors.py [figure.svg]
"""

import sys
from itertools import combinations

import numpy as np
from sklearn.datasets import load_diabetes

import nhot

data = load_diabetes()
X, y, names = data.data[::4], data.target[::4], data.feature_names

small = nhot.regression(X, y, names=names)
run = nhot.sample(small, 4, moves=8_000, states=8_000, thin=1, move="im:length=1", seed=1, progress=False)
subsets = np.zeros((210, 10), dtype=np.uint8)
for row, chosen in zip(subsets, combinations(range(10), 4), strict=True):
    row[list(chosen)] = 1
energies = small.energy(subsets)
weights = np.exp(energies.min() - energies)
exact = weights @ subsets / weights.sum()
print(f"4 of 10: converged {'yes' if run.converged else 'no'}")
print("measurement  sampled  error  exact")
order = np.argsort(-exact)
for k in order:
    print(f"{names[k]:11}  {run.site_means[k]:7.3f}  {run.site_errors[k]:.3f}  {exact[k]:.3f}")

columns = [X[:, k] for k in range(10)] + [X[:, j] * X[:, k] for j in range(10) for k in range(j, 10) if names[j] != "sex" or k != j]
labels = [*names, *(f"{names[j]}*{names[k]}" for j in range(10) for k in range(j, 10) if names[j] != "sex" or k != j)]
large = nhot.regression(np.column_stack(columns), y, names=labels)
first, second = (nhot.temper(large, 8, beta=1, moves=2_500, states=1_000, move="im:length=1..3", seed=seed, progress=False) for seed in (1, 2))
apart = np.abs(first.site_means - second.site_means) / np.hypot(first.site_errors, second.site_errors)
print(f"8 of {large.sites}: converged {', '.join('yes' if one.converged else 'no' for one in (first, second))}; "
      f"two runs are at most {apart.max():.1f} errors apart")
for name, share in list(first.inclusion().items())[:5]:
    print(f"{name:11}  {share:7.3f}")

if len(sys.argv) > 1:
    from figure_style import plt, save

    def draw(scheme):
        figure, (left, right) = plt.subplots(2, 1, figsize=(6.2, 5.2), layout="constrained")
        left.bar(range(10), run.site_means[order], yerr=2 * run.site_errors[order], width=0.6, color=scheme["colours"][0],
                 ecolor=scheme["ink"], capsize=3, label="sampled, 2 standard errors")
        left.plot(range(10), exact[order], "_", ms=20, mew=2, color=scheme["colours"][1], label="all 210 subsets")
        left.set_xticks(range(10), [names[k] for k in order])
        left.grid(axis="x", visible=False)
        left.set(ylabel="inclusion probability", ylim=(0, 1.05), title="exactly 4 of 10 measurements")
        left.legend()
        shown = np.argsort(-first.site_means)[:12]
        for shift, one, colour, label in ((-0.2, first, 0, "one run"), (0.2, second, 2, "another")):
            right.bar(np.arange(12) + shift, one.site_means[shown], yerr=2 * one.site_errors[shown], width=0.36, color=scheme["colours"][colour],
                      ecolor=scheme["ink"], capsize=2, label=label)
        right.set_xticks(range(12), [labels[k] for k in shown], rotation=35, ha="right")
        right.grid(axis="x", visible=False)
        right.set(ylabel="inclusion probability", ylim=(0, 1.05), title=f"exactly 8 of {large.sites} columns, the first 12")
        right.legend()
        return figure

    save(draw, sys.argv[1])
