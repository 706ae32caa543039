"""Raw tables in pipelines: free, because nothing is learned."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from southwell.schema import schema_of


class TableEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn a raw table into features as a public schema says.

    What becomes of a record depends on no other and on nothing that was learned, so it costs
    nothing. An estimator with `schema=` does the same by itself, and besides takes target, classes
    and scales from the schema; behind this step they are to be declared:
    `feature_scale=schema.feature_scales`.

    Parameters
    ----------
    schema : Schema, dict or path
        What the columns are. One with a unit is refused by `fit`: the step behind this one would
        see records, and not whose they are. Give such a schema to the estimator.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        The columns that are read.

    Examples
    --------
    >>> encoder = TableEncoder({"fields": [
    ...     {"name": "smoker", "type": "boolean", "southwell": {"missing": "middle"}}]})
    >>> encoder.fit_transform({"smoker": ["true", False]})
    array([[-0.5,  0.5],
           [ 0.5, -0.5]])
    >>> encoder.get_feature_names_out()
    array(['smoker=false', 'smoker=true'], dtype=object)
    """

    def __init__(self, schema: Any) -> None:
        self.schema = schema

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.no_validation = True  # of arrays: it takes tables with names
        tags.input_tags.two_d_array = False
        tags.input_tags.dict = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: Any = None, y: object = None) -> TableEncoder:  # noqa: N803
        """Learn nothing; the names of the columns are the schema's."""
        schema = schema_of(self.schema)
        if schema.unit is not None:
            raise ValueError(
                f"schema: has the unit {schema.unit!r}, accepted in a pipeline is one without: the "
                "steps behind TableEncoder would see records, and not whose they are. Give the "
                "schema to the estimator instead"
            )
        self.feature_names_in_ = np.array(schema.columns, dtype=object)
        self.n_features_in_ = len(schema.columns)
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Encode the records, to a sparse array if the schema says so."""
        return schema_of(self.schema).encode(X)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        """What the features are called."""
        return np.array(schema_of(self.schema).feature_names, dtype=object)
