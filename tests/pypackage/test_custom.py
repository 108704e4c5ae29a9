"""Energies given as code: the law is that of the same model given as numbers, and mistakes of the code come out."""

import pickle
import threading
import time

import numpy as np
import pytest

import nhot

SITES, ONES, BETA = 8, 3, 0.8
RNG = np.random.default_rng(5)
# A ring with a few chords, as an upper triangle.
Q = np.zeros((SITES, SITES))
for i in range(SITES):
    Q[min(i, (i + 1) % SITES), max(i, (i + 1) % SITES)] = RNG.normal()
    Q[i, i] = RNG.normal()
Q[0, 4] = Q[2, 6] = 1.5
S = Q + Q.T - 2 * np.diag(np.diag(Q))
TOUCHED = [np.flatnonzero(row).tolist() for row in S]


def energy(x):
    return float(x @ Q @ x)


def delta(x):
    return (1 - 2 * x) * (np.diag(Q) + S @ x)


def compiled():
    """The same as cfuncs: energy, delta, change."""
    numba = pytest.importorskip("numba")
    matrix, symmetric = Q, S

    def plain_change(x, sites, i):
        total = matrix[i, i]
        for j in range(sites):
            total += symmetric[i, j] * x[j]
        return total if x[i] == 0 else -total

    inner = numba.njit(plain_change)

    def plain_energy(x, sites):
        total = 0.0
        for i in range(sites):
            for j in range(sites):
                total += matrix[i, j] * x[i] * x[j]
        return total

    def plain_delta(x, sites, out):
        for i in range(sites):
            out[i] = inner(x, sites, i)

    return (numba.cfunc("float64(CPointer(uint8), int64)")(plain_energy),
            numba.cfunc("void(CPointer(uint8), int64, CPointer(float64))")(plain_delta),
            numba.cfunc("float64(CPointer(uint8), int64, int64)")(plain_change))


@pytest.fixture(scope="module")
def cfuncs():
    return compiled()


def delta_of_rows(x):
    """In an order of sums that does not depend on the number of rows, as matrix products do."""
    return np.stack([delta(row) for row in x])


FORMS = {
    "energy": lambda _: nhot.custom(SITES, energy),
    "energy, touched": lambda _: nhot.custom(SITES, energy, touched=TOUCHED),
    "delta": lambda _: nhot.custom(SITES, energy, delta=delta),
    "delta, touched": lambda _: nhot.custom(SITES, energy, delta=delta, touched=TOUCHED),
    "delta, batched": lambda _: nhot.custom(SITES, energy, delta=delta_of_rows, batched=True),
    "compiled energy": lambda c: nhot.custom(SITES, c[0]),
    "compiled delta": lambda c: nhot.custom(SITES, c[0], delta=c[1]),
    "compiled change": lambda c: nhot.custom(SITES, c[0], change=c[2]),
    "compiled both, touched": lambda c: nhot.custom(SITES, c[0], delta=c[1], change=c[2], touched=TOUCHED),
}
MOVES = {form: 6000 if "compiled" in form else 500 for form in FORMS}


@pytest.mark.parametrize("form", FORMS)
def test_the_law_is_that_of_the_qubo(form, cfuncs, shell_states):
    """Mean energy and site means against enumeration. Of the 9 means of a form, 8 forms and a fixed seed, a correct
    sampler passes all with probability 0.995."""
    model = FORMS[form](cfuncs)
    states = shell_states(SITES, ONES)
    energies = nhot.qubo(Q).energy(states)
    np.testing.assert_allclose(model.energy(states), energies, rtol=1e-9, atol=1e-12)
    weights = np.exp(-BETA * energies)
    weights /= weights.sum()
    run = nhot.sample(model, ONES, beta=BETA, moves=MOVES[form], thin=1, states=MOVES[form], seed=11,
                      observables={f"site_{k}": (lambda x, k=k: x[k]) for k in range(SITES)} if "compiled" not in form
                      else None)
    found = run.summary()["observables"]["energy"]
    assert abs(found["mean"] - weights @ energies) < 4 * found["mcse"]
    assert found["mcse"] < 0.1
    exact = weights @ states
    if "compiled" in form:
        errors = run.site_errors
    else:
        errors = np.array([run.summary()["observables"][f"site_{k}"]["mcse"] for k in range(SITES)])
        means = [run.summary()["observables"][f"site_{k}"]["mean"] for k in range(SITES)]
        assert (np.abs(means - exact) < 4 * errors).all()
    assert (np.abs(run.site_means - exact) < 4.5 * np.maximum(errors, run.site_errors)).all()
    assert errors.max() < 0.05


def test_other_drivers(cfuncs, shell_states):
    energies = nhot.qubo(Q).energy(shell_states(SITES, ONES))
    log_z = np.log(np.exp(-BETA * energies).sum())
    for model in (nhot.custom(SITES, energy, delta=delta), nhot.custom(SITES, cfuncs[0], change=cfuncs[2])):
        assert nhot.anneal(model, ONES, reads=2, sweeps=20).best.energy == pytest.approx(energies.min())
        estimate = nhot.logz(model, ONES, beta=BETA, population=8, populations=8, seed=3)
        assert abs(estimate.value - log_z) < 4 * estimate.error < 1
        tempered = nhot.temper(model, ONES, betas=[0.2, BETA], moves=30)
        assert model.energy(tempered.states[0, 0]) == pytest.approx(tempered.energy[0, tempered.state_draws[0]])


def test_batched_delta_takes_the_states_of_several_chains():
    """Calls of several rows happen: while one call sleeps, the other chains ask. The numbers are those of one thread
    and of a delta that is not batched."""
    rows = []

    def slow(x):
        rows.append(len(x))
        time.sleep(2e-4)  # others arrive meanwhile, however busy the machine is
        return delta_of_rows(x)

    model = nhot.custom(SITES, energy, delta=slow, batched=True)
    options = {"move": "0.5*im + 0.5*swap", "moves": 40, "chains": 4, "seed": 3}
    run = nhot.sample(model, ONES, **options)
    assert max(rows) > 1 and max(rows) <= 4
    plain = nhot.sample(nhot.custom(SITES, energy, delta=delta), ONES, **options)
    np.testing.assert_array_equal(run.energy, plain.energy)
    rows.clear()
    np.testing.assert_array_equal(nhot.sample(model, ONES, threads=1, **options).energy, plain.energy)
    assert set(rows) == {1}
    again = pickle.loads(pickle.dumps(nhot.custom(SITES, energy, delta=delta_of_rows, batched=True)))
    np.testing.assert_array_equal(nhot.sample(again, ONES, **options).energy, plain.energy)


def test_mistakes_of_a_batched_delta():
    with pytest.raises(ValueError, match="batched is for a delta"):
        nhot.custom(SITES, energy, batched=True)
    with pytest.raises(ValueError, match="does not return a matrix"):
        nhot.sample(nhot.custom(SITES, energy, delta=lambda x: x[0] * 0.0, batched=True), ONES, moves=10)
    with pytest.raises(ValueError, match="returned 1 x 3 numbers for 1 states of 8 sites"):
        nhot.sample(nhot.custom(SITES, energy, delta=lambda x: np.zeros((1, 3)), batched=True), ONES, moves=10)

    calls = []

    def fails(x):
        calls.append(len(x))
        if sum(calls) > 60:
            raise RuntimeError("no answer")
        return delta_of_rows(x)

    with pytest.raises(RuntimeError, match="no answer"):
        nhot.sample(nhot.custom(SITES, energy, delta=fails, batched=True), ONES, moves=500)


def test_python_energies_run_on_one_thread_unless_asked():
    """The numbers do not depend on it, and two threads do not wait for each other forever."""
    model = nhot.custom(SITES, energy, delta=delta)
    options = {"moves": 100, "observables": {"first": lambda x: x[0]}}
    one = nhot.sample(model, ONES, **options)
    two = nhot.sample(model, ONES, threads=2, **options)
    np.testing.assert_array_equal(one.energy, two.energy)
    np.testing.assert_array_equal(one.observables["first"], two.observables["first"])
    seen = set()
    nhot.sample(nhot.custom(4, lambda x: float(x.sum() + 0 * (seen.add(threading.get_ident()) or 0))), 2, moves=20)
    assert len(seen) <= 3  # the caller's, who makes and names the model, and one that runs chains


def test_states_are_the_functions_own():
    """int64, so that differences do not wrap around; kept or changed, they do no harm."""
    kept = []

    def careless(x):
        assert x.dtype == np.int64 and x.shape == (5,)
        value = float((x - 1) @ np.arange(5))
        kept.append(x)
        x[:] = 9
        return value

    model = nhot.custom(5, careless)
    assert (nhot.sample(model, 2, moves=30).states.sum(axis=2) == 2).all()
    assert all((x == 9).all() for x in kept)


def test_closures_and_methods():
    class Problem:
        def __init__(self, scale):
            self.scale = scale

        def energy(self, x):
            return self.scale * x[0]

        def __call__(self, x):
            return self.scale * x[1]

    assert nhot.custom(3, Problem(2).energy).energy([1, 0, 0]) == 2
    assert nhot.custom(3, Problem(2)).energy([0, 1, 0]) == 2
    assert nhot.custom(3, np.sum, name="sum").name == "sum"


# --- mistakes ---------------------------------------------------------------------------------------------------

class Mine(Exception):
    pass


class Late:
    """An energy that fails once it is armed."""

    def __init__(self, error):
        self.error = error
        self.armed = False

    def __call__(self, x):
        if self.armed:
            raise self.error
        return float(x.sum())


@pytest.mark.parametrize("error", [Mine("mine"), ValueError("a value"), KeyError("key"), ZeroDivisionError("zero"),
                                   SystemExit(3), MemoryError("full")], ids=repr)
def test_exceptions_come_out_as_they_were_raised(error):
    def fail(x):
        raise error

    late = Late(error)
    model = nhot.custom(5, late)
    late.armed = True
    for call in (lambda: nhot.custom(5, fail), lambda: nhot.custom(5, lambda x: float(x.sum()), delta=fail),
                 lambda: model.energy([1, 0, 0, 0, 0]), lambda: nhot.sample(model, 2, moves=10),
                 lambda: nhot.sample("field:5", 2, moves=10, observables={"fail": fail})):
        with pytest.raises(type(error)) as caught:
            call()
        assert caught.value is error


@pytest.mark.parametrize("driver, options", [
    ("sample", {"moves": 10}), ("temper", {"moves": 10}), ("anneal", {"reads": 2}), ("logz", {"population": 4}),
    ("compare", {"moves": 10, "move": ["swap", "im"]})])
@pytest.mark.parametrize("threads", [1, 2])
def test_exceptions_come_out_of_every_driver(driver, options, threads):
    late = Late(Mine("in the middle"))
    model = nhot.custom(5, late)
    late.armed = True
    with pytest.raises(Mine, match="in the middle"):
        getattr(nhot, driver)(model, 2, threads=threads, **options)
    late.armed = False
    assert nhot.sample(model, 2, moves=5).energy.shape == (4, 5)  # and nothing is broken


@pytest.mark.parametrize("junk", [None, "three", "3", b"3", [1, 2], (), {}, np.zeros(2), 1j, type], ids=repr)
def test_junk_for_an_energy(junk):
    with pytest.raises(ValueError, match=r"energy\(x\) returned an object of type .*; try: return a number"):
        nhot.custom(4, lambda x: junk)
    with pytest.raises(ValueError, match="the observable o returned an object of type .*; try: return a number"):
        nhot.sample("field:4", 2, moves=5, observables={"o": lambda x: junk})


@pytest.mark.parametrize("number", [1, True, np.float32(0.5), np.int8(3), np.array(2.0), np.bool_(True)], ids=repr)
def test_numbers_of_all_kinds(number):
    assert nhot.custom(4, lambda x: number).energy([0, 0, 0, 0]) == float(number)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -np.inf])
def test_energies_are_finite(number):
    with pytest.raises(ValueError, match="a state has the energy .*give finite numbers"):
        nhot.custom(4, lambda x: number)


@pytest.mark.parametrize("junk, said", [
    (None, "does not return an array"), ("text", "does not return an array"), ([0.0] * 4, "does not return an array"),
    (0.0, "does not return an array"), (np.zeros((4, 1)), "does not return an array"), (np.zeros(3), "3 numbers for 4"),
    (np.zeros(4, complex), "does not return an array"), (np.zeros(4, object), "does not return an array"),
    (np.full(4, np.nan), "nan"), (np.ones(4), "where the energies differ by 0"), (np.zeros(0), "0 numbers for 4"),
], ids=lambda value: None if isinstance(value, str) else repr(value))
def test_junk_for_a_delta(junk, said):
    with pytest.raises(ValueError, match=said):
        nhot.custom(4, lambda x: 0.0, delta=lambda x: junk)


@pytest.mark.parametrize("layout", [np.float32, np.int64, "strided", "read-only"], ids=str)
def test_deltas_of_all_layouts(layout):
    def slopes(x):
        changes = 1 - 2 * x
        if layout == "strided":
            return np.repeat(changes.astype(float), 2)[::2]
        if layout == "read-only":
            return np.frombuffer(changes.astype(float).tobytes())
        return changes.astype(layout)

    model = nhot.custom(4, lambda x: float(x.sum()), delta=slopes)
    assert (nhot.sample(model, 2, moves=20).energy == 2).all()


def test_wrong_deltas_are_refused():
    with pytest.raises(ValueError, match="of site . is .* where the energies differ by"):
        nhot.custom(SITES, energy, delta=lambda x: -delta(x))
    with pytest.raises(ValueError, match="which touched.. does not say"):
        nhot.custom(SITES, energy, touched=[[] for _ in range(SITES)])


@pytest.mark.parametrize("touched, said", [
    ([[1], [0]], "2 lists for 4 sites"), ([[-1]] * 4, r"touched\[0\] holds -1"), ([[4], [], [], []], "holds 4"),
    ([[0], [], [], []], "holds 0"), ([[1], [], [], []], "not the other way round"), (3, "lists of sites"),
    ([1, 2, 3, 4], "lists of sites"), ([["a"]] * 4, "lists of sites"), ([[0.5]] * 4, "lists of sites"),
    ([[2**40], [], [], []], "holds 1099511627776"), ([[1, 1], [0], [], []], "holds 1"), ("abcd", "lists of sites"),
], ids=str)
def test_bad_touched(touched, said):
    with pytest.raises(ValueError, match=said):
        nhot.custom(4, lambda x: float(x.sum()), touched=touched)


def test_touched_of_all_kinds():
    for touched in (np.array([[1], [0]]), ({1}, {0}), (iter([1]), iter([0])), [np.array([1]), np.array([0])]):
        assert nhot.custom(2, lambda x: float(x[0] * x[1]), touched=touched).couplings == 1


@pytest.mark.parametrize("sites", [0, -1, 2**40, 2.0, "4", None, True], ids=repr)
def test_bad_sites(sites):
    with pytest.raises(ValueError, match="sites is"):
        nhot.custom(sites, energy)


def test_bad_functions():
    for arguments, said in (((4,), "an energy function is needed"), ((4, 3), "energy is 3"), ((4, "f"), "is 'f'")):
        with pytest.raises(ValueError, match=said):
            nhot.custom(*arguments)
    with pytest.raises(ValueError, match="delta is 3"):
        nhot.custom(4, energy, delta=3)
    with pytest.raises(ValueError, match="change is for compiled functions"):
        nhot.custom(4, energy, change=energy)


def test_bad_compiled_functions(cfuncs):
    numba = pytest.importorskip("numba")
    with pytest.raises(ValueError, match="energy is compiled and delta is not"):
        nhot.custom(SITES, cfuncs[0], delta=delta)
    with pytest.raises(ValueError, match="delta is .*give a function of a state"):
        nhot.custom(SITES, energy, delta=cfuncs[1])
    with pytest.raises(ValueError, match=r"energy is compiled as \(float64,\) -> float64"):
        nhot.custom(SITES, numba.cfunc("float64(float64)")(lambda x: x))
    with pytest.raises(ValueError, match="change is compiled as"):
        nhot.custom(SITES, cfuncs[0], change=cfuncs[1])
    wrong = numba.cfunc("float64(CPointer(uint8), int64, int64)")(lambda x, sites, i: 1.0)
    with pytest.raises(ValueError, match="where the energies differ by"):
        nhot.custom(SITES, cfuncs[0], change=wrong)
