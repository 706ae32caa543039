"""Fits whose bits must not change by accident: solvers, losses, penalties, storages, relations."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

LOSSES = {
    "squared": ("--loss", "squared", "--target-scale", "100"),
    "huber": ("--loss", "huber", "--huber-width", "50", "--target-scale", "100"),
    "logistic": ("--loss", "logistic", "--classes", "-1,1"),
    "squared_hinge": ("--loss", "squared_hinge", "--classes", "-1,1"),
}
PENALTIES = {
    "none": ("--penalty", "none"),
    "l1": ("--penalty", "l1", "--alpha", "0.01"),
    "l2": ("--penalty", "l2", "--alpha", "0.1"),
    "elastic_net": ("--penalty", "elastic_net", "--alpha", "0.1", "--l1-ratio", "0.5"),
    "box": ("--penalty", "box", "--lower", "-1", "--upper", "2"),
}
SOLVERS = {
    "gcd refined": ("--solver", "gcd"),
    "gcd as printed": ("--solver", "gcd", "--refine", "off", "--iterations", "5"),
    "cd": ("--solver", "cd", "--iterations", "20"),
    "sgd refined": ("--solver", "sgd"),
    "sgd in batches": ("--solver", "sgd", "--batch-size", "40", "--iterations", "30"),
    "paper mode": ("--mode", "paper", "--iterations", "5"),
}
RELATIONS = {
    "replace": (),
    "add or remove": ("--relation", "add_or_remove_one", "--records", "200"),
}
# File, and what it takes to read it.
STORAGES = {
    "csv": ("{kind}.csv", ()),
    "f32": ("{kind}.csv", ("--storage", "f32")),
    "npy": ("{kind}.npy", ("--target", "8")),
    "libsvm": ("{kind}.libsvm", ("--features", "8")),
}
BUDGET = ("--epsilon", "2", "--delta", "1e-5", "--seed-for-tests", "7")

_ON_AND_OFF = {
    "--attenuation": "squared",
    "--clip-tracking": "squared",
    "--margin-correction": "logistic",
    "--polish": "logistic",
    "--exclude-visited": "squared",
    "--second-moment": "logistic",
    "--prune": "logistic",
}
# One input at a time, beside the default.
SINGLES: list[tuple[str, tuple[str, ...]]] = [
    *((loss, (flag, word)) for flag, loss in _ON_AND_OFF.items() for word in ("on", "off")),
    *(
        (loss, ("--refine", "off", "--rule", rule, "--selection", selection, "--release", release))
        for loss, rule, selection, release in (
            ("squared", "gs_s", "exponential", "laplace"),
            ("squared", "gs_r", "exponential", "gaussian"),
            ("logistic", "gs_q", "permute_and_flip", "laplace"),
            ("huber", "gs_r", "noisy_max", "laplace"),
            ("squared_hinge", "gs_q", "noisy_max", "gaussian"),
        )
    ),
    *((loss, ("--solver", "auto")) for loss in LOSSES),
    *((loss, ("--no-intercept",)) for loss in LOSSES),
    *((loss, ("--start", f"{loss}.start.json")) for loss in LOSSES),
    ("squared", ("--start", "start.csv")),
    ("squared", ("--target-center", "3")),
    ("squared", ("--target-center", "private")),
    ("squared", ("--feature-scale", "scale.csv")),
    ("logistic", ("--feature-scale", "0.5", "--solver", "sgd")),
    ("logistic", ("--selections-per-gradient", "2", "--iterations", "6", "--share", "0.3")),
    ("squared", ("--clip", "30", "--step", "0.5", "--refine", "off")),
    ("squared", ("--clip", "30", "--step", "0.01", "--solver", "sgd", "--iterate", "last")),
    ("squared", ("--feature-scale", "from_data", "--allow-leaks")),
    ("logistic", ("--iterations", "12", "--refine", "on")),
]
THREE = [
    ("--solver", "gcd"),
    ("--solver", "gcd", "--refine", "off", "--iterations", "6"),
    ("--solver", "cd", "--iterations", "9"),
    ("--solver", "sgd"),
]
PRIVATE_SCALE = [
    ("--solver", "gcd"),
    ("--solver", "sgd"),
    ("--solver", "cd"),
    ("--solver", "gcd", "--refine", "off"),
]
# Nothing is chosen but what has to be.
DEFAULTS = {
    "squared": ("--loss", "squared"),
    "huber": ("--loss", "huber", "--huber-width", "50"),
    "logistic": LOSSES["logistic"],
    "squared_hinge": LOSSES["squared_hinge"],
}


def _kind(loss: str) -> str:
    return "regression" if loss in ("squared", "huber") else "classes"


def cases() -> Iterator[tuple[str, list[str]]]:
    """Name and arguments of `southwell fit`, without --out."""
    storages = itertools.cycle(STORAGES)
    for loss, penalty, solver, relation in itertools.product(LOSSES, PENALTIES, SOLVERS, RELATIONS):
        if solver == "paper mode" and relation == "add or remove":
            continue
        storage = next(storages)
        file, options = STORAGES[storage]
        name = f"{loss}, {penalty}, {solver}, {relation}, {storage}"
        words = [file.format(kind=_kind(loss)), *options, *LOSSES[loss], *PENALTIES[penalty]]
        yield name, [*words, *SOLVERS[solver], *RELATIONS[relation], *BUDGET]
    for loss, flags in SINGLES:
        words = [f"{_kind(loss)}.csv", *LOSSES[loss], *PENALTIES["l1"], *flags, *BUDGET]
        yield f"{loss}, l1, {' '.join(flags)}", words
    for flags in THREE:
        words = ["three.csv", "--loss", "logistic", "--classes", "0,1,2", *PENALTIES["l2"]]
        yield f"three classes, {' '.join(flags)}", [*words, *flags, *BUDGET]
    for flags in PRIVATE_SCALE:
        words = ["regression.csv", "--loss", "squared", "--target-scale", "private", *flags]
        yield f"private scale, {' '.join(flags)}", [*words, *BUDGET]
    for loss, penalty in itertools.product(DEFAULTS, ("none", "l1", "l2")):
        words = [f"{_kind(loss)}.csv", *DEFAULTS[loss], "--penalty", penalty]
        yield f"defaults, {loss}, {penalty}", [*words, *BUDGET]


PLANS = [
    ["plan", "--records", records, "--features", features, "--loss", loss, *budget]
    for records, features in (("200", "8"), ("5000", "2000"))
    for loss in LOSSES
    for budget in (
        ("--epsilon", "1", "--delta", "1e-6"),
        ("--epsilon", "4", "--delta", "1e-7", "--penalty", "l1", "--alpha", "0.1"),
    )
]

_FIT = ["fit", "regression.csv", "--loss", "squared", "--epsilon", "1", "--delta", "1e-6"]
REFUSED = [
    ["fit", "regression.csv", "--loss", "squared", "--epsilon", "0", "--delta", "1e-6"],
    ["fit", "regression.csv", "--loss", "squared", "--epsilon", "1", "--delta", "1"],
    ["fit", "regression.csv", "--loss", "cubic", "--epsilon", "1", "--delta", "1e-6"],
    ["fit", "missing.csv", "--loss", "squared", "--epsilon", "1", "--delta", "1e-6"],
    [*_FIT, "--rule", "gs_x"],
    [*_FIT, "--solver", "cd", "--rule", "gs_s"],
    [*_FIT, "--solver", "sgd", "--share", "0.5"],
    [*_FIT, "--solver", "gcd", "--batch-size", "10"],
    [*_FIT, "--solver", "newton"],
    [*_FIT, "--iterations", "0"],
    [*_FIT, "--clip", "-1"],
    [*_FIT, "--feature-scale", "0"],
    [*_FIT, "--feature-scale", "from_data"],
    [*_FIT, "--penalty", "l1", "--clip", "1"],
    [*_FIT, "--penalty", "box"],
    [*_FIT, "--penalty", "box", "--lower", "2", "--upper", "1"],
    [*_FIT, "--relation", "add_or_remove_one"],
    [*_FIT, "--records", "7"],
    [*_FIT, "--classes", "0,1"],
    [*_FIT, "--refine", "off", "--prune", "on"],
    [*_FIT, "--mode", "paper", "--selection", "noisy_max"],
    [*_FIT, "--huber-width", "1"],
    [*_FIT, "--target-scale", "-1"],
    [*_FIT, "--target", "nowhere"],
]
