"""Random BQMs and CQMs for the tests of nhot.dimod, and exact answers."""

import itertools

import dimod


def random_bqm(rng, variables, vartype):
    labels = [("v", k) if k % 2 else f"v{k}" for k in range(variables)]
    bqm = dimod.BinaryQuadraticModel(vartype)
    for v in labels:
        bqm.add_variable(v, rng.normal())
    for u, v in itertools.combinations(labels, 2):
        if rng.random() < 0.7:
            bqm.add_quadratic(u, v, rng.normal())
    bqm.offset = rng.normal()
    return bqm


def add_terms(objective, rng, variables, density=0.7):
    """Random terms of these variables, couplings included."""
    for v in variables:
        objective.add_linear(v, rng.normal())
    for u, v in itertools.combinations(variables, 2):
        if rng.random() < density:
            objective.add_quadratic(u, v, rng.normal())


def add_variables(cqm, rng, names, kinds):
    for v in names:
        cqm.add_variable(str(rng.choice(kinds)), v)


def add_count(cqm, rng, names, label):
    """A random constraint with coefficients of one size in bits, that some state satisfies."""
    scale = float(rng.choice([1.0, 0.3, 7.0]))
    left = dimod.QuadraticModel()
    reached = 0.0
    for v in names:
        spin = cqm.vartype(v) is dimod.SPIN
        coefficient = float(rng.choice([-1, 1])) * scale * (1 if spin else 2)
        left.add_variable(cqm.vartype(v), v)
        left.add_linear(v, coefficient)
        reached += coefficient * (rng.choice([-1, 1]) if spin else rng.choice([0, 1]))
    left.offset = float(rng.integers(-2, 3))
    cqm.add_constraint_from_model(left, "==", reached + left.offset, label=label)


def exact_best(cqm):
    found = dimod.ExactCQMSolver().sample_cqm(cqm)
    return found.record.energy[found.record.is_feasible].min()


def half(n, kind="SPIN", rhs=0):
    """A ring with one constraint over all variables."""
    cqm = dimod.ConstrainedQuadraticModel()
    names = [f"x{k}" for k in range(n)]
    for v in names:
        cqm.add_variable(kind, v)
    for k in range(n):
        cqm.objective.add_quadratic(names[k], names[(k + 1) % n], 1.0)
    cqm.add_constraint([(v, 1) for v in names], "==", rhs, label="half")
    return cqm
