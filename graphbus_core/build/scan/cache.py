"""What was read of a file, kept by digest: a file is read again when it changed, or when a module it rests on did.

In memory for a scan after a scan (the gates of a commit), and as JSON in `.graphbus/cache/` for a build after a build.
A cache that cannot be read is no cache; it is never an error.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERSION = 1


@dataclass(frozen=True)
class Reading:
    """One file as read: the drafts in it, its imports, and each module that was asked for with its digest then."""

    digest: str
    name: str
    drafts: list[dict[str, Any]]
    imports: list[str]
    consulted: Mapping[str, str | None]  # dotted name -> "path digest"; None: there was no such module


class ScanCache:
    """Readings by path."""

    def __init__(self, file: Path | None = None, stamp: str = "") -> None:
        self._file = file
        self._stamp = f"{VERSION} {stamp}"
        self._dirty = False
        self.readings: dict[str, Reading] = {}
        if file is not None:
            self._load(file)

    def put(self, path: str, reading: Reading) -> None:
        """Keep what was read of a file."""
        self.readings[path] = reading
        self._dirty = True

    def save(self) -> None:
        """Write to disk what changed, whole or not at all."""
        if self._file is None or not self._dirty:
            return
        text = json.dumps({"stamp": self._stamp, "files": {p: vars(r) for p, r in self.readings.items()}})
        temporary = self._file.with_suffix(f".{os.getpid()}.tmp")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(text, "utf-8")
            os.replace(temporary, self._file)
        except OSError:
            temporary.unlink(missing_ok=True)
        self._dirty = False

    def _load(self, file: Path) -> None:
        try:
            data = json.loads(file.read_bytes())
            if data["stamp"] == self._stamp:
                self.readings = {path: Reading(**reading) for path, reading in data["files"].items()}
        except (OSError, ValueError, KeyError, TypeError):
            self.readings = {}
