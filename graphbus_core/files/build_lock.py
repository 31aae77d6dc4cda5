"""The lock of a project's builds: one that negotiates has it alone, plain ones share it.

It is an `flock` on `.graphbus/commit/lock`, which the system releases when its holder dies, however it dies.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphbus_core.errors import Locked


@contextmanager
def build_lock(output_dir: Path | str) -> Iterator[None]:
    """Hold the project alone: its sources may be edited. Raises Locked, which names the holder."""
    folder = Path(output_dir) / "commit"
    folder.mkdir(parents=True, exist_ok=True)
    fd = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        _take(fd, fcntl.LOCK_EX)
        os.ftruncate(fd, 0)
        os.write(fd, f"process {os.getpid()}".encode())
        yield
    finally:
        os.close(fd)


@contextmanager
def reading_lock(output_dir: Path | str) -> Iterator[None]:
    """Hold the project's sources still meanwhile. Raises Locked where a build negotiates. Writes nothing."""
    try:
        fd = os.open(Path(output_dir) / "commit" / "lock", os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        yield  # nobody ever negotiated here
        return
    try:
        _take(fd, fcntl.LOCK_SH)
        yield
    finally:
        os.close(fd)


def _take(fd: int, how: int) -> None:
    try:
        fcntl.flock(fd, how | fcntl.LOCK_NB)
    except OSError:
        holder = os.pread(fd, 100, 0).decode("ascii", "replace").strip() or "another process"
        raise Locked(f"Another build of this project is under way ({holder}). Wait for it, or end it.") from None
