"""Tables of the study itself, which the paper does not print: data, steps, slopes, searches."""

from __future__ import annotations

from southwell.paper import published
from southwell.paper.entries import DASH, Entry, Table, duration, number
from southwell.paper.published import ALGORITHM_NAMES, MODE_NAMES, RULE_NAMES, problem_name
from southwell.paper.reading import Study, Winner
from southwell.paper.theory import TRUTHS


def data_sets(study: Study) -> Table:
    """Always whole: it says what the paper's problems are here."""
    rows = []
    for problem in published.PROBLEMS:
        theirs = published.DATA_SETS[problem]
        ours = study.problems.get(problem) or next(
            (winner for winner in study.winners if winner.problem == problem), None
        )
        row = [Entry(problem_name(problem), published.OBJECTIVES[problem])]
        row.append(Entry(f"{theirs.records} × {theirs.features}"))
        if ours is None:
            row += [Entry(DASH)] * 3
        else:
            same = (ours.records, ours.features) == (theirs.records, theirs.features)
            row.append(Entry(f"{ours.records} × {ours.features}", strong=not same))
            row += [Entry(number(ours.error_at_zero)), Entry(str(ours.optimum_support))]
        row.append(Entry(theirs.difference))
        rows.append(row)
    return Table(
        "data_sets",
        "Data sets",
        "Records × features in the paper and here (bold where they differ), the error at w = 0, "
        "the number of non-zero coefficients of w*, and what is different.",
        ["problem", "the paper's", "here", "w = 0", "‖w*‖₀", "what is different"],
        rows,
        words=frozenset({0, 5}),
    )


def steps(study: Study) -> Table | None:
    rows = [
        [
            Entry(problem_name(w.problem)),
            Entry(MODE_NAMES[w.mode]),
            Entry(RULE_NAMES.get(w.rule, w.rule)),
            Entry(str(w.iterations)),
            Entry(f"{w.good_steps:.3g}"),
            Entry(f"{w.bad_steps:.3g}", strong=w.bad_steps > 0),
            Entry(number(w.fresh_mean)),
        ]
        for problem in published.SPARSE
        for mode in published.MODES
        for rule in published.RULES
        if (w := study.winner(problem, "gcd", mode, rule)) is not None
        and w.good_steps is not None
        and w.bad_steps is not None
    ]
    if not rows:
        return None
    return Table(
        "steps",
        "Good and bad steps",
        "Of the iterations of DP-GCD on the problems with an l1 penalty, mean per run: a step that "
        "ends on zero or crosses it is bad. The rules agree on good steps and differ on bad ones.",
        ["problem", "mode", "rule", "T", "good", "bad", "error"],
        rows,
        words=frozenset({0, 1, 2}),
    )


def slopes(study: Study) -> Table | None:
    rows = [
        [
            Entry(TRUTHS.get(fit.truth, fit.truth)),
            Entry(MODE_NAMES.get(fit.mode, fit.mode)),
            Entry(ALGORITHM_NAMES.get(fit.algorithm, fit.algorithm)),
            Entry(f"{fit.slope:+.3f}"),
            Entry(f"{fit.slope_low:+.3f} to {fit.slope_high:+.3f}"),
        ]
        for fit in study.fits
    ]
    if not rows:
        return None
    return Table(
        "slopes",
        "Fitted slopes",
        "Slope of the logarithm of what is left of f(0) − f* against log p with its 95 % interval: "
        "0 is no dependence on the dimension; the bounds of its rivals grow like √p or p, slopes "
        "of ½ and 1.",
        ["truth", "mode", "algorithm", "slope", "95 % interval"],
        rows,
        words=frozenset({0, 1, 2}),
    )


def _searched(study: Study, winner: Winner) -> Entry:
    """Settings of the search; says where they are not the grid's or results.csv disagrees."""
    faults = []
    if winner.settings != published.grid_size(winner.algorithm):
        faults.append(f"the grid has {published.grid_size(winner.algorithm)}")
    rows = study.settings.get(winner.cell)
    if rows is not None and rows != winner.settings:
        faults.append(f"results.csv has {rows}")
    return Entry(f"{winner.settings} × {winner.runs}", "; ".join(faults))


def searches(study: Study) -> Table | None:
    rows = [
        [
            Entry(problem_name(w.problem)),
            Entry(ALGORITHM_NAMES.get(w.algorithm, w.algorithm)),
            Entry(MODE_NAMES.get(w.mode, w.mode)),
            Entry(RULE_NAMES.get(w.rule, DASH)),
            _searched(study, w),
            Entry(str(w.settings_run)),
            Entry(number(w.search_mean)),
            Entry(number(w.fresh_mean)),
            Entry(duration(w.search_seconds)),
            Entry(duration(w.fit_seconds)),
        ]
        for w in study.winners
    ]
    if not rows:
        return None
    total = [
        sum(w.search_seconds for w in study.winners),
        sum(w.fit_seconds for w in study.winners),
    ]
    runs = sum(w.settings * w.runs for w in study.winners)
    foot = [Entry("all", strong=True), *[Entry("")] * 3, Entry(f"{runs} runs"), *[Entry("")] * 3]
    foot += [Entry(duration(seconds), strong=True) for seconds in total]
    return Table(
        "searches",
        "Settings × runs of each search, and times",
        "Settings that coincide run once: settings run counts those. The error is that of the best "
        "setting, over the runs of the search and over the fresh ones. Times are by the clock; "
        "one fit is alone on one thread.",
        ["problem", "algorithm", "mode", "rule", "settings × runs", "settings run", "search",
         "fresh", "search took", "one fit"],
        rows,
        words=frozenset({0, 1, 2, 3}),
        foot=foot,
    )  # fmt: skip
