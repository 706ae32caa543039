"""As many columns as a gene-expression study has, few of them at work: which does a fit find?"""

import numpy as np

import southwell

RECORDS, GENES, AT_WORK = 5_000, 10_000, 5


def main() -> tuple[list[int], list[int]]:
    random = np.random.default_rng(1)
    expression = np.asfortranarray(random.standard_normal((RECORDS, GENES), dtype=np.float32))
    truth = random.choice(GENES, AT_WORK, replace=False)
    response = expression[:, truth].sum(axis=1) + random.normal(size=RECORDS)
    model = southwell.PrivateLasso(
        epsilon=2, delta=1e-6, feature_scale=1, target_scale=2.5, fit_intercept=False
    ).fit(expression, response)
    chosen = np.flatnonzero(model.coef_)
    print(f"{GENES} columns, {AT_WORK} at work; {model.privacy_.guarantee}")
    for gene in chosen[np.argsort(-np.abs(model.coef_[chosen]))]:
        word = "at work" if gene in truth else "noise"
        print(f"  gene {gene:5}: {model.coef_[gene]:7.3f} +- {model.coef_noise_[gene]:.3f}  {word}")
    return sorted(map(int, truth)), sorted(map(int, chosen))


if __name__ == "__main__":
    main()
