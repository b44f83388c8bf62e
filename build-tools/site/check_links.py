#!/usr/bin/env python3
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Checks a folder of HTML: each link inside of it leads to a file and to a place that are there,
and no page loads anything from elsewhere. Pages that javadoc has made are only led to.

usage: check_links.py FOLDER
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src")}
LINKED = LOADED | {("a", "href")}


class Page(HTMLParser):
    """The places of a page, and where it leads."""

    def __init__(self, text):
        super().__init__()
        self.places, self.links, self.loaded = {""}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = {name: value or "" for name, value in attrs}
        self.places |= {values[name] for name in ("id", "name") if name in values}
        for name, value in values.items():
            if (tag, name) in LINKED:
                self.links.append(value)
            if (tag, name) in LOADED and not (tag == "link" and values.get("rel") == "canonical"):
                self.loaded.append(value)


def faults(folder):
    """Yields a line for each link that leads nowhere, and for each thing from elsewhere."""
    pages = {}

    def page(path):
        if path not in pages:
            pages[path] = Page(path.read_text(encoding="utf-8"))
        return pages[path]

    for path in sorted(folder.rglob("*.html")):
        where = path.relative_to(folder)
        if where.parts[0] == "javadoc" or where.name == "404.html":
            continue  # javadoc checks its own; the other's links begin at a server's top
        for link in page(path).loaded:
            if urlsplit(link).netloc:
                yield f"{where}: loads {link}"
        for link in page(path).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link == "#":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                yield f"{where}: {link} is not there"
            elif target.suffix == ".html" and unquote(parts.fragment) not in page(target).places:
                yield f"{where}: {link} has no such place"


def main():
    """Checks the folder that the command line names."""
    found = list(faults(Path(sys.argv[1]).resolve()))
    print("\n".join(found[:100]), end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
