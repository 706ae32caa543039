"""The code in the guide runs as it stands."""

import re
from pathlib import Path

import pytest

import southwell


def test_the_guide_runs(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (root / "docs/guide.md").read_text(), re.DOTALL)
    assert len(blocks) == 5
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    assert capsys.readouterr().out.count("guarantee       (1, 1e-06)-DP") == 4
    assert southwell.PrivateRidge.load(tmp_path / "costs.json").schema_.unit == "patient"
    again = southwell.PrivateRidge.load(tmp_path / "model.json")
    assert again.privacy_.public_inputs["alpha"] == {"value": 1 / 3000, "source": "default"}


def test_every_name_in_the_guide_exists(root: Path) -> None:
    text = (root / "docs/guide.md").read_text()
    for name in set(re.findall(r"\b(Private\w+|TuningWarning|RowNormalizer)\b", text)):
        assert hasattr(southwell, name), name
