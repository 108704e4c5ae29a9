"""nhot: binary vectors with exactly n ones from any Boltzmann law.

    import nhot
    model = nhot.ferromagnet(60, 60)
    run = nhot.sample(model, distance=1800, beta=0.44, moves=20_000)
    print(run)            # means, errors, and whether to trust them
    run.energy            # (chain, draw)
"""

from ._core import version as __version__
from .drivers import anneal, compare, load_run, logz, profile, sample, temper, tune
from .models import (Model, custom, ferromagnet, field, from_spec, gabor_rbm, ising, load, qubo, rbm,
                     spin_glass)
from .results import Annealed, Comparison, LogZ, Profile, Run, State, StoredRun, TemperedRun, Tuning
from .statistics import hubo, kdpp, kdpp_exact, regression

__all__ = [
    "Annealed", "Comparison", "LogZ", "Model", "Profile", "Run", "State", "StoredRun", "TemperedRun", "Tuning", "anneal",
    "compare", "custom", "ferromagnet", "field", "from_spec", "gabor_rbm", "hubo", "ising", "kdpp", "kdpp_exact", "load",
    "load_run", "logz", "profile", "qubo", "rbm", "regression", "sample", "spin_glass", "temper", "tune",
]
