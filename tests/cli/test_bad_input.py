"""Everything a user can hand in wrongly: the exit code, one clear message that says what is wrong,
where, and what to try, and nothing written or lost."""

import os
import pathlib
import resource
import stat

import pytest

LATTICE = "ferromagnet:4x4"
INPUT, ENVIRONMENT = 2, 3


def write(folder, **files):
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)


def snapshot(folder):
    """Every file below a folder with its bytes."""
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def check(done, code, what, hint):
    """One error, said once, with a hint, and nothing on standard output."""
    lines = done.stderr.splitlines()
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert len(lines) == 2, done.stderr
    assert lines[0].startswith("nhot: error: ")
    assert lines[1].startswith("  try: ")
    for part in [what] if isinstance(what, str) else what:
        assert part in lines[0]
    for part in [hint] if isinstance(hint, str) else hint:
        assert part in lines[1]


SPIN = "# vartype=SPIN\n"

# name: (files, arguments, exit code, parts of the message, parts of the hint)
CASES = {
    # names
    "unknown command": ({}, ["smaple", LATTICE], INPUT, "'smaple'", "'sample'"),
    "model instead of command": ({}, [LATTICE, "-n", "3"], INPUT, LATTICE, "nhot sample"),
    "option before command": ({}, ["--json", "sample"], INPUT, "--json", "nhot COMMAND"),
    "unknown model": ({}, ["sample", "feromagnet:4x4", "-n", "3"], INPUT, "'feromagnet'", "'ferromagnet'"),
    "unknown model option": ({}, ["sample", "spin-glass:4x4,sed=7", "-n", "3"], INPUT, "sed", "seed"),
    "unknown move": ({}, ["sample", LATTICE, "-n", "3", "--move", "swpa"], INPUT, "'swpa'", "'swap'"),
    "unknown move key": (
        {}, ["sample", LATTICE, "-n", "3", "--move", "im:lenght=3"], INPUT, "lenght", "'length'"),
    "unknown bias": (
        {}, ["sample", LATTICE, "-n", "3", "--move", "im:bias=logistik"], INPUT, "logistik", "'logistic'"),
    "unknown engine": (
        {}, ["sample", LATTICE, "-n", "3", "--move", "im:engine=treee"], INPUT, "treee", "'tree'"),
    "dense model by classes": (
        {"m__coo": SPIN + "".join(f"{i} {j} {(i * j + 0.5) ** 0.5}\n" for i in range(40) for j in range(i))},
        ["sample", "m.coo", "-n", "3", "--move", "im:engine=classes"], INPUT, "integer grid", "takes dense"),
    "mixture that overflows": (
        {}, ["sample", LATTICE, "-n", "3", "--move", "1e308*im + 1e308*swap"], INPUT, "infinity", "near 1"),
    "thin above moves": (
        {}, ["sample", LATTICE, "-n", "3", "--moves", "10", "--thin", "100", "--out", "run.nc"], INPUT,
        "keeps no draw", "--thin"),
    "moves beyond counting": (
        {}, ["sample", LATTICE, "-n", "3", "--moves", "9.3e18"], INPUT, "9.3e18", "largest is 9223372036854775807"),
    "no start": ({}, ["sample", LATTICE, "-n", "3", "--start", "random"], INPUT, "start 'random'", "uniform, or the path"),
    "no reference": (
        {}, ["sample", LATTICE, "-n", "3", "--reference", "0"], INPUT, "reference '0'", "zeros, ones, or the path"),
    "forgotten value": (
        {}, ["sample", LATTICE, "-n", "3", "--beta", "--moves", "10"], INPUT, "--beta needs a value, and --moves", "--help"),
    "short option with two dashes": ({}, ["sample", LATTICE, "--n", "3"], INPUT, "'--n'", "-n (--distance)"),
    "word for a number": (
        {}, ["anneal", LATTICE, "-n", "3", "--target", "low"], INPUT, "--target is 'low'", "give a finite number"),
    "move in capitals": ({}, ["sample", LATTICE, "-n", "3", "--move", "IM"], INPUT, "'IM'", "did you mean 'im'"),
    "two moves with a comma": ({}, ["sample", LATTICE, "-n", "3", "--move", "im,swap"], INPUT, "'im,swap'", "joined by +"),
    "unknown reference": (
        {}, ["sample", LATTICE, "-n", "3", "--reference", "zeross"], INPUT, "'zeross'", "zeros?"),
    "unknown option": ({}, ["sample", LATTICE, "--distnace", "3"], INPUT, "--distnace", "--distance"),
    "option cut short": ({}, ["sample", LATTICE, "--dist=3"], INPUT, "'--dist'", "--distance"),
    "unknown short option": ({}, ["sample", LATTICE, "-x", "3"], INPUT, "-x", "--help"),
    "unknown format": (
        {"m__coo": SPIN + "0 1 1\n"}, ["info", "m.coo", "--format", "cooo"], INPUT, "cooo", "coo"),
    "unknown help": ({}, ["help", "move"], INPUT, "'move'", "'moves'"),
    # what is missing or too much
    "no model": ({}, ["sample", "-n", "3"], INPUT, "no model", "ferromagnet:60x60"),
    "no distance": ({}, ["sample", LATTICE], INPUT, "--distance", ["between 0 and 16", "-n 8"]),
    "no value": ({}, ["sample", LATTICE, "-n"], INPUT, "--distance needs a value", "--help"),
    "two models": ({}, ["sample", LATTICE, "more", "-n", "3"], INPUT, "'more'", "--help"),
    "moves and seconds": (
        {}, ["sample", LATTICE, "-n", "3", "--moves", "9", "--seconds", "1"], INPUT, "--moves and --seconds",
        "one of them"),
    "convert to nowhere": ({}, ["convert", LATTICE], INPUT, "a file to write", "nhot convert IN OUT"),
    # numbers
    "distance negative": ({}, ["sample", LATTICE, "-n", "-1"], INPUT, "--distance is '-1'", "at least 0"),
    "distance too large": (
        {}, ["sample", LATTICE, "-n", "17"], INPUT, ["17", "16 sites"], "between 0 and 16"),
    "distance huge": (
        {}, ["sample", LATTICE, "-n", "99999999999"], INPUT, "99999999999", "between 0 and 16"),
    "distance fraction": ({}, ["sample", LATTICE, "-n", "3.5"], INPUT, "'3.5'", "whole number"),
    "beta negative": (
        {}, ["sample", LATTICE, "-n", "3", "--beta", "-0.5"], INPUT, "--beta is '-0.5'", "at least 0"),
    "beta nan": ({}, ["sample", LATTICE, "-n", "3", "--beta", "nan"], INPUT, "'nan'", "finite"),
    "beta infinite": ({}, ["sample", LATTICE, "-n", "3", "--beta", "inf"], INPUT, "'inf'", "finite"),
    "beta no number": ({}, ["sample", LATTICE, "-n", "3", "--beta", "1.2x"], INPUT, "'1.2x'", "finite"),
    "moves zero": ({}, ["sample", LATTICE, "-n", "3", "--moves", "0"], INPUT, "--moves", "at least 1"),
    "chains zero": ({}, ["sample", LATTICE, "-n", "3", "--chains", "0"], INPUT, "--chains", "between 1"),
    "thin word": ({}, ["sample", LATTICE, "-n", "3", "--thin", "atuo"], INPUT, "atuo", "'auto'"),
    "seconds zero": ({}, ["sample", LATTICE, "-n", "3", "--seconds", "0"], INPUT, "--seconds", "0.001"),
    "length zero": ({}, ["sample", LATTICE, "-n", "3", "--move", "im:length=0"], INPUT, "'0'", ">= 1"),
    "length too long": (
        {}, ["sample", LATTICE, "-n", "3", "--move", "im:length=4"], INPUT, ["length 4", "distance 3 of 16"],
        "largest length that fits is 3"),
    "length backwards": (
        {}, ["sample", LATTICE, "-n", "3", "--move", "im:length=3..1"], INPUT, "'3..1'", "1..25"),
    "mixture weight": (
        {}, ["sample", LATTICE, "-n", "3", "--move", "0*im + swap"], INPUT, "0*im", "0.7*im"),
    "size zero": ({}, ["sample", "ferromagnet:0x4", "-n", "0"], INPUT, "0x4", "ferromagnet:60x60"),
    "size too large": ({}, ["info", "ferromagnet:60000x60000"], INPUT, "60000x60000", "largest"),
    # weights that overflow
    "gamma overflows": (
        {}, ["sample", LATTICE, "-n", "3", "--move", "im:gamma=1e308"], INPUT, ["gamma", "overflows"], "below"),
    "beta overflows": ({}, ["sample", LATTICE, "-n", "3", "--beta", "1e307"], INPUT, ["beta", "overflows"], "below"),
    "beta times couplings overflows": (
        {"m__coo": SPIN + "0 1 1e300\n1 2 1e300\n"}, ["sample", "m.coo", "-n", "1", "--beta", "1e9"], INPUT,
        ["beta", "overflows"], "below"),
    "couplings overflow": (
        {"m__coo": SPIN + "".join(f"{i} {i + 1} 9e306\n" for i in range(30))}, ["sample", "m.coo", "-n", "1"], INPUT,
        ["m.coo", "overflow"], "scale"),
    # files
    "missing file": ({"modle__coo": ""}, ["sample", "model.coo", "-n", "1"], INPUT, "'model.coo'", "modle.coo"),
    "missing file, no near name": ({}, ["sample", "nofile.coo", "-n", "1"], INPUT, "'nofile.coo'", "path"),
    "missing reference": ({}, ["sample", LATTICE, "-n", "3", "--reference", "no.txt"], INPUT, "no.txt", "path"),
    "missing config": ({}, ["sample", LATTICE, "-n", "3", "--config", "no.toml"], INPUT, "no.toml", "path"),
    "missing run": ({}, ["diagnose", "no.nc"], INPUT, "no.nc", "--out"),
    "empty model file": ({"m__qubo": ""}, ["sample", "m.qubo", "-n", "1"], INPUT, "m.qubo", ""),
    "truncated Gset": (
        {"m__gset": "5 3\n1 2 1\n2 3 1\n"}, ["sample", "m.gset", "-n", "1"], INPUT, ["m.gset", "3 edges", "are 2"],
        "cut short"),
    "truncated MatrixMarket": (
        {"m__mtx": "%%MatrixMarket matrix coordinate real symmetric\n% vartype=SPIN\n3 3 3\n2 1 1.0\n"},
        ["sample", "m.mtx", "-n", "1"], INPUT, ["m.mtx", "3 entries", "are 1"], "cut short"),
    "truncated qubo": (
        {"m__qubo": "p qubo 0 3 1 2\n0 0 1\n0 1 2\n"}, ["sample", "m.qubo", "-n", "1"], INPUT, "m.qubo", "cut short"),
    "run that is no run": ({"run__nc": "hello there\n"}, ["diagnose", "run.nc"], INPUT, "run.nc", "--out"),
    "nan coupling": (
        {"m__coo": SPIN + "0 1 1.5\n1 2 nan\n"}, ["sample", "m.coo", "-n", "1"], INPUT, ["m.coo:3", "nan"], "finite"),
    "infinite coupling": (
        {"m__coo": SPIN + "0 1 1.5\n1 2 -inf\n"}, ["sample", "m.coo", "-n", "1"], INPUT, ["m.coo:3", "inf"], "finite"),
    "coupling no number": (
        {"m__coo": SPIN + "0 1 1.5\n1 2 1,5\n"}, ["sample", "m.coo", "-n", "1"], INPUT, ["m.coo:3", "1,5"], ""),
    "index out of range": (
        {"m__qubo": "p qubo 0 3 1 1\n0 0 1\n0 7 2\n"}, ["sample", "m.qubo", "-n", "1"], INPUT, ["m.qubo:3", "'7'"],
        "0 to 2"),
    "index negative": (
        {"m__coo": SPIN + "0 -1 1\n"}, ["sample", "m.coo", "-n", "1"], INPUT, ["m.coo:2", "-1"], ""),
    "two fields": (
        {"m__coo": SPIN + "0 1 1\n1 2\n"}, ["sample", "m.coo", "-n", "1"], INPUT, ["m.coo:3", "2 fields"], "i j value"),
    "four fields": (
        {"m__coo": SPIN + "0 1 1\n1 2 3 4\n"}, ["sample", "m.coo", "-n", "1"], INPUT, ["m.coo:3", "4 fields"],
        "i j value"),
    # states
    "reference too short": (
        {"c__txt": "0101\n"}, ["sample", LATTICE, "-n", "3", "--reference", "c.txt"], INPUT,
        ["c.txt", "expected 16", "found 4"], "every site"),
    "reference with letters": (
        {"c__txt": "0101 01x1\n"}, ["sample", LATTICE, "-n", "3", "--reference", "c.txt"], INPUT, "c.txt:1", "0 and 1"),
    "start off the shell": (
        {"x__txt": "1111100000000000\n"}, ["sample", LATTICE, "-n", "3", "--start", "x.txt"], INPUT,
        ["x.txt", "distance 5", "distance 3", "by 2"], "--distance 5"),
    # config files
    "config unknown key": (
        {"c__toml": "model = 'field:9'\n\nditsance = 3\n"}, ["sample", "--config", "c.toml"], INPUT,
        ["c.toml:3", "ditsance"], "'distance'"),
    "config unknown key in table": (
        {"c__toml": "[sample]\nbta = 3\n"}, ["sample", LATTICE, "-n", "3", "--config", "c.toml"], INPUT,
        ["c.toml:2", "bta"], "'beta'"),
    "config unknown table": (
        {"c__toml": "[smaple]\nbeta = 3\n"}, ["sample", LATTICE, "-n", "3", "--config", "c.toml"], INPUT,
        ["c.toml:1", "smaple"], "'sample'"),
    "config bad value": (
        {"c__toml": "beta = -1\n"}, ["sample", LATTICE, "-n", "3", "--config", "c.toml"], INPUT, ["c.toml:1", "-1"],
        "at least 0"),
    "config nan": (
        {"c__toml": "beta = nan\n"}, ["sample", LATTICE, "-n", "3", "--config", "c.toml"], INPUT, ["c.toml:1", "nan"],
        "finite"),
    "config list": (
        {"c__toml": "beta = [1, 2]\n"}, ["sample", LATTICE, "-n", "3", "--config", "c.toml"], INPUT,
        ["c.toml:1", "beta"], "command line"),
    "config no TOML": (
        {"c__toml": "beta = 1\nmove = im\n"}, ["sample", LATTICE, "-n", "3", "--config", "c.toml"], INPUT, "c.toml:2",
        "move ="),
    # output
    "output folder missing": (
        {}, ["sample", LATTICE, "-n", "3", "--moves", "9", "--out", "no/run.nc"], INPUT, ["no", "run.nc"], "mkdir"),
    "convert folder missing": ({}, ["convert", LATTICE, "no/m.coo"], INPUT, "no/m.coo", "mkdir"),
    "output exists": (
        {"run__nc": "precious"}, ["sample", LATTICE, "-n", "3", "--moves", "9", "--out", "run.nc"], INPUT,
        "run.nc exists", "--force"),
    "convert output exists": (
        {"m__coo": "precious"}, ["convert", LATTICE, "m.coo"], INPUT, "m.coo", "--force"),
    "output is a folder": ({}, ["sample", LATTICE, "-n", "3", "--moves", "9", "--out", "."], INPUT, ". is not", "--out"),
    "output is a device": (
        {}, ["sample", LATTICE, "-n", "3", "--moves", "9", "--out", "/dev/full"], INPUT, "/dev/full", "--out"),
    "convert unknown extension": ({}, ["convert", LATTICE, "m.xyz"], INPUT, "m.xyz", ["--to", ".coo"]),
    "convert to a full disk": (
        {}, ["convert", LATTICE, "/dev/full", "--to", "coo"], ENVIRONMENT, ["/dev/full", "No space"], "space"),
    "convert what does not fit": (
        {}, ["convert", LATTICE, "m.h5"], INPUT, [".h5", "not an RBM"], ""),
    # going on
    "resume nothing": ({}, ["sample", "--resume", "no.nc", "--moves", "9"], INPUT, "no.nc", "--out"),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input(nhot, tmp_path, name):
    files, arguments, code, what, hint = CASES[name]
    write(tmp_path, **files)
    before = snapshot(tmp_path)
    check(nhot(*arguments, cwd=tmp_path), code, what, hint)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("name", ["unknown move", "distance too large", "nan coupling", "output exists"])
def test_json_is_silent_on_errors(nhot, tmp_path, name):
    files, arguments, code, what, hint = CASES[name]
    write(tmp_path, **files)
    check(nhot(*arguments, "--json", cwd=tmp_path), code, what, hint)


def limit(what, value):
    """For preexec_fn: a limit on the resources of the program."""
    return lambda: resource.setrlimit(what, (value, value))


def test_disk_full_at_once(nhot, tmp_path):
    """Too little room even for the header: found before the work is done."""
    done = nhot(
        "sample", LATTICE, "-n", "3", "--move", "im", "--moves", "1e12", "--out", "run.nc",
        cwd=tmp_path, preexec_fn=limit(resource.RLIMIT_FSIZE, 1000))
    check(done, ENVIRONMENT, ["run.nc", "File too large"], "make room")
    assert snapshot(tmp_path) == {}


def test_disk_full_later(nhot, tmp_path):
    """Room for the beginning: what was written before stays, and is readable. A machine that fills the room before it
    writes for the first time is given longer draws."""
    for thin in "1", "10", "100", "1000", "10000", "100000":
        done = nhot(
            "sample", "ferromagnet:100x100", "-n", "3", "--move", "swap", "--warmup", "9", "--thin", thin,
            "--states", "16", "--moves", "1e12", "--out", "run.nc", cwd=tmp_path, preexec_fn=limit(resource.RLIMIT_FSIZE, 8_000_000))
        if "holds" in done.stderr:
            break
    check(done, ENVIRONMENT, ["run.nc", "File too large", "run.nc.partial holds"], "make room")
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc.partial"]
    assert "is of a run that goes on or was killed" in nhot("diagnose", "run.nc.partial", cwd=tmp_path, ok=True).stdout


def test_disk_full_keeps_what_was_there(nhot, tmp_path):
    write(tmp_path, run__nc="precious")
    done = nhot(
        "sample", LATTICE, "-n", "3", "--moves", "100", "--out", "run.nc", "--force",
        cwd=tmp_path, preexec_fn=limit(resource.RLIMIT_FSIZE, 1000))
    check(done, ENVIRONMENT, "run.nc", "make room")
    assert snapshot(tmp_path) == {pathlib.Path("run.nc"): b"precious"}


def test_full_standard_output(nhot):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = nhot("help", "options", stdout=full)
    assert done.returncode == ENVIRONMENT
    assert "standard output" in done.stderr


def test_out_of_memory(nhot):
    done = nhot("info", "ferromagnet:15000x15000", preexec_fn=limit(resource.RLIMIT_AS, 1 << 30))
    check(done, ENVIRONMENT, ["out of memory", "MB"], "smaller model")


def test_unwritable_folder(nhot, tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        (folder / "probe").write_text("")
        pytest.skip("this user may write anywhere")
    except PermissionError:
        pass
    done = nhot("sample", LATTICE, "-n", "3", "--moves", "9", "--out", "locked/run.nc", cwd=tmp_path)
    check(done, ENVIRONMENT, "run.nc", "")


def test_force_replaces(nhot, tmp_path):
    write(tmp_path, run__nc="old", m__coo="old")
    nhot("sample", LATTICE, "-n", "3", "--moves", "9", "--out", "run.nc", "--force", cwd=tmp_path, ok=True)
    nhot("convert", LATTICE, "m.coo", "--force", cwd=tmp_path, ok=True)
    assert nhot("info", "m.coo", cwd=tmp_path, ok=True).stdout
    assert nhot("diagnose", "run.nc", cwd=tmp_path, ok=True).stdout


def test_unknown_simd_path(nhot):
    done = nhot("sample", "rbm:9x4", "-n", "3", "--moves", "9", env=os.environ | {"NHOT_SIMD": "avx1024"})
    check(done, INPUT, "'avx1024' is no SIMD path", "portable")
