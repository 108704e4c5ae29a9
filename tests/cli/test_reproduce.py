"""nhot reproduce: the paper's protocol at small scale."""

import importlib.util
import json
import math
import pathlib
import shlex
import signal

import pytest

spec = importlib.util.spec_from_file_location("exact_answers", pathlib.Path(__file__).with_name("exact_answers.py"))
exact = importlib.util.module_from_spec(spec)
spec.loader.exec_module(exact)

SAMPLER_KEYS = {"acceptance", "tau_seconds", "ess_per_second", "rhat", "cpu_seconds", "attempts_per_move"}


def results_of(folder):
    return json.loads((folder / "results.json").read_text())


@pytest.fixture(scope="module")
def small(small_reproduction):
    """What it printed, its results, its folder."""
    folder = small_reproduction / "all"
    return (small_reproduction / "stdout.txt").read_text(), results_of(folder), folder


def test_every_experiment_and_sampler_is_there(small):
    _, results, _ = small
    assert list(results["experiments"]) == ["ferromagnet", "spin-glass", "rbm", "digits"]
    for experiment in results["experiments"].values():
        samplers = experiment["samplers"]
        assert {"im", "swap_equal_time", "swap_paper", "im_printed"} <= set(samplers)
        for sampler in samplers.values():
            assert SAMPLER_KEYS <= set(sampler)
            assert sampler["chains"] == 3
        for key, sampler in samplers.items():
            if not sampler["in_figures"]:
                continue
            for name in ("mean", "sd"):
                assert len(sampler["series"]["energy"][name]) == len(experiment["time_seconds"])
                assert len(sampler["series"]["autocorrelation"][name]) == len(experiment["lag_seconds"])
            if key != "swap_equal_time":  # whose number of moves is the clock's: on a busy machine too few to change
                assert sampler["series"]["autocorrelation"]["mean"][0] == 1


def test_the_settings_are_those_of_the_paper(small):
    _, results, _ = small
    expected = {
        "ferromagnet": (3600, 7200, 1800, 1 / 2.27, "length=90,bias=logistic,gamma=beta", 200, 10_000),
        "spin-glass": (729, 2187, 364, 1.0, "length=1..25,bias=logistic,gamma=0.8beta", 200, 2_000),
        "rbm": (1284, 392_000, 428, 1.0, "length=1..20,bias=logistic,gamma=0.8beta", 20, 200),
        "digits": (1284, 392_000, 214, 1.0, "length=1..20,bias=logistic,gamma=0.8beta", 20, 200),
    }
    for key, (sites, couplings, distance, beta, move, moves, attempts) in expected.items():
        experiment = results["experiments"][key]
        assert (experiment["sites"], experiment["couplings"], experiment["distance"]) == (sites, couplings, distance)
        im, paper = experiment["samplers"]["im"], experiment["samplers"]["swap_paper"]
        assert im["beta"] == pytest.approx(beta)
        assert move in im["move"]
        assert im["moves"] + im["warmup"] == moves
        assert paper["moves"] + paper["warmup"] == attempts
        assert paper["attempts_per_move"] == pytest.approx(attempts / moves)
    assert "gamma=beta" in results["experiments"]["spin-glass"]["samplers"]["im_balanced"]["move"]


def test_the_second_baseline_is_counted(small):
    """That it has the time of the move is tested with a clock by hand, in tests/run/comparison_test.cpp."""
    _, results, _ = small
    for experiment in results["experiments"].values():
        im, swap = experiment["samplers"]["im"], experiment["samplers"]["swap_equal_time"]
        attempts = [s["moves"] + s["warmup"] for s in (im, swap)]
        assert swap["attempts_per_move"] == pytest.approx(attempts[1] / attempts[0], rel=0.01)
        assert im["cpu_seconds"] > 0 and swap["cpu_seconds"] > 0


def test_it_ends_with_a_table_and_the_path_of_the_report(small):
    printed, _, folder = small
    assert printed.rstrip().endswith(f"report:  {folder / 'report.html'}")
    for words in ("ESS/s", "R-hat", "swap, equal CPU time", "swap, the paper's attempts"):
        assert words in printed
    assert (folder / "report.html").stat().st_size < 3_000_000


def test_the_samplers_agree_where_both_mix(nhot, tmp_path):
    nhot("reproduce", "ferromagnet", "--model", "ferromagnet:10x10", "--scale", 0.05, "--trials", 4,
         "--out", tmp_path, ok=True)
    experiment = results_of(tmp_path)["experiments"]["ferromagnet"]
    # The baseline with a number of attempts: the other has as many as the machine can make.
    im, swap = experiment["samplers"]["im"], experiment["samplers"]["swap_paper"]
    means = [s["observables"]["energy"] for s in (im, swap)]
    assert abs(means[0]["mean"] - means[1]["mean"]) < 5 * math.hypot(means[0]["mcse"], means[1]["mcse"])
    assert im["rhat"] < 1.05 and swap["rhat"] < 1.05
    assert abs(experiment["energy_difference_in_errors"]["swap_paper"]) < 5
    # A walk of 90 steps does not fit on 100 sites.
    assert any("do not fit" in note for note in experiment["notes"])
    assert experiment["distance"] == 50


def test_the_same_seed_gives_the_same_moves(nhot, tmp_path):
    seen = []
    for threads in (1, 2):
        nhot("reproduce", "spin-glass", "--model", "spin-glass:4x4,seed=1", "--scale", 0.03, "--trials", 2,
             "--threads", threads, "--out", tmp_path, ok=True)
        experiment = results_of(tmp_path)["experiments"]["spin-glass"]
        means = [experiment["samplers"][k]["observables"]["energy"]["mean"] for k in ("im", "im_balanced", "swap_paper")]
        del experiment["reference"]["cpu_seconds"]
        assert experiment["reference"]["mean"] is not None
        seen.append([means, experiment["reference"]])
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("what", "model", "sites", "beta"),
    [("ferromagnet", "ferromagnet:4x4", 16, 1 / 2.27), ("spin-glass", "spin-glass:4x4,seed=1", 16, 1.0)],
)
def test_the_reference_is_the_true_mean(nhot, tmp_path, what, model, sites, beta):
    nhot("convert", model, tmp_path / "model.coo", ok=True)
    truth = exact.quadratic_mean(exact.read_coo(tmp_path / "model.coo"), sites, sites // 2, beta)
    done = nhot("reproduce", what, "--model", model, "--scale", 0.03, "--trials", 4, "--out", tmp_path / "out", ok=True)
    experiment = results_of(tmp_path / "out")["experiments"][what]
    reference = experiment["reference"]
    assert reference["converged"] and reference["how"] and reference["cpu_seconds"] > 0
    assert abs(reference["mean"] - truth) < exact.THRESHOLD * reference["mcse"]
    assert 0 < reference["mcse"] < 0.02 * abs(truth)
    assert "The true mean energy is" in done.stdout and "off by" in done.stdout
    for sampler in experiment["samplers"].values():
        energy = sampler["observables"]["energy"]
        assert sampler["from_reference"] == pytest.approx(energy["mean"] - reference["mean"])
        if energy["mcse"] is not None:
            errors = sampler["from_reference"] / math.hypot(energy["mcse"], reference["mcse"])
            assert sampler["errors_from_reference"] == pytest.approx(errors)
    # It can be made again by itself, and shares no chance with the samplers.
    again = json.loads(nhot(*shlex.split(reference["command"])[1:], "--json", ok=True).stdout)
    assert again["observables"]["energy"]["mean"] == reference["mean"]
    assert again["converged"] is True
    assert reference["seed"] != 1


def test_a_reference_that_did_not_converge_is_none(small):
    printed, results, folder = small
    for experiment in results["experiments"].values():
        reference = experiment["reference"]
        assert reference["converged"] is False and reference["reasons"]
        assert reference["mean"] is None and reference["mcse"] is None
        assert experiment["conclusions"][0].startswith("No reference: ")
        assert not any("from_reference" in sampler for sampler in experiment["samplers"].values())
    assert printed.count("No reference: ") == 4 and "off by" not in printed


def test_a_reference_that_does_not_fit_the_model_is_none(nhot, tmp_path):
    nhot("reproduce", "ferromagnet", "--model", "rbm:20x10", "--scale", 0.001, "--trials", 2, "--out", tmp_path, ok=True)
    [experiment] = results_of(tmp_path)["experiments"].values()
    assert experiment["reference"]["converged"] is False
    assert "cluster" in experiment["conclusions"][0]


def test_the_reference_grows_with_the_scale(nhot, tmp_path):
    moves = []
    for scale in (0.05, 0.1):
        nhot("reproduce", "ferromagnet", "--model", "ferromagnet:4x4", "--scale", scale, "--trials", 2, "--out", tmp_path, ok=True)
        moves.append(results_of(tmp_path)["experiments"]["ferromagnet"]["reference"]["moves"])
    assert moves[1] == 2 * moves[0]


def test_rbm_weights_of_ones_own(nhot, tmp_path):
    h5py = pytest.importorskip("h5py")
    numpy = pytest.importorskip("numpy")
    draw = numpy.random.default_rng(5)
    with h5py.File(tmp_path / "weights.h5", "w") as file:
        group = file.create_group("layers/first")
        group["W"] = draw.normal(0, 0.3, (20, 25))
        group["b"] = draw.normal(0, 0.1, 20)
        group["c"] = draw.normal(0, 0.1, 25)
    nhot("reproduce", "rbm", "--rbm-weights", "weights.h5#layers/first", "--scale", 0.01, "--trials", 2,
         "--out", "out", cwd=tmp_path, ok=True)
    experiment = results_of(tmp_path / "out")["experiments"]["rbm"]
    assert (experiment["sites"], experiment["couplings"], experiment["distance"]) == (45, 500, 15)
    assert experiment["picture"]["layout"] == {"kind": "rbm", "visible": 25, "hidden": 20}


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (["rbm", "--model", "rbm:64x40"], "Restricted Boltzmann machine, 64 visible and 40 hidden units"),
        (["ferromagnet", "--model", "ferromagnet:6x6"], "ferromagnet:6x6, with the settings of the ferromagnet experiment"),
    ],
)
def test_the_title_says_what_was_run(nhot, tmp_path, words, title):
    done = nhot("reproduce", *words, "--scale", 0.001, "--trials", 2, "--out", tmp_path, ok=True)
    [experiment] = results_of(tmp_path)["experiments"].values()
    assert experiment["title"] == title
    assert done.stdout.startswith(title + ":")
    assert title in (tmp_path / "report.html").read_text()
    assert "784" not in done.stdout and "60 x 60" not in done.stdout


def test_the_titles_of_the_papers_models(small):
    _, results, _ = small
    assert [e["title"] for e in results["experiments"].values()] == [
        "Ferromagnet, 60 x 60, at the critical temperature",
        "Spin glass, 9 x 9 x 9, couplings +1 and -1",
        "Restricted Boltzmann machine, 784 visible and 500 hidden units",
        "Restricted Boltzmann machine, 784 visible and 500 hidden units, trained on handwritten digits",
    ]


def test_own_results_are_replaced_and_other_files_are_not(nhot, tmp_path):
    words = ["reproduce", "ferromagnet", "--model", "ferromagnet:6x6", "--scale", 0.001, "--trials", 2, "--out", tmp_path]
    nhot(*words, ok=True)
    nhot(*words, ok=True)
    (tmp_path / "results.json").write_text("mine")
    refused = nhot(*words)
    assert refused.returncode == 2 and "results.json" in refused.stderr
    assert (tmp_path / "results.json").read_text() == "mine"
    nhot(*words, "--force", ok=True)


def test_json_holds_the_results_without_the_series(nhot, tmp_path):
    done = nhot("reproduce", "ferromagnet", "--model", "ferromagnet:6x6", "--scale", 0.001, "--trials", 2,
                "--out", tmp_path, "--json", ok=True)
    printed = json.loads(done.stdout)
    assert printed["report"].endswith("report.html")
    im = printed["experiments"]["ferromagnet"]["samplers"]["im"]
    assert SAMPLER_KEYS <= set(im) and "series" not in im


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "no experiment is named"),
        (["feromagnet"], "did you mean 'ferromagnet'"),
        (["all", "--model", "ferromagnet:4x4"], "--model"),
        (["ferromagnet", "--rbm-weights", "x.h5"], "--rbm-weights"),
        (["rbm", "--rbm-weights", "no-such-file.h5"], "no-such-file.h5"),
        (["rbm", "--scale", "0"], "--scale"),
    ],
)
def test_bad_input(nhot, tmp_path, words, said):
    done = nhot("reproduce", *words, "--out", tmp_path / "out")
    assert done.returncode == 2
    assert said in done.stderr


def test_ctrl_c_writes_what_was_drawn(on_terminal, tmp_path):
    running = on_terminal("reproduce", "ferromagnet", "--scale", "1000", "--out", tmp_path)
    code, _, error = running.wait_for("ferromagnet").end(signal.SIGINT)
    assert code == 130, error
    assert "interrupted" in error
    assert results_of(tmp_path)["interrupted"] is True
    assert (tmp_path / "report.html").exists()
