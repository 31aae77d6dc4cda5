"""What was found out about a tree, kept in git's common directory: a tree never changes, so neither does the answer.

The key holds the interpreter, too: another environment finds other types and other tests.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from graphbus_core import __version__
from graphbus_core.storage.atomic_files import write_atomic

MAX_ENTRIES = 500  # the oldest go


def remember(folder: Path, what: str, tree: str, find: Callable[[], list[str] | None]) -> list[str] | None:
    """The answer for a tree: kept, or found now and kept. None is not an answer, and is not kept."""
    key = hashlib.sha256(json.dumps([what, tree, sys.prefix, sys.version, __version__]).encode()).hexdigest()
    file = folder / f"{key}.json"
    with suppress(OSError, ValueError):
        kept = json.loads(file.read_bytes())
        if isinstance(kept, list):
            return [str(line) for line in kept]
    answer = find()
    if answer is not None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(OSError):
            write_atomic(file, json.dumps(answer).encode())
            _remove_oldest(folder)
    return answer


def _remove_oldest(folder: Path) -> None:
    entries = sorted(folder.glob("*.json"), key=lambda entry: entry.stat().st_mtime)
    for entry in entries[: max(0, len(entries) - MAX_ENTRIES)]:
        entry.unlink(missing_ok=True)
