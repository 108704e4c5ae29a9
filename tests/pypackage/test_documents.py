"""What the documents show of the package runs, and the types say what the options say."""

import os
import re
import subprocess
import sys

import pytest

MARKS = {"README.md": "(4, ", "doc/python.md": "['tent', 'stove']", "doc/models/kdpp.md": "chosen: 20",
         "doc/models/regression.md": "best subset: ['bmi'", "doc/models/hubo.md": "lowest energy: 6.0",
         "doc/models/groups.md": "laboratory: [1 3 2 5]"}


@pytest.mark.parametrize("document", MARKS)
def test_python_blocks_run(root, tmp_path, document):
    blocks = re.findall(r"```python\n(.*?)```", (root / document).read_text(), re.S)
    assert blocks
    (tmp_path / "shown.py").write_text("\n".join(blocks))
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run([sys.executable, "shown.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert MARKS[document] in done.stdout


def test_the_stub_has_every_option(root):
    done = subprocess.run([sys.executable, root / "scripts" / "stubs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_types_are_shipped():
    import nhot

    folder = os.path.dirname(nhot.__file__)
    assert {"py.typed", "drivers.pyi", "_core.pyi"} <= set(os.listdir(folder))
    assert "site-packages" in folder, "the tests are to see the installed wheel"
