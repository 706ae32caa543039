"""A census-like table: declared categories and scales, held-out accuracy against epsilon.

Nothing is learned from the table but the model: the categories and the typical size of each number
are written down here, as whoever made the questionnaire knows them.
"""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.preprocessing import OneHotEncoder

import southwell

CATEGORIES = {
    "education": ["none", "school", "college", "university"],
    "work": ["private", "public", "self-employed", "none"],
}
SCALES = {"age": (45, 20), "hours": (35, 15)}  # a typical value, and how far others are from it


def generated(records: int, seed: int) -> tuple[pd.DataFrame, "pd.Series[Any]"]:
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": random.integers(18, 80, records),
            "hours": random.normal(36, 12, records).clip(0, 80).round(),
            "education": random.choice(CATEGORIES["education"], records, p=[0.1, 0.4, 0.3, 0.2]),
            "work": random.choice(CATEGORIES["work"], records, p=[0.6, 0.2, 0.1, 0.1]),
        }
    )
    level = table["education"].map({"none": -2, "school": -1, "college": 0, "university": 1.5})
    margin = level + (table["hours"] - 36) / 10 + (table["age"] - 45) / 30 - 0.3
    rich = random.random(records) < 1 / (1 + np.exp(-1.5 * margin))
    return table, pd.Series(np.where(rich, "over 50k", "up to 50k"))


def pipeline(epsilon: float) -> southwell.PrivatePipeline:
    centers, distances = zip(*SCALES.values())
    scaler = southwell.DeclaredScaler(center=centers, scale=distances)
    encoder = OneHotEncoder(
        categories=list(CATEGORIES.values()), handle_unknown="ignore", sparse_output=False
    )
    columns = ColumnTransformer(
        [("numbers", scaler, list(SCALES)), ("words", encoder, list(CATEGORIES))],
        sparse_threshold=0,
    )
    model = southwell.PrivateLogisticRegression(
        epsilon=epsilon, delta=1e-6, classes=["up to 50k", "over 50k"]
    )
    return southwell.private_pipeline(columns, model)


def main() -> dict[float, float]:
    table, income = generated(20_000, seed=1)
    held_out, held_out_income = generated(5_000, seed=2)
    accuracy = {}
    print(f"always the larger class: {held_out_income.value_counts(normalize=True).max():.3f}")
    for epsilon in (0.1, 0.3, 1.0, 3.0):
        fitted = pipeline(epsilon).fit(table, income)
        accuracy[epsilon] = fitted.score(held_out, held_out_income)
        print(f"epsilon {epsilon:4}: accuracy {accuracy[epsilon]:.3f}, "
              f"{fitted.privacy_.guarantee}")  # fmt: skip
    return accuracy


if __name__ == "__main__":
    main()
