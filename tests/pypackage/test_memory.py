"""Nothing is kept that nobody needs, and nothing is freed that somebody has."""

import gc
import os
import sys
import weakref

import numpy as np
import pytest

import nhot

PAGE = os.sysconf("SC_PAGE_SIZE")


def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE


@pytest.fixture(autouse=True)
def only_what_is_new():
    """Collections no longer look at what the tests of other files have left: thousands of times, that takes long."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def growth(make, count):
    """Bytes by which the process grows when so many things are made and dropped, and when they are made and kept."""
    for _ in range(count):  # until allocators have what they need
        make()
    before = resident()
    for _ in range(count):
        make()
    dropped = resident() - before
    before = resident()
    kept = [make() for _ in range(count)]
    return dropped, resident() - before, len(kept)


def check(make, count):
    dropped, kept, _ = growth(make, count)
    assert dropped < 0.3 * kept + 256_000


MATRIX = np.random.default_rng(1).normal(size=(12, 12))
MAKERS = {
    "lattice": lambda: nhot.ferromagnet(6, 6),
    "qubo": lambda: nhot.qubo(MATRIX),
    "names": lambda: nhot.qubo({("a", str(k)): 1.0 for k in range(20)}),
    "rbm": lambda: nhot.rbm(MATRIX),
    "custom": lambda: nhot.custom(3, lambda x: 0.0, delta=lambda x: np.zeros(3)),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_models(make):
    """10,000 made and dropped in all."""
    check(make, 1000)


def short_run():
    run = nhot.sample("ferromagnet:8x8", 20, moves=40, thin=1, chains=2, observables={"first": lambda x: x[0]})
    return run, run.states, run.energy, run.observables, run.site_means, run.best, run.text()


def test_runs():
    """300 made and dropped."""
    check(short_run, 150)


@pytest.mark.parametrize("call", [
    lambda: nhot.sample("ferromagnet:8x8", 20, moves=30, thin=1, chains=2).extend(moves=200),
    lambda: nhot.temper("ferromagnet:8x8", 20, moves=60, thin=1, betas=[0.1, 0.2], chains=2).rungs,
    lambda: nhot.anneal("ferromagnet:20x20", 20, reads=4, sweeps=1, keep=100).states,
    lambda: pytest.raises(ZeroDivisionError, nhot.sample, "field:999", 3, moves=5, observables={"o": lambda x: 1 / 0}),
], ids=["extend", "temper", "anneal", "failure"])
def test_other_results(call):
    check(call, 30)


def test_references_to_arrays():
    """Arrays are copied: nobody holds on to them."""
    bits = np.array([1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], dtype=np.uint8)
    states = np.zeros((5, 12), dtype=np.uint8)
    arrays = [MATRIX, MATRIX[0].copy(), bits, states]
    before = [sys.getrefcount(array) for array in arrays]
    models = [nhot.qubo(MATRIX), nhot.ising(arrays[1], np.triu(MATRIX, 1)), nhot.rbm(MATRIX, arrays[1], arrays[1])]
    runs = [nhot.sample(models[0], 2, start=bits, reference=states[0], moves=20)]
    runs.append(runs[0].extend(moves=20))
    nhot.anneal(models[0], 2, start=bits, reads=1, sweeps=2)
    models[0].energy(states)
    assert [sys.getrefcount(array) for array in arrays] == before
    energy = models[1].energy(bits)
    arrays[1][:] = 0
    assert models[1].energy(bits) == energy and len(runs) == 2


def test_references_to_functions():
    """A model holds its energy, a run its observables, and both let go."""

    def energy(x):
        return float(x.sum())

    def observable(x):
        return x[0]

    def show(*tick):
        pass

    def counts():
        return [sys.getrefcount(function) for function in (energy, observable, show)]

    before = counts()
    model = nhot.custom(5, energy)
    run = nhot.sample(model, 2, moves=20, observables={"o": observable}, progress=show)
    assert counts()[0] > before[0] and counts()[1] > before[1] and counts()[2] == before[2]
    del model
    gc.collect()
    assert run.extend(moves=5).energy.shape[1] >= 25  # the run keeps the model, and with it the function
    del run
    gc.collect()
    assert counts() == before


def test_functions_that_nobody_else_holds():
    model = nhot.custom(5, lambda x: float(x @ np.arange(5)), delta=lambda x: (1 - 2 * x) * np.arange(5.0))
    gc.collect()
    run = nhot.sample(model, 2, moves=20, observables={"o": lambda x: x[0]})
    del model
    gc.collect()
    assert run.extend(moves=5).model.energy([0, 1, 1, 0, 0]) == 3


def test_cycles_are_collected():
    """A model whose function refers to it; a run whose observable does."""

    class Holder:
        pass

    def cycle():
        holder = Holder()
        holder.model = nhot.custom(4, lambda x: float(x.sum()) if holder else 0.0)
        holder.run = nhot.sample(holder.model, 2, moves=10, observables={"o": lambda x: 1 if holder else 0})
        holder.state = holder.run.best
        return weakref.ref(holder), weakref.ref(holder.model), weakref.ref(holder.run)

    gone = cycle()
    gc.collect()
    assert [reference() for reference in gone] == [None] * 3


EVERYTHING = """
import warnings
import numpy as np, nhot

def energy(x):
    return float(x.sum()) if model is None else model_scale * float(x.sum())

def delta(x):
    return 1.0 - 2 * x

def observable(x):
    return run is None

model, run, model_scale = None, None, 1.0
model = nhot.custom(5, energy, delta=delta)
run = nhot.sample(model, 2, moves=20, observables={"o": observable}, progress=lambda *tick: run)
longer = run.extend(moves=10)
kept = [longer.states, longer.energy, longer.best, longer.observables, longer.inclusion(), repr(longer)]
lattice = nhot.ferromagnet(4, 4)
tempered = nhot.temper(lattice, 8, moves=20)
rungs = tempered.rungs
others = [nhot.anneal(lattice, 8, reads=1, sweeps=2), nhot.logz(lattice, 8, population=4, populations=2),
          nhot.compare(lattice, 8, moves=10, move=["swap"]), nhot.rbm(np.eye(3)), nhot.qubo({("a", "b"): 1.0})]
states = list(others[0])
model.itself = model
for bad in (lambda: nhot.custom(3, lambda x: 1 / 0), lambda: nhot.sample(model, 9, moves=1),
            lambda: nhot.sample(model, 2, moves=1, observables={"o": lambda x: 1 / 0})):
    try:
        bad()
    except (ValueError, ZeroDivisionError) as error:
        failure = error  # with its traceback, whose frames hold the model
print("done")
"""


def test_nothing_leaks_at_exit(output_of):
    output, errors = output_of(EVERYTHING)
    assert output == "done\n"
    assert errors == ""  # nanobind says there what it still has


def test_nothing_leaks_when_a_script_fails(script):
    process = script(EVERYTHING + "raise SystemExit(7)\n")
    _, errors = process.communicate()
    assert (process.returncode, errors) == (7, "")
