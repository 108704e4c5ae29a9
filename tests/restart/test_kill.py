"""kill -9 at random moments, over all drivers and thread counts; kill_runs.py has the long form."""

import pytest

pytest.importorskip("xarray")
pytest.importorskip("netCDF4")

from restart.kill_runs import DRIVERS, Killer  # noqa: E402


def test_twenty_kills(nhot):
    killer = Killer(nhot.path, seed=1)
    assert killer.kill(20, most=3)
    assert killer.kills >= 20 and killer.traces >= len(DRIVERS) and killer.losses == 0
