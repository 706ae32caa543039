"""Defaults on five data sets, by all three shells. Reads records; not private.

Each is fitted with its schema, or with what has to be said, and nothing else: by the command line,
Python and C++, seeded, which must give the same model; then by Python with fresh noise.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import dump_svmlight_file
from sklearn.metrics import r2_score, roc_auc_score

import southwell
from bench.defaults.families import held_out_data
from bench.rows import DATA, ROOT

BUDGET: dict[str, Any] = {"epsilon": 1, "delta": 1e-6}
SEED = 7  # of the models that are compared


@dataclass(frozen=True)
class Named:
    """A file and what is known of it: a schema, or for sparse data the number of features."""

    name: str
    loss: str
    file: Path
    known: str
    test: Path

    @property
    def has_schema(self) -> bool:
        return self.known.endswith(".json")

    def estimator(self, **more: Any) -> Any:
        if self.has_schema:
            more["schema"] = southwell.Schema.from_file(self.known)
        elif self.loss == "logistic":
            more |= {"classes": [-1, 1], "features": int(self.known)}
        kind = southwell.PrivateLogisticRegression
        return (kind if self.loss == "logistic" else southwell.PrivateRidge)(**BUDGET, **more)

    def fit(self, **more: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.estimator(**more).fit(*self.read(self.file))

    def read(self, file: Path) -> tuple[Any, ...]:
        if self.has_schema:
            return (file,)
        data = southwell.read(file, features=int(self.known))
        return data.design, data.target

    def figure(self, model: Any) -> float:
        """R² on the records of the fit, AUC on others."""
        records = self.read(self.test)
        target = self.targets() if self.has_schema else records[1]
        if self.loss == "logistic":
            return float(roc_auc_score(target, model.decision_function(records[0])))
        return float(r2_score(target, model.predict(records[0])))

    def targets(self) -> Any:
        """As the schema reads them, as one feature of a schema of their own."""
        fields = southwell.Schema.from_file(self.known).to_dict()["fields"]
        (own,) = (f for f in fields if f.get("southwell", {}).get("role") == "target")
        own["southwell"].pop("role")
        own["southwell"]["missing"] = "middle"
        schema = southwell.Schema.from_dict({"fields": [own]})
        column = schema.encode(self.test)[:, -1]  # of two classes the second
        if self.loss == "logistic":
            return column > 0.0
        low, high = (own["constraints"][end] for end in ("minimum", "maximum"))
        return 0.5 * (low + high) + 0.5 * (high - low) * column


def raw_tables() -> list[Named]:
    tables, schemas = DATA / "external/tables", ROOT / "examples/schemas"
    return [
        Named("California", "squared", tables / "housing.csv.gz",
              str(schemas / "housing.json"), tables / "housing.csv.gz"),
        Named("Diamonds", "squared", tables / "diamonds.csv.gz",
              str(schemas / "diamonds.json"), tables / "diamonds.csv.gz"),
        Named("Adult", "logistic", tables / "adult.csv.gz",
              str(schemas / "adult.json"), tables / "adult_test.csv.gz"),
    ]  # fmt: skip


def sparse_files(scratch: Path) -> list[Named]:
    found = []
    for data in held_out_data():
        first, rest = scratch / f"{data.name}.libsvm", scratch / f"{data.name}_test.libsvm"
        for file, design, target in (
            (first, data.design, data.target),
            (rest, data.test_design, data.test_target),
        ):
            dump_svmlight_file(design, target, str(file), zero_based=False)
        found.append(Named(data.name, "logistic", first, str(data.design.shape[1]), rest))
    return found


def from_each_shell(of: Named, scratch: Path) -> dict[str, Any]:
    """The seeded models, as their files have them."""
    python, flags = of.fit(seed_for_tests=SEED).model_.to_json(), ["--penalty", "l2"]
    flags += ["--schema", of.known] if of.has_schema else ["--features", of.known]
    flags += ["--classes", "-1,1"] if of.loss == "logistic" and not of.has_schema else []
    budget = [str(text) for name, value in BUDGET.items() for text in (f"--{name}", value)]
    command = [ROOT / "build/southwell", "fit", of.file, "--loss", of.loss, *flags, *budget]
    command += ["--seed-for-tests", SEED, "--out", scratch / "cli.json"]
    cpp = [ROOT / "build/release/tests/default_fit", of.file, of.loss, "l2"]
    cpp += [scratch / "cpp.json", of.known]
    for each in (command, cpp):
        subprocess.run(list(map(str, each)), capture_output=True, check=True)
    files = {"command line": scratch / "cli.json", "C++": scratch / "cpp.json"}
    texts = {name: file.read_text() for name, file in files.items()} | {"Python": python}
    return {name: json.loads(text) for name, text in texts.items()}


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.defaults shells", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="fits with fresh noise")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for each in raw_tables() + sparse_files(Path(folder)):
            models = from_each_shell(each, Path(folder))
            same = all(model == models["Python"] for model in models.values())
            fits = [each.fit() for _ in range(given.runs)]
            figures = [each.figure(fit) for fit in fits]
            word = "AUC on other records" if each.loss == "logistic" else "R² in sample"
            spread = f"{min(figures):.3f} to {max(figures):.3f}"
            print(f"{each.name:12} {word:20} {np.mean(figures):.3f} ({spread}), ", end="")
            print(f"{fits[0].privacy_.solver}, {'the same' if same else 'DIFFERENT'} models from ",
                  ", ".join(models), flush=True)  # fmt: skip
