"""Where code that nobody has reviewed yet is run (design §13).

bubblewrap where there is one: a file system that holds the interpreter, its packages and a scratch copy of the project,
no network, no home, no keys. Else namespaces and Landlock, as far as the system lets us; `describe` says which, and
what it does not protect against. In both, time, memory, processes and output are bounded.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from graphbus_core.build.confine.command import NOBODY, command, environment, stranger
from graphbus_core.build.confine.watch import Limits, Ran, watch
from graphbus_core.files.private import private_folder

__all__ = ["FORKS", "Limits", "Protection", "Ran", "describe", "run"]


@dataclass(frozen=True)
class Protection:
    """What confines a run here, and what it does not protect against."""

    kind: str  # bubblewrap | namespaces | limits
    lacking: tuple[str, ...]

    def __str__(self) -> str:
        names = {
            "bubblewrap": "bubblewrap: no network, no home, no keys; time, memory, processes and output are bounded",
            "namespaces": "no bubblewrap here; namespaces, Landlock and resource limits instead",
            "limits": "no bubblewrap and no namespaces here; resource limits alone",
        }
        rest = f". It does not protect against: {'; '.join(self.lacking)}" if self.lacking else ""
        return names[self.kind] + rest + "."


FORKS = "a fork bomb in the moment before it is seen (root knows no limit on processes: use another user)"
SOCKETS = "programs of this machine that listen on a socket file outside of /run (Docker, databases, agents)"
_ALWAYS = (
    "a flaw in the kernel itself",
    "a disk filled by many files within the time limit",
    "memory in System V segments",
)


@lru_cache(maxsize=4)
def describe(kind: str | None = None) -> Protection:
    """The strongest protection that works here; `kind` asks for one in particular."""
    if kind in (None, "bubblewrap") and _probe("bubblewrap") is not None:
        return Protection("bubblewrap", _ALWAYS)
    achieved = _probe("namespaces")
    if achieved is None or kind == "limits":
        lacking = ("the network", "reading any file that you can read", "writing any file that you can write")
        return Protection("limits", (*lacking, *_ALWAYS))
    words = {
        "network": "the network",
        "processes": "processes that outlive the run",
        "files": "reading and writing your files",
        "rights": "other rights, owners or times for files of yours",
        "list": "a list of the processes of this machine, with their command lines",
        "name": "another name for this machine",
        "powers": "the powers of root: its clock, its mounts, its modules",
    }
    missing = tuple(text for name, text in words.items() if not achieved.get(name))
    if os.getuid() == 0:
        missing += (FORKS,)
    none = not any(achieved.get(name) for name in ("network", "processes", "files"))
    return Protection(
        "limits" if none else "namespaces", (*missing, SOCKETS, "seeing that other files exist", *_ALWAYS)
    )


def _probe(kind: str) -> dict[str, bool] | None:
    if sys.platform != "linux" or (kind == "bubblewrap" and shutil.which("bwrap") is None):
        return None
    with tempfile.TemporaryDirectory(prefix="graphbus-probe-") as folder:
        os.chmod(folder, 0o755)
        reading, writing = os.pipe()
        try:
            with subprocess.Popen(
                command(kind, [sys.executable, "-I", "-c", "pass"], Path(folder), Path(folder), Limits(), writing),
                pass_fds=(writing,),
                env=environment(Path(folder)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            ) as process:
                os.close(writing)
                writing = -1
                try:
                    code = process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    return None
            told = os.read(reading, 10_000)
            return dict(json.loads(told)) if told and code == 0 else None
        except OSError:
            return None
        finally:
            os.close(reading)
            if writing != -1:
                os.close(writing)


def run(
    argv: Sequence[str],
    scratch: Path,
    *,
    at: Path | None = None,
    limits: Limits | None = None,
    python_path: Sequence[str] = (),
    given: bytes = b"",
    kind: str | None = None,
) -> Ran:
    """Run a command on the scratch copy, which the command sees at `at` (the project's own place). `given` is its
    standard input.

    Without bubblewrap the copy stays where it is. Nothing is raised for what the command does. What it leaves in the
    copy is its own: never read, write or follow anything there afterwards.
    """
    limits = limits or Limits()
    if limits.stop is not None and limits.stop.is_set():
        return Ran(-signal.SIGKILL, "", "interrupt", 0.0)
    protection = describe(kind)
    at = at if at is not None and protection.kind == "bubblewrap" else scratch
    uid = NOBODY
    if os.getuid() == 0 and protection.kind == "bubblewrap":
        uid = stranger()
        _give_away(scratch, uid)
    with ExitStack() as stack:
        home = inner = Path("/tmp")
        try:
            if protection.kind != "bubblewrap":
                home = inner = stack.enter_context(private_folder("home")) / "home"
                home.mkdir(0o700)
            stdin = stack.enter_context(tempfile.TemporaryFile())
            stdin.write(given)
            stdin.seek(0)
        except OSError as e:
            return Ran(127, f"the sandbox could not be started: {e}", None, 0.0)
        return watch(
            command(protection.kind, argv, scratch, at, limits, None, home, uid),
            environment(inner, [p.replace(str(scratch), str(at), 1) for p in python_path]),
            limits,
            scratch,
            stdin,
        )


def _give_away(scratch: Path, uid: int) -> None:
    """As root the command runs as a stranger, so that limits on processes hold; the copy becomes the stranger's."""
    for folder, folders, files in os.walk(scratch):
        for name in (".", *folders, *files):
            os.chown(os.path.join(folder, name), uid, uid, follow_symlinks=False)
