"""Hostile code harms nothing and ends within its limit."""

from __future__ import annotations

import os
import socket
import sys
import threading
from pathlib import Path

import pytest

from graphbus_core.build import sandbox
from graphbus_core.build.sandbox import Limits

KINDS = [k for k in ("bubblewrap", "namespaces") if sandbox.describe(k).kind == k]
LIMITS = Limits(timeout_s=1.5, memory_mb=400, processes=24, output_bytes=10_000)

pytestmark = pytest.mark.skipif(not KINDS, reason="neither bubblewrap nor namespaces work here")


def run(code: str, tmp_path: Path, kind: str, limits: Limits = LIMITS) -> sandbox.Ran:
    tmp_path.chmod(0o755)
    return sandbox.run([sys.executable, "-c", code], tmp_path, at=Path("/srv/project"), limits=limits, kind=kind)


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
    if "fork" in code and sandbox.FORKS in sandbox.describe(kind).lacking:
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


def test_it_says_what_it_does_not_protect_against() -> None:
    """In every kind."""
    for kind in (None, "namespaces", "limits"):
        assert "does not protect against" in str(sandbox.describe(kind))
    assert "the network" in str(sandbox.describe("limits"))
