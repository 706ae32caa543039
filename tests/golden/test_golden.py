"""The same inputs and the same noise give the same bits as ever, and the same words."""

from __future__ import annotations

import json

from tests.golden.cases import cases
from tests.golden.record import DIGESTS, record


def test_fits_plans_and_refusals_are_what_they_were() -> None:
    wanted = json.loads(DIGESTS.read_text())
    found = record()
    assert len(list(cases())) >= 200
    assert found.keys() == wanted.keys()
    changed = {
        name: sorted(part for part in digests if wanted[name].get(part) != digests[part])
        for name, digests in found.items()
        if wanted[name] != digests
    }
    # Meant to change: say so in the CHANGELOG, then `python -m tests.golden.record --write`.
    assert changed == {}
