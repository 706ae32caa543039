"""One story on a raw table: an insurer fits what drives charges, privately, and shows the page that
says what was promised. What it writes stays in build/demo."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "demo"
RECORDS = "50000"
SCHEMA = "examples/schemas/insurance.json"
BUDGET = ["--loss", "squared", "--epsilon", "1", "--delta", "1e-6"]
FIT = ["fit", "insurance.csv", "--schema", SCHEMA, *BUDGET, "--test-share", "0.2"]


def say(words: str) -> None:
    print(f"\n# {words}", flush=True)


def southwell(*arguments: str) -> str:
    """Runs the command line in the demo's folder, as it is shown."""
    print(f"$ southwell {' '.join(arguments)}", flush=True)
    command = [str(ROOT / "build/southwell"), *arguments]
    done = subprocess.run(command, cwd=PLACE, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return done.stdout


def show(text: str, most: int) -> None:
    """The first lines of an output; that there are more is said."""
    lines = [line for line in text.splitlines() if line.strip()]
    print("\n".join(f"  {line}" for line in lines[:most]))
    if len(lines) > most:
        print(f"  … {len(lines) - most} more lines")


def main() -> int:
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    (PLACE / "examples").symlink_to(ROOT / "examples")
    start = time.monotonic()
    say("A made-up table of 50 000 customers, and its public schema: bounds and words, no records.")
    example = [sys.executable, "examples/insurance.py", "insurance.csv", RECORDS]
    subprocess.run(example, cwd=PLACE, check=True)
    show((PLACE / "insurance.csv").read_text(), 2)
    show(southwell("schema", "check", SCHEMA), 4)
    say("What would (1, 1e-6) buy? Asked before any record is read.")
    shape = ["--schema", SCHEMA, "--records", RECORDS, "--test-share", "0.2"]
    plan = southwell("plan", *shape, *BUDGET)
    (PLACE / "plan.txt").write_text(plan)
    show(plan, 2)
    say("The fit. A fifth of the records is held out, for private figures within the same budget.")
    show(southwell(*FIT, "--out", "insurance.json"), 26)
    say("The statement as a page, for whoever has to approve the model; predictions of raw rows.")
    southwell("inspect", "insurance.json", "--html", "statement.html")
    southwell("predict", "insurance.json", "insurance.csv", "--out", "predictions.csv")
    where = PLACE.relative_to(ROOT)
    took = time.monotonic() - start
    print(
        f"\n{took:.0f} s. Open {where}/statement.html in a browser; the plan is {where}/plan.txt."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
