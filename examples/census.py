"""A census table as it comes: words, blanks, question marks; test AUC against epsilon.

Usage: census.py [adult.csv.gz adult_test.csv.gz]

The table is the Adult survey of 1994, with a first line of column names. Nothing is learned from it
but the model: schemas/adult.json says which columns there are, with their levels and bounds as the
survey's documentation has them, and how income is written in either file. Without the files the
same is done on made-up records that obey the schema, from which there is nothing to learn.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

import southwell

SCHEMA = southwell.Schema.from_file(Path(__file__).parent / "schemas" / "adult.json")
RICH = ">50K"


def is_rich(table: Any) -> Any:
    """Who is, for figures that are not private: read as the schema says, as one feature."""
    fields = [field for field in SCHEMA.to_dict()["fields"] if field["name"] == SCHEMA.target]
    fields[0]["southwell"].pop("role")
    income = southwell.Schema.from_dict({"fields": fields})
    return income.encode(table)[:, income.feature_names.index(f"income={RICH}")] > 0


def main(train: Any = None, test: Any = None) -> dict[str, float]:
    if train is None:
        print("no files given: made-up records, from which nothing can be learned")
        train, test = SCHEMA.dummy(20_000, seed=1), SCHEMA.dummy(10_000, seed=2)
    rich = is_rich(test)
    auc = {}
    for epsilon in (0.1, 0.3, 1.0, 3.0):
        model = southwell.PrivateLogisticRegression(epsilon=epsilon, delta=1e-6, schema=SCHEMA).fit(
            train
        )
        auc[f"epsilon {epsilon}"] = roc_auc_score(rich, model.decision_function(test))
        print(f"epsilon {epsilon:4}: test AUC {auc[f'epsilon {epsilon}']:.4f}, "
              f"{model.privacy_.guarantee}")  # fmt: skip
    plain = LogisticRegression(max_iter=2000).fit(SCHEMA.encode(train), is_rich(train))
    auc["not private"] = roc_auc_score(rich, plain.decision_function(SCHEMA.encode(test)))
    print(f"not private : test AUC {auc['not private']:.4f}, scikit-learn on the same features")
    for row in sorted(model.coef_in_user_terms_[1:], key=lambda row: -abs(row["coef"]))[:8]:
        print(f"  {row['name']:32} {row['coef']:8.3f} +- {row['noise']:.3f} {row['per']}")
    return {name: float(np.round(value, 4)) for name, value in auc.items()}


if __name__ == "__main__":
    main(*sys.argv[1:])
