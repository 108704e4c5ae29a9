"""nhot select: inclusion probabilities against enumeration by least squares, and what it says of bad data."""

import json
from itertools import combinations

import numpy as np
import pytest


def table(rows=40, columns=8, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)) @ (np.eye(columns) + 0.5 * rng.normal(size=(columns, columns)))
    y = X[:, 1] - 0.6 * X[:, 4] + rng.normal(size=rows)
    return X, y


def write(path, X, y, separator=","):
    names = [f"x{c}" for c in range(X.shape[1])] + ["y"]
    lines = [separator.join(names)] + [separator.join(repr(float(v)) for v in [*row, out]) for row, out in zip(X, y)]
    path.write_text("\n".join(lines) + "\n")


def enumerated(X, y, size, prior):
    n, p = X.shape
    total = ((y - y.mean()) ** 2).sum()
    subsets, scores = list(combinations(range(p), size)), []
    for subset in subsets:
        columns = np.column_stack([np.ones(n), X[:, subset]])
        rest = ((y - columns @ np.linalg.lstsq(columns, y, rcond=None)[0]) ** 2).sum() / total
        g = {"unit": n, "benchmark": max(n, p * p)}.get(prior)
        scores.append(-n / 2 * np.log(rest) if g is None else -(n - 1) / 2 * np.log1p(g * rest))
    weights = np.exp(np.array(scores) - max(scores))
    weights /= weights.sum()
    inclusion = np.zeros(p)
    for subset, weight in zip(subsets, weights):
        inclusion[list(subset)] += weight
    return inclusion, dict(zip(subsets, weights))


# False alarms: 24 probabilities within 4 of their errors, which come from 64 batches: 1 in 200.
@pytest.mark.parametrize("prior, separator", [("unit", ","), ("benchmark", "\t"), ("bic", " ")])
def test_probabilities_are_those_of_enumeration(nhot, tmp_path, prior, separator):
    X, y = table()
    write(tmp_path / "data.txt", X, y, separator)
    found = json.loads(nhot("select", "data.txt", "--response", "y", "--predictors", "3", "--prior", prior, "--moves", "8000",
                            "--json", cwd=tmp_path, ok=True).stdout)
    exact, weights = enumerated(X, y, 3, prior)
    assert found["converged"] and found["prior"] == prior and found["states"] > 10_000
    for own, true in zip(found["inclusion"], exact, strict=True):
        assert abs(own["probability"] - true) < 4 * own["error"], own
        assert own["error"] < 0.02, "too blunt to tell anything"
    wrong, _ = enumerated(X, y + 0.25 * X[:, 0], 3, prior)  # the test can fail
    assert any(abs(own["probability"] - other) > 8 * own["error"] for own, other in zip(found["inclusion"], wrong))
    best = found["best"]
    order = sorted(weights.values(), reverse=True)
    for subset, true in zip(best[:3], order):
        place = tuple(int(name[1:]) for name in subset["predictors"])
        assert weights[place] == pytest.approx(true)
        assert subset["ratio"] == pytest.approx(true / order[0], rel=1e-6)
        assert subset["share"] == pytest.approx(true, abs=0.03)


def test_prints_tables(nhot, tmp_path):
    write(tmp_path / "data.csv", *table())
    shown = nhot("select", "data.csv", "--response", "y", "--predictors", "2", "--moves", "3000", cwd=tmp_path, ok=True).stdout
    assert "exactly 2 predictors and an intercept" in shown
    assert "best subsets" in shown and "x1 x4" in shown
    assert "converged" in shown


BAD = {
    "constant": ("a,b,y\n1,2,3\n1,3,5\n1,4,4\n1,5,7\n", [], "column 'a' is constant"),
    "multiple": ("a,b,y\n1,2,3\n2,4,5\n3,6,4\n5,10,7\n", [], "column 'b' is a multiple of column 'a'"),
    "combination": ("a,b,c,y\n1,2,4,3\n2,5,8,5\n3,1,5,4\n5,0,6,7\n1,1,3,2\n", [], "column 'c' is a linear combination"),
    "missing": ("a,b,y\n1,2,3\n2,,5\n3,1,4\n", [], "data.csv:3: column 'b' has no value"),
    "text": ("a,b,y\n1,2,3\n2,x,5\n3,1,4\n", [], "data.csv:3: column 'b' holds 'x'"),
    "response": ("a,b,y\n1,2,3\n2,4,5\n3,1,4\n", ["--response", "z"], "there is no column 'z'"),
    "rows": ("a,b,y\n1,2,3\n2,1,5\n3,1,4\n", ["--predictors", "2"], "3 rows"),
    "too many": ("a,b,y\n1,2,3\n2,1,5\n3,1,4\n", ["--predictors", "3"], "more than the 2 columns"),
    "flat": ("a,b,y\n1,2,3\n2,1,3\n3,1,3\n", [], "the response 'y' is constant"),
    "empty": ("", [], "there is no data"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_data_gets_one_message(nhot, tmp_path, name):
    text, more, said = BAD[name]
    (tmp_path / "data.csv").write_text(text)
    words = {"--response": "y", "--predictors": "1"} | dict(zip(more[::2], more[1::2]))
    done = nhot("select", "data.csv", *(word for pair in words.items() for word in pair), "--moves", "100", cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == ""
    assert said in done.stderr and done.stderr.count("error:") == 1


def test_says_what_is_needed(nhot, tmp_path):
    (tmp_path / "data.csv").write_text("a,y\n1,2\n2,1\n3,3\n")
    for words, said in (([], "no data is given"), (["none.csv"], "none.csv"), (["data.csv"], "--response 'y'"),
                        (["data.csv", "--response", "y"], "give --predictors K, 0 to 1")):
        done = nhot("select", *words, cwd=tmp_path)
        assert done.returncode == 2 and said in done.stderr
