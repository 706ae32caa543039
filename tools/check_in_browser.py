"""Opens the pages of the site, and those that the program writes, in headless Chromium: no message
on the console, no request to another machine, nothing that axe calls a fault of accessibility, and
nothing wider than a screen of 400 pixels.

Usage: check_in_browser.py [PAGE...]   Pages besides those of the site. Needs the Debian package
chromium and two packages that nothing else does:

    .venv/bin/uv pip install playwright axe-playwright-python
    .venv/bin/python -m tools.check_in_browser
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools.page_shots import statement_page
from tools.website.staging import ROOT

SITE = ROOT / "build" / "site" / "html"
PAGES = ["index.html", "guide.html", "tables.html", "epsilon.html", "officer.html", "errors.html",
         "commands/fit.html", "python/models.html", "research/uci.html", "search.html"]  # fmt: skip
NARROW = 400
AXE = {"preload": False}  # it would fetch style sheets, which a page from a file may not


def faults(browser: Any, axe: Any, page_file: Path) -> list[str]:
    found: list[str] = []
    context = browser.new_context(viewport={"width": 1200, "height": 900})

    def watch(route: Any) -> None:
        if route.request.url.startswith(("http:", "https:")):
            found.append(f"asks {route.request.url}")
            route.abort()
        else:
            route.continue_()

    context.route("**/*", watch)
    page = context.new_page()
    page.on("pageerror", lambda error: found.append(f"error {error}"))
    page.on("console", lambda said: found.extend([f"says {said.text}"] * (said.type == "error")))
    page.goto(page_file.as_uri())
    for violation in axe.run(page, options=AXE).response["violations"]:
        places = [node["target"] for node in violation["nodes"]]
        found.append(f"axe {violation['id']}: {violation['help']} at {places[:3]}")
    page.set_viewport_size({"width": NARROW, "height": 900})
    width = page.evaluate("document.documentElement.scrollWidth")
    if width > NARROW:
        found.append(f"is {width} pixels wide on a screen of {NARROW}")
    context.close()
    return found


def main() -> int:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    wrong = 0
    with tempfile.TemporaryDirectory() as name, sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        files = [*(SITE / page for page in PAGES), statement_page(Path(name))]
        for file in [*files, *map(Path, sys.argv[1:])]:
            found = faults(browser, Axe(), file.resolve())
            wrong += len(found)
            print(f"{file.name}: {'; '.join(found) or 'nothing to complain of'}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
