"""The checks on the sources can fail: each is run on a small tree with one planted fault."""

import re
import subprocess
import sys

import pytest

GOOD_PAGE = "# nhot\n\n<!-- tree -->\n<!-- /tree -->\n"


@pytest.fixture
def small(tmp_path):
    """A small tree that passes every check."""
    put(tmp_path, "src/nhot/base/types.hpp", "#pragma once\n\n#include <vector>\n")
    put(tmp_path, "src/nhot/move/swap.hpp", '#pragma once\n\n#include "nhot/base/types.hpp"\n')
    put(tmp_path, "src/nhot/io/trace.cpp", "#include <netcdf.h>\n")
    put(tmp_path, "app/main.cpp", '#include "nhot/move/swap.hpp"\n\nint main() { return 0; }\n')
    put(tmp_path, ".clang-format", "BasedOnStyle: Google\nColumnLimit: 100\n")
    put(tmp_path, "README.md", GOOD_PAGE)
    put(tmp_path, "ARCHITECTURE.md", GOOD_PAGE)
    put(tmp_path, "CONTRIBUTING.md", "Run `scripts/go`; see `app/*.cpp`, `nhot/move/swap.hpp`.\n")
    put(tmp_path, "scripts/go", "true\n")
    return tmp_path


def put(root, name, content):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


@pytest.fixture
def check(root, small):
    """check("layers") runs a check on the small tree: (exit code, output)."""

    def run(name, *options):
        script = root / "scripts" / "check" / f"{name}.py"
        done = subprocess.run(
            [sys.executable, script, "--root", small, *options], capture_output=True, text=True
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stdout + done.stderr

    run("maps", "--write")
    return run


@pytest.mark.parametrize("name", ["layers", "maps", "words", "length", "format"])
def test_a_good_tree_passes(check, name):
    code, output = check(name)
    assert code == 0, output


@pytest.mark.parametrize(
    "name, include, message",
    [
        ("src/nhot/base/bad.hpp", '"nhot/move/swap.hpp"', "base/ may not include move/"),
        ("src/nhot/base/bad.hpp", "<nhot/move/swap.hpp>", "base/ may not include move/"),
        ("src/nhot/base/deep/bad.cpp", '"nhot/move/swap.hpp"', "base/ may not include move/"),
        ("src/nhot/move/bad.hpp", '"nhot/base/gone.hpp"', "does not exist"),
        ("src/nhot/move/bad.hpp", '"swap.hpp"', "include as"),
        ("src/nhot/run/bad.cpp", "<netcdf.h>", "only the standard library"),
        ("src/nhot/attic/bad.hpp", "<vector>", "attic/ is not a room"),
        ("app/bad.cpp", '"nhot/base/gone.hpp"', "does not exist"),
    ],
)
def test_layers_catch(check, small, name, include, message):
    put(small, name, f"#pragma once\n#include {include}\n")
    code, output = check("layers")
    assert code == 1
    assert re.search(rf"{re.escape(name)}.*{re.escape(message)}", output), output


def test_maps_catch_a_new_room_and_write_mends_it(check, small):
    put(small, "src/nhot/shell/shell.hpp", "#pragma once\n")
    code, output = check("maps")
    assert code == 1
    assert "README.md: the tree is out of date" in output
    assert "missing:   shell/" in output
    assert check("maps", "--write")[0] == 0
    assert check("maps")[0] == 0


def test_maps_catch_a_room_that_is_gone(check, small):
    (small / "src/nhot/move/swap.hpp").unlink()
    put(small, "CONTRIBUTING.md", "Nothing.\n")
    code, output = check("maps")
    assert code == 1
    assert "shown, but not so:   move/" in output


@pytest.mark.parametrize("folder", ["attic", "src/nhot/attic"])
def test_maps_catch_a_folder_without_description(check, small, folder):
    put(small, f"{folder}/x.hpp", "#pragma once\n")
    code, output = check("maps", "--write")
    assert code == 1
    assert f"{folder}/ has no description" in output


@pytest.mark.parametrize(
    "page, content, message",
    [
        ("CONTRIBUTING.md", "See `scripts/gone`.\n", "`scripts/gone` does not exist"),
        ("CONTRIBUTING.md", "See `GONE.md`.\n", "`GONE.md` does not exist"),
        ("CONTRIBUTING.md", "See `app/*.hpp`.\n", "`app/*.hpp` does not exist"),
        ("CONTRIBUTING.md", "See [that](doc/gone.md#there).\n", "doc/gone.md leads nowhere"),
        ("doc/page.md", "See [that](gone.md).\n", "gone.md leads nowhere"),
        ("README.md", "No tree here.\n", "README.md: no tree"),
    ],
)
def test_maps_catch_a_path_that_leads_nowhere(check, small, page, content, message):
    put(small, page, content)
    code, output = check("maps")
    assert code == 1
    assert message in output


def test_maps_leave_commands_and_made_files_alone(check, small):
    words = "`build/nhot` `results/x` `make test` `--out RUN.nc` `n/a b` `im:length=1..25` `x`"
    put(small, "CONTRIBUTING.md", words + "\n```\n`scripts/gone`\n```\n[x](https://example.org)\n")
    code, output = check("maps")
    assert code == 0, output


@pytest.mark.parametrize(
    "text",
    [
        "// TO" + "DO: later\n",
        "# FIX" + "ME\n",
        "open('/ro" + "ot/x.nc')\n",
        "cd /wo" + "rk/main\n",
        "see /ho" + "me/someone/file\n",
        "<" * 7 + " HEAD\n",
    ],
)
def test_words_catch(check, small, text):
    put(small, "doc/page.md", "fine\n" + text)
    code, output = check("words")
    assert code == 1
    assert "doc/page.md:2" in output


def test_words_catch_options_with_dashes_in_the_library(check, small):
    put(small, "src/nhot/base/thing.cpp", 'const char* a = "{out}";\nconst char* b = "give --out";\n')
    code, output = check("words")
    assert code == 1 and "src/nhot/base/thing.cpp:2" in output and "thing.cpp:1" not in output


def test_words_leave_good_text_alone(check, small):
    put(small, "doc/page.md", "src/work/x, $HOME/work/x, https://example.org/root/x, todo lists\n")
    (small / "doc/picture.png").write_bytes(b"\x89PNG\xff\xfe")
    code, output = check("words")
    assert code == 0, output


def test_length_warns_and_then_fails(check, small):
    put(small, "app/long.cpp", "//\n" * 301)
    code, output = check("length")
    assert (code, "warning: app/long.cpp: 301 lines" in output) == (0, True), output
    put(small, "app/long.cpp", "//\n" * 801)
    code, output = check("length")
    assert (code, "app/long.cpp: 801 lines; split it" in output) == (1, True), output


def test_format_catches_and_mends(check, small):
    put(small, "app/ugly.cpp", "int   ugly( int x ){return x ;}\n")
    code, output = check("format")
    assert (code, "app/ugly.cpp: run: make format" in output) == (1, True), output
    assert check("format", "--write")[0] == 0
    assert check("format")[0] == 0


def test_tidy_catches(root, small):
    put(small, "app/main.cpp", "struct A { virtual ~A(); };\nstruct B : A { ~B(); };\n")
    put(small, ".clang-tidy", (root / ".clang-tidy").read_text())
    command = f'[{{"directory": "{small}", "file": "app/main.cpp", "command": "clang++-14 -c app/main.cpp"}}]'
    put(small, "build-clang/compile_commands.json", command)
    put(small, "src/nhot/io/trace.cpp", "")

    def tidy():
        return subprocess.run(
            [sys.executable, root / "scripts/check/tidy.py", "--root", small],
            capture_output=True,
            text=True,
        )

    found = tidy()
    assert (found.returncode, "modernize-use-override" in found.stdout) == (1, True), found
    put(small, "app/main.cpp", "struct A { virtual ~A(); };\nstruct B : A { ~B() override; };\n")
    assert tidy().returncode == 0
