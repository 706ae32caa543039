"""Keeps how headless Chromium shows the statement page of a model, for the README and the site.

Usage: page_shots.py   Fits the insurance table of the examples. Needs the Debian package chromium,
which nothing else does.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from tools.report_shot import ROOT, photograph, small

SHOT = ROOT / "docs" / "statement_page.png"
HIGHEST = 1250  # pixels: the promise, the facts and the coefficients
SCHEMA = ROOT / "examples" / "schemas" / "insurance.json"


def statement_page(folder: Path) -> Path:
    """The page of a fit on the made-up table of an insurer, with figures of held-out records."""
    table, model, page = folder / "insurance.csv", folder / "model.json", folder / "page.html"
    example = [sys.executable, str(ROOT / "examples/insurance.py"), str(table), "50000"]
    program = str(ROOT / "build/southwell")
    fit = [program, "fit", str(table), "--schema", str(SCHEMA), "--loss", "squared"]
    fit += ["--epsilon", "1", "--delta", "1e-6", "--test-share", "0.2", "--out", str(model)]
    for command in (example, fit, [program, "inspect", str(model), "--html", str(page)]):
        subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return page


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        raw = Path(name) / "shot.png"
        photograph(statement_page(Path(name)), raw, width=960)
        with Image.open(raw) as picture:
            page = picture.convert("RGB")
        small(page.crop((0, 0, page.width, HIGHEST))).save(SHOT, optimize=True)
    print(f"{SHOT.relative_to(ROOT)}: {SHOT.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
