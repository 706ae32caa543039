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
    (tmp_path / "src/southwell/core/float_environment.hpp").write_text("int c;\n")
    (room / "noisy_max.md").write_text(
        "<!-- covers noisy_max.hpp paper/unsound_thing.hpp ../core/sensitive.hpp "
        "../core/float_environment.hpp code sha256:0 proof sha256:0 -->\nProof.\n"
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


def test_a_class_of_a_template_on_the_friend_list_needs_a_proof_that_names_it(tree: Path) -> None:
    friends = tree / "src/southwell/core/sensitive.hpp"
    friends.write_text(friends.read_text() + "friend class privacy::NoisyMax<privacy::NewLaw>;\n")
    result = run(tree, "--update")
    assert result.returncode == 1
    assert "NoisyMax<NewLaw> may read sensitive values, but no proof names it" in result.stdout
    proof = tree / "src/southwell/privacy/noisy_max.md"
    proof.write_text(proof.read_text() + "The law of `NoisyMax<NewLaw>`.\n")
    assert run(tree, "--update").returncode == 0


def test_update_does_not_hide_a_missing_proof(tree: Path) -> None:
    friends = tree / "src/southwell/core/sensitive.hpp"
    friends.write_text(friends.read_text() + "friend class privacy::NewMechanism;\n")
    assert run(tree, "--update").returncode == 1


@pytest.mark.parametrize(
    "friend",
    [
        "friend privacy::NoisyMax;",
        "friend struct privacy::NoisyMax;",
        "friend  class privacy::NoisyMax;",
        "friend class ::southwell::privacy::NoisyMax;",
        "friend class NoisyMax;",
        "friend class solvers::Fit;",
        "friend class privacy::NoisyMax<Law>;",
        "friend long peek(const Sensitive&);",
        "template <class U> friend class Sensitive;",
        "friend class privacy::NoisyMax; friend\nclass solvers::Fit;",
    ],
)
def test_a_friend_of_any_other_form_is_refused(tree: Path, friend: str) -> None:
    header = tree / "src/southwell/core/sensitive.hpp"
    header.write_text(header.read_text() + friend + "\n")
    result = run(tree, "--update")
    assert result.returncode == 1
    assert "does not name a mechanism's class" in result.stdout


def test_a_friend_in_a_comment_is_none(tree: Path) -> None:
    header = tree / "src/southwell/core/sensitive.hpp"
    header.write_text(header.read_text() + "// no friend of mine\n/* friend class X; */\n")
    assert run(tree, "--update").returncode == 0


@pytest.mark.parametrize("name", ["privacy/shortcut.cpp", "privacy/paper/extra.hpp"])
def test_a_source_of_the_room_needs_a_proof_or_a_reason(tree: Path, name: str) -> None:
    (tree / "src/southwell" / name).write_text("int d;\n")
    result = run(tree, "--update")
    assert result.returncode == 1
    assert f"{name}: no proof covers it" in result.stdout


@pytest.mark.parametrize("name", ["sensitive", "float_environment"])
def test_what_the_proofs_rest_on_in_core_needs_one_too(tree: Path, name: str) -> None:
    proof = tree / "src/southwell/privacy/noisy_max.md"
    proof.write_text(proof.read_text().replace(f" ../core/{name}.hpp", ""))
    result = run(tree, "--update")
    assert result.returncode == 1
    assert f"core/{name}.hpp: no proof covers it" in result.stdout
