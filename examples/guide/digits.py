"""Digits from a restricted Boltzmann machine with exactly n active units.

64 visible units, the pixels of scikit-learn's small images of digits, and 32 hidden ones, trained by contrastive
divergence in a few lines of NumPy. Then the machine is sampled with exactly n of its 96 units active, pixels and hidden
units together, by parallel tempering. With few active units it has to draw thin strokes, with many it draws bold ones.

    python digits.py [figure.svg]
    python digits.py --weights weights.npz       keeps the machine: W, b (hidden), c (visible)
"""

import sys

import numpy as np
from sklearn.datasets import load_digits

import nhot

COUNTS = (20, 27, 34, 41)
rng = np.random.default_rng(1)
images = (load_digits().data > 7).astype(float)


def probability(x):
    return 1 / (1 + np.exp(-x))


def drawn(p):
    return (rng.random(p.shape) < p).astype(float)


share = images.mean(axis=0).clip(0.02, 0.98)
W, b, c = rng.normal(0, 0.05, (64, 32)), np.zeros(32), np.log(share / (1 - share))
for epoch in range(60):
    for v in np.array_split(rng.permutation(images), 90):
        h = probability(v @ W + b)
        v1 = drawn(probability(drawn(h) @ W.T + c))
        h1 = probability(v1 @ W + b)
        W += 0.1 / len(v) * (v.T @ h - v1.T @ h1)
        b += 0.1 * (h - h1).mean(axis=0)
        c += 0.1 * (v - v1).mean(axis=0)
# Rounded, so that the figure is the same where NumPy adds in another order.
W, b, c = (np.round(values, 3) for values in (W, b, c))
if sys.argv[1:2] == ["--weights"]:
    np.savez(sys.argv[2], W=W, b=b, c=c)
    sys.exit()

active = images.sum(axis=1) + probability(images @ W + b).sum(axis=1)
print(f"active units of an image: {active.mean():.1f} +- {active.std():.1f} of 96")
machine = nhot.rbm(W, b, c)
rows = {"images": images[rng.choice(len(images), 10, replace=False)]}
print(" n  pixels  converged")
for n in COUNTS:
    run = nhot.temper(machine, n, beta=1, move="swap", moves=300_000, seed=1, progress=False)
    pixels = run.states[:, :, :64]
    assert (run.states.sum(axis=2) == n).all()
    print(f"{n}  {pixels.sum(axis=2).mean():6.1f}  {'yes' if run.converged else 'no'}")
    rows[f"n = {n}"] = pixels.reshape(-1, 64)[rng.choice(pixels.shape[0] * pixels.shape[1], 10, replace=False)]

if len(sys.argv) > 1:
    from matplotlib.colors import ListedColormap

    from figure_style import plt, save

    def draw(scheme):
        figure, axes = plt.subplots(len(rows), 10, figsize=(6.2, 3.6), layout="constrained")
        for row, (name, pictures) in zip(axes, rows.items()):
            row[0].set_ylabel(name, rotation=0, ha="right", va="center")
            for axis, picture in zip(row, pictures):
                axis.imshow(picture.reshape(8, 8), cmap=ListedColormap([scheme["grid"], scheme["colours"][0]]), vmin=0, vmax=1)
                axis.set(xticks=[], yticks=[])
                axis.spines[:].set_visible(False)
        return figure

    save(draw, sys.argv[1])
