"""What golden fits, plans and refusals are: digests of what the command line makes of them.

Usage: python -m tests.golden.record [--write]

Compares the digests with tests/golden/digests.json, or writes them there.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.golden.cases import BUDGET, LOSSES, PLANS, REFUSED, cases

ROOT = Path(__file__).resolve().parent.parent.parent
DIGESTS = Path(__file__).with_name("digests.json")
_NOT_CONTENT = {"southwell_version", "version", "checksum", "format"}


class Golden:
    """A folder with the data, and the command line in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        sizes = ["--records", "200", "--features", "8"]
        for suffix in ("csv", "npy", "libsvm"):
            self.run("generate", "square", *sizes, "--seed", "1", "--out", f"regression.{suffix}")
            self.run("generate", "log1", *sizes, "--seed", "2", "--out", f"classes.{suffix}")
        self._write_three_classes()
        names = [f"x{j}" for j in range(1, 9)]
        scales = "".join(f"{name},{0.5 + j / 4}\n" for j, name in enumerate(names))
        (folder / "scale.csv").write_text("feature,scale\n" + scales)
        (folder / "start.csv").write_text("feature,coef\nx1,3\nx5,-2\n")
        for loss, words in LOSSES.items():
            kind = "regression" if loss in ("squared", "huber") else "classes"
            start = ["--solver", "gcd", "--iterations", "3"]
            fit = ["fit", f"{kind}.csv", *words, *start, *BUDGET]
            self.run(*fit, "--out", f"{loss}.start.json")

    def _write_three_classes(self) -> None:
        lines = (self.folder / "regression.csv").read_text().splitlines()
        rows = [line.rsplit(",", 1) for line in lines[1:]]
        labels = [0 if float(y) < -20 else 1 if float(y) < 20 else 2 for _, y in rows]
        body = [f"{row},{label}" for (row, _), label in zip(rows, labels)]
        (self.folder / "three.csv").write_text("\n".join([lines[0], *body]) + "\n")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(ROOT / "build" / "southwell"), *arguments]
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=120
        )

    def fit(self, index: int, words: list[str]) -> dict[str, str]:
        """Digests of what a fit would do, of what it did, and of what it says of itself."""
        planned = self.run("fit", *words, "--dry-run")
        out = f"{index}.json"
        done = self.run("fit", *words, "--out", out)
        if done.returncode != 0:
            return {"refused": digest([done.returncode, done.stderr])}
        shown = json.loads(self.run("inspect", out, "--json", "--path").stdout)
        content = {key: value for key, value in shown.items() if key not in _NOT_CONTENT}
        model = {key: content.pop(key) for key in ("coef", "intercept", "path")}
        return {
            "model": digest(model),
            "statement": digest(content),
            "text": digest(self.run("inspect", out).stdout),
            "plan": digest([planned.returncode, planned.stdout, planned.stderr]),
        }


def digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True)  # shortest digits that read back to the same double
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def record() -> dict[str, dict[str, str]]:
    """Every digest by the name of its case."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        golden = Golden(Path(folder))
        fits = list(cases())
        found = list(pool.map(lambda k: golden.fit(k, fits[k][1]), range(len(fits))))
        out = {name: digests for (name, _), digests in zip(fits, found, strict=True)}
        for words in PLANS:
            out[" ".join(words)] = {"plan": digest(golden.run(*words).stdout)}
        for words in REFUSED:
            done = golden.run(*words, "--out", "x.json")
            out[" ".join(words)] = {"refused": digest([done.returncode, done.stderr])}
    return out


def main() -> int:
    found = record()
    if sys.argv[1:] == ["--write"]:
        DIGESTS.write_text(json.dumps(found, indent=1) + "\n")
        print(f"{len(found)} cases written")
        return 0
    wanted = json.loads(DIGESTS.read_text())
    others = [name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name)]
    for name in sorted(others):
        print(f"{name}\n    was {wanted.get(name)}\n    is  {found.get(name)}")
    print(f"{len(found)} cases, {len(others)} differ")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
