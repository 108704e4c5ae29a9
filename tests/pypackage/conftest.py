"""Fixtures of the tests of the Python package."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
from terminal import GUARD_SECONDS


@pytest.fixture(scope="session")
def program(nhot):
    """The command line, under a name that leaves ``nhot`` to the package."""
    return nhot


@pytest.fixture
def script(tmp_path):
    """script(text) starts Python on a text of its own, with pipes for its streams, in an empty folder."""
    started = []

    def start(text):
        started.append(subprocess.Popen([sys.executable, "-u", "-c", text], cwd=tmp_path, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def output_of(script):
    """output_of(text) runs a text to its end: what it printed. A failure fails the test."""

    def run(text):
        process = script(text)
        output, errors = process.communicate(timeout=GUARD_SECONDS)
        assert process.returncode == 0, errors
        return output, errors

    return run


@pytest.fixture(scope="session")
def shell_states():
    """shell_states(sites, ones): every state with so many ones, as rows."""

    def states(sites, ones):
        rows = np.zeros((len(list(itertools.combinations(range(sites), ones))), sites), dtype=np.uint8)
        for row, chosen in zip(rows, itertools.combinations(range(sites), ones)):
            row[list(chosen)] = 1
        return rows

    return states
