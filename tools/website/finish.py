"""What the theme leaves open for people who do not see the page, or use no mouse."""

from __future__ import annotations

from pathlib import Path

MENDED = [
    # A heading says of which level it is, and two landmarks of one kind which is which.
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="All pages">'),
    ('<aside class="toc-drawer">', '<aside class="toc-drawer" aria-label="On this page">'),
    # What scrolls by itself can be reached by the keyboard.
    ("<pre>", '<pre tabindex="0">'),
    # A column without a name has no heading.
    ('<th class="head"><p></p></th>', "<td></td>"),
    ('<div id="search-results">', '<h1>Search</h1>\n<div id="search-results">'),
]


def finish(site: Path) -> None:
    """Mends every page. Where the theme has changed and there is nothing to mend, stops."""
    never = {before for before, _ in MENDED}
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for before, after in MENDED:
            if before in text:
                never.discard(before)
                text = text.replace(before, after)
        page.write_text(text, encoding="utf-8")
    if never:
        raise SystemExit(f"tools/website/finish.py: on no page: {', '.join(sorted(never))}")
