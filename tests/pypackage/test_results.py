"""What drivers return: arrays, summaries, figures, files, and objects of other packages."""

import copy
import gc
import json
import warnings
import weakref

import numpy as np
import pytest

import nhot

RUNS = {
    "lattice": lambda **options: nhot.sample("ferromagnet:6x6", 12, beta=0.3, moves=400, seed=2, **options),
    "qubo": lambda **options: nhot.sample(
        nhot.qubo({(u, v): (ord(u) - ord(v)) / 5 for u in "abcdefg" for v in "fghijk"}), 4, moves=300, **options),
    "rbm": lambda **options: nhot.sample(nhot.gabor_rbm(20, 5), 6, moves=300, reference="ones", chains=3, **options),
}


@pytest.fixture(scope="module", params=RUNS)
def run(request):
    return RUNS[request.param]()


@pytest.fixture(scope="module")
def tempered():
    return nhot.temper("ferromagnet:6x6", 12, betas=[0.1, 0.4], moves=200, chains=2)


# --- arrays -----------------------------------------------------------------------------------------------------

def test_shapes(run):
    chains, draws = run.energy.shape
    assert run.summary()["chains"] == chains and run.summary()["draws"] == draws
    assert {name: values.shape for name, values in run.columns.items()} == dict.fromkeys(
        ("energy", "accepted", "acceptance_rate", "saw_length", "hamming_move"), (chains, draws))
    assert run.states.shape == (chains, len(run.state_draws), run.model.sites)
    assert run.states.dtype == np.uint8
    assert run.observables["overlap"].shape == (chains // 2, draws)
    assert run.warmup_energy.shape[0] == chains


def test_states_belong_to_their_draws(run):
    energies = run.model.energy(run.states.reshape(-1, run.model.sites)).reshape(run.states.shape[:2])
    np.testing.assert_allclose(energies, run.energy[:, run.state_draws], rtol=1e-12, atol=1e-9)
    reference = 1 if run.summary()["reference"] != "zeros" else 0
    assert ((run.states != reference).sum(axis=2) == run.summary()["distance"]).all()


def test_packed_states(run):
    packed = np.packbits(run.states, axis=2, bitorder="little")
    np.testing.assert_array_equal(run.packed_states(), packed)


def moderated(mean, batches, states):
    """The errors that nhot/diagnose/site_means.hpp describes, from means of batches, chain after chain."""
    def variance(means):
        return means.var(axis=0, ddof=1) / len(means)
    single, paired = variance(batches), variance((batches[::2] + batches[1::2]) / 2)
    correction = np.clip(2 * paired.sum() / single.sum() - 1, 1, 2)
    worth = min(states, (mean * (1 - mean)).sum() / (correction * single.sum()))
    p = (mean * worth + 2) / (worth + 4)
    met = np.minimum(len(batches) - 1, worth * np.minimum(mean, 1 - mean))
    return np.sqrt((met * correction * single + 8 * p * (1 - p) / (worth + 4)) / (met + 8))


def test_site_means(run):
    np.testing.assert_allclose(run.site_means, run.states.mean(axis=(0, 1)), rtol=1e-12)
    chains, states, sites = run.states.shape
    length = states // 16
    means = run.states[:, states - 16 * length :].reshape(chains, 16, length, sites).mean(axis=2).reshape(-1, sites)
    np.testing.assert_allclose(run.site_errors, moderated(run.site_means, means, chains * states), rtol=1e-9)
    np.testing.assert_allclose(run.site_means, run.summary()["site_means"]["mean"], rtol=1e-12)
    np.testing.assert_allclose(run.site_errors, run.summary()["site_means"]["error"], rtol=1e-6)


def test_inclusion(run):
    inclusion = run.inclusion()
    assert set(inclusion) == set(run.model.labels)
    assert list(inclusion.values()) == sorted(inclusion.values(), reverse=True)
    for label, mean in zip(run.model.labels, run.site_means):
        assert inclusion[label] == mean


def test_best(run):
    best = run.best
    assert run.model.energy(best.bits) == pytest.approx(best.energy, rel=1e-12)
    assert best.energy <= run.energy.min()
    reference = 1 if run.summary()["reference"] != "zeros" else 0
    assert (best.bits != reference).sum() == run.summary()["distance"]


def test_best_also_where_thinning_dropped_it():
    dense = nhot.sample("spin-glass:5x5", 12, moves=400, thin=1, seed=3)
    thinned = nhot.sample("spin-glass:5x5", 12, moves=400, thin=40, seed=3)
    assert thinned.best.energy <= thinned.energy.min()
    longer = thinned.extend(moves=40)
    assert longer.best.energy <= thinned.best.energy
    assert dense.best.energy == dense.energy.min()


def test_states_as_mappings():
    model = nhot.qubo({("a", "b"): 1.0, ("b", "c"): -2.0, ("c", "d"): 1.0})
    state = nhot.anneal(model, 2, reads=3, sweeps=5, keep=2).best
    assert dict(state) == {"a": 0, "b": 1, "c": 1, "d": 0} and state.energy == -2
    assert list(state) == ["a", "b", "c", "d"] and len(state) == 4
    assert state["b"] == 1 and "e" not in state and state.get("e") is None
    assert state.chosen == ["b", "c"]
    assert repr(state) == "<nhot.State energy -2, 2 of 4 ones: 'b', 'c'>"
    assert model.energy(state) == state.energy and model.chosen(state) == ["b", "c"]
    with pytest.raises(KeyError):
        state["e"]
    np.testing.assert_array_equal(nhot.sample(model, 1, reference=state, moves=20).energy,
                                  nhot.sample(model, 1, reference=[0, 1, 1, 0], moves=20).energy)


def test_arrays_outlive_their_run():
    run = RUNS["lattice"]()
    model, kept = run.model, {"energy": run.energy, "states": run.states, "packed": run.packed_states(),
                              "best": run.best.bits, "means": run.site_means, **run.observables}
    copies = copy.deepcopy(kept)
    gone = weakref.ref(run)
    del run
    gc.collect()
    assert gone() is None
    nhot.sample(model, 12, moves=2000)  # that would write over what was freed
    for name, values in kept.items():
        np.testing.assert_array_equal(values, copies[name])
        values += 1  # and is the caller's to change


def test_arrays_are_the_callers():
    """What a caller does to an array reaches neither the next array nor the run."""
    run = RUNS["qubo"]()
    states = run.states
    states[:] = 7
    assert run.states.max() == 1
    facts = run.summary()
    facts["converged"] = "changed"
    facts["observables"].clear()
    assert run.summary()["observables"] and run.converged in (True, False)
    best = run.best
    best.bits[:] = 1
    assert run.best.bits.sum() == 4


# --- summaries --------------------------------------------------------------------------------------------------

def test_texts(run, tempered):
    found = nhot.anneal("ferromagnet:4x4", 8, reads=2, sweeps=5)
    estimate = nhot.logz("ferromagnet:4x4", 8, population=4, populations=2)
    for result, words in ((run, ("converged", "R-hat", run.model.name)), (tempered, ("swap rate", "beta")),
                          (found, ("best energy",)), (estimate, ("log Z",))):
        assert all(word in repr(result) for word in words)
        assert repr(result) == result.text() == str(result)
        page = result._repr_html_()
        assert page.startswith("<pre>") and page.endswith("</pre>") and page.count("<") == 2
        json.dumps(result.summary())
        assert isinstance(result.notes, list) and not result.interrupted
    assert len(max(run.text(60).splitlines(), key=len)) < len(max(run.text(140).splitlines(), key=len))
    assert str(tempered.rungs[0]).startswith("<rung at beta 0.1: mean energy -")


def test_markup_in_names_is_escaped():
    run = nhot.sample(nhot.custom(3, lambda x: float(x.sum()), name="<b>"), 1, moves=10)
    assert "<b>" in repr(run) and "<b>" not in run._repr_html_()


def test_verdict(run):
    facts = run.summary()
    assert run.converged == facts["converged"] and run.reasons == facts["reasons"] != []


def test_verdict_on_rungs(tempered):
    """Where no states are kept, chains are not compared, and nothing is known; at the target it is that of the run."""
    hot, target = tempered.rungs
    assert hot.converged is None and hot.summary()["converged"] is None and hot.reasons[0].startswith("Not judged")
    assert tempered.converged in (True, False)
    assert (target.converged, target.reasons) == (tempered.converged, tempered.reasons)
    assert "converged" not in hot.to_xarray().attrs


# --- other packages ---------------------------------------------------------------------------------------------

def test_arviz_says_the_same(run, tempered):
    az = pytest.importorskip("arviz")
    for result in (run, tempered, tempered.rungs[0]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = az.summary(result.to_arviz(), round_to="none")
        own = result.summary()["observables"]
        assert set(table.index) == set(own) - {"overlap"}
        for name, row in table.iterrows():
            for theirs, ours in (("mean", "mean"), ("sd", "sd"), ("mcse_mean", "mcse"), ("ess_bulk", "ess_bulk"),
                                 ("ess_tail", "ess_tail"), ("r_hat", "rhat")):
                assert row[theirs] == pytest.approx(own[name][ours], rel=1e-6), (name, ours)


def test_arviz_groups(run):
    pytest.importorskip("arviz")
    data = run.to_arviz()
    np.testing.assert_array_equal(data.posterior.energy, run.energy)
    np.testing.assert_allclose(data.sample_stats.lp, -run.summary()["beta"] * run.energy)
    assert data.sample_stats.accepted.dtype == bool
    assert data.attrs["model"] == run.model.name


def test_xarray(run):
    pytest.importorskip("xarray")
    data = run.to_xarray()
    np.testing.assert_array_equal(data.energy, run.energy)
    np.testing.assert_array_equal(data.states, run.states)
    np.testing.assert_array_equal(data.state_draw, run.state_draws)
    assert data.sizes["pair"] == len(run.energy) // 2 and data.overlap.dims == ("pair", "draw")
    assert [str(label) for label in run.model.labels] == [str(label) for label in data.site.values]
    one = data.states.sel(site=run.model.labels[1])
    np.testing.assert_array_equal(one, run.states[:, :, 1])
    assert data.attrs["seed"] == run.summary()["seed"] and data.attrs["converged"] == run.converged
    assert "states" not in run.to_xarray(states=False)


def test_pandas(run):
    pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert frame.index.names == ["chain", "draw"] and len(frame) == run.energy.size
    assert frame.loc[(1, 3), "energy"] == run.energy[1, 3]
    np.testing.assert_allclose(frame.groupby("chain").energy.mean(), run.energy.mean(axis=1))
    assert {"energy", "lp", "accepted"} <= set(frame.columns)


# --- files ------------------------------------------------------------------------------------------------------

def test_files(run, tmp_path):
    pytest.importorskip("xarray")
    run.to_netcdf(tmp_path / "run.nc")
    assert [path.name for path in tmp_path.iterdir()] == ["run.nc"]
    stored = nhot.load_run(str(tmp_path / "run.nc"))
    for name, values in run.columns.items():
        np.testing.assert_array_equal(stored.columns[name], values)
    assert stored.observables.keys() == run.observables.keys()
    for name, values in run.observables.items():
        np.testing.assert_array_equal(stored.observables[name], values)
    np.testing.assert_array_equal(stored.energy, run.energy)
    np.testing.assert_array_equal(stored.states, run.states)
    assert stored.states.dtype == np.uint8
    np.testing.assert_array_equal(stored.state_draws, run.state_draws)
    np.testing.assert_allclose(stored.site_means, run.site_means)
    assert stored.labels == run.model.labels
    assert stored.converged == run.converged
    assert stored.attributes["model"] == run.model.name
    chains, draws = run.energy.shape
    assert repr(stored) == f"<nhot.StoredRun of {run.model.name}: {chains} chains, {draws} draws>"


def test_the_command_line_reads_them(run, program, tmp_path):
    pytest.importorskip("xarray")
    run.to_netcdf(tmp_path / "run.nc")
    said = json.loads(program("diagnose", tmp_path / "run.nc", "--json", ok=True).stdout)
    own = run.summary()["observables"]
    assert said["observables"].keys() == own.keys()
    for name, values in said["observables"].items():
        assert values["mean"] == pytest.approx(own[name]["mean"], rel=1e-9)
        assert values["ess_bulk"] == pytest.approx(own[name]["ess_bulk"], rel=1e-9)
    assert said["observables"]["energy"]["rhat"] == pytest.approx(own["energy"]["rhat"], rel=1e-9)
    program("report", tmp_path / "run.nc", "--out", tmp_path / "run.html", ok=True)
    refused = program("sample", "--resume", tmp_path / "run.nc", "--moves", "10")
    assert refused.returncode == 2 and "no state of the chains" in refused.stderr


def test_files_of_the_command_line(program, tmp_path):
    pytest.importorskip("xarray")
    path = tmp_path / "run.nc"
    program("sample", "ferromagnet:4x4", "-n", "8", "--moves", "200", "--out", path, "--quiet", ok=True)
    stored = nhot.load_run(path)
    model = nhot.ferromagnet(4, 4)
    assert stored.states.shape == (4, len(stored.state_draws), 16) and (stored.states.sum(axis=2) == 8).all()
    np.testing.assert_array_equal(model.energy(stored.states.reshape(-1, 16)).reshape(4, -1),
                                  stored.energy[:, stored.state_draws])
    assert stored.observables["overlap"].shape == (2, stored.energy.shape[1])
    program("sample", "ferromagnet:4x4", "-n", "8", "--moves", "200", "--out", path, "--states", "0", "--force",
            "--quiet", ok=True)
    none = nhot.load_run(path)
    assert none.states.shape == (4, 0, 16) and np.isnan(none.site_means).all()
    np.testing.assert_array_equal(none.energy, stored.energy)


@pytest.mark.parametrize("name, shape, states", [("run_format1.nc", (2, 20), 4), ("sample_format1.nc", (3, 12), 0)])
def test_files_of_earlier_versions(root, name, shape, states):
    pytest.importorskip("xarray")
    stored = nhot.load_run(root / "tests" / "data" / name)
    assert stored.energy.shape == shape and stored.states.shape[1] == states and stored.converged is False


def test_rungs_as_files(tempered, tmp_path):
    pytest.importorskip("xarray")
    tempered.rungs[0].to_netcdf(tmp_path / "hot.nc")
    stored = nhot.load_run(tmp_path / "hot.nc")
    assert stored.attributes["beta"] == 0.1
    np.testing.assert_array_equal(stored.energy, tempered.rungs[0].energy)
    assert stored.converged is None


def test_what_is_no_run_file(tmp_path):
    xarray = pytest.importorskip("xarray")
    (tmp_path / "text.nc").write_text("no draws")
    (tmp_path / "empty.nc").write_text("")
    xarray.Dataset({"x": 1.0}).to_netcdf(tmp_path / "other.nc")
    for name, said in (("text.nc", "is no run file"), ("empty.nc", "is no run file"), ("other.nc", "nhot_format"),
                       ("absent.nc", "there is no file"), (".", "there is no file")):
        with pytest.raises(ValueError, match=said):
            nhot.load_run(tmp_path / name)


def test_a_file_that_cannot_be_written(tmp_path):
    pytest.importorskip("xarray")
    with pytest.raises(OSError):
        RUNS["qubo"]().to_netcdf(tmp_path / "no" / "folder.nc")


# --- figures ----------------------------------------------------------------------------------------------------

@pytest.fixture
def plt():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot

    yield matplotlib.pyplot
    matplotlib.pyplot.close("all")


@pytest.mark.filterwarnings("error")
def test_plot(run, plt, tmp_path):
    figure = run.plot()
    assert run.model.name in figure.get_suptitle()
    image = [axes for axes in figure.axes if axes.images]
    assert len(image) == (len(run.model.shape) == 2 and run.model.kind == "quadratic")
    if image:
        figure.savefig(tmp_path / "run.png", dpi=40)
        assert (tmp_path / "run.png").stat().st_size > 1000
        np.testing.assert_array_equal(image[0].images[0].get_array().ravel(), run.site_means)


@pytest.mark.filterwarnings("error")
def test_plots_of_other_runs(plt, tempered):
    for result in (tempered.rungs[0], RUNS["lattice"](states=0), nhot.sample("field:5", 5, moves=20),
                   nhot.sample("ferromagnet:3x3x3", 9, moves=1, warmup=0, chains=9)):
        assert len(result.plot().axes) >= 4


# --- what is not installed --------------------------------------------------------------------------------------

@pytest.mark.parametrize("module, call", [
    ("xarray", lambda run: run.to_xarray()), ("xarray", lambda run: run.to_netcdf("run.nc")),
    ("arviz", lambda run: run.to_arviz()), ("pandas", lambda run: run.to_pandas()),
    ("matplotlib", lambda run: run.plot()), ("xarray", lambda run: nhot.load_run("run.nc"))])
def test_missing_packages_are_named(monkeypatch, tmp_path, module, call):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(ImportError, match=rf"needs {module}: pip install {module}"):
        call(RUNS["qubo"]())


def test_importing_the_package_imports_numpy_alone(output_of):
    output, _ = output_of("""
import sys, nhot
print([name for name in ("xarray", "arviz", "pandas", "matplotlib", "scipy", "tqdm", "dimod") if name in sys.modules])
""")
    assert output == "[]\n"
