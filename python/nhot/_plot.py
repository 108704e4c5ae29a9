"""The figure of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._draws import Draws


def _autocorrelation(series: np.ndarray, most: int) -> np.ndarray:
    """Mean over chains of the autocorrelation, by FFT."""
    length = series.shape[1]
    if length == 0:
        return np.full(1, np.nan)
    centred = series - series.mean(axis=1, keepdims=True)
    size = 1 << (2 * length - 1).bit_length()
    power = np.abs(np.fft.rfft(centred, size)) ** 2
    covariance = np.fft.irfft(power, size)[:, :length].mean(axis=0)
    return covariance[:most] / covariance[0] if covariance[0] > 0 else np.full(min(most, length), np.nan)


def figure_of(run: "Draws") -> Any:
    import matplotlib.pyplot as plt

    figure, ((trace, histogram), (memory, sites)) = plt.subplots(
        2, 2, figsize=(10, 6.4), width_ratios=(2, 1), constrained_layout=True)
    chains, draws = run.energy.shape
    colours = plt.get_cmap("viridis")(np.linspace(0, 0.85, chains))
    facts = run.summary()
    thin = facts["thin"]
    moves = thin * (1 + np.arange(draws))
    step = max(1, draws // 2000)
    for chain in range(chains):
        trace.plot(moves[::step], run.energy[chain, ::step], lw=0.7, color=colours[chain], label=f"chain {chain + 1}")
        histogram.hist(run.energy[chain], bins=40, orientation="horizontal", histtype="step", color=colours[chain])
    trace.set(xlabel="moves", ylabel="energy")
    histogram.set(xlabel="draws")
    histogram.sharey(trace)
    if chains <= 6 and draws:
        trace.legend(fontsize="small", ncols=chains, frameon=False)

    correlation = _autocorrelation(run.energy, max(2, draws // 4))
    end = int(np.argmax(correlation < 0.02)) or len(correlation)
    end = min(len(correlation), max(10, 2 * end))
    memory.plot(thin * np.arange(end), correlation[:end], color=colours[0])
    memory.axhline(0, color="0.6", lw=0.8)
    memory.set(xlabel="lag in moves", ylabel="autocorrelation of the energy")

    shape = run.model.shape
    if len(shape) == 2 and run.model.kind == "quadratic":
        image = sites.imshow(run.site_means.reshape(shape), vmin=0, vmax=1, cmap="viridis")
        figure.colorbar(image, ax=sites, label="mean of the site")
        sites.set(xticks=[], yticks=[])
    else:
        sites.plot(np.sort(run.site_means)[::-1], color=colours[0])
        sites.set(xlabel="sites, sorted", ylabel="mean of the site", ylim=(-0.03, 1.03))
    verdict = {True: "converged", False: "not converged", None: "not judged"}[run.converged]
    shell = f"{facts['distance']} ones" if facts["reference"] == "zeros" else f"distance {facts['distance']}"
    if "groups" in facts:
        shell = facts["groups"]["text"]
    figure.suptitle(f"{run.model.name}, {shell}, beta {facts['beta']:g}: {verdict}")
    return figure
