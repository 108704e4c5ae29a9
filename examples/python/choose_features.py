"""Bayesian linear regression with exactly 4 of 10 features.

BIC's approximation of the posterior of a subset of features is proportional to RSS^(-n/2), times a penalty of the
size that is the same for all subsets of one size: the energy is n/2 log RSS. It is plain Python; any other score of
a subset would do. With a quarter of the patients several subsets are plausible, and the inclusion probabilities say
how plausible each feature is. Ten features have only 210 subsets of four: the exact answer stands beside.

    python choose_features.py
"""

from functools import lru_cache
from itertools import combinations

import numpy as np
from sklearn.datasets import load_diabetes

import nhot

CHOSEN = 4
data = load_diabetes()
X, y = data.data[::4], data.target[::4]
X, y = X - X.mean(axis=0), y - y.mean()
features = X.shape[1]


@lru_cache(maxsize=None)
def score(subset):
    """n/2 log of the residual sum of squares of the least-squares fit."""
    columns = X[:, np.frombuffer(subset, dtype=np.int64) == 1]
    residual = y - columns @ np.linalg.lstsq(columns, y, rcond=None)[0]
    return len(y) / 2 * np.log(residual @ residual)


model = nhot.custom(features, energy=lambda x: score(x.tobytes()), name="diabetes")
run = nhot.sample(model, distance=CHOSEN, move="im:length=1", moves=1_500, states=1_500, seed=1)

subsets = np.zeros((210, features), dtype=int)
for row, chosen in zip(subsets, combinations(range(features), CHOSEN), strict=True):
    row[list(chosen)] = 1
energies = model.energy(subsets)
weights = np.exp(energies.min() - energies)
exact = weights @ subsets / weights.sum()

print(f"{len(y)} patients, {len(subsets)} subsets of {CHOSEN} features; converged: {'yes' if run.converged else 'no'}")
print("feature  sampled   error    exact")
for k in np.argsort(-exact):
    print(f"{data.feature_names[k]:7}  {run.site_means[k]:.4f}  {run.site_errors[k]:.4f}   {exact[k]:.4f}")
print("best subset:", ", ".join(data.feature_names[k] for k in run.best.chosen))

worst = np.max(np.abs(run.site_means - exact) / run.site_errors)
assert worst < 4, f"sampled and exact inclusion differ by {worst:.1f} errors"
print(f"sampled and exact agree: at most {worst:.1f} errors apart")
