"""Several values of beta or n in one command: every point is the run of it alone."""

import json

import netCDF4
import numpy
import pytest

TIMES = {"seconds", "cpu_seconds", "move_share", "ns_per_step", "ns_per_move", "tau_seconds", "ess_per_second", "notes"}


def without_times(facts):
    if isinstance(facts, dict):
        return {key: without_times(value) for key, value in facts.items() if key not in TIMES}
    return facts


def scanned(nhot, *words, **more):
    return json.loads(nhot(*words, "--json", ok=True, **more).stdout)


def test_points_are_single_runs(nhot, tmp_path):
    words = ["sample", "field:20,seed=3", "--moves", "2000", "--seed", "5"]
    scan = scanned(nhot, *words, "-n", "5,8", "--beta", "0.5..1/2", "--out", "scan.nc", cwd=tmp_path)
    points = scan["points"]
    assert [(p["distance"], p["beta"]) for p in points] == [(5, 0.5), (5, 1), (8, 0.5), (8, 1)]
    assert len({p["seed"] for p in points}) == 4
    for point in points[1:3]:
        alone = scanned(nhot, *words[:-1], str(point["seed"]), "-n", str(point["distance"]), "--beta", str(point["beta"]))
        assert without_times(alone) == without_times(point)
    # A point does not depend on the others.
    assert without_times(scanned(nhot, *words, "-n", "8", "--beta", "1,2")["points"][0]) == without_times(points[3])

    with netCDF4.Dataset(tmp_path / "scan.nc") as file:
        assert list(file["beta"][:]) == [0.5, 1, 0.5, 1] and list(file["distance"][:]) == [5, 5, 8, 8]
        assert list(file["seed"][:]) == [p["seed"] for p in points]
        assert file["energy_mean"][2] == pytest.approx(points[2]["observables"]["energy"]["mean"])
        energies = numpy.ma.filled(file["sample_stats"]["energy"][:], numpy.nan)
        assert energies.shape[0] == 4 and numpy.nanmean(energies[3]) == pytest.approx(file["energy_mean"][3])
        assert file["site_mean"].shape == (4, 20) and list(file["site_mean"][:].sum(1)) == pytest.approx([5, 5, 8, 8])
    assert nhot("report", "scan.nc", "-o", "scan.html", cwd=tmp_path, ok=True).stdout == "report: scan.html\n"
    page = (tmp_path / "scan.html").read_text()
    assert '"kind":"scan"' in page and str(points[0]["seed"]) in page


def test_one_table(nhot):
    text = nhot("sample", "field:20", "-n", "5", "--beta", "0.5,1", "--moves", "500", "-q", ok=True).stdout
    head, *rows = [line.split() for line in text.splitlines()[2:]]
    assert head[:2] == ["beta", "n"] and head[-1] == "seed" and [row[:2] for row in rows] == [["0.5", "5"], ["1", "5"]]


def test_logz_and_temper(nhot):
    scan = scanned(nhot, "logz", "field:12", "-n", "3,4", "--beta", "0,0.5")
    assert scan["points"][0]["log_z"] == pytest.approx(numpy.log(220)) and len(scan["points"]) == 4
    tempered = scanned(nhot, "temper", "field:12", "-n", "3,4", "--betas", "0.1,0.7", "--moves", "200")
    assert [p["beta"] for p in tempered["points"]] == [0.7, 0.7] and "rows" in tempered["points"][0]


@pytest.mark.parametrize("words, said", [
    (["sample", "field:12", "-n", "3,99"], "99"),
    (["temper", "field:12", "-n", "3..5"], "number of points"),
    (["sample", "field:12", "-n", "3", "--beta", "1,1"], "twice"),
    (["sample", "field:12", "-n", "3,4", "--resume", "r.nc"], "no scan that was stopped"),
    (["sample", "field:12", "-n", "3,4", "--states-out", "s.csv"], "not for a scan"),
    (["sample", "field:12", "-n", "3,4", "--out", "there.nc"], "exists"),
    (["temper", "field:12", "-n", "3", "--beta", "1,2"], "no scan over several"),
    (["compare", "field:12", "-n", "3,4"], "no scan over several"),
])
def test_what_cannot_be_scanned(nhot, tmp_path, words, said):
    (tmp_path / "there.nc").write_text("mine")
    done = nhot(*words, "--seconds", "600", cwd=tmp_path)
    assert done.returncode == 2 and said in done.stderr
    assert done.stdout == "" and (tmp_path / "there.nc").read_text() == "mine"
