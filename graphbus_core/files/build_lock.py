"""The lock of a project's builds: one that negotiates has it alone, plain ones share it.

It is an `flock` on `.graphbus/commit/lock`, which the system releases when its holder dies, however it dies.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphbus_core.files.lock import lock, locked, sign


@contextmanager
def build_lock(output_dir: Path | str) -> Iterator[None]:
    """Hold the project alone: its sources may be edited. Raises Locked, which names the holder."""
    folder = Path(output_dir) / "commit"
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "lock", _busy, mode=0o600) as fd:
        sign(fd)
        yield


@contextmanager
def reading_lock(output_dir: Path | str) -> Iterator[None]:
    """Hold the project's sources still meanwhile. Raises Locked where a build negotiates. Writes nothing."""
    try:
        fd = lock(Path(output_dir) / "commit" / "lock", _busy, shared=True, make=False)
    except OSError:
        yield  # nobody ever negotiated here, or the folder is not ours to look into
        return
    try:
        yield
    finally:
        os.close(fd)


def _busy(holder: str) -> str:
    who = holder or "another process"
    return f"Another build of this project is under way ({who}). Wait for it, or end it."
