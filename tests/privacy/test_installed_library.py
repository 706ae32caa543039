"""What users install has no tap, no switchable fault and no header that shows either."""

import subprocess
from pathlib import Path

from tests.privacy.oracle import BUILD, ROOT

INTERNAL = {
    "exact_sampling.hpp",
    "exact_selection.hpp",
    "fault.hpp",
    "selection_weights.hpp",
    "tap.hpp",
}
WORDS = ("tap_select", "tap_release", "active_fault", "SOUTHWELL_FAULT")


def symbols(library: Path) -> str:
    names = subprocess.run(["nm", "-C", library], capture_output=True, text=True, check=True).stdout
    text = subprocess.run(["strings", library], capture_output=True, text=True, check=True).stdout
    return names + text


def test_the_library_has_no_tap_and_no_fault() -> None:
    found = symbols(BUILD / "src/southwell/libsouthwell.a")
    assert "southwell::privacy::ExponentialMechanism::release" in found
    assert not [
        word for word in (*WORDS, "privacy::Tap::", "laplace_scale_is_halved") if word in found
    ]


def test_the_check_would_notice_them() -> None:
    found = symbols(BUILD / "src/southwell/libsouthwell_instrumented.a")
    assert all(word in found for word in WORDS)


def test_neither_the_program_that_fits_nor_the_module_has_one() -> None:
    (module,) = (BUILD / "python/bindings").glob("_core*.so")
    for product in (BUILD / "cli/southwell", module):
        assert not [word for word in WORDS if word in symbols(product)], product


def test_replays_are_in_a_program_of_their_own_that_takes_no_file(tmp_path: Path) -> None:
    program = BUILD / "cli/southwell-replay"
    found = symbols(program)
    assert all(word in found for word in WORDS)
    (tmp_path / "data.csv").write_text("x,target\n1,1\n")
    for words in (["data.csv"], ["fit"]):
        done = subprocess.run(
            [program, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert f"no family of settings is called '{words[0]}'" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


def test_the_tap_and_other_internals_are_not_installed(tmp_path: Path) -> None:
    command = ["/usr/bin/cmake", "--install", str(BUILD), "--prefix", str(tmp_path)]
    subprocess.run([*command, "--component", "southwell_library"], check=True, capture_output=True)
    installed = {path.name for path in tmp_path.rglob("*.hpp")}
    assert "exponential_mechanism.hpp" in installed
    assert not installed & INTERNAL
    assert not list(tmp_path.rglob("*instrumented*"))


def test_no_installed_header_of_the_room_depends_on_instrumentation() -> None:
    """Headers other rooms include must be the same in both builds: no fault or tap behind them."""
    for header in (ROOT / "src/southwell/privacy").rglob("*.hpp"):
        if header.name in INTERNAL:
            continue
        text = header.read_text(encoding="utf-8")
        assert "SOUTHWELL_INSTRUMENTED" not in text
        assert not any(f'privacy/{name}"' in text for name in INTERNAL), header
