"""doc/formats.md tells the truth: its examples are read, its table of bad inputs gives its messages."""

import re

import pytest


def document(root):
    return (root / "doc" / "formats.md").read_text()


# What each example means, as COO.
SPINS = "# vartype=SPIN\n# offset=0.5\n# sites=4\n0 0 -1.5\n0 1 1\n1 2 -1\n"
EXAMPLES = {
    "coo": SPINS,
    "mtx": SPINS,
    "hubo": SPINS,
    "qubo": "# vartype=BINARY\n# offset=0.5\n0 0 -1.5\n0 1 1\n1 2 -1\n3 3 2\n",
    "edges": "# vartype=BINARY\n# sites=4\n0 0 -3\n0 1 -0.5\n0 2 0.25\n",
    "gset": "# vartype=SPIN\n# offset=-1\n0 1 0.5\n0 3 0.5\n1 2 0.5\n2 3 -0.5\n",
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_mean_what_the_text_says(nhot, root, tmp_path, name):
    found = re.search(rf"```{name}\n(.*?)```", document(root), re.DOTALL)
    (tmp_path / f"m.{name}").write_text(found.group(1))
    nhot("convert", f"m.{name}", "out.coo", cwd=tmp_path, ok=True)
    assert (tmp_path / "out.coo").read_text() == EXAMPLES[name]


def bad_inputs(text):
    table = text.split("<!-- bad input -->")[1].split("<!-- /bad input -->")[0]
    rows = re.findall(r"^\| `(.*?)` \| `(.*?)` \| (.*?) \|$", table, re.MULTILINE)
    assert len(rows) == len(table.strip().splitlines()) - 2, "a row of the table is not understood"
    return rows


def test_bad_inputs_give_the_messages_of_the_table(nhot, root, tmp_path):
    rows = bad_inputs(document(root))
    assert len(rows) > 30
    for file, content, message in rows:
        (tmp_path / file).write_text(content.replace("\\n", "\n") + "\n")
        done = nhot("info", file, cwd=tmp_path)
        assert done.returncode == 2, (file, content, done.stderr)
        assert message in done.stderr, (file, content)
        assert done.stdout == ""


def test_missing_files_and_outputs(nhot, tmp_path):
    (tmp_path / "graph.coo").write_text("# vartype=SPIN\n0 1 1\n")
    missing = nhot("info", "grahp.coo", cwd=tmp_path)
    assert missing.returncode == 2
    assert "did you mean 'graph.coo'?" in missing.stderr
    (tmp_path / "out.mtx").write_text("precious")
    assert nhot("convert", "graph.coo", "out.mtx", cwd=tmp_path).returncode == 2
    assert (tmp_path / "out.mtx").read_text() == "precious"
    nhot("convert", "graph.coo", "out.mtx", "--force", cwd=tmp_path, ok=True)
    assert (tmp_path / "out.mtx").read_text().startswith("%%MatrixMarket")
    assert nhot("convert", "graph.coo", "none/out.mtx", cwd=tmp_path).returncode == 2


def test_full_disk(nhot, tmp_path):
    (tmp_path / "full.coo").symlink_to("/dev/full")
    done = nhot("convert", "ferromagnet:8x8", "full.coo", cwd=tmp_path)
    assert done.returncode == 3
    assert "No space left" in done.stderr
    assert (tmp_path / "full.coo").is_symlink()


@pytest.mark.parametrize("format_name", ["gset", "coo:spin"])
def test_a_format_can_be_named(nhot, tmp_path, format_name):
    text = {"gset": "2 1\n1 2\n", "coo:spin": "0 1 0.5\n"}[format_name]
    (tmp_path / "graph").write_text(text)
    nhot("info", "graph", "--format", format_name, cwd=tmp_path, ok=True)
