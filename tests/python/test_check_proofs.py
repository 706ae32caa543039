"""The check that keeps proofs and code together notices each way they can come apart."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / "tools/check_proofs.py"


def run(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CHECK), str(root), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    room = tmp_path / "src/southwell/privacy"
    (room / "paper").mkdir(parents=True)
    (tmp_path / "src/southwell/core").mkdir()
    (tmp_path / "src/southwell/core/sensitive.hpp").write_text(
        "friend class privacy::NoisyMax;\nfriend class privacy::paper::UnsoundThing;\n"
    )
    (room / "noisy_max.hpp").write_text("int a;\n")
    (room / "paper/unsound_thing.hpp").write_text("int b;\n")
    (room / "noisy_max.md").write_text(
        "<!-- covers noisy_max.hpp paper/unsound_thing.hpp code sha256:0 proof sha256:0 -->\n"
        "Proof.\n"
    )
    assert run(tmp_path, "--update").returncode == 0
    assert run(tmp_path).returncode == 0
    return tmp_path


def test_the_repository_is_in_step() -> None:
    result = run(ROOT)
    assert result.returncode == 0, result.stdout


def test_code_that_moved_alone_is_noticed(tree: Path) -> None:
    (tree / "src/southwell/privacy/noisy_max.hpp").write_text("int a2;\n")
    result = run(tree)
    assert result.returncode == 1
    assert "noisy_max.md: the code moved and the proof did not" in result.stdout


def test_a_proof_that_moved_alone_is_noticed(tree: Path) -> None:
    proof = tree / "src/southwell/privacy/noisy_max.md"
    proof.write_text(proof.read_text() + "More.\n")
    assert "the proof moved and the code did not" in run(tree).stdout


def test_both_moving_unread_is_noticed_and_update_pins_one_line(tree: Path) -> None:
    room = tree / "src/southwell/privacy"
    (room / "noisy_max.hpp").write_text("int a2;\n")
    proof = room / "noisy_max.md"
    proof.write_text(proof.read_text() + "More.\n")
    assert "read one against the other" in run(tree).stdout
    before = proof.read_text().splitlines()
    assert run(tree, "--update").returncode == 0
    after = proof.read_text().splitlines()
    assert after[1:] == before[1:]
    assert after[0] != before[0]
    assert run(tree).returncode == 0


def test_a_file_that_is_gone_or_a_first_line_without_a_pin_is_noticed(tree: Path) -> None:
    (tree / "src/southwell/privacy/other.md").write_text("# Proof\n")
    (tree / "src/southwell/privacy/paper/unsound_thing.hpp").unlink()
    result = run(tree)
    assert "other.md: the first line does not say what it covers" in result.stdout
    assert "covers paper/unsound_thing.hpp, which does not exist" in result.stdout


def test_a_mechanism_on_the_friend_list_needs_a_proof(tree: Path) -> None:
    friends = tree / "src/southwell/core/sensitive.hpp"
    friends.write_text(friends.read_text() + "friend class privacy::NewMechanism;\n")
    result = run(tree)
    assert result.returncode == 1
    assert "no proof covers new_mechanism.hpp" in result.stdout


def test_update_does_not_hide_a_missing_proof(tree: Path) -> None:
    friends = tree / "src/southwell/core/sensitive.hpp"
    friends.write_text(friends.read_text() + "friend class privacy::NewMechanism;\n")
    assert run(tree, "--update").returncode == 1
