"""comm: runs shared out to ranks, by mpi4py and by an object with the same methods."""

import json
import queue
import sys
import threading
from pathlib import Path

import mpi
import numpy as np
import pytest
from terminal import GUARD_SECONDS

nhot = pytest.importorskip("nhot")


class Threads:
    """Ranks that are threads of this program, with the methods of mpi4py that nhot calls."""

    def __init__(self, size):
        self.size = size
        self.boxes = {(a, b): queue.Queue() for a in range(size) for b in range(size)}
        self.barrier = threading.Barrier(size)
        self.gathered = [None] * size

    def run(self, body):
        """What body(comm) returned, by rank; the first error of a rank is raised."""
        answers = [None] * self.size
        errors = []

        def work(rank):
            try:
                answers[rank] = body(Rank(self, rank))
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(rank,), daemon=True) for rank in range(self.size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(GUARD_SECONDS)
        if errors:
            raise errors[0]
        return answers


class Rank:
    def __init__(self, all_ranks, rank):
        self.all, self.rank = all_ranks, rank

    def Get_rank(self):
        return self.rank

    def Get_size(self):
        return self.all.size

    def send(self, message, dest, tag):
        self.all.boxes[self.rank, dest].put(message)

    def recv(self, source, tag):
        return self.all.boxes[source, self.rank].get()

    def iprobe(self, source, tag):
        return not self.all.boxes[source, self.rank].empty()

    def allgather(self, message):
        self.all.gathered[self.rank] = message
        self.all.barrier.wait()
        answer = list(self.all.gathered)
        self.all.barrier.wait()
        return answer


def run_all(comm=None):
    """A run of every driver, as numbers; nothing on a rank other than 0."""
    model = nhot.ferromagnet(6, 6)
    common = dict(distance=18, seed=5, threads=1, progress=False, comm=comm)
    chains = nhot.sample(model, beta=0.4, move="im", moves=300, chains=3, **common)
    ladder = nhot.temper(model, betas=[0.1, 0.3, 0.5], move="im", moves=60, sweep=5, chains=3, **common)
    reads = nhot.anneal(model, reads=9, **common)
    weights = nhot.logz(model, beta=0.4, move="im", population=8, populations=5, **common)
    if comm is not None and comm.Get_rank() > 0:
        assert chains is ladder is reads is weights is None
        return None
    return [chains.energy.tolist(), ladder.energy.tolist(), reads.best.energy, weights.value]


def test_ranks_give_the_numbers_of_one():
    alone = run_all()
    for ranks in 1, 3:
        assert Threads(ranks).run(run_all)[0] == alone


def test_models_and_observables_of_ones_own():
    """What is a function of Python, every rank has from its own call."""
    values = np.arange(12) % 5
    model = nhot.custom(12, lambda x: float(values @ x))

    def run(comm=None):
        result = nhot.sample(model, 4, beta=0.3, move="swap", moves=200, chains=4, seed=3, progress=False, comm=comm,
                             observables={"first": lambda x: float(x[0])})
        return result is not None and (result.energy.tolist(), result.observables["first"].tolist())

    assert Threads(3).run(run)[0] == run()


def test_an_error_of_a_rank_comes_out_at_rank_0():
    calls = []

    def failing(x):
        calls.append(x)
        if len(calls) > most[0]:
            raise ValueError("enough")
        return float(x[0])

    most = [10**9]

    def run(comm):
        model = nhot.custom(8, failing if comm.Get_rank() == 1 else lambda x: float(x[0]))
        if comm.Get_rank() == 1:  # the model is made; the run will fail
            most[0] = len(calls) + 500
        return nhot.sample(model, 4, beta=0.3, move="swap", moves=100_000, chains=2, seed=3, progress=False, comm=comm)

    with pytest.raises(RuntimeError, match="(?s)rank 1.*enough"):
        Threads(2).run(run)


def test_bad_options_leave_no_rank_behind():
    with pytest.raises(ValueError, match="distance"):
        Threads(2).run(lambda comm: nhot.sample(nhot.ferromagnet(4, 4), 99, beta=1, moves=10, comm=comm))


def test_mpi4py(tmp_path):
    """Under mpirun, with the communicator that users have."""
    mpi.need_mpirun()
    pytest.importorskip("mpi4py")
    script = tmp_path / "run.py"
    script.write_text("import json, sys\n"
                      f"sys.path[:0] = {[str(Path(__file__).parent), *filter(None, sys.path)]!r}\n"
                      "from mpi4py import MPI\n"
                      "from test_ranks import run_all\n"
                      "answer = run_all(MPI.COMM_WORLD)\n"
                      "if answer: print(json.dumps(answer))\n")
    code, output, messages = mpi.run(2, sys.executable, script, cwd=tmp_path)
    assert code == 0, messages
    assert json.loads(output) == run_all()
