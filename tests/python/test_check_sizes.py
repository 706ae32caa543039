"""The check of sizes counts files and functions, and leaves out the rows of tables."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / "tools/check_sizes.py"


def found(tree: Path, name: str, text: str) -> str:
    subprocess.run(["git", "init", "-q", str(tree)], check=True)
    (tree / name).write_text(text)
    command = [sys.executable, str(CHECK), str(tree)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == (0 if "are short" in result.stdout else 1)
    return result.stdout


def lines(count: int, line: str = "  a();") -> str:
    return f"{line}\n" * count


@pytest.mark.parametrize(
    "head",
    [
        "void f() {",
        "TEST(A, B) {",
        "int A::f(int a,\n         int b) const {",
        "A::A(int a)\n    : a_(a),\n      b_(a) {",
        "template <class T>\nauto f(T a) -> int {",
    ],
)
def test_a_function_of_cpp_has_at_most_60_lines(tmp_path: Path, head: str) -> None:
    most = 60 - head.count("\n") - 2
    assert "are short" in found(tmp_path, "a.cpp", f"int x;\n\n{head}\n{lines(most)}}}\n")
    said = found(tmp_path, "a.cpp", f"int x;\n\n{head}\n{lines(most + 1)}}}\n")
    assert said == "a.cpp:3: a function of 61 lines, accepted are 60\n"


def test_a_class_is_no_function_but_its_members_are(tmp_path: Path) -> None:
    body = "".join(f"  void f{i}() {{\n{lines(20, '    a();')}  }}\n" for i in range(5))
    assert "are short" in found(tmp_path, "a.hpp", f"class A {{\n public:\n{body}}};\n")
    long = f"class A {{\n public:\n  void f() {{\n{lines(60, '    a();')}  }}\n}};\n"
    assert found(tmp_path, "a.hpp", long).startswith("a.hpp:3: a function of 62 lines")


def test_rows_of_a_table_do_not_count(tmp_path: Path) -> None:
    rows = lines(100, '      {"a", 1},')
    text = f"TEST(A, B) {{\n  const std::vector<Row> table{{\n{rows}  }};\n  a();\n}}\n"
    assert "are short" in found(tmp_path, "a.cpp", text)
    rows = lines(100, '        ("a", 1),')
    text = f"def f() -> None:\n    table = [\n{rows}    ]\n    print(table)\n"
    assert "are short" in found(tmp_path, "a.py", text)


def test_a_function_of_python_has_at_most_60_lines_beside_its_docstring(tmp_path: Path) -> None:
    said = found(tmp_path, "a.py", f"def f() -> None:\n{lines(60, '    print()')}")
    assert said == "a.py:1: a function of 61 lines, accepted are 60\n"
    docstring = f'    """One.\n\n{lines(50, "    More.")}    """\n'
    text = f"def f() -> None:\n{docstring}{lines(58, '    print()')}"
    assert "are short" in found(tmp_path, "a.py", text)


def test_a_file_has_at_most_350_lines(tmp_path: Path) -> None:
    assert "are short" in found(tmp_path, "a.py", lines(350, "x = 1"))
    said = found(tmp_path, "a.py", lines(351, "x = 1"))
    assert said == "a.py:1: 351 lines, accepted are 350\n"
