"""Exact answers for small problems, and the threshold that the statistical tests share."""

import itertools
from statistics import NormalDist

import numpy

# All statistical comparisons of tests/cli together raise a false alarm with probability below this,
# over the choice of seeds. COMPARISONS is an upper bound on their number; test_sample counts them.
FALSE_ALARMS = 1e-6
COMPARISONS = 64
THRESHOLD = -NormalDist().inv_cdf(FALSE_ALARMS / (2 * COMPARISONS))


def log_symmetric(log_weights, n):
    """log of the elementary symmetric polynomials e_0 .. e_n."""
    logs = numpy.full(n + 1, -numpy.inf)
    logs[0] = 0.0
    for weight in log_weights:
        logs[1:] = numpy.logaddexp(logs[1:], logs[:-1] + weight)
    return logs


def independent_mean(fields, reference, n, beta):
    """Mean and standard deviation of E = sum h_i x_i over states at distance n from a reference.

    With u = x xor c the energy is h.c + sum h_i (1 - 2 c_i) u_i, and u is conditional Bernoulli
    with weights exp(-beta h_i (1 - 2 c_i)): P(i in D) = w_i e_{n-1}(without i) / e_n.
    """
    signed = fields * (1 - 2 * reference)
    logs = -beta * signed
    total = log_symmetric(logs, n)[n]
    sites = range(len(fields))
    inside = numpy.array(
        [numpy.exp(logs[i] + log_symmetric(numpy.delete(logs, i), n - 1)[n - 1] - total) for i in sites])
    mean = fields @ reference + signed @ inside
    return mean


def quadratic_mean(couplings, sites, n, beta):
    """Mean of E = sum q s_i s_j over every state with n ones, by enumeration."""
    energies = []
    for chosen in itertools.combinations(range(sites), n):
        spins = -numpy.ones(sites)
        spins[list(chosen)] = 1
        energies.append(sum(q * spins[i] * spins[j] for i, j, q in couplings))
    energies = numpy.array(energies)
    weights = numpy.exp(-beta * (energies - energies.min()))
    return float(energies @ weights / weights.sum())


def read_coo(path):
    """Entries (i, j, value) of a COO file."""
    rows = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [(int(i), int(j), float(value)) for i, j, value in rows]
