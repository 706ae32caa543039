"""Whatever happens to a run that is charged to a ledger, the ledger never knows less than was done.

Runs are killed at their system calls, and calls are made to fail, by strace.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

LEDGER = "people.jsonl"
FIT = ["--target", "target", "--loss", "squared", "--feature-scale", "1", "--target-scale", "1",
       "--threads", "1"]  # fmt: skip
BUDGET = ["--epsilon", "0.1", "--delta", "1e-6", "--ledger", LEDGER]
RUNS = {
    "fit": ["fit", "data.csv", *FIT, *BUDGET, "--out", "m.json"],
    "tune": ["tune", "data.csv", *FIT, *BUDGET, "--penalty", "l2", "--grid", "grid.json",
             "--out", "m.json"],
    "evaluate": ["evaluate", "model.json", "data.csv", "--target", "target", "--threads", "1",
                 *BUDGET],
}  # fmt: skip
Call = Callable[..., "subprocess.CompletedProcess[str]"]
Tell = Callable[[str, object], None]  # what tools/reliability.py adds up


@pytest.fixture
def place(southwell_binary: Path, tmp_path: Path) -> Path:
    data = ["--records", "60", "--features", "3", "--seed", "1", "--out", "data.csv"]
    for line in (
        ["generate", "square", *data],
        ["fit", "data.csv", *FIT, "--epsilon", "1", "--delta", "1e-6", "--out", "model.json"],
    ):
        subprocess.run([southwell_binary, *line], cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "grid.json").write_text('{"alpha": [0.01, 0.1]}')
    return tmp_path


@pytest.fixture
def call(southwell_binary: Path, place: Path) -> Call:
    def run(*arguments: str, by: tuple[str, ...] = ()) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*by, str(southwell_binary), *arguments],
            cwd=place,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


def new_ledger(call: Call, place: Path, *terms: str) -> None:
    (place / LEDGER).unlink(missing_ok=True)
    line = terms or ("--epsilon", "1", "--delta", "1e-6")
    done = call("ledger", "create", LEDGER, *line)
    assert done.returncode == 0, done.stderr


def entries(place: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (place / LEDGER).read_text().splitlines()[1:]]


def reservations(place: Path) -> int:
    return sum(entry["kind"] == "reservation" for entry in entries(place))


needs_strace = pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace is not there (tools/debian_packages.txt)"
)


def traced(call: Call, command: list[str], place: Path) -> list[str]:
    """The system calls of a run that nothing happens to."""
    done = call(*command, by=("strace", "-f", "-y", "-o", "calls.txt"))
    assert done.returncode == 0, done.stderr
    lines = (place / "calls.txt").read_text().splitlines()
    return [line for line in lines if re.search(r"\w+\(", line)]


@needs_strace
@pytest.mark.parametrize("name", RUNS)
def test_a_kill_at_any_system_call_leaves_no_look_uncharged(
    call: Call, place: Path, name: str, record_property: Tell
) -> None:
    command = RUNS[name]
    new_ledger(call, place)
    calls = traced(call, command, place)
    first = next(k for k, line in enumerate(calls) if f'"{LEDGER}"' in line)
    tried = charged = 0
    names = [re.findall(r"(\w+)\(", line)[0] for line in calls]
    for number in range(first, len(calls)):
        (place / "m.json").unlink(missing_ok=True)
        new_ledger(call, place)
        # strace counts each kind of call by itself.
        nth = names[: number + 1].count(names[number])
        kill = f"inject={names[number]}:signal=SIGKILL:when={nth}"
        done = call(*command, by=("strace", "-f", "-o", "/dev/null", "-e", kill))
        tried += done.returncode != 0  # a few calls, of memory, are not the same in every run
        # The ledger is whole, and has whatever was kept or shown of the run.
        assert call("ledger", "verify", LEDGER).returncode == 0, calls[number]
        charged += reservations(place)
        if (place / "m.json").exists():
            assert call("inspect", "m.json").returncode == 0, calls[number]
            found = call("ledger", "verify", LEDGER, "--model", "m.json")
            assert found.returncode == 0, (calls[number], found.stderr)
        if "guarantee" in done.stdout:
            assert reservations(place) == 1, calls[number]
        assert not list(place.glob("core*"))
    assert tried > 60, "most of the calls after the first look at the ledger"
    assert 0 < charged < tried, "some were killed before their reservation, some after"
    record_property("killed", tried)


@needs_strace
def test_a_reservation_is_on_the_disk_before_a_record_is_used(call: Call, place: Path) -> None:
    new_ledger(call, place)
    calls = traced(call, RUNS["fit"], place)
    at = [k for k, line in enumerate(calls) if "write(" in line and LEDGER in line]
    assert len(at) == 2, "a reservation and a commit"
    synced = [k for k, line in enumerate(calls) if "fsync(" in line and k > at[0]]
    assert LEDGER in calls[synced[0]]
    assert str(place) in calls[synced[1]]
    # In between nothing is asked of the system but what ends the reservation.
    model = next(k for k, line in enumerate(calls) if "write(" in line and "m.json" in line)
    assert synced[1] < model
    assert at[1] < model, "committed when the fit has ended"
    reading = max(k for k, line in enumerate(calls) if "read(" in line and "data.csv" in line)
    assert reading < at[0]


@needs_strace
@pytest.mark.parametrize(
    ("failure", "path"),
    [
        ("flock:error=ENOLCK", LEDGER),
        ("flock:error=EOPNOTSUPP", LEDGER),
        ("flock:retval=0", LEDGER),  # a file system that says yes and locks nothing
        ("fsync:error=EIO", LEDGER),
        ("write:error=ENOSPC", LEDGER),
        ("write:error=EDQUOT", LEDGER),
        ("pread64:error=EIO", LEDGER),
        ("openat:error=EROFS", LEDGER),
        ("openat:error=EMFILE", LEDGER),
        ("fstat,newfstatat:error=EIO", LEDGER),
    ],
)
@pytest.mark.parametrize("name", RUNS)
def test_a_ledger_that_fails_stops_the_run(
    call: Call, place: Path, name: str, failure: str, path: str
) -> None:
    new_ledger(call, place)
    before = (place / LEDGER).read_bytes()
    paths = ("-P", path, "-P", str(place / path))  # as it is named, and as it is found
    by = ("strace", "-f", "-o", "/dev/null", *paths, "-e", f"inject={failure}")
    done = call(*RUNS[name], by=by)
    assert done.returncode == 3, (done.stdout, done.stderr)
    assert LEDGER in done.stderr
    assert done.stdout == ""
    assert not (place / "m.json").exists()
    if "fsync" not in failure:  # then the line may be there, and counts
        assert (place / LEDGER).read_bytes() == before


def test_no_entropy_is_found_out_before_anything_is_reserved(
    call: Call, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_ledger(call, place)
    before = (place / LEDGER).read_bytes()
    code = "#include <errno.h>\n#include <stddef.h>\n"
    code += "int getentropy(void *b, size_t n) { errno = ENOSYS; return -1; }\n"
    (place / "no.c").write_text(code)
    subprocess.run(
        ["/usr/bin/gcc", "-shared", "-fPIC", "-o", "no.so", "no.c"], cwd=place, check=True
    )
    monkeypatch.setenv("LD_PRELOAD", str(place / "no.so"))
    for name in RUNS:
        assert call(*RUNS[name]).returncode == 5, name
        assert (place / LEDGER).read_bytes() == before, name
        assert not (place / "m.json").exists()
    assert call("ledger", "create", "new.jsonl", "--epsilon", "1", "--delta", "0").returncode == 5
    assert not (place / "new.jsonl").exists()


@contextlib.contextmanager
def small_disk(directory: Path) -> Iterator[None]:
    """A disk with room for little; skips where nobody may mount one."""
    directory.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "none", str(directory)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount")
    if done.returncode != 0:
        pytest.skip("a small disk cannot be mounted by this user")
    try:
        yield
    finally:
        subprocess.run(["umount", str(directory)], check=True)


def test_a_full_disk_stops_the_run_and_keeps_the_ledger_whole(call: Call, place: Path) -> None:
    disk = place / "disk"
    with small_disk(disk):
        line = ["--epsilon", "1", "--delta", "1e-6"]
        assert call("ledger", "create", "disk/people.jsonl", *line).returncode == 0
        with contextlib.suppress(OSError):
            (disk / "filler").write_bytes(b"x" * (1 << 20))
        ledger = disk / "people.jsonl"
        fits = 0
        while fits < 200:  # until the page that the ledger has is full
            done = call(
                *("fit", "data.csv", *FIT, "--epsilon", "0.001", "--delta", "1e-6"),
                *("--ledger", "disk/people.jsonl", "--out", "m.json"),
            )
            if done.returncode != 0:
                break
            fits += 1
        assert done.returncode == 3, done.stderr
        assert call("ledger", "verify", "disk/people.jsonl").returncode == 0
        kinds = [json.loads(text)["kind"] for text in ledger.read_text().splitlines()]
        assert kinds.count("reservation") in (fits, fits + 1)


def test_of_many_at_once_exactly_as_many_run_as_there_is_budget_for(
    call: Call, place: Path
) -> None:
    new_ledger(call, place, "--epsilon", "1", "--delta", "0")

    def one(k: int) -> int:
        return call(
            *("fit", "data.csv", *FIT, "--epsilon", "0.0999", "--delta", "0"),
            *("--ledger", LEDGER, "--out", f"m{k}.json"),
        ).returncode

    with ThreadPoolExecutor(max_workers=64) as pool:
        codes = list(pool.map(one, range(64)))
    assert sorted(codes) == [0] * 10 + [4] * 54
    models = [f"m{k}.json" for k in range(64) if (place / f"m{k}.json").exists()]
    assert len(models) == 10
    assert call("ledger", "verify", LEDGER, "--model", *models).returncode == 0


# The allocation with this number, counted from the reservation on, fails; or all from it on.
STARVED = """
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
extern void *__libc_malloc(size_t);
static int synced;
static long calls, fails = -1;
int fsync(int descriptor) {
  if (++synced == 2) fails = atol(getenv("FAILS"));  /* file and directory: it is reserved */
  return (int)syscall(SYS_fsync, descriptor);
}
void *malloc(size_t bytes) {
  if (fails >= 0 && calls++ == fails) {
    write(1, "starved ", 8);
    errno = ENOMEM;
    return NULL;
  }
  return __libc_malloc(bytes);
}
"""


def test_memory_that_runs_out_after_the_reservation_is_charged_for(
    call: Call, place: Path, monkeypatch: pytest.MonkeyPatch, record_property: Tell
) -> None:
    (place / "starved.c").write_text(STARVED)
    compiler = ["/usr/bin/gcc", "-shared", "-fPIC", "-w", "-o", "starved.so", "starved.c"]
    subprocess.run(compiler, cwd=place, check=True)
    monkeypatch.setenv("LD_PRELOAD", str(place / "starved.so"))
    starved = 0
    for name in RUNS:
        for number in (*range(20), *range(20, 400, 23)):
            monkeypatch.setenv("FAILS", "-1")
            (place / "m.json").unlink(missing_ok=True)
            new_ledger(call, place)
            monkeypatch.setenv("FAILS", str(number))
            done = call(*RUNS[name])
            monkeypatch.setenv("FAILS", "-1")
            assert reservations(place) == 1, (name, number)
            assert call("ledger", "verify", LEDGER).returncode == 0, (name, number)
            if "starved" not in done.stdout:
                assert done.returncode == 0, "so many allocations are not made"
                continue
            starved += 1
            if done.returncode != 0:
                # Or it is stopped there and then: g++ 12 frees what it must not where the copy of a
                # public input fails, and what may not throw ends the program.
                assert done.returncode in (1, -signal.SIGABRT), (name, number, done.stderr)
                assert not (place / "m.json").exists(), (name, number)
                assert "guarantee" not in done.stdout, (name, number)
    assert starved > 60
    record_property("starved", starved)


def test_the_clock_decides_nothing(call: Call, place: Path) -> None:
    new_ledger(call, place)
    for time in (0, 4_000_000_000):
        os.utime(place / LEDGER, (time, time))
        assert call(*RUNS["fit"]).returncode == 0
    assert reservations(place) == 2


def test_a_crash_of_a_fit_leaves_no_copy_of_its_memory(call: Call, place: Path) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not there")
    for name in RUNS:
        new_ledger(call, place)
        calls = traced(call, RUNS[name], place)
        off = next(
            k for k, line in enumerate(calls) if "PR_SET_DUMPABLE, SUID_DUMP_DISABLE" in line
        )
        data = next(k for k, line in enumerate(calls) if "data.csv" in line and "read(" in line)
        assert off < data, name
        limit = next(line for line in calls[:off] if "RLIMIT_CORE" in line and "rlim_cur=0" in line)
        assert limit
        copies = [
            line
            for line in calls
            if re.search(r"O_CREAT", line) and not re.search(r"m\.json|people\.jsonl", line)
        ]
        assert not copies, "no file is made beside what was asked for"
