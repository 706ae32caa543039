"""Checks that a file compiles as it stands and fails, for the stated reason, with -DBROKEN.

Usage: check.py FILE COMPILER FLAG...   The reason is the regular expression after `// expect:`.
"""

import re
import subprocess
import sys


def main() -> int:
    path, compiler, *flags = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        expect = re.search(r"// expect: (.*)", file.read())
    if expect is None:
        print(f"{path}: no line '// expect: ...'")
        return 1
    command = [compiler, *flags, "-fsyntax-only", path]
    good = subprocess.run(command, capture_output=True, text=True, check=False)
    if good.returncode != 0:
        print(f"{path}: the correct half does not compile:\n{good.stderr}")
        return 1
    bad = subprocess.run([*command, "-DBROKEN"], capture_output=True, text=True, check=False)
    if bad.returncode == 0:
        print(f"{path}: the broken half compiles")
        return 1
    if not re.search(expect[1], bad.stderr):
        print(f"{path}: fails for another reason than '{expect[1]}':\n{bad.stderr}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
