"""The C++ reference has what the headers declare, and links of a built site are checked."""

import importlib.util
import re
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def reference(root):
    spec = importlib.util.spec_from_file_location("reference_cpp", root / "scripts/site/reference_cpp.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_has_the_public_headers(reference, root):
    pages = reference.pages()
    text = "\n".join(pages.values())
    for header in reference.INCLUDE.findall((root / "src/nhot/nhot.hpp").read_text()):
        assert f"`#include <nhot/{header}>`" in text
    assert "### sample()" in pages["result"] and "### Shell\n" in pages["shell"]
    assert "Which states there are" not in text and "reference_;" not in text  # no private member
    assert "return " not in "".join(part for part in pages["shell"].split("```")[1::2])  # and no body


def test_no_member_of_a_struct_is_lost(reference, root):
    text, seen = "\n".join(reference.pages().values()), 0
    for path in reference.public_headers():
        for body in re.findall(r"^struct \w+[^;\n]*\{\n(.*?)^\};", (root / "src/nhot" / path).read_text(), re.M | re.S):
            for line in body.split(" private:")[0].splitlines():
                if re.match(r"  \w[^(]*;", line):
                    assert line in text, (path, line)
                    seen += 1
    assert seen > 200


HEADER = """// What it is for:
//
//   Thing thing(3);
#pragma once

namespace nhot {

/// A thing; {braces} and "text {" are no code.
class Thing {
 public:
  explicit Thing(int size) : size_(size) {}
  /// Its size.
  int size() const { return size_; }

 private:
  int size_;
};

namespace detail {
int hidden();
}

struct One {
  int alone = 0;  // the only one
};

/// Makes one.
Thing make(int size = 1);
Thing make(const char* text);

}  // namespace nhot
"""
PAGE = """## thing.hpp

`#include <nhot/thing.hpp>`

What it is for:

    Thing thing(3);

### Thing

A thing; {braces} and "text {" are no code.

```cpp
class Thing {
 public:
  explicit Thing(int size);
  /// Its size.
  int size() const;
};
```

### One



```cpp
struct One {
  int alone = 0;  // the only one
};
```

### make()

Makes one.

```cpp
Thing make(int size = 1);
Thing make(const char* text);
```
"""


def test_a_header_as_a_page(reference):
    assert reference.header_page("thing.hpp", HEADER) == PAGE


@pytest.mark.parametrize("text, message", [
    ('<a href="b.html#there">', None),
    ('<a href="b.html#here">', "names an anchor that is not there"),
    ('<a href="c.html">', "leads nowhere"),
    ('<a href="../outside.html">', "leads nowhere"),
    ('<a href="https://example.org/">', None),
    ('<script src="https://example.org/x.js"></script>', "from elsewhere"),
    ('<link rel="stylesheet" href="//example.org/x.css">', "from elsewhere"),
])
def test_links_of_a_site(root, tmp_path, text, message):
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "outside.html").write_text("")
    (site / "a.html").write_text(text)
    (site / "b.html").write_text('<h1 id="there">')
    done = subprocess.run([sys.executable, root / "scripts/site/links.py", site], capture_output=True, text=True)
    assert (done.returncode == 0) == (message is None)
    assert message is None or message in done.stdout


def test_figures_have_a_dark_twin(root):
    """And the pages that show them exist."""
    shown = "\n".join(page.read_text() for page in (root / "doc").rglob("*.md"))
    figures = sorted((root / "doc/figures").glob("guide-*.svg"))
    assert figures
    for figure in figures:
        if not figure.stem.endswith("-dark"):
            assert figure.with_name(f"{figure.stem}-dark.svg").is_file() and figure.name in shown
