"""kill -9 at random moments, over all drivers and thread counts; kill_runs.py has the long form."""

import re

import pytest

pytest.importorskip("xarray")
pytest.importorskip("netCDF4")

from restart.kill_runs import DRIVERS, Killer  # noqa: E402


def test_twenty_kills(nhot):
    killer = Killer(nhot.path, seed=1)
    assert killer.kill(20, most=3)
    assert killer.kills >= 20 and killer.traces >= len(DRIVERS) and killer.losses == 0


def test_every_command_that_goes_on_is_killed(nhot):
    """A command with --resume that nobody kills here would be promised and not tried."""
    block = nhot("--help", ok=True).stdout.split("Commands:\n")[1].split("\n\n")[0]
    names = re.findall(r"^  (\S+)", block, re.M)
    assert {"sample", "resume"} <= set(names)
    going_on = {name for name in names if "--resume" in nhot(name, "--help", ok=True).stdout.split("Examples:")[0]}
    assert going_on == {driver.split()[0] for driver in DRIVERS}
