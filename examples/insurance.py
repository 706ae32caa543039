"""A raw table of five columns: words, numbers in their own units, a model in the table's terms.

Usage: insurance.py [TABLE [RECORDS]]   Writes the table as CSV, for the command line, if a name is
given; of 1338 records, as the textbooks' has, or of as many as you say.

The table is made up, in the shape of the one in many textbooks. All that the fit is told is the
schema beside this file (schemas/insurance.json): bounds and words that an insurer knows without
looking at anybody's record.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression

import southwell

SCHEMA = Path(__file__).parent / "schemas" / "insurance.json"
REGIONS = {"northeast": 900, "northwest": 500, "southeast": -100, "southwest": 0}


def generated(records: int = 1338, seed: int = 1) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": random.integers(18, 65, records),
            "bmi": random.normal(30.7, 6.1, records).clip(16, 53).round(1),
            "children": random.choice(6, records, p=[0.43, 0.24, 0.18, 0.12, 0.02, 0.01]),
            "smoker": np.where(random.random(records) < 0.205, "yes", "no"),
            "region": random.choice(list(REGIONS), records),
        }
    )
    charges = (
        -12_000 + 257 * table["age"] + 339 * table["bmi"] + 476 * table["children"]
        + 23_800 * (table["smoker"] == "yes") + table["region"].map(REGIONS)
    )  # fmt: skip
    table["charges"] = (charges + random.normal(0, 3_850, records)).clip(500, 70_000).round(2)
    return table


def r2(charges: "pd.Series[float]", predicted: "pd.Series[float] | np.ndarray") -> float:
    return float(1 - ((charges - predicted) ** 2).sum() / ((charges - charges.mean()) ** 2).sum())


def main(table: pd.DataFrame | None = None) -> dict[str, float]:
    table = generated() if table is None else table
    schema = southwell.Schema.from_file(SCHEMA)
    plain = pd.get_dummies(table.drop(columns="charges"), drop_first=True, dtype=float)
    without = LinearRegression().fit(plain, table["charges"]).predict(plain)
    found = {"without privacy": r2(table["charges"], without)}
    for epsilon in (0.3, 1.0, 3.0):
        model = southwell.PrivateRidge(schema=schema, epsilon=epsilon, delta=1e-6)
        model.fit(table)
        found[f"epsilon {epsilon:g}"] = r2(table["charges"], model.predict(table))
    for name, value in found.items():
        print(f"R2 {name:16} {value:.4f}")
    return found


if __name__ == "__main__":
    if len(sys.argv) > 1:
        generated(*map(int, sys.argv[2:])).to_csv(sys.argv[1], index=False)
    else:
        main()
