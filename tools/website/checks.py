"""Looks at the finished site: every link has a target, and no page asks another machine for
anything."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

OUTSIDE = re.compile(r"^(https?:)?//")
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
IN_STYLE = re.compile(r"""(?:@import\s+|url\()\s*["']?([^"')\s;]+)""")


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.pictures_without_words = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and given.get("rel") not in {"next", "prev", "canonical"}:
            self.loaded.append(given.get("href", ""))
        if LOADED.get(tag) in given:
            self.loaded.append(given[LOADED[tag]])
        if tag == "img" and not given.get("alt"):
            self.pictures_without_words += 1
        self.loaded += IN_STYLE.findall(given.get("style", ""))


def complaints(site: Path) -> list[str]:
    """What is wrong with the site, a line each."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found: list[str] = []
    for path, page in pages.items():
        name = path.relative_to(site)
        found += [f"{name}: asks {url}" for url in page.loaded if OUTSIDE.match(url)]
        if page.pictures_without_words:
            found.append(f"{name}: {page.pictures_without_words} pictures without words for them")
        local = [url for url in page.loaded if not OUTSIDE.match(url) and url[:5] != "data:"]
        for url in [*page.links, *local]:
            if urlsplit(url).scheme or OUTSIDE.match(url):
                continue
            target, anchor = urlsplit(url).path, unquote(urlsplit(url).fragment)
            file = (path.parent / unquote(target)).resolve() if target else path
            if not file.is_file():
                found.append(f"{name}: no such page: {url}")
            elif anchor and file in pages and anchor not in pages[file].ids:
                found.append(f"{name}: no such place: {url}")
    for path in sorted(site.rglob("*.css")):
        urls = IN_STYLE.findall(path.read_text(encoding="utf-8"))
        found += [f"{path.relative_to(site)}: asks {u}" for u in urls if OUTSIDE.match(u)]
    return found
