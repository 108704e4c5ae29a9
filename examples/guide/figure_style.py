"""One look for the figures of the guide, once for light pages and once for dark ones."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

# Okabe and Ito's colours, safe for all eyes; on dark ground the lighter ones.
SCHEMES = {
    "": {"ink": "#24292f", "grid": "#dfe3e8", "ground": "#ffffff", "colours": ("#0072B2", "#D55E00", "#009E73", "#CC79A7")},
    "-dark": {"ink": "#d5d9e0", "grid": "#3a3f4b", "ground": "#1e2129", "colours": ("#56B4E9", "#E69F00", "#2FC295", "#CC79A7")},
}
LINES = ("-", "--", ":", "-.")


def settings(scheme):
    ink, grid, ground = scheme["ink"], scheme["grid"], scheme["ground"]
    return {
        "font.size": 10, "axes.titlesize": 10.5, "axes.titleweight": "bold", "axes.titlelocation": "left",
        "figure.facecolor": ground, "savefig.facecolor": ground, "axes.facecolor": ground, "text.color": ink, "axes.labelcolor": ink,
        "axes.titlecolor": ink, "axes.edgecolor": ink, "xtick.color": ink, "ytick.color": ink, "legend.frameon": False, "legend.fontsize": 9,
        "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": grid, "axes.axisbelow": True,
        "svg.hashsalt": "nhot",  # the same picture is the same file
    }


def save(draw, path):
    """Calls draw(scheme), which returns a figure, and writes PATH for light pages and its twin NAME-dark.svg."""
    path = Path(path)
    for suffix, scheme in SCHEMES.items():
        with plt.rc_context(settings(scheme)):
            figure = draw(scheme)
            figure.savefig(path.with_name(path.stem + suffix + path.suffix), metadata={"Date": None})
            plt.close(figure)
