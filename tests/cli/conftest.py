"""Fixtures of the tests of the command line."""

import pytest


@pytest.fixture(scope="session")
def small_reproduction(nhot, made_once):
    """A folder with the experiments at a five-hundredth of the moves, in all/, and what the program printed."""

    def make(folder):
        done = nhot("reproduce", "all", "--out", folder / "all", "--trials", 3, "--scale", 0.002, ok=True)
        (folder / "stdout.txt").write_text(done.stdout)

    return made_once("reproduction", make)
