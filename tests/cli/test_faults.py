"""Faults around a command: descriptors, signals, threads, killed runs, models cut short."""

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.fit_calls import BASE

Run = Callable[..., "subprocess.CompletedProcess[str]"]
# A delta of at least 1/n: there is a warning on standard error.
WARNED = [*BASE[:4], "--delta", "0.1", "--target-scale", "1"]
DATA = ["--target", "target"]
# Each prints to standard output and ends well.
COMMANDS = [
    ["fit", "data.csv", *DATA, *WARNED, "--seed-for-tests", "1", "--out", "m.json"],
    ["fit", "data.csv", *DATA, *WARNED, "--dry-run"],
    ["predict", "model.json", "data.csv"],
    ["evaluate", "model.json", "data.csv", *DATA],
    ["evaluate", "model.json", "data.csv", *DATA, "--epsilon", "1", "--delta", "1e-6",
     "--target-scale", "1"],
    ["tune", "data.csv", *DATA, *WARNED, "--penalty", "l2", "--alpha", "0.1,0.2", "--dry-run"],
    ["inspect", "model.json"],
    ["inspect", "model.json", "--json"],
    ["plan", "--records", "500", "--features", "20", *BASE],
    ["calibrate", "--epsilon", "1", "--delta", "1e-6", "--iterations", "5"],
    ["account", "--iterations", "5", "--delta", "1e-6", "--selection-epsilon", "0.1",
     "--release-epsilon", "0.1"],
    ["generate", "square", "--records", "9", "--features", "2", "--seed", "1", "--out", "g.csv"],
    ["lab", "optimum", "data.csv", *DATA, "--loss", "squared"],
    ["lab", "objective", "model.json", "data.csv", *DATA],
    ["lab", "greedy", "data.csv", *DATA, "--loss", "squared", "--iterations", "2"],
    ["lab", "constants", "data.csv", *DATA, "--loss", "squared", "--no-intercept"],
    ["lab", "standardize", "data.csv", *DATA, "--out", "std.csv"],
    ["--help"],
    ["lab", "paper", "--help"],
    ["--version"],
]  # fmt: skip
# Each says on standard error why it does not.
FAILURES = [
    *([*command, "--nonsense"] for command in COMMANDS[:-3]),
    ["lab", "compare", "no_such_problem"],
    ["lab", "paper", "--problem", "no_such_problem"],
    ["lab", "theory", "--nonsense"],
    ["inspect", "no_such_file.json"],
    [],
]


@pytest.fixture(scope="module")
def place(southwell_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("faults")
    for command in (
        ["generate", "square", "--records", "60", "--features", "5", "--seed", "1", "--out",
         "data.csv"],
        ["fit", "data.csv", *DATA, *BASE, "--seed-for-tests", "1", "--out", "model.json"],
    ):  # fmt: skip
        subprocess.run([southwell_binary, *command], cwd=directory, check=True, capture_output=True)
    return directory


def code_with(redirection: str, binary: Path, place: Path, command: list[str]) -> int:
    """The exit code with standard descriptors as a shell's `redirection` says."""
    line = ["sh", "-c", f'exec "$@" {redirection}', "sh", str(binary), *command]
    return subprocess.run(
        line, cwd=place, capture_output=True, timeout=60, check=False
    ).returncode  # fmt: skip


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "<&-", "<&- 2>&-"])
def test_what_nobody_can_read_on_standard_error_changes_nothing(
    southwell_binary: Path, place: Path, redirection: str
) -> None:
    data = (place / "data.csv").read_bytes()
    for command in COMMANDS:
        assert code_with(redirection, southwell_binary, place, command) == 0, command
    for command in FAILURES:
        plain = code_with("", southwell_binary, place, command)
        assert plain in (2, 3), command
        assert code_with(redirection, southwell_binary, place, command) == plain, command
    assert (place / "data.csv").read_bytes() == data
    assert json.loads((place / "m.json").read_text())["private"] is False


def test_a_reader_of_standard_error_may_go_away(southwell_binary: Path, place: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [southwell_binary, *COMMANDS[0]],
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=write,
        check=False,
    )
    os.close(write)
    assert done.returncode == 0


@pytest.mark.parametrize("redirection", [">&-", ">/dev/full", "<&- >&- 2>&-"])
def test_output_that_is_lost_is_an_error(
    southwell_binary: Path, place: Path, redirection: str
) -> None:
    for command in COMMANDS:
        assert code_with(redirection, southwell_binary, place, command) == 3, command


def test_a_message_never_goes_into_a_file(southwell_binary: Path, place: Path) -> None:
    # The first file to be opened would get the number 2.
    out = place / "lost.json"
    limit = "ulimit -f 0; "  # nothing can be written: there is a message while files are open
    line = ["sh", "-c", f'{limit}exec "$@" 2>&-', "sh", str(southwell_binary)]
    command = ["fit", "data.csv", *DATA, *BASE, "--out", str(out)]
    done = subprocess.run([*line, *command], cwd=place, capture_output=True, check=False)
    assert done.returncode == 3
    assert not out.exists()
    assert not list(place.glob("lost.json*"))
    assert b"southwell:" not in (place / "data.csv").read_bytes()


def stopped_by(process: "subprocess.Popen[str]", name: signal.Signals) -> tuple[int, str]:
    try:
        process.send_signal(name)
        _, said = process.communicate(timeout=30)
    finally:
        process.kill()
    return process.returncode, said


def wait_until(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


def is_asleep(process: "subprocess.Popen[str]") -> bool:
    def state() -> str:
        return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]

    for _ in range(10):
        if state() != "S":
            return False
        time.sleep(0.01)
    return True


@contextlib.contextmanager
def writing(pipe: Path, text: bytes) -> Iterator[None]:
    """The other end of a pipe: it writes `text`, then stays open and silent."""
    ends: list[int] = []

    def opened() -> bool:
        with contextlib.suppress(OSError):
            ends.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        return bool(ends)

    wait_until(opened, "the pipe was never opened")
    os.set_blocking(ends[0], True)
    feeder = threading.Thread(target=os.write, args=(ends[0], text))
    feeder.start()
    try:
        feeder.join(timeout=30)
        yield
    finally:
        os.close(ends[0])
        feeder.join(timeout=30)


ROW = b"0.5,0.25,0.125\n"
# What each command that reads records is called with, up to the name of what it would write.
PIPED = {
    "fit": [*DATA, *BASE, "--out"],
    "tune": [*DATA, *BASE, "--penalty", "l2", "--alpha", "0.1,0.2", "--out"],
    "predict": ["--threads", "3", "--out"],
    "evaluate": [*DATA, "--epsilon", "1", "--delta", "1e-6", "--target-scale", "1", "--html"],
}


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(
    "text", [None, b"", b"a,b,target\n" + ROW, b"a,b,target\n" + 60_000 * ROW],
    ids=["no writer", "nothing", "one row", "many rows"],
)  # fmt: skip
@pytest.mark.parametrize("command", PIPED)
def test_one_signal_ends_the_wait_for_a_silent_pipe(
    southwell_binary: Path, place: Path, tmp_path: Path, command: str, text: bytes | None,
    name: signal.Signals,
) -> None:  # fmt: skip
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    with_model = command in ("predict", "evaluate")
    line = [command, *([str(place / "model.json")] if with_model else []), str(pipe)]
    process = subprocess.Popen(
        [southwell_binary, *line, *PIPED[command], "out"],
        cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with contextlib.nullcontext() if text is None else writing(pipe, text):
        wait_until(lambda: is_asleep(process), "it never waited")
        assert stopped_by(process, name) == (130, "southwell: interrupted\n")
    assert sorted(tmp_path.iterdir()) == [pipe]


def test_a_pipe_that_is_slow_is_read_to_its_end(
    southwell_binary: Path, place: Path, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    flags = [*DATA, *BASE, "--seed-for-tests", "1", "--out", "out.json"]
    process = subprocess.Popen(
        [southwell_binary, "fit", str(pipe), *flags], cwd=tmp_path, stdout=subprocess.DEVNULL
    )
    data = (place / "data.csv").read_bytes()
    time.sleep(0.2)  # longer than the wait between two looks
    with pipe.open("wb", buffering=0) as end:
        for part in (data[:100], data[100:900], data[900:]):
            end.write(part)
            time.sleep(0.1)
    assert process.wait(timeout=60) == 0
    assert (tmp_path / "out.json").read_bytes() == (place / "model.json").read_bytes()


def test_a_fit_needs_no_thread_but_its_own(southwell_binary: Path, place: Path) -> None:
    with tempfile.TemporaryDirectory() as directory:  # for a user without rights, if we are root
        room = Path(directory)
        room.chmod(0o777)
        shutil.copy(southwell_binary, room / "southwell")
        (room / "southwell").chmod(0o755)
        # Long enough to be worth several threads.
        rows = (place / "data.csv").read_text().splitlines(keepends=True)
        (room / "data.csv").write_text(rows[0] + "".join(rows[1:]) * 400)
        flags = [*DATA, *BASE, "--seed-for-tests", "1", "--threads", "4"]

        def fit(out: str, confined: bool) -> bytes:
            def confine() -> None:
                if os.geteuid() == 0:
                    os.setgid(65534)
                    os.setuid(65534)
                resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))

            done = subprocess.run(
                ["./southwell", "fit", "data.csv", *flags, "--out", out],
                cwd=room, preexec_fn=confine if confined else None, capture_output=True,
                text=True, timeout=60, check=False,
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (0, "")
            return (room / out).read_bytes()

        assert fit("confined.json", True) == fit("free.json", False)


LONG = ["--refine", "off", "--iterations", "1000000", "--threads", "1"]


def started(southwell_binary: Path, place: Path, cwd: Path) -> "subprocess.Popen[str]":
    """A long fit that writes m.json, when it has its temporary file."""
    before = set(cwd.glob("m.json.part-*"))
    process = subprocess.Popen(
        [southwell_binary, "fit", str(place / "data.csv"), *DATA, *BASE, *LONG, "--out", "m.json"],
        cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_until(lambda: set(cwd.glob("m.json.part-*")) != before, "no temporary file")
    return process


def test_the_next_run_clears_up_after_one_that_was_killed(
    run: Run, southwell_binary: Path, place: Path, tmp_path: Path
) -> None:
    killed = started(southwell_binary, place, tmp_path)
    killed.kill()
    killed.communicate(timeout=30)
    (left,) = tmp_path.glob("m.json.part-*")
    mark = left.name.removeprefix("m.json.part-").split("-")[0]
    kept, old = [], time.time() - 2 * 24 * 3600
    for name, at in [
        (f"other.json.part-{mark}-1-2222222222", old),  # of another file
        ("m.json.part-1-2", None),  # may be written on another machine just now
        ("m.json.part-ffffffff-1-2222222222", None),
        ("m.json.part-one", old),  # not our way to name them
        ("m.json.part-", old),
        ("m.json.part-1-2.csv", old),
        # Names that people give to parts of a file.
        ("m.json.part-1-10", old),
        ("m.json.part-2023-11", old),
        ("m.json.part-2023-11-05", old),
        ("m.json.part-dead-beef", old),
        ("m.json.part-deadbeef-1-10", old),
        ("m.json.part-a--b", old),
        ("m.json", old),
    ]:
        (tmp_path / name).write_text("kept")
        if at is not None:
            os.utime(tmp_path / name, (at, at))
        kept.append(tmp_path / name)
    for name in ("m.json.part-eeeeeeee-3-4444444444",):
        (tmp_path / name).write_text("left by another machine, long ago")
        os.utime(tmp_path / name, (old, old))
    (tmp_path / f"m.json.part-{mark}-5-6666666666").symlink_to(place / "data.csv")
    kept.append(tmp_path / f"m.json.part-{mark}-5-6666666666")

    live = started(southwell_binary, place, tmp_path)
    (own,) = set(tmp_path.glob(f"m.json.part-{mark}-*")) - set(kept)
    assert own != left
    done = run("fit", place / "data.csv", *DATA, *BASE, "--out", "m.json")
    assert done.returncode == 0, done.stderr
    assert sorted(tmp_path.iterdir()) == sorted([*kept, own])
    assert json.loads((tmp_path / "m.json").read_text())["private"] is True
    assert stopped_by(live, signal.SIGTERM) == (130, "southwell: interrupted\n")
    assert sorted(tmp_path.iterdir()) == sorted(kept)


@pytest.mark.parametrize("limit", [0, 1000])
def test_a_model_that_cannot_be_written_whole_is_not_there(
    southwell_binary: Path, place: Path, tmp_path: Path, limit: int
) -> None:
    done = subprocess.run(
        [southwell_binary, "fit", str(place / "data.csv"), *DATA, *BASE, "--out", "m.json"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    assert done.returncode == 3
    assert "m.json: cannot be written" in done.stderr
    assert list(tmp_path.iterdir()) == []
