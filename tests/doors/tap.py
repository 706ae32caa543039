"""What a shell was seen to do, and whether two runs on neighbouring records tell them apart."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass
class Event:
    """One select or release: what it declared, got and gave."""

    call: tuple[str, ...]  # mechanism, sensitivity, scale, origin of the bits
    input: list[int]
    output: list[int]

    def distance(self, other: Event) -> int:
        """How far the inputs are apart, in the norm of the declared sensitivity, rounded up."""
        apart = [abs(a - b) for a, b in zip(self.input, other.input)]
        if self.call[0] == "discrete_laplace_release":
            return sum(apart)
        if self.call[0] == "discrete_gaussian_release":
            squares = sum(a * a for a in apart)
            root = math.isqrt(squares)
            return root + (root * root < squares)
        return max(apart, default=0)  # of a selection


def events_in(text: str) -> list[Event]:
    events = []
    for line in text.splitlines():
        words = line.split()
        numbers = [int(word) for word in words[4:]]
        inputs = numbers[1 : 1 + numbers[0]]
        outputs = numbers[2 + numbers[0] :]
        events.append(Event(tuple(words[:4]), inputs, outputs))
    return events


@dataclass
class Outcome:
    """All that anybody can see of a run, and what its mechanisms got."""

    seen: dict[str, object] = field(default_factory=dict)  # messages, exit code, model, statement
    tap: str = ""

    def difference(self, other: Outcome) -> str:
        """What tells two runs apart, the second replayed with the outputs of the first."""
        for name in self.seen.keys() | other.seen.keys():
            here, there = self.seen.get(name), other.seen.get(name)
            if here != there:
                return f"{name}: {str(here)[:300]!r} against {str(there)[:300]!r}"
        mine, theirs = events_in(self.tap), events_in(other.tap)
        if [event.call for event in mine] != [event.call for event in theirs]:
            return f"mechanisms: {len(mine)} calls against {len(theirs)}, or others"
        for k, (one, two) in enumerate(zip(mine, theirs)):
            if len(one.input) != len(two.input):
                return f"call {k}: {len(one.input)} inputs against {len(two.input)}"
            if one.distance(two) > int(one.call[1]):
                return f"call {k}: inputs {one.distance(two)} apart, declared {one.call[1]}"
        return ""
