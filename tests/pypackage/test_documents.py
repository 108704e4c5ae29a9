"""What the documents show runs and prints what they say, and the types say what the options say."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def script(name):
    """A script of scripts/ as a module."""
    spec = importlib.util.spec_from_file_location(Path(name).stem, ROOT / "scripts" / name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


examples = script("examples.py")


@pytest.mark.parametrize("page", examples.pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_print_what_is_shown(program, page):
    problems, _ = examples.run_page(page, program.path)
    assert not problems, problems[0]


@pytest.mark.parametrize("shown, printed, equal", [
    ("mean  1.25", "mean  1.25", True),
    ("mean  1.25", "mean  1.26", False),
    ("time    0.3 s, 61.9 ns per step", "time   1 s, 2 ns per step", True),
    ("in 2.3 s\nmore", "in 11 s\nmore", True),
    ("a  ESS/s  R-hat\nb  12  1.01", "a  ESS/s  R-hat\nb    345  1.01", True),
    ("a  ESS/s  R-hat\nb  12  1.01", "a  ESS/s  R-hat\nb  12  1.02", False),
    ("first\n...\nlast", "first\nsecond\nthird\nlast", True),
    ("first\n...\nlast", "first\nsecond", False),
])
def test_only_times_may_differ(shown, printed, equal):
    assert examples.same(shown, printed) is equal


@pytest.mark.parametrize("printed, equal", [("swap  9  1.5  no\nbest: swap", True), ("im  9  1.5  no\nbest: swap", False)])
def test_of_a_timed_example_words_are_compared(printed, equal):
    assert examples.same("swap  8  1.4  yes\nbest: swap", printed, timed=True) is equal


@pytest.mark.parametrize("text, message", [
    ("<!-- example -->\n```sh\necho 2\n```\n\n```text\n1\n```\n<!-- /example -->\n", "prints\n\n2"),
    ("<!-- example -->\n```python\nprint(1 / 0)\n```\n<!-- /example -->\n", "ZeroDivisionError"),
    ("<!-- example -->\n```sh\nnhot sample\n```\n<!-- /example -->\n", "exit 2"),
    ("<!-- example, lnog -->\n```sh\necho\n```\n<!-- /example -->\n", "known: long, timed"),
])
def test_an_example_that_is_not_true_is_noticed(program, tmp_path, text, message):
    page = tmp_path / "page.md"
    page.write_text(text)
    problems, _ = examples.run_page(page, program.path)
    assert len(problems) == 1 and message in problems[0]


def test_quoted_tables_are_those_of_the_measurements(root):
    done = subprocess.run([sys.executable, root / "scripts" / "quotes.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_python_reference_has_every_name():
    import nhot

    pages = script("site/reference_python.py").pages()
    text = "\n".join(pages.values())
    assert [name for name in nhot.__all__ if f"\n## {name}\n" not in text] == []
    assert "moves: int | None = None" in pages["drivers"] and "| `converged` |" in pages["results"]
    assert "### NhotSampler.sample_cqm" in pages["dimod"]


def test_the_stub_has_every_option(root):
    done = subprocess.run([sys.executable, root / "scripts" / "stubs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_types_are_shipped():
    import nhot

    folder = os.path.dirname(nhot.__file__)
    assert {"py.typed", "drivers.pyi", "_core.pyi"} <= set(os.listdir(folder))
    assert "site-packages" in folder, "the tests are to see the installed wheel"
