"""Text in a table: which of two newsgroups is a post from, and which words tell?

Usage: text.py [basehock.libsvm.gz]

The words of a column become hashed features, as many as the schema says: no vocabulary is learned
from the posts. The table is made up; or it is that of 1993 real posts on baseball and hockey, which
were published as counts of numbered words, and become texts of such words again.
"""

import sys
from typing import Any

import numpy as np

import southwell

SCHEMA = southwell.Schema.from_dict(
    {
        "fields": [
            {
                "name": "post",
                "type": "string",
                "southwell": {"encode": "hash", "features": 8192, "missing": "middle"},
            },
            {
                "name": "group",
                "type": "string",
                "constraints": {"enum": ["baseball", "hockey"]},
                "southwell": {"role": "target"},
            },
        ]
    }
)
TELLING = {
    "baseball": ["pitcher", "inning", "batting", "shortstop", "outfield", "catcher", "dugout"],
    "hockey": ["goalie", "puck", "rink", "playoff", "skates", "penalty", "overtime"],
}
PUBLISHED = 4862  # words, whose list is public
COMMON = [f"word{k}" for k in range(3_000)]


def generated(posts: int = 6_000) -> dict[str, list[str]]:
    random = np.random.default_rng(1)
    often = 1.0 / np.arange(1, len(COMMON) + 1)  # Zipf's law
    groups = [str(group) for group in random.choice(list(TELLING), posts)]
    texts = [
        [
            *random.choice(COMMON, 60, p=often / often.sum()),
            *random.choice(TELLING[group], random.poisson(3)),
        ]
        for group in groups
    ]
    return {"post": [" ".join(words) for words in texts], "group": groups}


def read(file: str) -> dict[str, list[str]]:
    """Every count as so many copies of a word that is called by its number."""
    data: Any = southwell.read_libsvm(file, features=PUBLISHED)
    rows = data.design.tocsr()
    texts = [
        " ".join(
            f"word{word}"
            for word, count in zip(rows.indices[first:last], rows.data[first:last])
            for _ in range(int(count))
        )
        for first, last in zip(rows.indptr, rows.indptr[1:])
    ]
    return {"post": texts, "group": [list(TELLING)[int(label > 0)] for label in data.target]}


def main(file: str | None = None) -> dict[str, float]:
    table = generated() if file is None else read(file)
    test = {name: column[::3] for name, column in table.items()}
    train = {name: [*column[1::3], *column[2::3]] for name, column in table.items()}
    found = {}
    for epsilon in (1, 4):
        model = southwell.PrivateLogisticRegression(
            epsilon=epsilon, delta=1e-6, penalty="l1", alpha=1e-4, schema=SCHEMA
        ).fit(train)
        found[f"epsilon {epsilon}"] = float(model.score(test))
        print(f"{model.privacy_.guarantee}: {found[f'epsilon {epsilon}']:.3f} of the others' posts "
              "right")  # fmt: skip
    # What a word counts is what a post of that word alone does: features have no words.
    words = [f"word{k}" for k in range(PUBLISHED)] if file else sum(TELLING.values(), COMMON[:16])
    alone: Any = model.decision_function({"post": words}) - model.decision_function({"post": [""]})
    for k in [k for k in np.argsort(-np.abs(alone))[:10] if alone[k] != 0]:
        print(f"  {words[k]:10} {alone[k]:7.2f}  {list(TELLING)[int(alone[k] > 0)]}")
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
