"""nhot as a dimod sampler: BQMs on a shell, CQMs whose constraints are counts, and any other BQM.

    import dimod
    from nhot.dimod import NhotSampler

    sampler = NhotSampler()
    sampler.sample(bqm, distance=10, num_reads=20)  # exactly 10 ones in every row
    sampler.sample_cqm(cqm, time_limit=5)           # an equality such as sum(x) == 10 holds in every row
    sampler.sample(bqm)                             # no constraint
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

try:
    import dimod
except ImportError:
    raise ImportError("nhot.dimod needs dimod: pip install dimod") from None

from . import _core
from ._dimod_problem import Problem, problem_of_bqm, problem_of_cqm
from ._dimod_reads import GENERATORS, SCHEDULES, Reads, expanded, initial_bits, settings_of


class NhotSampler(dimod.Sampler):
    """Simulated annealing that keeps constraints on the number of ones by construction.

    ``sample`` takes any BQM; with ``distance`` every row has that many ones, or differs from a reference in that many
    variables. ``sample_cqm`` takes a CQM whose constraints are counts. Parameters, where they mean the same, have the
    names of ``dwave.samplers.SimulatedAnnealingSampler``:

    num_reads : int
        Independent reads, one row each. Default: as many as initial states, else 1.
    num_sweeps : int
        Length of a read in steps per site. Default: 1000; with time_limit, as long as time is.
    beta_range : (float, float)
        Beta at the start and at the end of a read. Default: from the model.
    beta_schedule_type : "adaptive" (default: slower where the energy fluctuates), "linear" or "geometric"
    initial_states : samples, see dimod.as_samples; they must satisfy the constraints
    initial_states_generator : "random" (default), "tile" or "none"
        What reads without an initial state do: start anywhere on the shell, use the given states again, or raise.
    seed : int, numpy SeedSequence or Generator
        Same seed, same rows, unless time_limit ends the run. Default: a new one; ``info["nhot"]["seed"]`` has it.
    interrupt_function : function without arguments
        Asked after every read and about every 50 ms; True ends the run. Rows are the reads that have ended; when none
        has, one row of a short read.
    time_limit : float
        Seconds in all. Without num_sweeps each read is a search that fills its share: reads within it get longer and
        recombine what they found. With num_sweeps, reads that have not begun by then are left out.
    threads : int
        Default: one per core.

    Rows are in order of the reads and not aggregated. ``info["timing"]`` has nanoseconds of preprocessing, sampling
    and postprocessing, ``info["nhot"]`` facts of the run.
    """

    parameters: Mapping[str, Any] = {}
    properties: Mapping[str, Any] = {}

    def __init__(self) -> None:
        self.parameters = {
            "distance": [], "reference": [], "num_reads": [], "num_sweeps": [], "beta_range": [],
            "beta_schedule_type": ["beta_schedule_options"], "initial_states": [],
            "initial_states_generator": ["initial_states_generator_options"], "seed": [], "interrupt_function": [],
            "time_limit": [], "threads": [],
        }
        self.properties = {"beta_schedule_options": SCHEDULES, "initial_states_generator_options": GENERATORS,
                           "version": _core.version}

    def sample(self, bqm: dimod.BinaryQuadraticModel, distance: int | None = None, reference: Any = None,
               **parameters: Any) -> dimod.SampleSet:
        """Low-energy samples of a BQM; see the class for the parameters.

        distance : int
            The number of ones (spins +1) of every row, or, with a reference, the number of variables that differ from
            it. None: no constraint.
        reference : mapping from variables to 0 and 1 (or -1 and +1), "zeros" (default) or "ones"
        """
        begin = time.perf_counter_ns()
        problem = problem_of_bqm(bqm, distance, reference)
        return self._run(problem, begin, parameters,
                         lambda samples, info: dimod.SampleSet.from_samples_bqm((samples, problem.labels), bqm,
                                                                                info=info))

    def sample_cqm(self, cqm: dimod.ConstrainedQuadraticModel, **parameters: Any) -> dimod.SampleSet:
        """Low-energy samples of a CQM, all of them feasible; see the class for the parameters.

        Constraints are linear equalities of binary variables or spins with coefficients of one size, +a or -a:
        ``sum(x) == 10``, ``x - y == 0``, a one-hot (``add_discrete``). After fixing what has no choice, no variable
        may be in two constraints; the objective may couple any variables, and those in no constraint are free. Other
        CQMs are refused by a ValueError that names the constraint.
        """
        begin = time.perf_counter_ns()
        if parameters.get("distance") is not None or parameters.get("reference") is not None:
            raise ValueError("a CQM has its distance and reference in its constraints; leave both out, or use sample()")
        problem = problem_of_cqm(cqm)
        return self._run(problem, begin, parameters,
                         lambda samples, info: dimod.SampleSet.from_samples_cqm((samples, problem.labels), cqm,
                                                                                info=info))

    def _run(self, problem: Problem, begin: int, parameters: dict[str, Any],
             build: Callable[[np.ndarray, dict[str, Any]], dimod.SampleSet]) -> dimod.SampleSet:
        known = self.remove_unknown_kwargs(**parameters)
        given = problem.starts(initial_bits(known.get("initial_states"), problem.labels))
        names = ("num_reads", "num_sweeps", "beta_range", "seed", "interrupt_function", "time_limit", "threads")
        settings = settings_of(len(given), beta_schedule_type=known.get("beta_schedule_type") or SCHEDULES[0],
                             **{name: known.get(name) for name in names})
        starts = expanded(given, known.get("initial_states_generator") or "random", settings.num_reads)
        sampling = time.perf_counter_ns()
        reads = Reads(problem.parts, starts, settings, begin / 1e9)
        rows = reads.run()
        postprocessing = time.perf_counter_ns()
        facts = {**reads.facts(), "fixed_variables": len(problem.labels) - sum(len(p.sites) for p in problem.parts)}
        sampleset = build(problem.samples(rows), {"beta_schedule_type": settings.schedule, "nhot": facts})
        sampleset.info["timing"] = {
            "preprocessing_ns": sampling - begin,
            "sampling_ns": postprocessing - sampling,
            "postprocessing_ns": time.perf_counter_ns() - postprocessing,
        }
        return sampleset
