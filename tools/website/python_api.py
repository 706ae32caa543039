"""The pages on the Python package, written from its docstrings."""

from __future__ import annotations

import inspect
from pathlib import Path

import southwell
from tools.website.staging import toctree

GROUPS: dict[str, tuple[str, list[str]]] = {
    "models": (
        "Models",
        ["PrivateLasso", "PrivateRidge", "PrivateElasticNet", "PrivateHuber",
         "PrivateLogisticRegression", "PrivateLinearSVC", "load"],
    ),
    "tables": ("Raw tables", ["Schema", "TableEncoder", "CsvFile"]),
    "steps": (
        "Steps before a model",
        ["DeclaredScaler", "RowNormalizer", "PooledScaler", "private_pipeline", "PrivatePipeline",
         "privacy_of"],
    ),
    "judging": ("Evaluating, tuning", ["evaluate", "Evaluation", "Figure", "PrivateSearch"]),
    "budgets": (
        "Budgets",
        ["plan", "Plan", "Ledger", "compose", "Composed", "account", "calibrate"],
    ),
    "checking": ("Checking the promise", ["audit", "mechanisms"]),
    "pictures": ("Pictures", ["plot"]),
    "data": (
        "Data as numbers",
        ["Dataset", "generate", "read", "read_csv", "read_libsvm", "read_npy"],
    ),
    "research": (
        "Research, not private",
        ["reference_optimum", "Optimum", "utility_bound", "UtilityBound", "quasi_sparsity"],
    ),
    "errors": (
        "Errors and warnings",
        ["PrivacyLeakError", "PrivacyLeakWarning", "TuningWarning", "BudgetError",
         "CalibrationError", "DataError"],
    ),
}  # fmt: skip


def own_members(thing: type) -> list[str]:
    """What Southwell itself has written down of a class, in the order of its bases."""
    names: list[str] = []
    for base in thing.__mro__:
        if not base.__module__.startswith("southwell"):
            continue
        for name, member in vars(base).items():
            is_shown = callable(member) or isinstance(member, (property, classmethod))
            documented = (inspect.getdoc(member) or "").strip()
            if is_shown and documented and not name.startswith("_") and name not in names:
                names.append(name)
    return names


def entry(name: str) -> str:
    thing = getattr(southwell, name)
    title = f"## {name}\n"
    if inspect.ismodule(thing):
        body = f".. automodule:: southwell.{name}\n   :members:\n"
    elif inspect.isclass(thing):
        body = f".. autoclass:: southwell.{name}\n"
        members = own_members(thing)
        if members and not issubclass(thing, BaseException):
            body += f"   :members: {', '.join(members)}\n"
    else:
        body = f".. autofunction:: southwell.{name}\n"
    return f"{title}\n```{{eval-rst}}\n{body}```\n"


def stage_python(source: Path) -> None:
    folder = source / "python"
    folder.mkdir()
    listed = [name for _, names in GROUPS.values() for name in names]
    public = [name for name in southwell.__all__ if not name.startswith("_")]
    if sorted(listed) != sorted(public):
        odd = sorted(set(listed) ^ set(public))
        raise SystemExit(f"tools/website/python_api.py: no group, or no such name: {odd}")
    rows = []
    for group, (title, names) in GROUPS.items():
        text = "\n".join([f"# {title}\n", *map(entry, names)])
        (folder / f"{group}.md").write_text(text)
        links = ", ".join(f"[`{name}`]({group}.md#{name.lower()})" for name in names)
        rows.append(f"| {title} | {links} |")
    text = (
        "# The Python package\n\n`import southwell`. Everything public is on these pages;"
        " parameters of estimators are the\n[inputs of a fit](../inputs.md).\n\n| | |\n|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )
    (folder / "index.md").write_text(text + toctree(list(GROUPS)))
