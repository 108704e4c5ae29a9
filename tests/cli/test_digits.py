"""Text shows as many digits as a person reads; JSON shows all."""

import json
import re

import pytest

THIRD = "0.3333333333333333"
GLASS = ["spin-glass:4x4x4,seed=1,couplings=gaussian", "-n", "30"]
COMMANDS = {
    "sample": [*GLASS, "--beta", THIRD, "--moves", "500"],
    "temper": [*GLASS, "--beta", THIRD, "--moves", "200"],
    "anneal": [*GLASS, "--reads", "4", "--keep", "3"],
    "logz": [*GLASS, "--beta", THIRD, "--populations", "4"],
    "info": GLASS[:1],
}


def digits(number):
    """Significant digits of a decimal number."""
    return len(re.sub(r"[eE].*", "", number).replace(".", "").lstrip("0"))


@pytest.mark.parametrize("command", COMMANDS)
def test_text_is_short_and_json_is_full(nhot, command):
    text = nhot(command, *COMMANDS[command], ok=True).stdout
    text = re.sub(r"(?m)^hash .*$", "", text)
    numbers = re.findall(r"(?<![\w.])\d+\.\d+(?:[eE][+-]?\d+)?(?![\w.])", text)
    assert numbers
    assert max(map(digits, numbers)) <= 10, sorted(numbers, key=digits)[-3:]
    full = nhot(command, *COMMANDS[command], "--json", ok=True).stdout
    assert max(map(digits, re.findall(r"\d+\.\d+", full))) >= 15
    if command in ("sample", "logz"):
        assert json.loads(full)["beta"] == float(THIRD)


def test_numbers_are_shown_as_typed(nhot):
    text = nhot("sample", "ferromagnet:6x6", "-n", "18", "--beta", "0.44053", "--moves", "100", ok=True).stdout
    assert "beta 0.44053\n" in text
    assert re.search(r"(?m)^best energy +-\d+$", text)


def test_messages(nhot):
    error = nhot("anneal", *GLASS, "--reads", "1", "--beta-hot", THIRD, "--beta-cold", "0.1").stderr
    assert "from beta = 0.33333333 to beta = 0.1 does not cool" in error
