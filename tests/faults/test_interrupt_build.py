"""Ctrl-C in a whole `graphbus build`: 130, no traceback, whatever it was doing and however often it is pressed."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import threading
import time

import pytest

from tests import forking
from tests.faults.test_kill_build import ENV, MAIN, ROOT, project

BUILD = ["build", "agents", "--enable-agents", "--rounds", "2", "--model", "scripted:script.yaml"]
HANGS = "    def evaluate(self, proposal):\n        import time\n\n        time.sleep(3600)\n\n    SYSTEM_PROMPT"


def hear():
    """SIGINT as at a terminal, also where these tests run in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(folder, at, *more, times=1):
    """Build until a line with `at` is printed, press Ctrl-C; exit code, all output, and how long it then took."""
    process = subprocess.Popen(
        [*MAIN, *BUILD, *more],
        cwd=folder,
        env=ENV,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear,
    )
    said, seen = [], threading.Event()

    def read():
        for line in process.stderr:
            said.append(line)
            if at in line:
                seen.set()

    reader = threading.Thread(target=read)
    reader.start()
    assert seen.wait(40), "".join(said)
    time.sleep(0.5)
    begun = time.monotonic()
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    code = process.wait(40)
    took = time.monotonic() - begun
    reader.join()
    return code, "".join(said), took


@pytest.mark.parametrize("times", [1, 4])
def test_in_a_check_that_takes_long(tmp_path, times):
    """It is said and done at once; the command that is printed goes on with the build as it was asked for."""
    folder = project(tmp_path / "p")
    before = {p.name: p.read_bytes() for p in (folder / "agents").glob("*.py")}
    verify = "test -e quick || sleep 30"
    code, said, took = interrupted(folder, "p-12d6 CleanerService", "--verify", verify, times=times)
    assert (code, "Traceback" in said) == (130, False), said
    assert took < 10
    assert "Stopping" in said
    assert {p.name: p.read_bytes() for p in (folder / "agents").glob("*.py")} == before
    printed = next(line.split() for line in said.splitlines() if line.strip().startswith("graphbus build"))
    (folder / "quick").touch()
    again = forking.run([*MAIN, *printed[1:]], cwd=folder, env=ENV, capture_output=True, text=True, timeout=60)
    assert again.returncode == 0, again.stderr
    assert ", as many as there may be" in again.stderr
    log = next(p for p in (folder / ".graphbus/negotiations").glob("*.jsonl") if ".answers" not in p.name)
    assert f'"command":"{verify}"' in log.read_text()


def test_while_a_node_that_speaks_for_itself_hangs(tmp_path):
    """Its thread keeps nothing alive."""
    folder = project(tmp_path / "p")
    node = folder / "agents" / "cleaner.py"
    node.write_text(node.read_text().replace("    SYSTEM_PROMPT", HANGS, 1))
    code, said, took = interrupted(folder, "asked: FetcherService, CleanerService")
    assert (code, "Traceback" in said) == (130, False), said
    assert took < 10


def at_a_terminal(folder, *steps):
    """A build at a terminal of its own; each step waits for a text, then types. Its exit code and what was shown."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*MAIN, *BUILD, *steps[0]],
        cwd=folder,
        env=ENV,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        preexec_fn=hear,
    )
    os.close(slave)
    shown, looked = "", 0
    waiting = list(steps[1:])
    while True:
        try:
            read = os.read(master, 65536)
        except OSError:
            break
        if not read:
            break
        shown += read.decode(errors="replace")
        if waiting and waiting[0][0] in shown[looked:]:
            text, typed = waiting.pop(0)
            looked = shown.index(text, looked) + len(text)
            if typed is None:
                process.send_signal(signal.SIGINT)
            else:
                os.write(master, typed)
    os.close(master)
    return process.wait(40), shown


def test_while_a_person_is_asked_at_the_terminal(tmp_path):
    """No abort of the interpreter; the next start asks which way to go, and loses nothing where nobody chooses."""
    folder = project(tmp_path / "p")
    code, shown = at_a_terminal(folder, ["--approve"], ("Commit this? [y]es / [n]o: ", None))
    assert code == 130, shown
    assert "Fatal" not in shown
    code, shown = at_a_terminal(folder, [], ("[s]top", b"\n"))
    assert (code, "--resume" in shown, "--fresh" in shown) == (2, True, True), shown
    code, shown = at_a_terminal(
        folder,
        ["--approve"],
        ("[s]top", b"r\n"),
        ("Commit this? ", b"y\n"),
        ("Commit this? ", b"n\n"),
        ("Why not? ", b"too long\n"),
        ("Commit this? ", b"\x04"),
        ("Commit this? ", b"\x04"),
    )
    assert code == 0, shown
    assert "too long" in shown
    assert "Modified: agents/cleaner.py, agents/fetcher.py" in shown.replace("\r", "")


def test_while_the_command_is_imported(tmp_path):
    """130 and a word, from the first line of ours on."""
    code = (
        "import sys, signal, os\n"
        "from graphbus_core.cli import main as module\n"
        "module.import_module = lambda name: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.argv = ['graphbus', 'build', 'agents']\n"
        "module.entry()\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr.strip()) == (130, "Interrupted.")


@pytest.mark.parametrize("reached", [130, 0])
def test_while_a_thread_of_the_users_is_waited_for(reached):
    """A thread that outlives the command: one more Ctrl-C ends it, and the code that was reached stands."""
    code = (
        "import sys, signal, os, threading, time\n"
        "from graphbus_core.cli import main as module\n"
        "def main():\n"
        "    threading.Thread(target=time.sleep, args=(60,)).start()\n"
        "    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        f"    return {reached}\n"
        "module.main = main\n"
        "module.entry()\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stderr) == (reached, "")
    assert time.monotonic() - begun < 30
