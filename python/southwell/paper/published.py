"""What the paper prints: its tables, transcribed, and where our problems differ from its own."""

from __future__ import annotations

from dataclasses import dataclass

# In the order of the paper's figures: smooth problems above, those with an l1 penalty below.
SMOOTH = ("log1", "log2", "mtp", "madelon_l2")
SPARSE = ("square", "california", "dorothea", "madelon_l1")
PROBLEMS = (*SMOOTH, *SPARSE)
ALGORITHMS = ("gcd", "cd", "sgd")
MODES = ("paper", "certified")
RULES = ("gs_s", "gs_r", "gs_q")

PROBLEM_NAMES = {"madelon_l1": "madelon, l1", "madelon_l2": "madelon, l2"}
OBJECTIVES = {
    "log1": "logistic + l2, λ = 1e-3",
    "log2": "logistic + l2, λ = 1e-3",
    "mtp": "least squares + l2, λ = 5e-8",
    "madelon_l2": "logistic + l2, λ = 1",
    "square": "LASSO, λ = 30",
    "california": "LASSO, λ = 0.1",
    "dorothea": "logistic + l1, λ = 0.01",
    "madelon_l1": "logistic + l1, λ = 0.05",
}
ALGORITHM_NAMES = {"gcd": "DP-GCD", "cd": "DP-CD", "sgd": "DP-SGD"}
RULE_NAMES = {"gs_s": "GS-s", "gs_r": "GS-r", "gs_q": "GS-q"}
MODE_NAMES = {"paper": "paper mode", "certified": "certified"}


def problem_name(problem: str) -> str:
    return PROBLEM_NAMES.get(problem, problem)


@dataclass(frozen=True)
class Setting:
    passes: float
    clip: float
    step: float


# table:chosen-hyperparameters
CHOSEN = {
    ("california", "cd"): Setting(5, 2.02e1, 1.00),
    ("square", "cd"): Setting(0.01, 9.10e3, 1.00e1),
    ("mtp", "cd"): Setting(3, 2.02e1, 2.15e-2),
    ("madelon_l1", "cd"): Setting(0.1, 7.91, 2.15),
    ("log1", "cd"): Setting(10, 1.84e-1, 1.00),
    ("log2", "cd"): Setting(1, 7.54e-1, 2.15),
    ("madelon_l2", "cd"): Setting(10, 1.21, 1.00e-1),
    ("dorothea", "cd"): Setting(3, 4.50e-2, 4.64),
    ("california", "sgd"): Setting(20, 1.26e1, 2.15e-5),
    ("square", "sgd"): Setting(0.01, 4.94, 1.00e-4),
    ("mtp", "sgd"): Setting(20, 1.26e1, 2.15e-5),
    ("madelon_l1", "sgd"): Setting(10, 6.87e-3, 1.00),
    ("log1", "sgd"): Setting(20, 1.84e-1, 4.64e-4),
    ("log2", "sgd"): Setting(20, 1.84e-1, 4.64e-4),
    ("madelon_l2", "sgd"): Setting(20, 1.84e-1, 1.00e-4),
    ("dorothea", "sgd"): Setting(0.001, 1.00e-4, 1.00e-6),
    ("california", "gcd"): Setting(4, 5.18e1, 1.00),
    ("square", "gcd"): Setting(2, 1.46e4, 2.15),
    ("mtp", "gcd"): Setting(7, 2.02e1, 4.64e-1),
    ("madelon_l1", "gcd"): Setting(1, 7.91, 2.15),
    ("log1", "gcd"): Setting(10, 3.09, 2.15),
    ("log2", "gcd"): Setting(20, 1.93, 4.64e-1),
    ("madelon_l2", "gcd"): Setting(10, 7.91, 1.00),
    ("dorothea", "gcd"): Setting(2, 1.26e1, 2.15),
}

# tab:hyperparameter-grid: clips are logspace(-4, 6, 50) everywhere.
GRID_PASSES = {
    "gcd": (1.0, 2.0, 4.0, 7.0, 10.0, 15.0, 20.0),
    "cd": (0.001, 0.01, 0.1, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0),
    "sgd": (0.001, 0.01, 0.1, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0),
}
GRID_CLIPS = tuple(10 ** (-4 + 10 * i / 49) for i in range(50))
GRID_STEPS = {
    "gcd": tuple(10 ** (-2 + 3 * i / 9) for i in range(10)),
    "cd": tuple(10 ** (-2 + 3 * i / 9) for i in range(10)),
    "sgd": tuple(10 ** (-6 + 6 * i / 9) for i in range(10)),
}


def grid_size(algorithm: str) -> int:
    return len(GRID_PASSES[algorithm]) * len(GRID_CLIPS) * len(GRID_STEPS[algorithm])


@dataclass(frozen=True)
class Found:
    right: int
    wrong: int
    error: float  # relative, mean of 5 runs


# tab:finding-of-support
SUPPORTS = {
    ("square", "cd"): Found(0, 0, 0.75),
    ("california", "cd"): Found(3, 2, 0.0024),
    ("dorothea", "cd"): Found(1, 1, 0.77),
    ("madelon_l1", "cd"): Found(0, 0, 0.0085),
    ("square", "sgd"): Found(0, 3, 0.75),
    ("california", "sgd"): Found(3, 5, 0.020),
    ("dorothea", "sgd"): Found(0, 0, 0.78),
    ("madelon_l1", "sgd"): Found(0, 0, 0.012),
    ("square", "gcd"): Found(2, 0, 0.35),
    ("california", "gcd"): Found(2, 0, 0.00056),
    ("dorothea", "gcd"): Found(1, 0, 0.64),
    ("madelon_l1", "gcd"): Found(1, 0, 0.0015),
}
OPTIMUM_SUPPORT = {"square": 7, "california": 3, "dorothea": 72, "madelon_l1": 3}
# (f(0) - f*)/f*: for square what its rivals, which do not move, leave; else that of the data.
PUBLISHED_AT_ZERO = {"square": 0.75, "california": 0.0963, "dorothea": 0.783, "madelon_l1": 0.01157}


def published_share(problem: str, algorithm: str) -> float | None:
    """What the paper's fit leaves of f(0) - f*: comparable where instances differ."""
    found = SUPPORTS.get((problem, algorithm))
    return None if found is None else min(1.0, found.error / PUBLISHED_AT_ZERO[problem])


@dataclass(frozen=True)
class DataSet:
    records: int
    features: int
    difference: str


_SIGN = "y = sign(Xw + ε): the text has no sign, which logistic loss needs. Our own draw."
# tab:datasets-desc, and what is different here
DATA_SETS = {
    "log1": DataSet(1000, 100, _SIGN),
    "log2": DataSet(1000, 100, _SIGN),
    "square": DataSet(
        1000,
        1000,
        "Coefficients uniform on (0, 100), which the text leaves open: at λ = 30 about 7 stay. "
        "Our own draw, so that f(0) − f* differs: compare shares of it.",
    ),
    "california": DataSet(
        20640, 8, "Columns standardised, target as it is, no intercept: gives the published start."
    ),
    "madelon_l1": DataSet(2600, 501, "500 columns: all that the data set has beside the label."),
    "madelon_l2": DataSet(2600, 501, "500 columns: all that the data set has beside the label."),
    "dorothea": DataSet(800, 88119, "Raw 0/1 columns, the 88 119 non-empty ones."),
    "mtp": DataSet(
        4450,
        202,
        "4401 of 4450 rows. Columns standardised, target (y − 14)/378.5, not centered; "
        "the columns have rank 195.",
    ),
}
