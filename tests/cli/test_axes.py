"""The axes of charts in a browser: ticks that can be read, and not too many of them, for any data."""

import json
import math
import re

import pytest

# Texts that each canvas shows, with their places: everything since it was last cleared.
RECORD_TEXTS = """
const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const { a, e } = this.getTransform();
  (this.canvas.texts ??= []).push({ text, align: this.textAlign, x: a * x + e, width: this.measureText(text).width });
  return fillText.apply(this, arguments);
};
CanvasRenderingContext2D.prototype.clearRect = function () {
  this.canvas.texts = [];
  return clearRect.apply(this, arguments);
};
"""
DATA = re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', re.S)
SECONDS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
FACTORS = {"k": 1e3, "M": 1e6}


def powers(low, high, count=60):
    return [low * (high / low) ** (k / (count - 1)) for k in range(count)]


def read(text):
    """The number that a tick's text stands for, in seconds where it has a unit of time."""
    number, *words = text.replace("\N{MIDDLE DOT}", "*").split(" ")
    power = 0
    if raised := re.search("[⁰¹²³⁴-⁹⁻]+$", number):
        power = int(raised[0].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")))
        number = number[: raised.start()].removesuffix("10").removesuffix("*") or "1"
    value = float(number.replace(",", "").replace("-*", "-")) * 10.0**power
    for word in words:
        value *= (SECONDS | FACTORS)[word]
    return value


@pytest.fixture(scope="module")
def compared(nhot, tmp_path_factory):
    """A page of nhot compare."""
    folder = tmp_path_factory.mktemp("axes")
    nhot("compare", "ferromagnet:6x6", "-n", 18, "--beta", 0.3, "--moves", 400, "--move", "swap", "--move",
         "im:length=1..4", "--report", "page.html", cwd=folder, ok=True)
    return folder / "page.html"


@pytest.fixture(scope="module")
def empty_page(compared, open_page_of_module):
    """A page for draw to fill."""
    return open_page_of_module(compared, script=RECORD_TEXTS)


@pytest.fixture
def draw(empty_page, open_page_of_module):
    """draw([spec, ...]) shows these charts on a page, instead of those before, and gives what each of them shows."""
    page = empty_page

    def run(specs):
        page.evaluate(
            """(specs) => {
              document.getElementById("page").replaceChildren(grid(2, ...specs.map((spec) => chart({
                title: "Title", xLabel: "horizontal", yLabel: "upright", ...spec }))));
            }""", specs)
        page.wait_for_function(
            """(count) => {
              const plots = [...document.querySelectorAll(".uplot")];
              return plots.length === count && plots.every((plot) => plot.dataset.draws > 0);
            }""", arg=len(specs))
        return page.evaluate("""() => [...document.querySelectorAll(".uplot canvas")].map((canvas) => {
          const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
          const wanted = colour(0).match(/[0-9a-f]{2}/gi).map((hex) => parseInt(hex, 16));
          let inked = 0;
          for (let i = 0; i < pixels.length; i += 4)
            if (pixels[i + 3] > 200 && wanted.every((value, k) => Math.abs(pixels[i + k] - value) < 8)) inked++;
          const button = canvas.closest("figure").querySelector("button");
          return { inked, texts: canvas.texts, log: button ? button.getAttribute("aria-pressed") === "true" : null };
        })""")

    run.page = page
    yield run
    open_page_of_module.check()


def line(x, y=None, **others):
    y = [math.sin(k) for k in range(len(x))] if y is None else y
    return {"x": x, "xLog": "first", "xTime": True, "series": [{"label": "line", "y": y, "colour": 0}], **others}


def x_ticks(drawn):
    return [t for t in drawn["texts"] if t["align"] == "center" and t["text"] and
            t["text"] not in ("horizontal", "upright", "no data") and not t["text"].startswith("horizontal (")]


def check_ticks(drawn, low, high):
    """Ticks within the range, in order, with texts that differ and do not touch."""
    ticks = x_ticks(drawn)
    assert 2 <= len(ticks) <= 12, ticks
    values = [read(t["text"]) for t in ticks]
    assert values == sorted(set(values)), values
    assert low * (1 - 1e-3) <= values[0] and values[-1] <= high * (1 + 1e-3), (values, low, high)
    for a, b in zip(ticks, ticks[1:], strict=False):
        assert a["x"] + a["width"] / 2 < b["x"] - b["width"] / 2, (a, b)


@pytest.mark.parametrize("time", [True, False])
def test_every_range_from_a_fraction_of_a_decade_to_24_of_them(draw, time):
    ranges = [(10.0**low, 10.0**high) for low in range(-12, 12, 4) for high in range(low + 1, 13, 4)]
    ranges += [(9.79e-6, 0.2), (1e-12, 1e12), (3.1e-5, 4.2e-5), (0.99, 1.01), (5.0, 5.000001), (2e11, 9e11), (7e-9, 8e-2)]
    shown = draw([line(powers(low, high), xTime=time) for low, high in ranges])
    for (low, high), drawn in zip(ranges, shown, strict=True):
        assert drawn["log"] is True
        assert drawn["inked"] > 100, (low, high)
        check_ticks(drawn, low, high)


def test_ticks_are_powers_of_ten_or_one_two_five(draw):
    wide, narrow, part = draw([line(powers(1e-6, 1)), line(powers(1e-3, 1e-2)), line(powers(3.1e-5, 4.2e-5))])
    assert [t["text"] for t in x_ticks(wide)] == ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"]
    assert [t["text"] for t in x_ticks(narrow)] == ["1 ms", "2 ms", "5 ms", "10 ms"]
    assert [t["text"] for t in x_ticks(part)] == ["32 µs", "34 µs", "36 µs", "38 µs", "40 µs", "42 µs"]


def test_numbers_without_a_unit(draw):
    wide, few = draw([line(powers(1e-12, 1e12), xTime=False), line(powers(1, 1e5), xTime=False)])
    assert [t["text"] for t in x_ticks(wide)][::2] == ["10⁻¹²", "1", "10¹²"]
    assert [t["text"] for t in x_ticks(few)] == ["1", "10", "100", "1,000", "10 k", "100 k"]


def test_one_point_and_equal_points(draw):
    one, equal = draw([line([3e-4], [2.5]), line([5.0] * 8)])
    check_ticks(one, 3e-5, 3e-3)
    check_ticks(equal, 0.5, 50)
    assert one["inked"] > 10 and equal["inked"] > 50


def test_nothing_to_draw_is_said(draw):
    for drawn in draw([line([]), line([None, None], [1, 2]), line([1e-5, 1e-3], [None, None]), line([1e-3], [None])]):
        assert "no data" in [t["text"] for t in drawn["texts"]]
        assert len(x_ticks(drawn)) >= 2 and drawn["inked"] < 20


def test_what_is_not_a_positive_number_is_left_out(draw):
    some, none, holes = draw([
        line([-1.0, 0.0, 1e-3, 1e-2, 1.0]), line([-2.0, -1.0, 0.0]),
        line([None, 1e-5, 1e-4, None, 1e-3, 1e-2], [1, None, 2, 3, 4, None])])
    check_ticks(some, 1e-3, 1)
    assert some["inked"] > 100
    # Nothing right of zero: an even axis, and no button for another.
    assert none["log"] is None and none["inked"] > 100
    check_ticks(holes, 1e-5, 1e-2)
    assert holes["inked"] > 50


def test_not_a_number_in_the_page(draw):
    """JSON has no NaN, but ratios made on the page can be."""
    draw.page.evaluate("""() => document.getElementById("page").replaceChildren(chart({
      title: "Title", xLabel: "horizontal", yLabel: "upright", xLog: "first", xTime: true, rules: [{ value: NaN }],
      x: [NaN, 1e-5, Infinity, 1e-3, 1], series: [{ label: "line", y: [1, 2, 3, NaN, -Infinity], sd: [NaN, 1, 1, 1, 1], colour: 0 }] }))""")
    draw.page.wait_for_function("() => document.querySelector('.uplot')?.dataset.draws > 0")


@pytest.mark.parametrize(
    "y", [[1e302 * (k - 3) for k in range(9)], [1e-300 * k for k in range(9)], [-4838 * (1 + 1e-15 * (k % 3)) for k in range(9)],
          [-4838.25] * 9, [0.0] * 9, [1.7e308, -1.7e308] + [1.0] * 7])
def test_upright_axes_of_any_size(draw, y):
    [drawn] = draw([line(powers(1e-3, 1, 9), y)])
    ticks = [t["text"] for t in drawn["texts"] if t["align"] == "right"]
    assert 2 <= len(ticks) <= 10
    assert len(set(ticks)) == len(ticks)


def test_ticks_are_bounded_finite_and_in_order(draw):
    """The function behind all log axes, over ranges of every place and width."""
    wrong = draw.page.evaluate("""() => {
      const wrong = [];
      for (let low = -307; low < 300; low += 3.7)
        for (const width of [1e-6, 1e-4, 0.01, 0.3, 0.9, 1, 1.5, 3, 5, 8, 24, 100, 600])
          for (const most of [2, 3, 7, 20]) {
            const ticks = logTicks(low, Math.min(low + width, 307.9), most);
            const fine = ticks.length >= (width < 1 ? 1 : 0) && ticks.length <= mostTicks &&
              ticks.every((t, k) => Number.isFinite(t.at) && Number.isFinite(t.value) && (k === 0 || t.at > ticks[k - 1].at) &&
                t.at >= low - 1e-6 && t.at <= low + width + 1e-6 && Math.abs(Math.log10(t.value) - t.at) < 1e-6);
            if (!fine) wrong.push({ low, width, most, ticks: ticks.slice(0, 5) });
          }
      return wrong.slice(0, 5);
    }""")
    assert not wrong


@pytest.mark.parametrize("first, decades", [(1e-12, 0), (1e-12, 24), (9.79e-6, 0.1), (9.79e-6, 4.31), (9.79e-6, 24), (1e-3, 4.31),
                                            (1.0, 0), (1e5, 0.1), (1e5, 24)])
def test_a_page_with_times_of_any_size(compared, open_page, tmp_path, first, decades):
    """The energy chart once made no end of ticks when the first draw came at 9.79e-06 s."""
    before, text, after = DATA.search(compared.read_text()).groups()
    data = json.loads(text)
    [experiment] = data["experiments"].values()
    for name in ("time_seconds", "lag_seconds"):
        count = len(experiment[name])
        experiment[name] = [first * 10 ** (decades * k / max(1, count - 1)) for k in range(count)]
    changed = tmp_path / "page.html"
    changed.write_text(DATA.sub(lambda _: before + json.dumps(data) + after, compared.read_text(), count=1))
    page = open_page(changed, script=RECORD_TEXTS)
    texts = page.evaluate("[...document.querySelectorAll('figure')].find((f) => f.textContent.includes('against CPU time'))"
                          ".querySelector('canvas').texts")
    ticks = [t["text"] for t in texts if t["align"] == "center" and t["text"] and t["text"][0].isdigit()]
    assert 2 <= len(ticks) <= 12 and len(set(ticks)) == len(ticks)
    assert all(re.search(" (ns|µs|ms|s)$", text) for text in ticks), ticks
