"""Switches on one fault at a time and checks that the audit flags the build that has it.

Usage: audited_faults.py INSTRUMENTED_TEST SOUTHWELL_REPLAY

Both programs are the library with the faults of src/southwell/core/fault.hpp. Each level of the
audit must pass the sound build and flag every fault that stands beside it below; what a level
cannot find is said in docs/audit.md. Prints the table level | fault | flagged; exits 1 if a fault
is not flagged, or a sound build is.
"""

import argparse
import json
import os
import subprocess
import sys

from mutants import outcome  # type: ignore[import-not-found]

# The level's test, and the faults that it flags.
BY_TEST: dict[str, tuple[str, ...]] = {
    "TappedAudit.FlagsNoTranscript": (
        "renyi_forgets_the_count",
        "range_is_halved",
        "gaussian_moment_is_halved",
        "hockey_stick_halves_the_shift",
        "fit_counts_half_its_iterations",
        "target_scale_is_not_charged",
        "record_norm_is_not_charged",
        "choice_is_not_charged",
        "factor_is_not_charged",
    ),
    "TappedAudit.FlagsNoMechanism": (
        "key_is_constant",
        "purposes_share_their_bits",
        "laplace_scale_is_halved",
        "release_adds_no_noise",
        "exponential_scale_is_halved",
        "flip_scale_is_halved",
        "flip_is_charged_as_bounded_range",
        "noisy_max_has_the_papers_scale",
        "noisy_max_shares_one_draw",
        "subset_takes_the_first",
    ),
    "TappedAudit.FlagsNoCanary": (
        "release_adds_no_noise",
        "hockey_stick_halves_the_shift",
        "clip_keeps_long_records",
    ),
}
LEVELS = dict(zip(BY_TEST, ("transcript", "mechanisms", "canaries"), strict=True))
# Of the level replay: the family of settings that shows the fault soonest.
BY_REPLAY: dict[str, str] = {
    "contribution_keeps_nan": "cd",
    "contribution_tail_is_not_clamped": "cd",
    "sparse_entries_are_not_clamped": "cd",
    "unit_weight_is_forgotten": "cd",
    "sensitivity_of_adding_when_replacing": "cd",
    "score_has_slope_two": "gcd, as printed",
    "clip_keeps_long_records": "sgd, as printed",
    "intercept_is_outside_the_clip": "sgd, as printed",
    "factor_is_outside_the_clip": "sgd, refined",
    "factor_is_not_charged": "sgd, refined",
    "choice_is_not_charged": "gcd, refined",
    "target_scale_is_not_charged": "scales found",
    "magnitude_score_counts_twice": "scales found",
}


def replayed(program: str, family: str, fault: str) -> str:
    """'passes', 'flagged', or what else became of the program."""
    environment = {**os.environ, "SOUTHWELL_FAULT": fault}
    run = subprocess.run(
        [program, family],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if run.returncode != 0:
        return f"stops with {run.returncode}"
    text = run.stdout[run.stdout.index("{") :]
    return "flagged" if json.loads(text)["flagged"] else "passes"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("test")
    parser.add_argument("replay")
    options = parser.parse_args()
    failed = flagged = sound = 0
    for name, faults in BY_TEST.items():
        level = LEVELS[name]
        is_sound = outcome(options.test, name, "") == "passes"
        print(f"{level} | none | {'passes' if is_sound else 'FLAGGED'}", flush=True)
        sound += is_sound
        failed += not is_sound
        for fault in faults:
            found = outcome(options.test, name, fault)
            print(f"{level} | {fault} | {'flagged' if found == 'fails' else found.upper()}")
            flagged += found == "fails"
            failed += found != "fails"
    for family in sorted(set(BY_REPLAY.values())):
        found = replayed(options.replay, family, "")
        print(f"replay of {family} | none | {found}", flush=True)
        sound += found == "passes"
        failed += found != "passes"
    for fault, family in BY_REPLAY.items():
        found = replayed(options.replay, family, fault)
        print(f"replay of {family} | {fault} | {found}", flush=True)
        flagged += found == "flagged"
        failed += found != "flagged"
    print(
        f"{sound} audits of the sound build pass, {flagged} broken builds are flagged, "
        f"{failed} audits are wrong"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
