"""Figures show what the model holds."""

from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

import southwell
from southwell import plot

mpl.use("agg")
BUDGET: dict[str, Any] = {"epsilon": 5, "delta": 1e-6, "target_scale": 100}


@pytest.fixture
def model() -> southwell.PrivateLasso:
    data, _ = southwell.generate("square", records=1000, features=10, seed=1)
    return southwell.PrivateLasso(**BUDGET, iterations=20).fit(data.design, data.target)


def test_the_path_ends_at_the_coefficients_with_their_noise(model: southwell.PrivateLasso) -> None:
    ax = plot.path(model, most=99)
    ends = sorted(float(np.asarray(line.get_ydata())[-1]) for line in ax.get_lines()[:-1])
    moved = set(model.path_["feature"].tolist())
    wanted = [*model.coef_, float(model.intercept_)]
    assert ends == pytest.approx(sorted(wanted[j] for j in moved))
    assert len(ax.collections) == len(moved)
    assert ax.get_title() == f"guarantee: {model.privacy_.guarantee}"
    assert len(plot.path(model, most=2).get_lines()) == 3


def test_a_model_without_a_path_is_refused() -> None:
    data, _ = southwell.generate("square", records=100, features=3, seed=1)
    by_sgd = southwell.PrivateRidge(**BUDGET, solver="sgd").fit(data.design, data.target)
    with pytest.raises(ValueError, match="accepted are models by gcd and cd"):
        plot.path(by_sgd)


@pytest.mark.parametrize("release", ["laplace", "gaussian"])
def test_the_noise_is_what_calibrate_says(release: str) -> None:
    ax = plot.noise(epsilon=1, delta=1e-6, iterations=[1, 10], release=release)
    lines = {line.get_label(): np.asarray(line.get_ydata()) for line in ax.get_lines()}
    assert "rdp" in lines
    assert "paper" not in lines  # not valid
    found = southwell.calibrate(epsilon=1, delta=1e-6, iterations=10, release=release)
    assert ("hockey_stick" in lines) is (release == "gaussian")
    won = lines[found["accountant"]]
    assert won[-1] == pytest.approx(found["release_scale"], rel=1e-3)
    assert (won <= lines["rdp"]).all()


def test_the_statement_figure_shows_the_largest_coefficients(
    model: southwell.PrivateLasso,
) -> None:
    ax = plot.statement(model, most=3)
    shown = [label.get_text() for label in ax.get_yticklabels()]
    largest = np.argsort(-np.abs(model.coef_))[:3]
    assert shown == [f"x{j + 1}" for j in largest[::-1]]


def test_several_classes_have_no_single_figure() -> None:
    data, _ = southwell.generate("log1", records=100, features=3, seed=1)
    many = southwell.PrivateLinearSVC(epsilon=1, delta=1e-6, classes=[-1, 0, 1])
    with pytest.raises(ValueError, match="models of one margin"):
        plot.statement(many.fit(data.design, data.target))
    assert plot.path(many)


def test_a_plan_is_drawn_as_it_is() -> None:
    # At larger budgets auto would take the other solver, which selects nothing.
    planned = southwell.plan(
        records=5000, features=300, loss="logistic", solver="gcd", epsilon=1, delta=1e-7
    )
    lines = plot.plan(planned).get_lines()
    rows = [r for r in planned.plan_table if r["epsilon"] != 1]
    rows.append(planned.plan_table[planned.chosen])
    rows.sort(key=lambda row: row["epsilon"])
    for line, name in zip(lines, ("coef_noise_sd", "smallest_effect"), strict=False):
        np.testing.assert_allclose(
            np.asarray(line.get_xdata(), float), [row["epsilon"] for row in rows]
        )
        np.testing.assert_allclose(np.asarray(line.get_ydata(), float), [row[name] for row in rows])
    dense = southwell.plan(records=5000, features=10, loss="squared", penalty="l2", alpha=0.1,
                           solver="auto", epsilon=1, delta=1e-7)  # fmt: skip
    assert dense.solver == "sgd"
    assert len(plot.plan(dense).get_lines()) == 2  # one curve and the budget


LONG = "a very long level of a column (and some more, and more)"
TABLE: dict[str, list[Any]] = {
    "place": [["here", "for $5", LONG][k % 3] for k in range(300)],
    "age": [k % 80 for k in range(300)],
    "kind": [["low", "mid", "high"][k % 3] for k in range(300)],
    "cost": [k % 3 for k in range(300)],
}


def schema_with(target: dict[str, Any]) -> southwell.Schema:
    return southwell.Schema.from_dict(
        {
            "fields": [
                {"name": "place", "type": "string", "constraints": {"enum": TABLE["place"][:3]}},
                {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 80}},
                {**target, "southwell": {"role": "target"}},
            ]
        }
    )


COST = schema_with({"name": "cost", "type": "integer", "constraints": {"minimum": 0, "maximum": 2}})
KIND = schema_with(
    {"name": "kind", "type": "string", "constraints": {"enum": ["low", "mid", "high"]}}
)


def overlaps(labels: Any) -> bool:
    """Whether any two texts of a figure that was drawn cover each other."""
    boxes = [label.get_window_extent() for label in labels if label.get_text()]
    return any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


def within(ax: Any, artists: Any) -> bool:
    """Whether nothing is cut off by the figure's edge."""
    whole = ax.figure.bbox
    boxes = [artist.get_window_extent() for artist in artists]
    return all(
        box.x0 >= whole.x0 and box.x1 <= whole.x1 and box.y0 >= whole.y0 and box.y1 <= whole.y1
        for box in boxes
    )


def test_a_model_of_a_raw_table_is_drawn_by_the_names_of_its_features() -> None:
    model = southwell.PrivateRidge(
        alpha=1e-4, epsilon=1, delta=1e-6, schema=COST, solver="sgd", iterations=5
    ).fit(TABLE)
    ax = plot.statement(model)
    ax.figure.canvas.draw()
    labels = ax.get_yticklabels()
    shown = [label.get_text() for label in labels]
    assert {"place=here", r"place=for \$5", "place?", "age", "age?"} < set(shown)
    (long,) = [text for text in shown if "…" in text]
    assert long.startswith("place=a very long")
    assert long.endswith("and more)")
    assert len(long) < 50
    assert not overlaps(labels)
    assert within(ax, [*labels, ax.xaxis.label, ax.title])


def test_many_coefficients_have_room_for_their_names() -> None:
    levels = [f"level {k} of a list that is long" for k in range(60)]
    field = {"name": "place", "type": "string", "constraints": {"enum": levels}}
    schema = southwell.Schema.from_dict({"fields": [field, COST.to_dict()["fields"][-1]]})
    table = {"place": [levels[k % 60] for k in range(600)], "cost": [k % 3 for k in range(600)]}
    model = southwell.PrivateRidge(
        alpha=1e-4, epsilon=1, delta=1e-6, schema=schema, solver="sgd", iterations=5
    ).fit(table)
    ax = plot.statement(model, most=60)
    ax.figure.canvas.draw()
    assert len(ax.get_yticklabels()) == 60
    assert not overlaps(ax.get_yticklabels())


@pytest.mark.filterwarnings("ignore:epsilon 50")
def test_the_path_of_a_raw_table_names_features_and_classes() -> None:
    model = southwell.PrivateLogisticRegression(
        epsilon=50, delta=1e-6, schema=KIND, solver="gcd", iterations=9
    ).fit(TABLE)
    ax = plot.path(model, most=99)
    ax.figure.canvas.draw()
    legend = ax.get_legend()
    assert legend is not None
    words = [text.get_text() for text in legend.get_texts()]
    assert any(text.startswith("(intercept), ") for text in words)
    assert all(text.rsplit(", ", 1)[1] in ("low", "mid", "high") for text in words)
    assert not legend.get_window_extent().overlaps(ax.get_window_extent())  # no line is covered
    assert within(ax, [legend])
    looks = {(line.get_color(), line.get_linestyle()) for line in ax.get_lines()[:-1]}
    assert len(looks) == len(words)


def test_the_plan_of_a_raw_table_says_whose_coefficient_it_is() -> None:
    planned = southwell.plan(schema=COST, records=5000, loss="squared", epsilon=1, delta=1e-6)
    assert planned.feature_names == COST.feature_names
    assert plot.plan(planned).get_ylabel() == "in units of the coefficient of place=here"
    plain = southwell.plan(records=5000, features=3, loss="squared", epsilon=1, delta=1e-6)
    assert plain.feature_names == []
    assert plot.plan(plain).get_ylabel() == "in units of a coefficient"
