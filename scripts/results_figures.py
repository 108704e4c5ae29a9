"""The figures of doc/results.md, laid out like those of the paper: energy against CPU time beside the
autocorrelation against the lag in CPU time."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

# Okabe and Ito: safe for all eyes.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
LINES = ("-", "--", ":", "-.")
plt.rcParams.update({
    "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#e6e8ec", "grid.linewidth": 0.7, "axes.edgecolor": "#8a929c", "legend.frameon": False,
    "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left",
})


def unit(longest):
    return ("ms", 1e3) if longest < 2 else ("s", 1)


def bars_at(x, count, offset, log):
    """Positions of about `count` bars, evenly on the axis, each series offset."""
    import math

    place = [math.log(v) if log else v for v in x]
    width = (place[-1] - place[0]) / count
    chosen, following = [], place[0] + offset * width
    for k, p in enumerate(place):
        if p >= following:
            chosen.append(k)
            following += width
    return chosen


def spread(axis, x, mean, sd, style, offset, log, label):
    points = [(a, m, s) for a, m, s in zip(x, mean, sd) if m is not None and (not log or a > 0)]
    if len(points) < 2:
        return
    xs, ms, ss = zip(*points)
    axis.plot(xs, ms, LINES[style], color=COLOURS[style], linewidth=1.5, label=label)
    chosen = [k for k in bars_at(xs, 14, offset, log) if ss[k] is not None]
    axis.errorbar([xs[k] for k in chosen], [ms[k] for k in chosen], [ss[k] for k in chosen], fmt="none",
                  ecolor=COLOURS[style], elinewidth=1, capsize=2)


def experiment(data, path):
    shown = [s for s in data["samplers"].values() if s["in_figures"]]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.7), dpi=110, layout="constrained")
    name, factor = unit(data["time_seconds"][-1])
    for k, sampler in enumerate(shown):
        series = sampler["series"]
        offset = (k + 0.5) / len(shown)
        times = [factor * t for t in data["time_seconds"]]
        spread(left, times, series["energy"]["mean"], series["energy"]["sd"], k, offset, True, sampler["label"])
        lag_name, lag_factor = unit(data["lag_seconds"][-1])
        lags = [lag_factor * t for t in data["lag_seconds"]]
        spread(right, lags, series["autocorrelation"]["mean"], series["autocorrelation"]["sd"], k, offset, False, sampler["label"])
    reference = data.get("reference")
    if reference and reference["converged"]:
        mean, error = reference["mean"], 2 * reference["mcse"]
        left.axhspan(mean - error, mean + error, color="#57606a", alpha=0.2, linewidth=0)
        line = left.axhline(mean, color="#57606a", linewidth=1, linestyle=(0, (4, 4)), label="true mean")
        left.legend(handles=[line])
    left.set_xscale("log")
    left.set(title="a. Energy", xlabel=f"CPU time of a trial ({name})", ylabel="energy (units of the couplings)")
    right.axhline(0, color="#57606a", linewidth=0.8, linestyle=(0, (4, 4)))
    right.set(title="b. Autocorrelation of the energy", xlabel=f"lag in CPU time ({lag_name})", ylabel="autocorrelation", ylim=(-0.15, 1.03))
    right.legend()
    figure.savefig(path, metadata={"Software": None})
    plt.close(figure)


def temperatures(rows, path):
    figure, axis = plt.subplots(figsize=(6, 3.6), dpi=110, layout="constrained")
    for k, move in enumerate(rows[0]["moves"]):
        axis.plot([r["temperature"] for r in rows], [r["moves"][move]["ess_per_second"] for r in rows],
                  LINES[k], marker="o", markersize=4, color=COLOURS[(k + 1) % 3], label=move)
    axis.axvline(2.27, color="#57606a", linewidth=0.8, linestyle=(0, (4, 4)))
    axis.annotate("critical", (2.27, 1), xycoords=("data", "axes fraction"), xytext=(4, -10), textcoords="offset points", color="#57606a")
    axis.set_yscale("log")
    axis.set(xlabel="temperature T = 1/beta (units of the couplings)", ylabel="effective draws of the energy\nper CPU second")
    axis.legend()
    figure.savefig(path, metadata={"Software": None})
    plt.close(figure)
