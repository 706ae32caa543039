"""As many columns as a gene-expression study has, few of them at work: which does a fit find?

The table is made up: ten thousand genes, measured as microarrays do, by the base-2 logarithm of an
intensity. Such a scanner counts to 2^16, whatever the sample, so that bounds are public; and where
columns are alike, a schema is a few lines of Python.
"""

from typing import Any

import numpy as np

import southwell

RECORDS, GENES, AT_WORK = 5_000, 10_000, 5
NAMES = [f"gene{k}" for k in range(GENES)]


def schema() -> southwell.Schema:
    genes: list[dict[str, Any]] = [
        {
            "name": name,
            "type": "number",
            "constraints": {"minimum": 0, "maximum": 16},
            "southwell": {"missing": "middle"},
        }
        for name in NAMES
    ]
    response = {
        "name": "response",
        "type": "number",
        "constraints": {"minimum": -50, "maximum": 50},
        "southwell": {"role": "target"},
    }
    return southwell.Schema.from_dict({"fields": [*genes, response]})


def generated() -> tuple[dict[str, Any], list[str]]:
    """The table, and the genes at work."""
    random = np.random.default_rng(1)
    expression = random.normal(8, 3, (GENES, RECORDS)).astype(np.float32)
    truth = random.choice(GENES, AT_WORK, replace=False)
    response = (expression[truth] - 8).sum(axis=0) + random.normal(0, 3, RECORDS)
    return {**dict(zip(NAMES, expression)), "response": response}, [NAMES[k] for k in truth]


def main() -> tuple[list[str], list[str]]:
    table, truth = generated()
    model = southwell.PrivateLasso(alpha=0.1, epsilon=2, delta=1e-6, schema=schema()).fit(table)
    print(f"{GENES} columns, {AT_WORK} at work; {model.privacy_.guarantee}")
    _, *genes = model.coef_in_user_terms_
    chosen = sorted(
        (gene for gene in genes if gene["coef"] != 0), key=lambda gene: -abs(gene["coef"])
    )
    for gene in chosen:
        word = "at work" if gene["name"] in truth else "noise"
        print(f"  {gene['name']:8}: {gene['coef']:7.3f} +- {gene['noise']:.3f}  {word}")
    return truth, [gene["name"] for gene in chosen]


if __name__ == "__main__":
    main()
