"""An audit from Python, and mechanisms that an auditor written by others can drive."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import southwell
from southwell import mechanisms


@pytest.fixture(scope="module")
def model() -> southwell.PrivateRidge:
    data, _ = southwell.generate("square", seed=1, records=2000, features=5)
    ridge = southwell.PrivateRidge(epsilon=1, delta=1e-6, feature_scale=1, target_scale=100)
    return ridge.fit(data.design, data.target)


def test_a_sound_model_is_not_flagged(model: southwell.PrivateRidge) -> None:
    report = southwell.audit(model, level="transcript")
    assert not report.flagged
    (level,) = json.loads(report.to_json())["levels"]
    assert level["level"] == "transcript"
    assert {finding["verdict"] for finding in level["findings"]} == {"passes"}
    assert "Cannot find" in str(report)
    assert report.to_html().startswith("<!doctype html>")


def test_mechanisms_are_looked_at_without_a_model() -> None:
    report = southwell.audit(level=["mechanisms"])
    findings = json.loads(report.to_json())["levels"][0]["findings"]
    assert not report.flagged
    assert all(finding["found"] <= finding["claimed"] for finding in findings)
    assert all(finding["power"] >= 0.8 for finding in findings if finding["power"] is not None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"level": "replay"}, "replay is the command line's"),
        ({"level": "transcript"}, "accepted is a model with the level transcript"),
        ({"level": "nonsense"}, "given 'nonsense'"),
    ],
)
def test_levels_that_cannot_be_are_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        southwell.audit(**arguments)


def test_something_else_than_a_model_is_refused() -> None:
    with pytest.raises(TypeError, match="fitted estimator of this library"):
        southwell.audit(3)  # type: ignore[arg-type]


class Recorder:
    """Stands in for dp-recorder's Auditor: records calls, then gives their outputs again."""

    def __init__(self) -> None:
        self.log: list[dict[str, Any]] = []
        self.replays = False
        self.cursor = 0

    def audit_spec(
        self,
        *,
        kind: str,
        input_arg: str,
        sensitivity_arg: str,
        metric_fn: Callable[[Any, Any], float],
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            def call(*args: Any, **kwargs: Any) -> Any:
                given = inspect.signature(function).bind(*args, **kwargs).arguments
                data = given.pop(input_arg)
                if not self.replays:
                    output = function(data, **given)
                    entry = {"kind": kind, "data": data, "given": given, "output": output}
                    entry |= {"sensitivity": given[sensitivity_arg], "metric": metric_fn}
                    self.log.append(entry)
                    return output
                entry = self.log[self.cursor]
                self.cursor += 1
                assert entry["kind"] == kind, "another course"
                assert entry["given"] == given, "other public numbers"
                entry["neighbour"] = data
                return entry["output"]

            return call

        return decorate

    def farther_than_declared(self) -> list[str]:
        return [
            entry["kind"]
            for entry in self.log
            if entry["metric"](entry["data"], entry["neighbour"]) > entry["sensitivity"]
        ]


def small_fit(records: list[list[int]], audited: Any, clip: int) -> list[int]:
    """A choice and a release of clipped sums; what is released decides what is chosen next."""
    sums = np.clip(np.array(records), -clip, clip).sum(axis=0)
    coef = [0, 0, 0]
    for _ in range(3):
        chosen = audited.exponential_mechanism(np.abs(sums), sensitivity=20, scale=40)
        (released,) = audited.discrete_laplace([sums[chosen]], sensitivity=20, scale=80)
        coef[chosen] -= released
        sums = sums + np.array(coef) // 100
    return coef


@pytest.mark.parametrize(("clip", "too_far"), [(10, False), (1000, True)])
def test_an_auditor_of_others_can_drive_the_mechanisms(clip: int, too_far: bool) -> None:
    recorder = Recorder()
    audited = mechanisms.audited(recorder.audit_spec)
    records = [[1, -5, 9], [2, 2, 2], [-900, 10, 4]]
    coef = small_fit(records, audited, clip)
    recorder.replays = True
    neighbour = [[1, -5, 9], [2, 2, 2], [900, -10, 4]]
    assert small_fit(neighbour, audited, clip) == coef
    assert recorder.cursor == len(recorder.log) == 6
    assert bool(recorder.farther_than_declared()) is too_far


def test_every_mechanism_declares_its_distance() -> None:
    recorder = Recorder()
    audited = mechanisms.audited(recorder.audit_spec)
    for name in ("exponential_mechanism", "permute_and_flip", "noisy_max"):
        assert getattr(audited, name)([0, 10_000, 0], sensitivity=1, scale=2) == 1
    for name in ("discrete_laplace", "discrete_gaussian"):
        out = getattr(audited, name)([0, 10**9], sensitivity=1, scale=100)
        assert abs(out[0]) < 10_000 < out[1]
    distances = [entry["metric"]([0, 0], [3, -4]) for entry in recorder.log]
    assert distances == [4, 4, 4, 7, 5]


def test_noise_is_fresh_in_every_call() -> None:
    drawn = {tuple(mechanisms.discrete_gaussian([0, 0], 1, 2**30)) for _ in range(20)}
    assert len(drawn) == 20


def test_the_guide_to_audits_runs_as_it_stands(root: Path) -> None:
    text = (root / "docs/audit.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 2
    recorder = Recorder()
    for block in blocks:
        exec(block, {"audit_spec": recorder.audit_spec})
    assert [entry["kind"] for entry in recorder.log] == ["discrete_laplace"]
