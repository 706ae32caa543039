"""An estimator from a model file, with the parameters that its statement names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from southwell import _core
from southwell.schema import Schema

E = TypeVar("E")

# What a schema declares need not be given again.
_DECLARED = {"schema", "features", "feature_scale", "unit"}
_OF_TARGET = {"classes", "class_weight"}


def holding(kind: type[E], model: _core.Model) -> E:
    """An estimator as if it had fitted the model."""
    made: Any = kind(**_parameters_of(model, {field.name for field in fields(kind)}))  # type: ignore[arg-type]
    made._adopt(model)
    names = made.schema_.columns if model.schema else model.feature_names
    made.n_features_in_ = len(names) if model.schema else model.features
    if names:
        made.feature_names_in_ = np.array(names, dtype=object)
    return made  # type: ignore[no-any-return]


def _parameters_of(model: _core.Model, names: set[str]) -> dict[str, Any]:
    """What the statement of a model says that its user chose."""
    read: dict[str, Callable[[Any], Any]] = {"lower": float, "upper": float}
    read |= {str(row["name"]): int for row in _core.fit_input_rows() if "int" in str(row["type"])}
    chosen: dict[str, Any] = {"penalty": model.penalty} if "penalty" in names else {}
    if model.schema:
        schema = chosen["schema"] = Schema(model.schema, "model")
        names = names - _DECLARED - (_OF_TARGET if schema.target is not None else set())
    if "classes" in names and model.class_names:
        chosen["classes"] = model.class_names
        names = names - {"classes"}
    inputs = model.privacy.public_inputs
    # Inputs of a pipeline carry the name of their step; the model is what has a loss.
    step = next((name for name in inputs if name.endswith(".loss")), "loss").removesuffix("loss")
    for full_name, entry in inputs.items():
        if not full_name.startswith(step):
            continue
        name = full_name.removeprefix(step)
        python_name = "fit_intercept" if name == "intercept" else name
        if entry["source"] == "user" and python_name in names - {"start"}:
            chosen[python_name] = read.get(name, lambda value: value)(entry["value"])
        if name == "target_scale" and entry["source"] == "mechanism" and name in names:
            chosen[name] = "private"
    return chosen
