"""NHOT_SIMD chooses the vector code and nothing else."""

import json
import os

import pytest

RUNS = {  # by the engine that has vector code
    "dense": ["rbm:30x20", "-n", "12", "--moves", "3000", "--move", "im:length=1..5"],
    "bits": ["ferromagnet:12x12", "-n", "70", "--beta", "0.3", "--moves", "3e5", "--move", "swap:engine=bits", "--chains", "8"],
}


@pytest.mark.parametrize("engine", RUNS)
def test_all_paths_draw_the_same(nhot, engine):
    results = {}
    for path in ["portable", "avx2", "avx512"]:
        done = nhot("sample", *RUNS[engine], "--seed", "4", "--json", env=os.environ | {"NHOT_SIMD": path})
        if done.returncode == 2:
            assert "does not have" in done.stderr and path != "portable"
            print(f"NOT TESTED: this processor lacks {path}")
            continue
        drawn = json.loads(done.stdout)
        assert drawn["engine"] == engine
        results[path] = (drawn["acceptance"], drawn["best_energy"], drawn["observables"]["energy"]["mean"])
    assert len(set(results.values())) == 1, results
    if len(results) == 1:
        pytest.skip("NOT TESTED: this processor has one path only")


@pytest.mark.parametrize("engine", RUNS)
def test_an_engine_asks_for_its_path(nhot, engine):
    """That the forced path is the one that runs is tested in tests/chain and tests/select."""
    done = nhot("sample", *RUNS[engine], env=os.environ | {"NHOT_SIMD": "avx1"})
    assert done.returncode == 2
    assert "'avx1' is no SIMD path" in done.stderr
