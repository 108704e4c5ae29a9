"""Names of sites, runs that stop when they have converged, hints for options of other programs, what shells read."""

import csv
import json
import shutil
import subprocess

import pytest


@pytest.fixture
def picnic(root):
    return str(root / "examples" / "picnic.edges")


def items_of(picnic):
    """Names in the order of their coming, and the energy of a set of them, by hand."""
    names, terms = [], []
    with open(picnic) as file:
        for line in file:
            if line.startswith("#"):
                continue
            one, other, value = (part.strip() for part in line.split(","))
            names = list(dict.fromkeys([*names, one, other]))
            terms.append((one, other, float(value)))
    return names, lambda chosen: sum(value for one, other, value in terms if one in chosen and other in chosen)


def test_ten_of_fifty_by_name(nhot, root, picnic, tmp_path):
    names, energy = items_of(picnic)
    assert len(names) == 50
    words = [picnic, "-n", "10"]
    told = json.loads(nhot("anneal", *words, "--reads", "16", "--keep", "2", "--json", ok=True).stdout)
    best = told["states"][0]
    assert len(best["names"]) == 10 and best["names"] == [names[i] for i in best["ones"]]
    assert best["energy"] == pytest.approx(energy(best["names"]))
    text = nhot("anneal", *words, "--reads", "16", ok=True).stdout
    shown = " ".join(text.split("ones at ")[1].split())
    assert shown == ", ".join(best["names"])
    document = (root / "README.md").read_text().split("<!-- picnic: build/nhot ")[1].split("<!-- /picnic -->")[0]
    assert document.split(" -->")[0].split() == ["anneal", "examples/picnic.edges", "-n", "10", "--reads", "16"]
    assert text.endswith(document.split("```text\n")[1].split("```")[0])
    words += ["--beta", "3", "--moves", "5000", "--states-out", "s.csv"]
    run = json.loads(nhot("sample", *words, "--json", cwd=tmp_path, ok=True).stdout)
    assert run["site_means"]["names"] == names
    assert run["best_state"]["energy"] == pytest.approx(energy(run["best_state"]["names"]))
    with open(tmp_path / "s.csv") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["chain", "draw", "energy", *names]
    for row in rows[:5]:
        assert float(row["energy"]) == pytest.approx(energy([name for name in names if row[name] == "1"]))
    likely = max(zip(run["site_means"]["mean"], names))[1]
    text = nhot("sample", *words, "--force", cwd=tmp_path, ok=True).stdout
    assert text.split("best draw\n")[1].startswith(likely)


def test_until_converged_and_resumed(nhot, tmp_path):
    words = ["sample", "field:40,seed=2", "-n", "8", "--move", "im", "--until", "converged", "--json"]
    whole = json.loads(nhot(*words, "--moves", "1e6", ok=True).stdout)
    assert whole["converged"] and whole["stop"]["reached"] and whole["moves"] < 1e5 and whole["advice"] is None
    assert whole == dict(json.loads(nhot(*words, "--seconds", "600", "--threads", "1", ok=True).stdout), **{
        key: whole[key] for key in ("seconds", "cpu_seconds", "move_share", "ns_per_step", "ns_per_move", "observables")})
    first = whole["moves"] // 2 + 1
    warm = ["--warmup", str(whole["warmup"])]  # a tenth of a small limit would be less
    part = json.loads(nhot(*words, *warm, "--moves", str(first), "--out", "r.nc", cwd=tmp_path, ok=True).stdout)
    assert not part["stop"]["reached"] and part["moves"] == first
    rest = json.loads(nhot("sample", "--resume", "r.nc", "--until", "converged", "--moves", "1e6", "--json",
                           cwd=tmp_path, ok=True).stdout)
    other = json.loads(nhot(*words, *warm, "--moves", "1e6", ok=True).stdout)
    assert rest["stop"]["reached"] and rest["moves"] == other["moves"]
    assert rest["observables"]["energy"]["mean"] == other["observables"]["energy"]["mean"]


def test_a_short_run_says_how_much_longer(nhot):
    told = json.loads(nhot("sample", "ferromagnet:8x8", "-n", "32", "--beta", "0.35", "--move", "swap", "--moves", "3000",
                           "--json", ok=True).stdout)
    assert not told["converged"] and told["times_longer"] > 1 and "times as long would do" in told["advice"]


@pytest.mark.parametrize("words, hint", [
    (["--temperature", "2.5", "-n", "8"], "--beta 0.4 "),
    (["--temperature=4", "-n", "8"], "--beta 0.25 "),
    (["-k", "8"], "-n 8 "),
    (["-n", "8", "--burn-in", "100"], "--warmup 100 "),
])
def test_options_of_other_programs(nhot, words, hint):
    done = nhot("sample", "ferromagnet:4x4", *words)
    assert done.returncode == 2 and f"try: write {hint}" in done.stderr


def test_models_from_standard_input(nhot, picnic):
    def piped(*words):
        with open(picnic) as text:
            return nhot(*words, stdin=text)

    told = json.loads(piped("info", "-", "--format", "edges", "--json").stdout)
    assert told["sites"] == 50 and told["hash"] == json.loads(nhot("info", picnic, "--json", ok=True).stdout)["hash"]
    assert "--format" in piped("info", "-").stderr
    scan = piped("sample", "-", "--format", "edges", "-n", "3,4", "--moves", "500", "--json")
    assert len(json.loads(scan.stdout)["points"]) == 2


def completed(script, *words):
    """What bash offers for the last word."""
    line = f"source {script}; COMP_WORDS=({' '.join(repr(word) for word in words)}); COMP_CWORD={len(words) - 1}; _nhot; " \
           "printf '%s\\n' \"${COMPREPLY[@]}\""
    done = subprocess.run(["bash", "--norc", "-c", line], capture_output=True, text=True, cwd=script.parent)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout.split()


def test_bash_completes_commands_options_and_words(nhot, tmp_path):
    script = tmp_path / "complete.sh"
    script.write_text(nhot("help", "completion", "bash", ok=True).stdout)
    (tmp_path / "model.coo").write_text("")
    assert completed(script, "nhot", "sa") == ["sample"]
    assert "temper" in completed(script, "nhot", "")
    assert completed(script, "nhot", "sample", "--un") == ["--until"]
    assert completed(script, "nhot", "sample", "--until", "conv") == ["converged"]
    assert "kawasaki" in completed(script, "nhot", "sample", "m", "--move", "k")
    assert completed(script, "nhot", "info", "mo") == ["model.coo"]
    assert "moves" in completed(script, "nhot", "help", "mo")
    listed = subprocess.run(["bash", "--norc", "-c", f"source {script}; complete -p nhot"], capture_output=True, text=True)
    assert "-F _nhot nhot" in listed.stdout


def test_other_shells(nhot):
    assert nhot("help", "completion", "zsh", ok=True).stdout.startswith("#compdef nhot")
    fish = nhot("help", "completion", "fish", ok=True).stdout
    assert "-l until -r -a 'limit converged'" in fish
    for shell, said in ("tcsh", "no completion"), ("", "no shell"):
        done = nhot("help", "completion", *([shell] if shell else []))
        assert done.returncode == 2 and said in done.stderr
    assert nhot("help", "moves", "bash").returncode == 2


def test_the_manual_page(nhot, tmp_path):
    page = nhot("help", "man", ok=True).stdout
    assert page.startswith(".TH NHOT 1")
    if shutil.which("man") is None:
        pytest.skip("man is not there")
    (tmp_path / "nhot.1").write_text(page)
    done = subprocess.run(["man", "-l", "--warnings", "nhot.1"], capture_output=True, text=True, cwd=tmp_path,
                          env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100", "LC_ALL": "C", "MANPAGER": "cat"})
    if "minimiz" in done.stdout + done.stderr:
        pytest.skip("a system without manuals")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert "--until NAME" in done.stdout and "EXIT STATUS" in done.stdout
