"""Energies as plain NumPy computes them, for the tests of models."""

import itertools

import numpy as np
import pytest

STATES = {sites: np.array(list(itertools.product((0, 1), repeat=sites)), dtype=np.uint8) for sites in range(1, 11)}


def qubo_energies(matrix, offset=0.0):
    x = STATES[len(matrix)].astype(float)
    return offset + np.einsum("si,ij,sj->s", x, matrix, x)


def ising_energies(fields, matrix, offset=0.0):
    s = 2.0 * STATES[len(matrix)] - 1
    return offset + s @ fields + np.einsum("si,ij,sj->s", s, matrix, s)


def rbm_energies(weights, hidden, visible):
    x = STATES[sum(weights.shape)].astype(float)
    v, h = x[:, : len(weights)], x[:, len(weights) :]
    return -np.einsum("sv,vh,sh->s", v, weights, h) - v @ visible - h @ hidden


def check(model, energies):
    np.testing.assert_allclose(model.energy(STATES[model.sites]), energies, rtol=1e-12, atol=1e-12)
    one = STATES[model.sites][-2]
    assert model.energy(one) == pytest.approx(energies[-2], rel=1e-12, abs=1e-12)
    assert isinstance(model.energy(one), float)
    assert model.sites == len(one) == len(model.labels)
