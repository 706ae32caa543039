"""A wheel serves an environment that has no compiler and no source tree."""

import subprocess
import sys
import sysconfig
from pathlib import Path

QUICKSTART = """
import southwell
data, truth = southwell.generate("square", records=2000, features=50, seed=1)
model = southwell.PrivateLasso(
    alpha=1, epsilon=1, delta=1e-6, target_scale=100, fit_intercept=False
).fit(data.design, data.target)
model.save("model.json")
print(southwell.__file__)
print(southwell.PrivateLasso.load("model.json").privacy_.guarantee)
"""


def call(*command: object, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_wheel_runs_the_quickstart_in_an_empty_environment(root: Path, tmp_path: Path) -> None:
    uv = Path(sys.executable).with_name("uv")
    build = ["build", "--wheel", "--offline", "--no-build-isolation", "--python", sys.executable]
    call(uv, *build, "--out-dir", tmp_path, root, cwd=tmp_path)
    (wheel,) = tmp_path.glob("southwell-*.whl")
    plain = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = "cp312-abi3" if sys.version_info >= (3, 12) else f"{plain}-{plain}"
    assert f"-{tag}-" in wheel.name
    call(sys.executable, "-m", "venv", "--without-pip", "env", cwd=tmp_path)
    python = tmp_path / "env/bin/python"
    call(uv, "pip", "install", "--offline", "--no-deps", "--python", python, wheel, cwd=tmp_path)
    # What it depends on comes from here, after the environment's own packages: nothing is fetched.
    (packages,) = (tmp_path / "env/lib").glob("python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    done = subprocess.run(
        [python, "-c", QUICKSTART],
        cwd=tmp_path,
        env={"PATH": "/nonexistent"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    where, guarantee = done.stdout.splitlines()
    assert where.startswith(str(packages))
    assert guarantee == "(1, 1e-06)-DP"
