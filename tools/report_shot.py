"""Draws the report of a study and keeps how headless Chromium shows it as docs/paper_report.png.

Usage: report_shot.py STUDY   STUDY is what `southwell lab paper --out` wrote. Needs the Debian
package chromium, which nothing else does.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import cast

from PIL import Image, ImageChops

ROOT = Path(__file__).resolve().parent.parent
SHOT = ROOT / "docs" / "paper_report.png"
REPORT = ROOT / "build" / "report"
WIDTH = 1180
TALLEST = 16000  # pixels; Chromium's own limit is a little higher
COLOURS = 48
DIFFERENT = 16  # least sum of differences in red, green and blue
LARGEST = 600_000  # bytes that a picture may take in the repository


def photograph(page: Path, picture: Path, width: int = WIDTH) -> None:
    with tempfile.TemporaryDirectory() as profile:
        command = ["chromium", "--headless", "--disable-gpu", "--hide-scrollbars"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")  # Chromium's sandbox does not start for root
        command += [f"--user-data-dir={profile}", f"--window-size={width},{TALLEST}"]
        command += [f"--screenshot={picture}", page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=180)
    if done.returncode != 0 or not picture.exists():
        raise SystemExit(f"error: chromium took no picture:\n{done.stderr}")


def trimmed(picture: Image.Image) -> Image.Image:
    """Without the empty page below the last line."""
    below = picture.getpixel((0, picture.height - 1))
    assert isinstance(below, tuple)
    box = ImageChops.difference(picture, Image.new("RGB", picture.size, below)).getbbox()
    if box is None or box[3] >= picture.height - 1:
        raise SystemExit(f"error: the report is empty or higher than {TALLEST} pixels")
    return picture.crop((0, 0, picture.width, min(picture.height, box[3] + 40)))


def small(picture: Image.Image) -> Image.Image:
    """In its own commonest colours that differ, undithered: flat areas stay as they are."""
    found = picture.getcolors(picture.width * picture.height)
    counted = cast(list[tuple[int, tuple[int, int, int]]], found)
    kept: list[tuple[int, int, int]] = []
    for _, colour in sorted(counted, reverse=True):
        if all(sum(abs(a - b) for a, b in zip(colour, other)) >= DIFFERENT for other in kept):
            kept.append(colour)
        if len(kept) == COLOURS:
            break
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in kept for part in colour])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if shutil.which("chromium") is None:
        print("error: no chromium: apt-get install chromium", file=sys.stderr)
        return 2
    draw = [sys.executable, "-m", "southwell.paper", sys.argv[1], "--out", str(REPORT)]
    if subprocess.run(draw, check=False).returncode != 0:
        return 1
    raw = REPORT / "shot.png"
    photograph(REPORT / "report.html", raw)
    with Image.open(raw) as picture:
        page = trimmed(picture.convert("RGB"))
    small(page).save(SHOT, optimize=True)
    size = SHOT.stat().st_size
    print(f"{SHOT.relative_to(ROOT)}: {page.width} x {page.height}, {size // 1000} kB")
    if size > LARGEST:
        print(f"error: larger than {LARGEST // 1000} kB", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
