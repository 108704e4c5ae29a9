"""Fixtures of the Python tests: the program as a user runs it, and a browser for its reports."""

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from terminal import GUARD_SECONDS, OnTerminal

ROOT = Path(__file__).resolve().parents[1]


def pytest_configure(config):
    """Of several workers, each keeps to a core of its own: programs that share cores wait for each other's threads at
    every round, and the whole would take twice as long. And Ctrl-C reaches the programs of the tests, also where the
    tests were started behind a & or nohup, which make children ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker.startswith("gw") and hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(worker[2:]) % len(cores)]})


@pytest.fixture(scope="session")
def root():
    """The top folder of the tree."""
    return ROOT


@pytest.fixture(scope="session")
def build_dir():
    """The build under test: NHOT_BUILD_DIR, or build/."""
    return (ROOT / os.environ.get("NHOT_BUILD_DIR", "build")).resolve()


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """made_once("pages", make): a folder that make(folder) has filled, once for all workers. Who comes second waits for it."""
    above = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        above = above.parent

    def folder_of(name, make):
        folder = above / f"once-{name}"
        with open(above / f"once-{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                try:
                    folder.mkdir()
                    make(folder)
                except BaseException:  # the next one tries again, and says what is wrong
                    shutil.rmtree(folder, ignore_errors=True)
                    raise
        return folder

    return folder_of


@pytest.fixture(scope="session")
def nhot(build_dir):
    """nhot("info", "ferromagnet:4x4", cwd=..., ok=True) runs the program and returns what it did: a
    CompletedProcess with text in stdout and stderr. With ok=True a failure fails the test and shows
    the program's message. Standard input is empty; other keywords go to subprocess.run."""
    binary = (ROOT / os.environ.get("NHOT_BIN", build_dir / "nhot")).resolve()
    if not binary.is_file():
        pytest.fail(f"{binary} is missing; run: make build")

    def run(*arguments, ok=False, timeout=GUARD_SECONDS, **keywords):
        keywords.setdefault("stdin", subprocess.DEVNULL)
        keywords.setdefault("stdout", subprocess.PIPE)
        keywords.setdefault("stderr", subprocess.PIPE)
        done = subprocess.run(
            [str(binary), *map(str, arguments)], text=True, timeout=timeout, **keywords
        )
        if ok and done.returncode != 0:
            pytest.fail(f"{' '.join(map(str, done.args))}\nexit {done.returncode}\n{done.stderr}")
        return done

    run.path = binary
    return run


@pytest.fixture
def on_terminal(nhot):
    """on_terminal("sample", ..., columns=..., cwd=..., NO_COLOR="1") starts the program with standard error on a
    terminal and gives an OnTerminal."""
    started = []

    def start(*arguments, **keywords):
        started.append(OnTerminal([nhot.path, *arguments], **keywords))
        return started[-1]

    yield start
    for running in started:
        running.kill()


@pytest.fixture(scope="session")
def browser():
    """Debian's chromium, driven by playwright. Pages have all the time they need: what waits for a condition gives up
    only after GUARD_SECONDS."""
    playwright = pytest.importorskip("playwright.sync_api")
    executable = shutil.which("chromium")
    if not executable:
        pytest.fail("chromium is missing; run: scripts/install browser")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-gpu"], timeout=1000 * GUARD_SECONDS
        )
        new_page = chromium.new_page

        def patient_page(**keywords):
            page = new_page(**keywords)
            page.set_default_timeout(1000 * GUARD_SECONDS)
            return page

        chromium.new_page = patient_page
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser):
    """A fresh page. A script error on it fails the test."""
    opened = browser.new_page()
    errors = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    opened.close()
    assert not errors, errors


# There are figures, and every chart among them has been drawn at least once.
ALL_DRAWN = """() => {
  const charts = [...document.querySelectorAll("figure[role=group]")];
  return document.querySelector("figure") !== null && charts.every((f) => Number(f.querySelector(".uplot")?.dataset.draws) > 0);
}"""


@contextlib.contextmanager
def opening_pages(browser):
    """Gives open(path, width=..., scheme=..., script=...), which opens a file and waits until its charts are drawn; the
    script runs before those of the page. open.check() fails on script errors, messages on the console and requests to
    anywhere else; so does the end."""
    opened = []
    problems = []

    def run(path, width=1280, scheme="light", script=""):
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        opened.append(page)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text))
        page.on("request", lambda request: request.url == path.as_uri() or problems.append(request.url))
        page.add_init_script("addEventListener('error', () => (window.failed = true));" + script)
        page.goto(path.as_uri())
        page.wait_for_function(f"() => window.failed || ({ALL_DRAWN})()")
        return page

    def check():
        assert not problems, problems

    run.check = check
    yield run
    for page in opened:
        page.close()
    check()


@pytest.fixture
def open_page(browser):
    """open_page(path, ...), as opening_pages gives it, for one test."""
    with opening_pages(browser) as run:
        yield run


@pytest.fixture(scope="module")
def open_page_of_module(browser):
    """The same for pages that the tests of a file share."""
    with opening_pages(browser) as run:
        yield run
