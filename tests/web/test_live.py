"""The live page, opened from file:// in Debian's chromium: it draws what the command line draws, its means are right, and its
controls do what they say. `make web` builds the page and runs this; without build/web there is nothing to test."""

import re
import shlex
import urllib.parse

import netCDF4
import numpy as np
import pytest

# nhot sample ferromagnet:60x60 -n 1800 --beta 0.44052863 --move im:length=10 --moves 3000000 --chains 4 --seed 11
CRITICAL_ENERGY, CRITICAL_ERROR = -4836.2 / 3600, 2.5 / 3600


@pytest.fixture(scope="module")
def live(build_dir):
    path = build_dir / "web" / "index.html"
    if not path.is_file():
        pytest.skip("the page is built by `make web`, with Emscripten")
    return path


@pytest.fixture
def open_live(open_page, live):
    """open_live("model=glass3&T=1", ...) opens the page with these settings in its address."""

    def run(settings="", **keywords):
        return open_page(live, script=f"location.hash = '{settings}';", **keywords)

    return run


def set_pace(page, position):
    page.locator("#pace").fill(str(position))


def wait_for_samplers(page, condition):
    """Until the condition holds of both samplers, each called s."""
    page.wait_for_function(f"() => samplersNow.length === 2 && samplersNow.every((s) => {condition})")


def numbers(page, row):
    return [page.inner_text(f"#{row}{k}") for k in (0, 1)]


def moves_of(page):
    return [int(text.replace(",", "")) for text in numbers(page, "moves")]


def test_the_page_carries_everything_with_it(live):
    html = live.read_text()
    assert "default-src 'none'" in html
    assert not re.search(r"<(link|img|script)[^>]+(src|href)=(?!\"data:)", html)


@pytest.mark.parametrize("settings", ["model=lattice&size=20&seed=3", "model=glass2&size=16&n=100&T=0.9&k=2",
                                      "model=glass3&size=6&k=4&seed=77", "model=crowd&T=0.6", "model=halves&size=60&k=7"])
def test_the_command_shown_draws_the_same(open_live, nhot, tmp_path, settings):
    page = open_live(settings + "&pause=yes")
    set_pace(page, 3)  # a thousand walks a second
    page.click("#run")
    wait_for_samplers(page, "s.draws >= 40")
    page.click("#run")
    link = page.locator("#commandText a")
    if link.count():
        text = urllib.parse.unquote(link.get_attribute("href").split(",", 1)[1])
        (tmp_path / link.get_attribute("download")).write_text(text)
    for sampler, command in enumerate(page.locator(".command > span").all_inner_texts()):
        kept = page.evaluate(f"drawsOf({sampler})")
        thin = int(kept["thin"])
        draws = int(kept["moves"]) // thin  # a slow machine may have let go of the first of them
        assert len(kept["energies"]) >= 40
        words = shlex.split(command)
        assert words[:2] == ["nhot", "sample"] and words[-2] == "--seconds"
        nhot(*words[1:-2], "--moves", draws * thin, "--thin", thin, "--out", f"{sampler}.nc", cwd=tmp_path, ok=True)
        with netCDF4.Dataset(tmp_path / f"{sampler}.nc") as run:
            energies = np.asarray(run["sample_stats"]["energy"])[0]
        assert energies.tolist()[-len(kept["energies"]):] == kept["energies"]


@pytest.mark.parametrize(("temperature", "right"), [("2.27", True), ("2.3154", False)])
def test_the_mean_energy_at_the_critical_temperature(open_live, temperature, right):
    """And a temperature that is 2% off is seen."""
    page = open_live(f"T={temperature}")
    page.wait_for_function("""() => [0, 1].every((k) => {
      const error = Number(document.getElementById(`energy${k}`).textContent.split("±")[1]);
      return error > 0 && error < 0.004;
    })""")
    page.click("#run")
    for text in numbers(page, "energy"):
        mean, error = map(float, text.split("±"))
        distance = abs(mean - CRITICAL_ENERGY) / np.hypot(error, CRITICAL_ERROR)
        assert distance < 5 if right else distance > 5, text


def test_the_knobs(open_live):
    page = open_live("size=20")
    wait_for_samplers(page, "s.moves >= 1000")
    assert page.inner_text("#temperatureText") == "2.27"
    page.focus("#temperature")
    page.keyboard.press("ArrowLeft")
    assert 2.2 < float(page.inner_text("#temperatureText")) < 2.27
    assert f"--beta {page.evaluate('1 / chosen.T')}" in page.inner_text("#commands")
    page.click("#presets button >> nth=0")
    assert page.inner_text("#temperatureText") == "1.6"
    page.focus("#length")
    page.keyboard.press("End")
    assert page.inner_text("#lengthText") == "200"
    page.check("#mixed")
    assert page.inner_text("#lengthText") == "1 to 200"
    assert "--move im:length=1..200" in page.inner_text("#commands")
    page.locator("#ones").fill("50")
    assert page.inner_text("#onesText") == "50 of 400"
    assert page.inner_text("#lengthText") == "1 to 50"  # a walk takes no more sites than there are
    wait_for_samplers(page, "s.moves > 1000")
    page.wait_for_function("() => shown.every((bits) => bits && bits.reduce((sum, bit) => sum + bit, 0) === 50)")
    for model in page.locator("#model option").evaluate_all("options => options.map((o) => o.value)"):
        page.select_option("#model", model)
        for size in page.locator("#size option").evaluate_all("options => options.map((o) => o.value)"):
            page.select_option("#size", size)
            page.wait_for_function("() => shown[1] && shown[1].length === model.sites")
    assert "shown" not in page.inner_text("#lead")


def test_pause_and_start_again(open_live):
    page = open_live("size=20&pause=yes")
    wait_for_samplers(page, "s.moves === 0")
    assert moves_of(page) == [0, 0] and page.inner_text("#run") == "Go on"
    first = page.evaluate("document.getElementById('picture0').toDataURL()")
    page.click("#run")
    wait_for_samplers(page, "s.moves >= 1000")
    page.click("#run")
    assert page.evaluate("drawsOf(0).then(() => 1)") == 1  # answered in order: it has stopped
    stopped = moves_of(page)
    assert page.evaluate("drawsOf(1).then(() => 1)") == 1
    assert moves_of(page) == stopped
    assert page.evaluate("document.getElementById('picture0').toDataURL()") != first
    page.click("#again")
    page.wait_for_function("() => document.getElementById('moves1').textContent === '0'")
    assert page.evaluate("document.getElementById('picture0').toDataURL()") == first


def test_what_is_shared_out_is_equal(open_live):
    """What they have got differs by a slice at most, so in time by little. Each condition is never met in the other mode."""
    page = open_live("size=20")
    close = "s.cpu > 100 && Math.max(...samplersNow.map((t) => t.{0})) < 1.5 * s.{0}"
    wait_for_samplers(page, close.format("cpu"))
    swap, walk = page.evaluate("samplersNow")
    assert swap["moves"] > 3 * walk["moves"]  # a swap costs less than a walk
    page.check("input[value=moves]")
    wait_for_samplers(page, close.format("moves").replace("cpu > 100", "moves > 10000"))
    swap, walk = page.evaluate("samplersNow")
    assert swap["cpu"] < walk["cpu"]


def test_what_the_library_refuses_is_told(open_live):
    page = open_live("size=20")
    wait_for_samplers(page, "s.moves >= 100")
    page.evaluate("""send("start", { model: models.lattice.make(20), distance: 500, beta: 1, seed: 1, moves: ["swap", "swap"],
      round: nextRound() })""")
    page.wait_for_function("() => document.getElementById('lead').textContent.includes('500')")
    assert page.inner_text("#run") == "Go on"
    page.click("#again")
    page.click("#run")
    wait_for_samplers(page, "s.moves >= 100")


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits(open_live, width, scheme):
    page = open_live("size=20", width=width, scheme=scheme)
    page.wait_for_function("() => document.getElementById('tau1').textContent !== '–'")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.querySelector('.scroll').scrollWidth <= document.querySelector('.scroll').clientWidth")
    unnamed = page.evaluate("""() => [...document.querySelectorAll("input, select, button")]
      .filter((e) => !(e.labels && e.labels.length) && !e.textContent.trim() && !e.ariaLabel).map((e) => e.id)""")
    assert unnamed == []
    assert not re.search(r"NaN|undefined|null|Infinity", page.inner_text("main"))
