"""scripts/install: what it says and does about packages, without touching the system."""

import os
import subprocess

import pytest


@pytest.fixture
def install(root, tmp_path):
    """install(table, words...) runs the script with that table of dependencies, installing nothing."""

    def run(table, *words):
        listing = tmp_path / "dependencies.txt"
        listing.write_text(table)
        changes = {
            "NHOT_DEPENDENCIES": str(listing),
            "NHOT_NO_INSTALL": "1",
            "NHOT_VENV": str(tmp_path / "venv"),
        }
        return subprocess.run(
            [root / "scripts" / "install", *words],
            env=os.environ | changes,
            capture_output=True,
            text=True,
        )

    return run


def test_silent_when_nothing_is_missing(install):
    done = install("build debian bash the shell\n", "build")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_names_what_is_missing_with_the_reason(install):
    table = "build debian bash the shell\nbuild debian no-such-package-x because of a test\n"
    done = install(table, "build")
    assert done.returncode == 3
    assert "no-such-package-x" in done.stdout and "because of a test" in done.stdout
    assert "bash" not in done.stdout
    assert "apt-get install --no-install-recommends no-such-package-x" in done.stderr


def test_only_the_named_groups_count(install):
    table = "build debian bash the shell\ntest debian no-such-package-x because of a test\n"
    assert install(table, "build").returncode == 0


def test_an_unknown_group_is_refused(install):
    done = install("build debian bash the shell\n", "biuld")
    assert done.returncode == 2
    assert "unknown group 'biuld'; known: build" in done.stderr


def test_every_dependency_has_a_reason_and_every_fetched_package_a_version(root):
    rows = [
        line.split(maxsplit=3)
        for line in (root / "dependencies.txt").read_text().splitlines()
        if line.strip() and not line.startswith("#")
    ]
    assert all(len(row) == 4 and row[1] in ("debian", "npm", "pypi") for row in rows)
    assert all("@" in row[2] for row in rows if row[1] == "npm")
    pinned = dict(row[2].split("==") for row in rows if row[1] == "pypi")
    constraints = dict(
        line.split("==")
        for line in (root / "constraints.txt").read_text().splitlines()
        if not line.startswith("#")
    )
    assert pinned.items() <= constraints.items()
