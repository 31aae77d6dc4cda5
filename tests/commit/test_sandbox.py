"""Hostile code harms nothing and ends within its limit."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from graphbus_core.sandbox import runner
from graphbus_core.sandbox.runner import Limits

KINDS = [k for k in ("bubblewrap", "namespaces") if runner.describe(k).kind == k]
LIMITS = Limits(timeout_s=1.5, memory_mb=400, processes=24, output_bytes=10_000)

pytestmark = pytest.mark.skipif(not KINDS, reason="neither bubblewrap nor namespaces work here")


def run(code: str, tmp_path: Path, kind: str, limits: Limits = LIMITS) -> runner.RunResult:
    tmp_path.chmod(0o755)
    return runner.run([sys.executable, "-c", code], tmp_path, mount_path=Path("/srv/project"), limits=limits, kind=kind)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_code_runs_and_sees_the_copy_and_its_packages(kind: str, tmp_path: Path) -> None:
    """It may write in the copy, and import what the project imports."""
    (tmp_path / "x.txt").write_text("here")
    ran = run(
        "import graphbus_core, pydantic; print(open('x.txt').read()); open('y.txt', 'w').write('1')", tmp_path, kind
    )
    assert ran.ok, ran.output
    assert ran.output.strip() == "here"
    assert (tmp_path / "y.txt").read_text() == "1"


def test_no_key_of_ours_is_in_the_environment(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment is made anew."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    ran = run("import os; print(sorted(os.environ)); print('sk-' in str(os.environ))", tmp_path, kind)
    assert "KEY" not in ran.output
    assert "False" in ran.output


def test_the_folder_of_the_script_that_asks_is_not_on_its_path(tmp_path: Path) -> None:
    """Python puts it there, not the user: a module in it would hide a package of the copy. PYTHONPATH is the user's."""
    (tmp_path / "orders.py").write_text("")
    script = tmp_path / "ask.py"
    script.write_text(
        "from pathlib import Path\nfrom graphbus_core.sandbox.runner import build_environment\n"
        "print(build_environment(Path('/x'))['PYTHONPATH'].split(':'))\n"
    )
    for path, is_there in (("", False), (str(tmp_path), True)):
        words = [sys.executable, str(script)]
        told = subprocess.run(words, env={"PYTHONPATH": path}, capture_output=True, text=True, cwd="/", check=True)
        assert (repr(str(tmp_path.resolve())) in told.stdout) is is_there


def test_the_network_is_out_of_reach(kind: str, tmp_path: Path) -> None:
    """Not even a server on this machine hears anything."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(1.5)

        def listen() -> None:
            try:
                connection, _ = server.accept()
                heard.append(b"connected")
                connection.close()
            except OSError:
                pass

        thread = threading.Thread(target=listen)
        thread.start()
        port = server.getsockname()[1]
        ran = run(f"import socket; socket.create_connection(('127.0.0.1', {port}), 1)", tmp_path, kind)
        thread.join()
    assert not ran.ok
    assert heard == []


def test_the_home_and_other_files_cannot_be_read_or_written(kind: str, tmp_path: Path) -> None:
    """Neither ~/.ssh nor what lies beside the copy."""
    secret = tmp_path.parent / f"secret-{kind}.txt"
    secret.write_text("secret")
    home = os.path.expanduser("~")
    copy = tmp_path / "copy"
    copy.mkdir()
    code = f"""
import os
for path in ({str(secret)!r}, {home!r} + "/.ssh/id_rsa", {home!r} + "/.bashrc", "/etc/shadow"):
    try:
        open(path).read()
        print("READ", path)
    except OSError:
        pass
for path in ({str(secret)!r}, {home!r} + "/.ssh-graphbus-test", "/usr/graphbus-test"):
    try:
        open(path, "a").write("x")
        print("WROTE", path)
    except OSError:
        pass
print("end")
"""
    ran = run(code, copy, kind)
    lines = [line for line in ran.output.splitlines() if not (kind == "bubblewrap" and line == f"WROTE {secret}")]
    assert lines == ["end"]
    assert secret.read_text() == "secret"
    assert not os.path.exists(home + "/.ssh-graphbus-test")


def test_runs_at_once_do_not_starve_each_other(kind: str, tmp_path: Path) -> None:
    """The limit on processes is one run's own: another that holds all of its processes takes none away."""
    hold = "import os, time\nfor i in range(20):\n    if not os.fork(): time.sleep(6)\ntime.sleep(6)"
    few = "import os\nfor i in range(15):\n    if not os.fork(): os._exit(0)\nprint('all')"
    if runner.FORKS in runner.describe(kind).lacking:
        pytest.skip("root without bubblewrap: no limit on processes holds, as `describe` says")
    if kind == "bubblewrap" and runner.choose_user_id() == runner.NOBODY:
        pytest.skip("this machine maps too few user ids")
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(run, hold, folders[0], kind, replace(LIMITS, timeout_s=4))
        time.sleep(1.5)
        assert run(few, folders[1], kind, replace(LIMITS, timeout_s=8)).output == "all\n"


@pytest.mark.parametrize(
    ("code", "stopped"),
    [
        ("while True: pass", {"time"}),
        ("import time; time.sleep(60)", {"time"}),
        ("x = bytearray(10 << 30)", {None, "memory", "time"}),
        ("x = []\nwhile True: x.append(bytearray(1 << 20))", {None, "memory", "time"}),
        ("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", {"time", "memory", "processes"}),
        (
            "import os, time\nfor i in range(8):\n    if not os.fork(): x = bytearray(100 << 20); break\ntime.sleep(9)",
            {"memory", "time"},
        ),
        ("while True: print('x' * 10000)", {"output"}),
        ("open('big', 'wb').write(bytes(200 << 20))", {None, "memory", "time"}),
        ("import os, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nos.setsid()\nwhile True: pass", {"time"}),
    ],
    ids=["loop", "sleep", "10 GB", "memory in steps", "fork bomb", "memory of many", "output", "big file", "deaf"],
)
def test_a_run_ends_within_its_limits(kind: str, code: str, stopped: set[str | None], tmp_path: Path) -> None:
    """With no success, and not much later than it may."""
    if "fork" in code and runner.FORKS in runner.describe(kind).lacking:
        pytest.skip("root without bubblewrap: no limit on processes holds, as `describe` says")
    ran = run(code, tmp_path, kind)
    assert not ran.ok
    assert ran.stopped in stopped
    assert ran.seconds < LIMITS.timeout_s + 3
    assert len(ran.output) < LIMITS.output_bytes + 200


def test_what_was_started_does_not_outlive_the_run(kind: str, tmp_path: Path) -> None:
    """A child in a session of its own ends with the rest."""
    code = (
        "import subprocess, sys\n"
        'subprocess.Popen([sys.executable, \'-c\', \'import time; time.sleep(1.0); open("late", "w").write("x")\'], '
        "start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
    )
    ran = run(code, tmp_path, kind)
    assert ran.returncode == 0
    import time

    time.sleep(1.6)
    assert not (tmp_path / "late").exists()


def test_what_is_written_just_before_the_end_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between a look at its output and a look at whether it runs, a run may write its answer and end."""

    class Slow(subprocess.Popen[bytes]):
        def poll(self) -> int | None:
            return self.wait()  # as on a busy machine: it has ended whenever we come to ask

    monkeypatch.setattr(subprocess, "Popen", Slow)
    command = [sys.executable, "-c", "import time; time.sleep(0.2); print('the answer')"]
    with open(os.devnull, "rb") as nothing:
        ran = runner.run_watched(command, dict(os.environ), LIMITS, tmp_path, nothing)
    assert ran.ok
    assert ran.output == "the answer\n"


def test_it_says_what_it_does_not_protect_against() -> None:
    """In every kind."""
    for kind in (None, "namespaces", "limits"):
        assert "does not protect against" in str(runner.describe(kind))
    assert "the network" in str(runner.describe("limits"))


@pytest.mark.parametrize(
    "code",
    [
        "import mmap\nm = mmap.mmap(-1, 900 << 20)\nfor i in range(0, len(m), 4096): m[i] = 1\nwhile True: pass",
        "import os, time\nfor i in range(20):\n    os.write(os.memfd_create('x'), bytes(60 << 20))\ntime.sleep(9)",
        "import os\nfor i in range(20):\n    os.posix_fallocate(os.memfd_create('x'), 0, 60 << 20)\nwhile True: pass",
    ],
    ids=["shared pages", "memory files", "allocated memory files"],
)
def test_memory_that_is_shared_is_bounded_too(kind: str, code: str, tmp_path: Path) -> None:
    """It is nobody's own, and counts all the same."""
    ran = run(code, tmp_path, kind, Limits(timeout_s=6, memory_mb=400, processes=24))
    assert not ran.ok
    assert ran.stopped == "memory", ran.output


def test_pages_that_processes_share_are_counted_once(kind: str, tmp_path: Path) -> None:
    """Eight processes that share 100 MB use 100 MB."""
    code = (
        "import mmap, os, time\nm = mmap.mmap(-1, 100 << 20)\n"
        "for i in range(8):\n"
        "    if not os.fork():\n"
        "        for j in range(0, len(m), 4096): m[j] = 1\n"
        "        time.sleep(1); os._exit(0)\n"
        "for i in range(8): os.wait()\n"
        "print('shared')"
    )
    ran = run(code, tmp_path, kind, Limits(timeout_s=10, memory_mb=400, processes=24))
    assert ran.ok, ran
    assert ran.output.strip() == "shared"


def test_nothing_outside_of_the_copy_lies_in_memory_without_a_bound(kind: str, tmp_path: Path) -> None:
    """/dev/shm is small with bubblewrap, and shut without; / and /dev take nothing."""
    code = (
        "import os\n"
        "for folder in ('/', '/dev', '/dev/shm', '/srv'):\n"
        "    try:\n"
        "        for i in range(4):\n"
        "            with open(folder + '/big%d' % i, 'wb') as f: f.write(bytes(30 << 20))\n"
        "        print('FILLED', folder)\n"
        "    except OSError as e: pass\n"
        "print('end')"
    )
    ran = run(code, tmp_path, kind, Limits(timeout_s=10, memory_mb=400, processes=24))
    assert ran.output.strip() == "end"


def test_rights_of_files_outside_and_the_name_of_the_machine_stay(kind: str, tmp_path: Path) -> None:
    """Landlock alone lets `chmod` through; what cannot be kept from happening is said by `describe`."""
    victim = tmp_path.parent / f"rights-{kind}.txt"
    victim.write_text("x")
    victim.chmod(0o640)
    copy = tmp_path / "copy"
    copy.mkdir()
    code = (
        "import os, socket\n"
        "for what in (lambda: os.chmod({0!r}, 0o777), lambda: os.utime({0!r}, (1, 1)),\n"
        "             lambda: socket.sethostname('evil')):\n"
        "    try: what()\n"
        "    except OSError: pass\n"
        "os.chmod('.', 0o755)\n"
        "print(open('/proc/1/cmdline').read().split(chr(0))[0])"
    ).format(str(victim))
    name = socket.gethostname()
    ran = run(code, copy, kind)
    lacking = " ".join(runner.describe(kind).lacking)
    assert ran.ok, ran.output
    assert socket.gethostname() == name
    if "rights" not in lacking:
        assert victim.stat().st_mode & 0o777 == 0o640
        assert victim.stat().st_mtime != 1
    if "a list of the processes" not in lacking:
        assert ran.output.strip() != Path("/proc/1/cmdline").read_text().split("\0")[0]
    if kind == "namespaces":
        assert "socket file" in lacking
