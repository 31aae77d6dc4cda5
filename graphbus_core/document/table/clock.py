"""How long the others have been silent, by this machine's monotonic clock alone.

No two clocks are compared and no wall clock is read: every machine that looks at the directory keeps its own note of
when *it* first saw the present turn, and the last sign of life in it. A clock that jumps, a machine that slept or was
started again, or a directory that two machines share can only make us wait longer, never skip who is alive.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from graphbus_core.document.paper import files
from graphbus_core.files.whole import put_whole

BEAT_S = 0.2


@cache
def boot() -> str:
    """What a monotonic time belongs to: this start of this machine."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()[:13]
    except OSError:
        return os.uname().nodename or "here"


@dataclass(slots=True)
class Sighting:
    """What this machine saw, and when (monotonic seconds)."""

    phase: str = ""  # "registration", "analysis", "turn 7"
    since: float = 0.0
    beat: str = ""
    beat_at: float = 0.0


class SilenceWatch:
    """The note of one machine in one directory. Call it only while the directory's lock is held."""

    def __init__(self, folder: Path, now: Callable[[], float] = time.monotonic) -> None:
        self.folder = folder
        self.now = now
        self._path = folder / f"seen-{boot()}.json"
        self._beat = folder / "beat"

    def look(self, phase: str, signs: str) -> tuple[float, float]:
        """(seconds since this phase was first seen, seconds since the last sign of life in it)."""
        now = self.now()
        seen = self._load()
        beat = f"{self._read_beat()} {signs}"
        if seen.phase != phase or now < seen.since:
            seen = Sighting(phase, now, beat, now)
            self._save(seen)
        elif seen.beat != beat or now < seen.beat_at:
            seen.beat, seen.beat_at = beat, now
            self._save(seen)
        return now - seen.since, now - seen.beat_at

    def heartbeat(self) -> None:
        """The holder is alive: it polled, wrote through us, or renewed. A beat of just now is not written again."""
        here, _, at = self._read_beat().partition(" ")
        try:
            if here == boot() and 0 <= self.now() - float(at.partition(" ")[0]) < BEAT_S:
                return
        except ValueError:
            pass  # somebody's rubbish: written over
        try:
            put_whole(self._beat, f"{boot()} {self.now():.3f} {os.getpid()}".encode())
        except OSError:
            return  # a full disk: whoever is alive is heard next time

    def _read_beat(self) -> str:
        try:
            return (files.read(self._beat) or b"").decode(errors="replace")
        except files.UnreadableFile:
            return ""

    def _load(self) -> Sighting:
        try:
            data = json.loads(files.read(self._path) or b"{}")
            return Sighting(str(data["phase"]), float(data["since"]), str(data["beat"]), float(data["beat_at"]))
        except (files.UnreadableFile, ValueError, KeyError, TypeError):
            return Sighting()

    def _save(self, seen: Sighting) -> None:
        try:
            put_whole(self._path, json.dumps(asdict(seen)).encode())
        except OSError:
            return
