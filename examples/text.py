"""Sparse text: which of thousands of word counts tell two newsgroups apart.

Usage: text.py basehock.libsvm.gz    (1993 documents, 4862 words)
"""

import sys

import numpy as np

import southwell

WORDS = 4862  # public: the vocabulary was published with the data


def main(file: str) -> southwell.PrivateLogisticRegression:
    data = southwell.read_libsvm(file, features=WORDS)
    model = southwell.PrivateLogisticRegression(
        epsilon=4,
        delta=1e-6,
        penalty="l1",
        alpha=1e-4,
        classes=[-1, 1],
        features=WORDS,
        feature_scale=1,
    ).fit(data.design, data.target)
    print(f"guarantee: {model.privacy_.guarantee}")
    for word in np.argsort(-np.abs(model.coef_[0]))[:10]:
        if model.coef_[0, word] != 0:
            print(
                f"  word {word:5}: {model.coef_[0, word]:7.3f} +- {model.coef_noise_[0, word]:.3f}"
            )
    print(f"accuracy on the same documents, an exact figure: "
          f"{model.score(data.design, data.target):.3f}")  # fmt: skip
    return model


if __name__ == "__main__":
    main(sys.argv[1])
