"""One command at a time in a negotiation's directory.

The kernel holds the lock for a process and drops it when the process dies, however it dies: there is no stale lock
to break and no guess about whether its owner lives.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from graphbus_core.errors import Locked

LOCK_TIMEOUT_S = 30.0
PAUSE_S = 0.002


@contextmanager
def locked(path: Path, timeout_s: float = LOCK_TIMEOUT_S, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock file at `path`. Raises Locked, naming the owner, when another holds it longer than `timeout_s`.

    `waiting` is called again and again while others hold it: whoever waits is alive.
    """
    descriptor = _acquire(path, timeout_s, waiting)
    try:
        with suppress(OSError):  # a full disk must not stop us: the name is for people
            os.pwrite(descriptor, f"{os.getpid():<15}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _acquire(path: Path, timeout_s: float, waiting: Callable[[], None]) -> int:
    ends = time.monotonic() + timeout_s
    pause = PAUSE_S
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(descriptor, 32, 0).decode(errors="replace").strip()
            os.close(descriptor)
            if time.monotonic() > ends:
                raise Locked(
                    f"Process {owner or '?'} has held {path} for {timeout_s:g} s. Wait for it, or end that process "
                    "if it hangs; the lock goes with it."
                ) from None
            waiting()
            time.sleep(pause)
            pause = min(pause * 1.5, 0.05)
            continue
        except BaseException:
            os.close(descriptor)
            raise
        try:
            there = os.stat(path).st_ino == os.fstat(descriptor).st_ino
        except FileNotFoundError:
            there = False
        if there:
            return descriptor
        os.close(descriptor)  # somebody deleted the file meanwhile: what we hold is a lock on nothing
