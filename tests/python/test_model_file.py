"""Model files: what docs/model_file.md says of them is so."""

from __future__ import annotations

import hashlib
import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import southwell


@pytest.fixture(scope="module")
def reader(root: Path) -> dict[str, Any]:
    """The functions that the page has for other tools."""
    text = (root / "docs/model_file.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    exec(lines, names)
    return names


@pytest.fixture(scope="module")
def wide() -> southwell.PrivateRidge:
    random = np.random.default_rng(1)
    table = random.standard_normal((40, 3000))
    scales = np.linspace(0.5, 2.0, 3000)
    model = southwell.PrivateRidge(
        epsilon=1e4,
        delta=1e-6,
        solver="sgd",
        target_scale=1,
        feature_scale=scales,
        select_iterate=False,
    )
    return model.fit(table, table[:, 0])


def test_a_wide_model_is_the_same_after_a_file_and_a_pickle(
    wide: southwell.PrivateRidge, tmp_path: Path
) -> None:
    wide.save(tmp_path / "wide.json")
    assert isinstance(json.loads((tmp_path / "wide.json").read_text())["coef"][0]["value"], str)
    loaded = southwell.PrivateRidge.load(tmp_path / "wide.json")
    for again in (loaded, pickle.loads(pickle.dumps(wide))):
        np.testing.assert_array_equal(again.coef_, wide.coef_)
        is_stated = ~np.isnan(wide.coef_noise_)
        assert (again.coef_noise_ >= wide.coef_noise_)[is_stated].all(), "none is understated"
        np.testing.assert_allclose(again.coef_noise_, wide.coef_noise_, rtol=1.2e-7)
        assert again.privacy_.to_dict() == wide.privacy_.to_dict()


def test_other_tools_read_it_by_the_lines_of_the_page(
    wide: southwell.PrivateRidge, reader: dict[str, Any], tmp_path: Path, root: Path
) -> None:
    wide.save(tmp_path / "wide.json.gz")
    np.testing.assert_array_equal(reader["coefficients"](tmp_path / "wide.json.gz")[0], wide.coef_)
    for file in (root / "tests/models/version_1").iterdir():
        model = southwell._core.Model.load(bytes(file))
        np.testing.assert_array_equal(reader["coefficients"](file), model.coef[0])


def test_its_checksum_is_what_python_computes(wide: southwell.PrivateRidge, tmp_path: Path) -> None:
    wide.save(tmp_path / "wide.json")
    content = json.loads((tmp_path / "wide.json").read_text(encoding="utf-8"))
    checksum = content.pop("checksum")
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert checksum == hashlib.sha256(canonical.encode()).hexdigest()


def test_attachments_are_kept(wide: southwell.PrivateRidge) -> None:
    content = json.loads(wide.model_.to_json())
    more = {"unit": {"column": "patient"}, "choice": {"candidates": 3}}
    content |= more
    content.pop("checksum")
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    content["checksum"] = hashlib.sha256(canonical.encode()).hexdigest()
    model = southwell._core.Model.from_json(json.dumps(content))
    own = wide.model_.attachments  # the limit of its records
    assert set(own) == {"input_limits"}
    wanted = own | more
    assert model.attachments == wanted
    assert pickle.loads(pickle.dumps(model)).attachments == wanted
