"""Programs under mpirun: as root, with more ranks than cores, and without a network."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from terminal import GUARD_SECONDS

ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl": "self,vader",  # shared memory
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",  # which containers may forbid
    "OMPI_MCA_mpi_yield_when_idle": "1",  # ranks that share a core leave it to each other
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_orte_tmpdir_base": "/tmp",  # paths of sockets are short
}


def need_mpirun():
    """Debian's openmpi-bin, a package of the group test in dependencies.txt."""
    if shutil.which("mpirun") is None:
        pytest.skip("mpirun is not installed; scripts/install test installs it")


def start(ranks, *command, cwd=None, **environment):
    """mpirun -np RANKS COMMAND..., with text in its outputs."""
    need_mpirun()
    return subprocess.Popen(
        ["mpirun", "-np", str(ranks), *map(str, command)], cwd=cwd, text=True,
        env={**os.environ, **ENVIRONMENT, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)


def run(ranks, *command, cwd=None, **environment):
    """Exit code, output, messages."""
    job = start(ranks, *command, cwd=cwd, **environment)
    try:
        output, messages = job.communicate(timeout=GUARD_SECONDS)
    except subprocess.TimeoutExpired:
        job.kill()
        raise
    return job.returncode, output, messages


def processes_of(job):
    """The processes that mpirun has started, by rank."""
    ranks = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(entry.joinpath("stat").read_text().rsplit(")", 1)[1].split()[1])
            variables = entry.joinpath("environ").read_bytes().split(b"\0")
        except (OSError, IndexError):
            continue
        if parent != job.pid:
            continue
        for variable in variables:
            if variable.startswith(b"OMPI_COMM_WORLD_RANK="):
                ranks[int(variable.split(b"=")[1])] = int(entry.name)
    return ranks


def lose(job, rank):
    """kill -9 of one rank."""
    os.kill(processes_of(job)[rank], signal.SIGKILL)
