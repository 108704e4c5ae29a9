"""An Ising lattice of 32 x 32 spins, half of them up, at three temperatures.

The number of up spins is fixed, so the cold lattice cannot become one domain: it parts into two strips. Above the
critical temperature (2.269) there are no domains. For each temperature this prints the mean energy per site, its
error, and the verdict. Cold strips lie along either side of the lattice and do not turn: the chains see different
states, and the run says so, although the energies agree. The figure has one state each, and the mean of every chain.

    python ising.py [figure.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import nhot

TEMPERATURES = {"below": 1.7, "near": 2.3, "above": 3.2}
CHAINS = 8
model = nhot.ferromagnet(32, 32)

figure, axes = plt.subplots(2, 3, figsize=(9, 5.4), height_ratios=(3, 1.7), layout="constrained")
for (where, temperature), (picture, means) in zip(TEMPERATURES.items(), axes.T):
    # The cluster moves carry whole domains, which im shifts only slowly.
    run = nhot.sample(model, distance=model.sites // 2, beta=1 / temperature, move="0.9*im + 0.1*cluster",
                      moves=30_000, chains=CHAINS, seed=1)
    energy = run.summary()["observables"]["energy"]
    mean, error = energy["mean"] / model.sites, energy["mcse"] / model.sites
    verdict = "converged" if run.converged else "not converged"
    print(f"T = {temperature} ({where}): energy per site {mean:.4f} +- {error:.4f}, {verdict}")
    if not run.converged:
        print(f"    {run.reasons[0]}")

    picture.imshow(run.states[0, -1].reshape(model.shape), cmap="Blues", vmin=-0.2, vmax=1.2)
    picture.set(xticks=[], yticks=[], title=f"T = {temperature} ({where})\n{verdict}")

    # The error of one chain's mean is sqrt(chains) times that of the mean over all; the band is the latter.
    means.axhspan(mean - error, mean + error, color="tab:orange", alpha=0.3, lw=0)
    means.errorbar(np.arange(1, CHAINS + 1), run.energy.mean(axis=1) / model.sites, yerr=error * np.sqrt(CHAINS),
                   fmt="o", ms=4, capsize=3)
    means.set(xlabel="chain", xticks=range(1, CHAINS + 1))
    means.locator_params(axis="y", nbins=4)
    means.ticklabel_format(axis="y", useOffset=False)
axes[1, 0].set_ylabel("energy per site")

path = sys.argv[1] if len(sys.argv) > 1 else "ising.png"
figure.savefig(path, dpi=120)
print(f"figure: {path}")
