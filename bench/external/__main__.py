"""Southwell's default beside published private results. Reads records; not private.

Usage: python -m bench.external STUDY [options]

    uci    the 13 regression sets of AdaSSP's table at 10 budgets, by its protocol
"""

from __future__ import annotations

import sys

from bench.external import uci

STUDIES = {"uci": uci.main}


def main() -> None:
    if not sys.argv[1:] or sys.argv[1] not in STUDIES:
        sys.exit(__doc__)
    STUDIES[sys.argv[1]](sys.argv[2:])


if __name__ == "__main__":
    main()
