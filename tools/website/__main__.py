"""Builds the site in build/site/html: `make docs`. A warning of Sphinx, a link without a target or
a request to another machine is an error."""

from __future__ import annotations

import shutil
import subprocess
import sys

from tools.website.checks import complaints
from tools.website.commands import stage_commands
from tools.website.finish import finish
from tools.website.python_api import stage_python
from tools.website.staging import ROOT, stage_examples, stage_pages, stage_proofs

SITE = ROOT / "build" / "site"


def main() -> int:
    source, html = SITE / "source", SITE / "html"
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(html, ignore_errors=True)
    source.mkdir(parents=True)
    for stage in (stage_pages, stage_proofs, stage_examples, stage_commands, stage_python):
        stage(source)
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-j2", "-b", "html"]
    command += ["-c", str(ROOT / "docs"), "-d", str(SITE / "doctrees"), str(source), str(html)]
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        return 1
    finish(html)
    found = complaints(html)
    for line in found:
        print(f"error: {line}", file=sys.stderr)
    if found:
        return 1
    pages = len(list(html.rglob("*.html")))
    print(f"{(html / 'index.html').relative_to(ROOT)}: {pages} pages, every link has a target")
    return 0


if __name__ == "__main__":
    sys.exit(main())
