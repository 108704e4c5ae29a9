"""Help texts, the version and the options document."""

import os
import re
import shlex
import subprocess

import pytest


def commands(nhot):
    """Names in the list of commands."""
    text = nhot("--help", ok=True).stdout
    block = text.split("Commands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\S+)", block, re.M)


def examples(nhot, command):
    text = nhot(command, "--help", ok=True).stdout
    return re.findall(r"^  (nhot .*)$", text.split("Examples:\n")[1], re.M)


def test_help(nhot):
    done = nhot("--help", ok=True)
    assert done.stderr == ""
    assert "Usage: nhot COMMAND" in done.stdout
    assert {"sample", "info", "convert", "diagnose", "help"} <= set(commands(nhot))
    assert nhot("help", ok=True).stdout == nhot("-h", ok=True).stdout == done.stdout


def test_no_arguments_shows_help(nhot):
    done = nhot()
    assert done.returncode == 2
    assert "Usage: nhot COMMAND" in done.stdout


def test_version(nhot, root):
    version = re.search(r"project\(nhot VERSION (\S+)", (root / "CMakeLists.txt").read_text())[1]
    for arguments in ["--version"], ["-V"], ["version"]:
        assert nhot(*arguments, ok=True).stdout == f"nhot {version}\n"


def test_help_of_every_command(nhot):
    for command in commands(nhot):
        done = nhot(command, "--help", ok=True)
        assert done.stdout.startswith(f"Usage: nhot {command}")
        assert done.stdout == nhot("help", command, ok=True).stdout
        assert all(len(line) <= 110 for line in done.stdout.splitlines())


EXIT_CODES = ["0", "2", "3", "70", "130"]


def test_exit_codes_are_listed(nhot, root):
    section = nhot("--help", ok=True).stdout.split("Exit codes:\n")[1].split("\n\n")[0]
    assert re.findall(r"(?m)^  (\d+) ", section) == EXIT_CODES
    document = (root / "doc" / "options.md").read_text().split("## Exit codes")[1]
    assert re.findall(r"(?m)^\| (\d+) \|", document) == EXIT_CODES


def test_help_wins_over_other_mistakes(nhot):
    assert nhot("sample", "--nonsense", "-h", ok=True).stdout.startswith("Usage: nhot sample")


COMMANDS = ["sample", "temper", "anneal", "logz", "compare", "tune", "reproduce", "resume", "diagnose", "report", "info", "convert", "help",
            "select", "profile"]


def test_every_command_is_tried(nhot):
    assert commands(nhot) == COMMANDS


def shorter(line):
    """The example with a tenth of its seconds or of its scale: it is to work, not to take its time."""
    return re.sub(r"--(seconds|scale) (\S+)", lambda found: f"--{found[1]} {float(found[2]) / 10:g}", line)


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_work(nhot, tmp_path, command):
    """Every example of the help text, in the order of the text; run.nc is that of the examples of sample."""
    environment = {**os.environ, "PATH": f"{nhot.path.parent}:{os.environ['PATH']}"}
    if nhot.path.name != "nhot":
        pytest.skip("the program has another name")
    found = examples(nhot, command)
    assert found, f"{command} has no example"
    assert all(shlex.split(line)[:2] == ["nhot", command] for line in found)
    if command != "sample" and any("run.nc" in line for line in found):
        found = [line for line in examples(nhot, "sample") if "--out run.nc" in line] + found
    if command == "select":  # a table that its examples name
        lines = [",".join(str(k * (2 * c + 3) ** 2 % 31) for c in range(8)) for k in range(40)]
        (tmp_path / "crime.csv").write_text("\n".join(["Po,Ed,Ineq,Prob,U2,M,NW,Crime", *lines]) + "\n")
    for line in found:
        done = subprocess.run(
            shorter(line), shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True,
            timeout=600, check=False)
        assert done.returncode == 0, f"{line}\n{done.stderr}"


def test_moves_and_models(nhot):
    moves = nhot("help", "moves", ok=True).stdout
    for name in "swap", "kawasaki", "im", "length=", "bias=", "gamma=", "order=", "engine=":
        assert name in moves
    models = nhot("help", "models", ok=True).stdout
    for name in "ferromagnet:", "spin-glass:", "rbm:", "field:", ".coo", ".qubo", ".mtx", "gset", ".h5":
        assert name in models


def test_options_document(nhot, root):
    """doc/options.md is what the program prints; after a change of options run
    `nhot help options > doc/options.md`."""
    assert (root / "doc" / "options.md").read_text() == nhot("help", "options", ok=True).stdout


def test_document_names_every_option(nhot, root):
    document = (root / "doc" / "options.md").read_text()
    for command in commands(nhot):
        for name in re.findall(r"--([a-z-]+)", nhot(command, "--help", ok=True).stdout.split("Examples:")[0]):
            assert f"--{name}" in document
