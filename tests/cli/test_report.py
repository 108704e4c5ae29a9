"""The pages of nhot, opened in a browser: they draw, they ask the network for nothing, they fit."""

import json
import re
import shlex

import pytest
from page_data import CANVASES, data_of, with_data


@pytest.fixture(scope="module")
def pages(nhot, made_once, small_reproduction):
    """One page of every kind."""

    def make(folder):
        def run(*words):
            nhot(*words, cwd=folder, ok=True)

        run("sample", "ferromagnet:12x12", "-n", 72, "--beta", 0.4, "--move", "im:length=1..6", "--moves", 3000,
            "--chains", 12, "--out", "lattice.nc")
        run("sample", "rbm:36x20,seed=1", "-n", 18, "--move", "swap", "--moves", 5000, "--chains", 2, "--out", "rbm.nc")
        run("sample", "spin-glass:4x4x4,seed=1", "-n", 32, "--moves", 2000, "--chains", 1, "--out", "cube.nc")
        run("report", "lattice.nc", "rbm.nc", "cube.nc", "-o", "runs.html")
        run("compare", "spin-glass:4x4x4,seed=1", "-n", 32, "--seconds", 0.2, "--move", "swap",
            "--move", "im:length=1..4", "--report", "compare.html")

    folder = made_once("pages", make)
    return {
        "runs": folder / "runs.html",
        "compare": folder / "compare.html",
        "reproduce": small_reproduction / "all" / "report.html",
    }


@pytest.mark.parametrize("kind", ["runs", "compare", "reproduce"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_figure_is_drawn_and_the_page_fits(pages, open_page, kind, width, scheme):
    page = open_page(pages[kind], width, scheme)
    canvases = page.evaluate(CANVASES)
    charts = [c for c in canvases if c["chart"]]
    assert len(charts) >= {"runs": 20, "compare": 6, "reproduce": 20}[kind]
    assert all(c["inked"] > 500 and c["colours"] > 3 for c in charts), charts
    assert all(c["colours"] >= 2 for c in canvases if not c["chart"])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(map(int, re.findall(r"\d+", background)[:3])) > 3 * 128
    assert light == (scheme == "light")


def test_a_file_of_its_own(pages):
    for path in pages.values():
        text = path.read_text()
        assert path.stat().st_size < 3_000_000
        assert "default-src 'none'" in text
        assert not re.search(r"<(script|link|img)[^>]+(src|href)=[\"']?(https?:)?//", text)


def test_hover_shows_values_and_dragging_zooms(pages, open_page):
    page = open_page(pages["runs"])
    figure = page.locator("figure", has=page.locator("b", has_text="Autocorrelation")).first
    figure.scroll_into_view_if_needed()
    value = figure.locator(".u-legend .u-value").last
    assert value.inner_text() == ""
    plot = figure.locator(".u-over")
    canvas = figure.locator("canvas")

    def until(condition, argument=None):
        page.wait_for_function(condition, arg=[figure.element_handle(), argument])

    ink = "c => c.toDataURL()"
    before = canvas.evaluate(ink)
    box = plot.bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.5 * box["height"])
    until("([f]) => /^-?[\\d.,e-]+$/.test([...f.querySelectorAll('.u-value')].at(-1).textContent)")

    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"], steps=4)
    page.mouse.up()
    until("([f, ink]) => f.querySelector('canvas').toDataURL() !== ink", before)
    plot.dblclick()
    until("([f, ink]) => f.querySelector('canvas').toDataURL() === ink", before)


def test_the_log_axis_can_be_switched(pages, open_page):
    page = open_page(pages["reproduce"])
    figure = page.locator("figure", has=page.locator("b", has_text="Energy against CPU time")).first
    button = figure.locator("button", has_text="log axis")
    assert button.get_attribute("aria-pressed") == "true"
    before = figure.locator("canvas").first.evaluate("c => c.toDataURL()")
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    page.wait_for_function(
        "([f, ink]) => f.querySelector('.uplot')?.dataset.draws > 0 && f.querySelector('canvas').toDataURL() !== ink",
        arg=[figure.element_handle(), before],
    )


@pytest.fixture(scope="module")
def answered(nhot, made_once):
    """A reproduction whose reference converges: its page, and the data in it."""
    words = ("--model", "ferromagnet:4x4", "--scale", 0.1, "--trials", 3, "--out", "one")
    folder = made_once("answered", lambda folder: nhot("reproduce", "ferromagnet", *words, cwd=folder, ok=True))
    page = folder / "one" / "report.html"
    return page, data_of(page)


def test_the_true_mean_is_a_line_and_a_column(answered, open_page, tmp_path):
    path, data = answered
    energy = "[...document.querySelectorAll('figure')].find((f) => f.textContent.includes('Energy against'))"
    shown = []
    for converged in (True, False):
        data["experiments"]["ferromagnet"]["reference"]["converged"] = converged
        page = open_page(with_data(path, data, tmp_path / f"{converged}.html"))
        shown.append((page.inner_text("table.data >> nth=0"), page.evaluate(energy + ".textContent"),
                      page.evaluate(energy + ".querySelector('canvas').toDataURL()")))
    data["experiments"]["ferromagnet"]["reference"]["converged"] = True
    with_line, without = shown
    assert "off by" in with_line[0] and "in errors" in with_line[0]
    assert "grey line is the true mean" in with_line[1]
    assert "no line for the true mean" in without[1]
    assert with_line[2] != without[2]


def test_the_table_has_the_distance_from_a_true_mean_that_is_known(small_reproduction):
    experiments = data_of(small_reproduction / "all" / "report.html")["experiments"].values()
    for experiment in experiments:
        heads = experiment["text"]["samplers"]["table"][0]
        assert ("off by" in heads) == experiment["reference"]["converged"]


def test_what_is_unknown_is_a_dash(nhot, open_page, tmp_path):
    """One draw of one chain has no autocorrelation time, no effective draws and no R-hat."""
    nhot("sample", "field:3,seed=1", "-n", 1, "--moves", 1, "--warmup", 0, "--chains", 1, "--out", "run.nc", cwd=tmp_path, ok=True)
    nhot("report", "run.nc", "-o", "page.html", cwd=tmp_path, ok=True)
    page = open_page(tmp_path / "page.html")
    page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    heads = page.locator("table.data >> nth=0").locator("th").all_inner_texts()
    cells = page.locator("table.data >> nth=0").locator("tbody td").all_inner_texts()
    said = dict(zip(heads, cells, strict=True))
    for name in ("tau (moves)", "ESS bulk", "ESS tail", "ESS/s", "R‑hat"):
        assert said[name] == "–", (name, said)
    assert not re.search("NaN|null|undefined|Infinity", page.inner_text("main"))


def test_the_slider_walks_through_the_states(pages, open_page):
    page = open_page(pages["runs"])
    slider = page.locator(".gallery input").first
    canvas = page.locator(".gallery canvas").first
    last = canvas.evaluate("c => c.toDataURL()")
    slider.fill("0")
    assert canvas.evaluate("c => c.toDataURL()") != last
    assert "moves" in page.locator("label.slider output").first.inner_text()


def test_printing_is_light_and_leaves_the_page_as_it_was(pages, open_page):
    page = open_page(pages["reproduce"], scheme="dark")
    before = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper')")
    assert len(page.pdf()) > 20_000
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper')") == before


def test_the_command_of_a_page_makes_the_same_draws(nhot, pages, tmp_path):
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', pages["runs"].read_text())[1]
    for run in json.loads(data)["runs"]:
        words = run["command"].split()
        assert words[0] == "nhot"
        again = json.loads(nhot(*words[1:], "--json", cwd=tmp_path, ok=True).stdout)
        assert again["observables"]["energy"]["mean"] == run["observables"]["energy"]["mean"]


@pytest.mark.parametrize(
    "words",
    [
        ["--move", "swap", "--moves", 5999],  # three moves between exchanges of 6000, two of 5999
        ["--betas", "0,0.2,0.5", "--isocluster", "--moves", 3000, "--thin", 30, "--seed", 5, "--chains", 2],
        ["--beta-hot", 0.1, "--rungs", 4, "--moves", 3000, "--warmup", 500, "--trace", "all", "--states", 7],
    ],
)
def test_the_page_of_a_tempering_run_shows_its_own_command(nhot, tmp_path, words):
    nhot("temper", "spin-glass:3x3x3,seed=2", "-n", 13, "--beta", 0.7, *words, "--out", "run.nc", cwd=tmp_path, ok=True)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert len(files) == (4 if "all" in words else 1)
    nhot("report", *files, "-o", "page.html", cwd=tmp_path, ok=True)
    for run in data_of(tmp_path / "page.html")["runs"]:
        command = shlex.split(run["command"])
        assert command[:3] == ["nhot", "temper", "spin-glass:3x3x3,seed=2"]
        again = json.loads(nhot(*command[1:], "--json", cwd=tmp_path, ok=True).stdout)
        [row] = [row for row in again["rows"] if row["beta"] == run["beta"]]
        for name, numbers in row["observables"].items():
            assert numbers["mean"] == run["observables"][name]["mean"], name


def test_no_text_of_a_page_has_numbers_with_many_digits(nhot, pages, open_page, tmp_path):
    nhot("sample", "field:40,seed=3", "-n", 13, "--beta", 1 / 2.27, "--moves", 500, "--seed", 123456789012, "--out", "run.nc",
         cwd=tmp_path, ok=True)
    nhot("report", "run.nc", "-o", "page.html", cwd=tmp_path, ok=True)
    for path in [tmp_path / "page.html", *pages.values()]:
        page = open_page(path)
        page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
        page.evaluate("document.querySelectorAll('.command').forEach((c) => c.remove())")
        text = page.inner_text("main")
        long = [n for n in re.findall(r"\d[\d,]*\.\d+", text) if len(re.sub(r"\D", "", n)) > 12]
        assert not long, long


def test_the_figures_agree_with_the_file(pages):
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', pages["runs"].read_text())[1]
    lattice = json.loads(data)["runs"][0]
    energy = lattice["series"][0]
    assert energy["autocorrelation"]["mean"][0] == 1
    assert len(energy["trace"]["chains"]) == 10 and energy["ranks"]["total"] == 12
    for counts in energy["ranks"]["chains"]:
        assert sum(counts) == pytest.approx(energy["ranks"]["draws"], rel=1e-3)
    assert energy["ess_growth"]["bulk"][-1] == pytest.approx(energy["summary"]["ess_bulk"], rel=1e-4)
    tried = sum(row[2] for row in lattice["acceptance_by_length"])
    assert tried == lattice["draws"] * lattice["chains"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "no run file"),
        (["run.nc"], "-o FILE.html"),
        (["no-such-file.nc", "-o", "page.html"], "no-such-file.nc"),
    ],
)
def test_bad_input(nhot, tmp_path, words, said):
    done = nhot("report", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert not list(tmp_path.iterdir())


def test_diagnose_draws_text(nhot, tmp_path):
    nhot("sample", "ferromagnet:12x12", "-n", 72, "--beta", 0.4, "--move", "im:length=1..6", "--moves", 3000,
         "--out", "run.nc", cwd=tmp_path, ok=True)
    text = nhot("diagnose", "run.nc", cwd=tmp_path, ok=True, env={"LANG": "C.UTF-8"}).stdout
    for words in ("trace", "ranks", "autocorrelation", "effective draws", "acceptance by walk length", "█"):
        assert words in text
    plain = nhot("diagnose", "run.nc", cwd=tmp_path, ok=True, env={"LANG": "C"}).stdout
    assert plain.isascii() and "autocorrelation" in plain
    assert "autocorrelation  " not in nhot("diagnose", "run.nc", "-q", cwd=tmp_path, ok=True).stdout
