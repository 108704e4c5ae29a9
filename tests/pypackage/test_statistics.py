"""k-DPPs, regressions and polynomials in Python, against exact answers."""

import itertools
import pickle

import numpy as np
import pytest

import nhot


def kernel(items, seed):
    rng = np.random.default_rng(seed)
    points = rng.uniform(size=(items, 2))
    quality = np.exp(0.5 * rng.normal(size=items))
    squares = ((points[:, None] - points[None]) ** 2).sum(-1)
    return quality[:, None] * np.exp(-squares * items) * quality[None]


def subsets(items, size):
    chosen = list(itertools.combinations(range(items), size))
    states = np.zeros((len(chosen), items), dtype=np.uint8)
    for state, ones in zip(states, chosen):
        state[list(ones)] = 1
    return states


def test_exact_answers_of_a_kdpp_are_those_of_enumeration():
    L = kernel(9, 1)
    for size in 0, 1, 4, 9:
        states = subsets(9, size)
        weights = np.array([np.linalg.det(L[np.ix_(s == 1, s == 1)]) for s in states])
        log_z, marginals = nhot.kdpp_exact(L, size)
        assert log_z == pytest.approx(np.log(weights.sum()), abs=1e-9)
        assert marginals == pytest.approx(weights @ states / weights.sum(), abs=1e-9)
        assert nhot.kdpp(L).energy(states) == pytest.approx(-np.log(weights), abs=1e-4)


# False alarms: 200 marginals within 4.5 of their errors and log Z within 3, for one seed: 1 in 100 together.
def test_kdpp_of_200_items():
    L = kernel(200, 2)
    model = nhot.kdpp(L)
    log_z, marginals = nhot.kdpp_exact(L, 20)
    run = nhot.sample(model, 20, moves=8000, move="im:length=1", states=4000, thin=2, progress=False)
    off = np.abs(run.site_means - marginals) / run.site_errors
    assert run.converged
    assert off.max() < 4.5 and (off < 3).mean() > 0.97
    assert run.site_errors.max() < 0.03, "too blunt to tell anything"
    # A kernel whose first forty items are somewhat better is noticed.
    wrong = L.copy()
    wrong[:40] *= 1.2
    wrong[:, :40] *= 1.2
    assert (np.abs(run.site_means - nhot.kdpp_exact(wrong, 20)[1]) / run.site_errors).max() > 6
    found = nhot.logz(model, 20, move="im:length=1", moves=10, populations=8, population=24, progress=False)
    assert abs(found.value - log_z) < 3 * found.error < 2


def test_kdpp_of_low_rank():
    features = np.random.default_rng(3).normal(size=(30, 6))
    model = nhot.kdpp(features=features)
    assert model.kind == "kdpp"
    states = subsets(30, 2)[:50]
    assert model.energy(states) == pytest.approx(nhot.kdpp(features @ features.T).energy(states), abs=1e-6)
    # As many as there are dimensions: every walk passes through dependent subsets.
    log_z, marginals = nhot.kdpp_exact(features @ features.T, 6)
    run = nhot.sample(model, 6, moves=4000, move="im:length=1..2", states=4000, thin=1, progress=False)
    assert (np.abs(run.site_means - marginals) / run.site_errors).max() < 4.5
    assert run.energy[0, run.state_draws] == pytest.approx(model.energy(run.states[0]), abs=0)


@pytest.mark.parametrize("make, said", [
    (lambda: nhot.kdpp(), "one of the two"),
    (lambda: nhot.kdpp(np.ones((2, 3))), "square"),
    (lambda: nhot.kdpp([[1, 2], [2, 1]]), "negative determinant"),
    (lambda: nhot.kdpp([[1, 0.5], [0.2, 1]]), "not symmetric"),
    (lambda: nhot.kdpp([[1, np.nan], [0, 1]]), "finite"),
    (lambda: nhot.kdpp(np.eye(3), labels="ab"), "2 labels for 3"),
    (lambda: nhot.kdpp_exact(np.eye(3), 4), "0 to 3"),
    (lambda: nhot.regression(np.eye(4), [1, 2, 3]), "4 rows"),
    (lambda: nhot.regression(np.ones((4, 1)), [1, 2, 3, 5]), "'x0' is constant"),
    (lambda: nhot.regression(np.eye(5)[:, :2], range(5), prior="flat"), "unknown prior"),
    (lambda: nhot.hubo(3), "BinaryPolynomial"),
    (lambda: nhot.hubo({}), "no variables"),
    (lambda: nhot.hubo({(0, 1, 1): 2}), "twice"),
    (lambda: nhot.hubo({(0, 1, 2): np.inf}), "finite"),
    (lambda: nhot.hubo({(0, 1): 1}, "CUBE"), "BINARY"),
    (lambda: nhot.hubo({("a", "b", "c"): 1}, labels=["a", "b"]), "'c' is not among"),
])
def test_what_cannot_be_a_model_is_refused(make, said):
    with pytest.raises(ValueError, match=said):
        make()


def regression_data():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(30, 8)) @ (np.eye(8) + 0.4 * rng.normal(size=(8, 8)))
    return X, X[:, 1] - 0.6 * X[:, 4] + 0.8 * rng.normal(size=30)


@pytest.mark.parametrize("prior", ["unit", "benchmark", "bic"])
def test_regression_is_that_of_least_squares(prior):
    X, y = regression_data()
    model = nhot.regression(X, y, prior=prior, names=list("abcdefgh"))
    states = np.concatenate([subsets(8, size) for size in range(9)])
    expected, n = [], 30
    for state in states:
        columns = np.column_stack([np.ones(30), X[:, state == 1]])
        rest = ((y - columns @ np.linalg.lstsq(columns, y, rcond=None)[0]) ** 2).sum() / ((y - y.mean()) ** 2).sum()
        k, g = int(state.sum()), {"unit": 30, "benchmark": 64, "bic": 0}[prior]
        expected.append(n / 2 * np.log(rest) + k / 2 * np.log(n) if prior == "bic" else
                        -(n - 1 - k) / 2 * np.log(1 + g) + (n - 1) / 2 * np.log(1 + g * rest))
    assert model.energy(states) == pytest.approx(np.array(expected), abs=1e-4)
    three = states.sum(1) == 3
    weights = np.exp(-np.array(expected)[three])
    run = nhot.sample(model, 3, moves=6000, states=6000, thin=1, progress=False)
    exact = weights @ states[three] / weights.sum()
    assert (np.abs(run.site_means - exact) / np.maximum(run.site_errors, 1e-3)).max() < 4
    assert list(run.inclusion())[:2] == ["b", "e"]


def test_polynomials_are_dimods():
    dimod = pytest.importorskip("dimod")
    terms = {(0, 1, 2): 3, (1, 3): -2, (0, 2, 3, 4): 5, (4,): -1, (): 7}
    for vartype in "BINARY", "SPIN":
        poly = dimod.BinaryPolynomial(terms, vartype)
        model = nhot.hubo(poly)
        states = subsets(5, 3)
        values = states.astype(int) if vartype == "BINARY" else 2 * states.astype(int) - 1
        assert model.kind == "hubo"
        assert (model.energy(states) == poly.energies((values, range(5)))).all()
        assert (nhot.hubo(terms, vartype).energy(states) == model.energy(states)).all()
        best = nhot.anneal(model, 3, reads=4, progress=False).best
        assert best.energy == model.energy(states).min()
    named = nhot.hubo(dimod.BinaryPolynomial({("u", "v", "w"): 2.0}, "BINARY"))
    assert named.labels == ["u", "v", "w"]
    assert named.energy({"u": 1, "v": 1, "w": 1}) == 2
    assert nhot.hubo({("p", "q"): 1.5}).kind == "quadratic"


def test_models_go_through_pickle_and_files(tmp_path):
    X, y = regression_data()
    models = [nhot.kdpp(kernel(6, 1)), nhot.kdpp(features=np.arange(12.0).reshape(6, 2) + 1, labels="abcdef"),
              nhot.regression(X, y, prior="bic", names="abcdefgh"), nhot.hubo({("a", "b", "c"): 2, ("d",): 1.5}, "SPIN")]
    for model in models:
        again = pickle.loads(pickle.dumps(model))
        assert again._core.hash() == model._core.hash()
        assert again.labels == model.labels and again.kind == model.kind
    np.save(tmp_path / "L.npy", kernel(6, 1))
    assert nhot.load(tmp_path / "L.npy", "kdpp")._core.hash() == models[0]._core.hash()
    (tmp_path / "p.hubo").write_text("# vartype=SPIN\n0 1 2 2\n3 1.5\n")
    assert nhot.load(tmp_path / "p.hubo")._core.hash() == models[3]._core.hash()
