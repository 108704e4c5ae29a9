#!/usr/bin/env python3
"""Links of the built site lead somewhere, and no page loads anything from elsewhere.

    scripts/site/links.py [FOLDER]        default: build/site

Every relative link of a page must name a file of the site, and an anchor that is there; what a page loads (scripts,
styles, images) must be a file of the site.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src")}


class Page(HTMLParser):
    """The anchors of a page, where it links to, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loads = {""}, [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "link" and given.get("href") and given.get("rel") not in ("canonical", "prev", "next"):
            self.loads.append(given["href"])
        self.loads += [given[name] for kind, name in LOADED if tag == kind and given.get(name)]


def problems_of(site):
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    if not pages:
        return [f"{site} has no pages"], 0
    found, count = [], 0
    for path, page in pages.items():
        where = path.relative_to(site)
        if where.name == "404.html":  # its links are from the root of a server
            continue
        for target in page.links + page.loads:
            parts = urlsplit(target)
            if parts.scheme in ("http", "https") or target.startswith("//"):
                if target in page.loads:
                    found.append(f"{where} loads {target} from elsewhere")
                continue
            if parts.scheme in ("mailto", "data", "javascript"):
                continue
            count += 1
            file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if file.is_dir():
                file = file / "index.html"
            if not file.is_file() or site not in file.parents:
                found.append(f"{where}: the link to {target} leads nowhere")
            elif file in pages and unquote(parts.fragment) not in pages[file].anchors:
                found.append(f"{where}: {target} names an anchor that is not there")
    return found, count


def main():
    site = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/site").resolve()
    found, count = problems_of(site)
    for problem in found:
        print(problem)
    if found:
        sys.exit(f"{len(found)} problems")
    print(f"{count} links lead somewhere, and nothing is loaded from elsewhere")


if __name__ == "__main__":
    main()
