"""The library as another project meets it: installed, found by CMake and by pkg-config, used by the examples."""

import subprocess

import pytest
from terminal import GUARD_SECONDS


def run(*command, **keywords):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=GUARD_SECONDS, **keywords)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(build_dir, made_once):
    """Where the build under test is installed."""
    return made_once("prefix", lambda folder: run("cmake", "--install", build_dir, "--prefix", folder))


@pytest.fixture(scope="module")
def examples(prefix, root, made_once):
    def build(folder):
        run("cmake", "-S", root / "examples", "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
            "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
        run("cmake", "--build", folder)

    return made_once("examples", build)


def test_sample_lattice(examples):
    text = run(examples / "sample_lattice")
    assert "energy" in text and "slowest_mode" in text and "converged: yes" in text


def test_choose_items(examples):
    """Items 11, 9, 7 and 5: no two beside each other, and the most valuable of those."""
    assert run(examples / "choose_items") == "energy -7.2 with items 5 7 9 11\n"


def test_write_and_read(examples, tmp_path):
    xarray = pytest.importorskip("xarray")
    text = run(examples / "write_and_read", tmp_path / "run.nc")
    assert text.startswith("4 chains of ")
    stats = xarray.open_dataset(tmp_path / "run.nc", group="sample_stats")
    assert f"of {stats.sizes['draw']} draws" in text
    assert f"the last energy {float(stats.energy[-1, -1]):g}\n" in text
    again = subprocess.run([examples / "write_and_read", tmp_path / "run.nc"], capture_output=True, text=True, check=False)
    assert again.returncode == 2 and "exists already" in again.stderr


def test_own_energy(examples, tmp_path):
    """Passes the exact suite; both moves agree on the energy; the draws open in xarray."""
    xarray = pytest.importorskip("xarray")
    lines = run(examples / "own_energy", tmp_path / "run").splitlines()
    assert "combinations checked exactly" in lines[0] and len(lines) == 3
    means = [float(line.split("energy ")[1].split(" +- ")[0]) for line in lines[1:]]
    errors = [float(line.split(" +- ")[1].split(",")[0]) for line in lines[1:]]
    assert abs(means[0] - means[1]) < 5 * (errors[0] ** 2 + errors[1] ** 2) ** 0.5
    assert all(line.endswith("converged: yes") for line in lines[1:])
    for move, mean in zip(["im", "swap"], means):
        stats = xarray.open_dataset(tmp_path / f"run-{move}.nc", group="sample_stats")
        assert abs(float(stats.energy.mean()) - mean) < 1e-3


def test_own_move(examples):
    """The exact suite takes the move in; it agrees with swap on the energy."""
    lines = run(examples / "own_move").splitlines()
    assert "combinations checked exactly" in lines[0] and len(lines) == 3
    means, errors = zip(*[[float(n) for n in line.split("energy ")[1].split(",")[0].split(" +- ")] for line in lines[1:]])
    assert abs(means[0] - means[1]) < 5 * (errors[0] ** 2 + errors[1] ** 2) ** 0.5 + 0.02


def test_temper_with_observable(examples):
    """Colder replicas are nearer to the low state; at beta = 0 the overlap of two states with 12 of 36 ones
    is a ninth on the average."""
    rows = [line.split() for line in run(examples / "temper_with_observable").splitlines()]
    assert [row[1] for row in rows] == ["0:", "0.3:", "0.6:", "1:"]
    means = [float(row[3]) for row in rows]
    assert means == sorted(means) and abs(means[0] - 1 / 9) < 5 * float(rows[0][5])


def test_no_flags_are_handed_on(prefix):
    """Warnings, sanitizers and optimisation are the business of who compiles."""
    found = sorted(path.name for path in prefix.rglob("nhot-*.cmake"))
    assert {"nhot-config.cmake", "nhot-config-version.cmake", "nhot-core.cmake", "nhot-io.cmake", "nhot-exact.cmake"} <= set(found)
    for path in prefix.rglob("nhot-*.cmake"):
        text = path.read_text()
        assert "-W" not in text and "COMPILE_OPTIONS" not in text and "nhot_flags" not in text, path


def test_pkg_config(prefix, root, tmp_path):
    folder = next(prefix.rglob("nhot.pc")).parent
    words = run("pkg-config", "--cflags", "--libs", "--static", "nhot", env={"PKG_CONFIG_PATH": str(folder), "PATH": "/usr/bin:/bin"})
    run("g++", root / "examples" / "choose_items.cpp", "-o", tmp_path / "choose_items", *words.split())
    assert "energy -7.2" in run(tmp_path / "choose_items")


def test_in_another_project(root, tmp_path):
    """By add_subdirectory only the core is offered, under the same name as in the package."""
    (tmp_path / "CMakeLists.txt").write_text(f"""
cmake_minimum_required(VERSION 3.22)
project(other LANGUAGES CXX)
add_subdirectory({root} nhot)
if(NOT TARGET nhot::core OR TARGET nhot OR TARGET nhot_io OR TARGET nhot_tests)
  message(FATAL_ERROR "other targets than expected")
endif()
add_executable(main {root}/examples/sample_lattice.cpp)
target_link_libraries(main PRIVATE nhot::core)
""")
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja")
    commands = (tmp_path / "build" / "build.ninja").read_text()
    assert "sample_lattice.cpp" in commands
    flags = next(line for line in commands.split("sample_lattice.cpp.o:")[1].splitlines() if "FLAGS" in line)
    assert "-W" not in flags
