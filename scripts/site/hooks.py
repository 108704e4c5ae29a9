"""What make docs adds to the pages of doc/ (hooks of mkdocs).

- Pages made from the sources: reference/python and reference/cpp.
- Documents and examples from elsewhere in the tree, under tree/, with links to and from them set right.
- Patterns in the navigation: the pages that are named nowhere else.
- A figure that exists as name.svg and name-dark.svg is shown in the colours of the page.
- The sampler in the browser: where build/web exists it is copied to live/ and linked.
"""

import posixpath
import re
import sys
from fnmatch import fnmatch
from pathlib import Path

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).resolve().parent))
import reference_cpp  # noqa: E402
import reference_python  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "CITATION.cff", "LICENSE", "dependencies.txt")
FOLDERS = ("examples",)  # with all that is in them
LIVE = ROOT / "build" / "web"  # the sampler compiled for browsers
ADDED = {"site.css": "scripts/site/style.css", "iframe-worker.js": "node_modules/iframe-worker/shim/index.js"}
LINK = re.compile(r"(?<=\]\()([^)\s#:]+)(?=(#[^)\s]*)?\))")
FIGURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\.svg\)")
TITLED = re.compile(r"^```(\w+) file=(\S+)$", re.M)  # a block of a guide that scripts/guides.py follows
FENCE = re.compile(r"(^ *```.*?^ *```$)", re.M | re.S)


def generated():
    """{path on the site: text} of the pages made from the sources."""
    found = {f"reference/python/{name}.md": text for name, text in reference_python.pages().items()}
    return found | {f"reference/cpp/{name}.md": text for name, text in reference_cpp.pages().items()}


def from_tree():
    """{path on the site: file} of what is not in doc/."""
    paths = [Path(name) for name in DOCUMENTS]
    for folder in FOLDERS:
        paths += [path.relative_to(ROOT) for path in sorted((ROOT / folder).rglob("*"))
                  if path.is_file() and "__pycache__" not in path.parts]
    found = {f"tree/{path}": ROOT / path for path in paths}
    if LIVE.is_dir():
        found |= {f"live/{path.relative_to(LIVE)}": path for path in sorted(LIVE.rglob("*")) if path.is_file()}
    return found


def expanded(nav, pages):
    """The navigation with every pattern replaced by the pages that match it and are named nowhere else."""
    def named(items):
        for item in items:
            yield from named(next(iter(item.values()))) if isinstance(item, dict) and isinstance(next(iter(item.values())), list) else [item]

    texts = [item if isinstance(item, str) else next(iter(item.values())) for item in named(nav)]
    patterns = [text for text in texts if "*" in text]
    free = [page for page in pages if page not in texts]

    def taken_by(page):
        return max((p for p in patterns if fnmatch(page, p) and p.count("/") == page.count("/")), key=len, default=None)

    def fill(items):
        for item in items:
            if isinstance(item, dict):
                [(title, below)] = item.items()
                yield {title: list(fill(below)) if isinstance(below, list) else below}
            elif "*" in item:
                yield from (page for page in free if taken_by(page) == item)
            else:
                yield item

    return list(fill(nav))


def on_files(files, config):
    for path, text in generated().items():
        files.append(File.generated(config, path, content=text))
    for path, source in from_tree().items():
        files.append(File.generated(config, path, abs_src_path=str(source)))
    for path, source in ADDED.items():
        files.append(File.generated(config, path, abs_src_path=str(ROOT / source)))
    pages = sorted(file.src_uri for file in files.documentation_pages() if not fnmatch(file.src_uri, "tree/*"))
    config["nav"] = expanded(config["nav"], pages)
    if LIVE.is_dir():
        config["nav"][0]["Start"].append({"Live in the browser": "live/index.html"})
    return files


def site_path(path, files):
    """Where the site has a file of the tree; None when it has not."""
    path = path.removeprefix("doc/") if path.startswith("doc/") else f"tree/{path}"
    for candidate in (path, f"{path.rstrip('/')}/README.md"):
        if files.get_file_from_path(candidate):
            return candidate
    return None


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    folder = posixpath.dirname(here)

    def link(found):
        """Links between doc/ and the rest of the tree, as they stand in the sources, to where the site has both."""
        at_home = posixpath.dirname(here.removeprefix("tree/") if here.startswith("tree/") else f"doc/{here}")
        target = site_path(posixpath.normpath(posixpath.join(at_home, found[1])), files)
        return posixpath.relpath(target, folder or ".") if target else found[1]

    def figure(found):
        if not files.get_file_from_path(posixpath.normpath(posixpath.join(folder, f"{found[2]}-dark.svg"))):
            return found[0]
        return f"![{found[1]}]({found[2]}.svg#only-light) ![{found[1]}]({found[2]}-dark.svg#only-dark)"

    parts = FENCE.split(TITLED.sub(r'```\1 title="\2"', markdown))
    return "".join(part if k % 2 else FIGURE.sub(figure, LINK.sub(link, part)) for k, part in enumerate(parts))
