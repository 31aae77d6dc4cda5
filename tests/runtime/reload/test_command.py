"""`graphbus run --reload`, as a person uses it: a source is saved, and the run has it."""

import json
import queue
import signal
import subprocess
import sys
import threading

import pytest

from tests import forking
from tests.runtime.reload.test_reload import CLOCK, COUNTER, project

LONG_S = 150.0  # against a hang only: commands of a low priority on a busy processor took more than a minute

pytestmark = pytest.mark.timeout(600)


class Run:
    """The command, its lines, and how to end it."""

    def __init__(self, folder, *options):
        command = [sys.executable, "-u", "-m", "graphbus_core.cli.main", "run", str(folder), "--reload", "--json"]
        self._process = forking.Popen(
            [*command, "--wait", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(line)

    def until(self, key):
        """The value of the next line that has it."""
        while True:
            line = self._lines.get(timeout=LONG_S)
            if line.startswith("{") and key in (said := json.loads(line)):
                return said[key]

    def end(self):
        """Its exit code; killed where it does not end."""
        try:
            self._process.send_signal(signal.SIGTERM)
            return self._process.wait(LONG_S)
        finally:
            self._process.kill()
            self._process.wait(LONG_S)
            self._reader.join(LONG_S)
            self._process.stdout.close()


@pytest.fixture
def run():
    started = []

    def start(folder, *options):
        started.append(Run(folder, *options))
        return started[-1]

    yield start
    for one in started:
        one.end()


def test_what_is_saved_is_built_and_taken(make_build, run):
    """Also after a source that cannot be read, and one that breaks a contract."""
    folder = make_build(project(1))
    counter, clock = folder.parent / "agents/counter.py", folder.parent / "agents/clock.py"
    one = run(folder)
    assert one.until("ready") == ["Clock", "Counter", "Other"]
    counter.write_text(counter.read_text().replace("n + 1", "n + 2"))
    assert one.until("reloaded").startswith("changed: Counter. Paused for ")
    good = clock.read_text()
    clock.write_text(good + "def (")
    assert "cannot be read" in one.until("problem")
    clock.write_text(good.replace('{"n": int}', '{"n": str}'))
    assert "The contract of /Tick changed" in one.until("problem")
    clock.write_text(good.replace("I tick", "I tick on"))
    assert one.until("reloaded").startswith("changed: Clock")
    assert one.end() == 0


def test_with_force_a_breaking_build_is_taken(make_build, run):
    folder = make_build(project(1))
    one = run(folder, "--force")
    one.until("ready")
    (folder.parent / "agents/clock.py").write_text(
        (folder.parent / "agents/clock.py").read_text().replace('{"n": int}', '{"n": str}')
    )
    while "Clock" not in (said := one.until("reloaded")):
        pass
    assert "All the same: The contract of /Tick changed" in said


def test_a_build_whose_sources_are_elsewhere_is_taken_all_the_same(make_build, run, tmp_path):
    """Deployed: the folder of the build alone. Whoever copies a new one there needs no restart."""
    folder = make_build(project(1))
    alone = tmp_path / "srv" / ".graphbus"
    alone.parent.mkdir()
    folder.rename(alone)
    for name in ("counter", "other", "clock", "shared"):
        (folder.parent / f"agents/{name}.py").unlink()
    one = run(alone)
    assert "not here" in one.until("problem")
    one.until("ready")
    make_build(project(1, counter=COUNTER.replace("VERSION", "2"), clock=CLOCK)).rename(tmp_path / "next")
    _copied_over(tmp_path / "next", alone)
    assert one.until("reloaded").startswith("changed: Counter")


def _copied_over(new, old):
    """The manifest last, as a build writes it."""
    for file in sorted(new.rglob("*"), key=lambda file: file.name == "manifest.json"):
        if file.is_file():
            target = old / file.relative_to(new)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
