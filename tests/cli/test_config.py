"""Options from a TOML file."""

import json

BASE = """
model = "field:30,seed=5"
distance = 10
moves = 400
json = true

[sample]
beta = 0.25
move = "im:length=1..3"
chains = 2

[temper]
beta = 7
"""


def run(nhot, folder, text, *arguments):
    (folder / "run.toml").write_text(text)
    return nhot("sample", "--config", "run.toml", *arguments, cwd=folder, ok=True)


def test_file_sets_options(nhot, tmp_path):
    result = json.loads(run(nhot, tmp_path, BASE.split("[temper]")[0]).stdout)
    assert result["model"]["sites"] == 30
    assert result["distance"] == 10
    assert result["moves"] == 400
    assert result["beta"] == 0.25
    assert result["chains"] == 2
    assert result["move"].startswith("im:length=1..3,")


def test_command_line_wins(nhot, tmp_path):
    text = BASE.split("[temper]")[0]
    result = json.loads(run(nhot, tmp_path, text, "--beta", "2", "-n", "3", "field:12").stdout)
    assert (result["beta"], result["distance"], result["model"]["sites"]) == (2, 3, 12)
    assert result["moves"] == 400


def test_moves_on_the_command_line_replace_seconds_of_the_file(nhot, tmp_path):
    text = 'model = "field:30"\ndistance = 3\nseconds = 1e6\njson = true\n'
    assert json.loads(run(nhot, tmp_path, text, "--moves", "50").stdout)["moves"] == 50


def test_flat_key_of_another_command_is_noted(nhot, tmp_path):
    text = 'model = "field:30"\ndistance = 3\n'
    (tmp_path / "c.toml").write_text(text)
    done = nhot("info", "--config", "c.toml", cwd=tmp_path, ok=True)
    assert "c.toml:2: 'distance' is not an option of nhot info" in done.stdout


def test_same_numbers_as_the_command_line(nhot, tmp_path):
    from_file = json.loads(run(nhot, tmp_path, BASE.split("[temper]")[0]).stdout)
    typed = json.loads(
        nhot("sample", "field:30,seed=5", "-n", "10", "--moves", "400", "--beta", "0.25", "--move",
             "im:length=1..3", "--chains", "2", "--json", ok=True).stdout)
    assert from_file["observables"]["energy"]["mean"] == typed["observables"]["energy"]["mean"]
