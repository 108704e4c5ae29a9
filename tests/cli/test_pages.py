"""The pages of single drivers: states, bars, any numbers, the words of the text, and no scripts."""

import json
import re

import pytest
from page_data import CANVASES, data_of, with_data


@pytest.fixture(scope="module")
def method_pages(nhot, made_once, root):
    """Of every driver but compare and reproduce, the page of a small run, and in a file beside it what the program printed."""
    picnic = root / "examples" / "picnic.edges"
    calls = {
        "anneal": ["anneal", picnic, "-n", 10, "--reads", 16, "--keep", 6],
        "logz": ["logz", "ferromagnet:6x6", "-n", 18, "--beta", 0.4],
        "scan": ["logz", "ferromagnet:4x4", "-n", 8, "--beta", "0.1..0.4/3"],
        "tune": ["tune", "ferromagnet:6x6", "-n", 18, "--beta", 0.4, "--seconds", 1],
        "select": ["select", "data.csv", "--response", "y", "--predictors", 2, "--moves", 2000],
        "sample": ["sample", picnic, "-n", 10, "--beta", 3, "--moves", 3000],
        "temper": ["temper", "spin-glass:3x3x3,seed=2", "-n", 13, "--beta", 1, "--moves", 1500],
    }

    def make(folder):
        rows = [[(7 * i * i + 3 * j * i) % 11 - 5 for j in range(6)] for i in range(30)]
        lines = [",".join(map(str, [*row, 3 * row[1] - 2 * row[4] + i % 3])) for i, row in enumerate(rows)]
        (folder / "data.csv").write_text("a,b,c,d,e,f,y\n" + "\n".join(lines) + "\n")
        for name, words in calls.items():
            stored = name in ("sample", "temper")
            where = ["--out", f"{name}.nc"] if stored else ["--report", f"{name}.html"]
            done = nhot(*words, *where, cwd=folder, ok=True)
            (folder / f"{name}.txt").write_text(done.stdout)
            if stored:
                nhot("report", f"{name}.nc", "-o", f"{name}.html", cwd=folder, ok=True)

    folder = made_once("method-pages", make)
    return {name: folder / f"{name}.html" for name in calls}


# Every chart has been drawn again, at the width that the page has now.
REDRAWN = """() => [...document.querySelectorAll("figure[role=group] > div:nth-child(2)")].every((holder) =>
  Math.abs(holder.querySelector("canvas").getBoundingClientRect().width - Math.max(220, holder.clientWidth)) < 2)"""


@pytest.mark.parametrize("kind", ["anneal", "logz", "scan", "tune", "select", "sample", "temper"])
def test_the_page_of_every_driver_draws_and_fits(method_pages, open_page, kind):
    page = open_page(method_pages[kind], 400, "dark")
    for width, scheme in ((400, "dark"), (1280, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(REDRAWN)
        canvases = page.evaluate(CANVASES)
        assert all(c["inked"] > 400 and c["colours"] > 3 for c in canvases if c["chart"]), canvases
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("figure").count() >= 1
    assert not re.search("NaN|null|undefined|Infinity", page.inner_text("main"))


def parts_of(data):
    return data["runs"][0]["text"] if "runs" in data else data["text"]


@pytest.mark.parametrize("kind", ["anneal", "logz", "scan", "tune", "select", "sample", "temper"])
def test_a_page_has_the_words_and_digits_of_the_text(method_pages, kind):
    """Every key, value, cell and reason of the parts that the text has, too."""
    printed = " ".join(method_pages[kind].with_suffix(".txt").read_text().split())
    own = {"best_states", "contributions"} | ({"observables"} if kind == "select" else set())
    checked = 0
    for name, part in parts_of(data_of(method_pages[kind])).items():
        if name in own:
            continue
        shown = [f"{key} {value}" for key, value in part.get("lines", [])]
        shown += [" ".join(row) for row in part.get("table", [])[:21]]
        shown += part.get("reasons", []) + part.get("sentences", [])
        for text in shown:
            assert " ".join(text.split()) in printed, (name, text)
        checked += len(shown)
    assert checked >= 4


def test_states_by_name_and_all_of_them(method_pages, open_page):
    page = open_page(method_pages["sample"])
    bars = page.locator("figure.bars", has=page.locator("b", has_text="Inclusion"))
    assert bars.locator("tr").count() == 20
    bars.get_by_role("button").focus()
    page.keyboard.press("Enter")
    assert bars.locator("tr").count() == 50
    first = bars.locator("th").first.inner_text()
    best = page.locator("table.data", has=page.locator("th", has_text="ones at")).locator("tbody tr").first.inner_text()
    assert first in best and re.search("[a-z]{3}", first)
    # The graph, by keyboard.
    canvas, slider = page.locator(".gallery canvas").first, page.locator(".gallery input")
    last, said = canvas.evaluate("c => c.toDataURL()"), page.locator(".gallery output").inner_text()
    slider.focus()
    page.keyboard.press("Home")
    assert canvas.evaluate("c => c.toDataURL()") != last and page.locator(".gallery output").inner_text() != said


def test_without_scripts_a_page_has_its_verdict_and_tables(method_pages, browser):
    page = browser.new_page(java_script_enabled=False)
    page.goto(method_pages["temper"].as_uri())
    assert "converged" in page.inner_text(".verdict")
    tables = page.locator("noscript table.data").all_inner_texts()
    assert any("swap rate" in text for text in tables) and any("R-hat" in text for text in tables)
    page.close()


def every_number(data, change):
    """The data with change(number) for every number of the figures."""
    if isinstance(data, dict):
        kept = ("text", "options", "columns", "layout", "summary", "sites", "chains_total", "rounds")
        return {name: value if name in kept else every_number(value, change) for name, value in data.items()}
    if isinstance(data, list):
        return [every_number(value, change) for value in data]
    return change(data) if isinstance(data, (int, float)) and not isinstance(data, bool) else data


@pytest.mark.parametrize("kind, names", [("temper", ["histogram", "ladder", "series"]), ("anneal", ["trajectory"]),
                                         ("logz", ["along", "log_z"]), ("tune", ["last", "surface"])])
def test_any_numbers_can_be_drawn(method_pages, open_page, tmp_path, kind, names):
    data = data_of(method_pages[kind])
    holder = data["runs"][0] if "runs" in data else data
    sizes = iter(range(10**9))
    changes = {"unknown": lambda _: None, "wide": lambda _: 10.0 ** (next(sizes) % 25 - 12)}
    if kind == "temper":
        changes["equal"] = lambda _: 5
    for name, change in changes.items():
        changed = json.loads(json.dumps(data))
        target = changed["runs"][0] if "runs" in changed else changed
        for part in names:
            target[part] = every_number(holder[part], change)
        if "series" in names:
            for observable, was in zip(target["series"], holder["series"], strict=True):
                observable["ranks"]["total"] = was["ranks"]["total"]
                observable["ranks"]["bins"] = was["ranks"]["bins"]
        page = open_page(with_data(method_pages[kind], changed, tmp_path / f"{name}.html"))
        assert not re.search("NaN|undefined|Infinity", page.inner_text("main")), name


def test_a_graph_of_two_thousand_sites(nhot, open_page, tmp_path):
    lines = ["# vartype=SPIN"] + [f"{i} {(i + step) % 2000} 1" for i in range(2000) for step in (1, 40)]
    (tmp_path / "ring.edges").write_text("\n".join(lines) + "\n")
    nhot("sample", "ring.edges", "-n", 300, "--moves", 500, "--out", "run.nc", cwd=tmp_path, ok=True)
    nhot("report", "run.nc", "-o", "page.html", cwd=tmp_path, ok=True)
    page = open_page(tmp_path / "page.html", 400)
    assert data_of(tmp_path / "page.html")["runs"][0]["picture"]["layout"]["kind"] == "graph"
    assert all(c["inked"] > 500 for c in page.evaluate(CANVASES) if not c["chart"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_wide_tables_say_so(method_pages, open_page):
    page = open_page(method_pages["temper"], 400)
    table = page.locator(".wide", has=page.locator("th", has_text="swap rate"))
    assert table.locator(".more").is_visible()
    assert not open_page(method_pages["temper"], 1280).locator(".wide .more").first.is_visible()
