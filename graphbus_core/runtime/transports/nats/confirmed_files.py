"""What a process was confirmed, written down beside the server: the next process of this machine reads it.

All processes may be killed while the server forgets; then nobody is left who knows what is gone. So each process writes
what it tells into a file of its own before it tells it. A `kill -9` loses nothing of that; a machine without power may.
The next process removes what is too old to be judged.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

from graphbus_core.runtime.transports.nats.outcomes import Outcome
from graphbus_core.storage.atomic_files import append, open_lines

Told = tuple[str, list[Outcome], float]  # what is told, the outcomes, and how many seconds ago


def find_folder(url: str) -> Path:
    """Where processes of this user and machine keep what they know of one space of a server."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "graphbus" / "confirmed" / hashlib.blake2b(url.encode(), digest_size=10).hexdigest()


class ConfirmedFiles:
    """Of one process: it writes one file at a time, and a new one after half the time that they are kept."""

    def __init__(self, folder: Path, kept_s: float) -> None:
        self._folder, self._kept_s = folder, kept_s
        self._file = -1
        self._since = 0.0

    def read(self) -> Iterator[Told]:
        """What processes that were here before have written, in order. A line that a kill tore is left out."""
        now = time.time()
        for path in sorted(self._folder.glob("*.log")):
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < now - self._kept_s:
                    path.unlink()
                    continue
                for line in path.read_bytes().splitlines():
                    with contextlib.suppress(ValueError, TypeError):
                        at, what, outcomes = json.loads(line)
                        if now - at <= self._kept_s:
                            yield str(what), [(int(n), int(check)) for n, check in outcomes], max(now - at, 0.0)

    def write(self, what: str, outcomes: list[Outcome]) -> None:
        """Append it. Raises OSError where it cannot be written."""
        now = time.time()
        if self._file < 0 or now - self._since > self._kept_s / 2:
            self.close()
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = open_lines(self._folder / f"{time.time_ns()}-{os.getpid()}.log", mode=0o600)
            self._since = now
        append(self._file, json.dumps([round(now, 3), what, outcomes]).encode() + b"\n")

    def close(self) -> None:
        """Write no more."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
