"""One command at a time in a negotiation's directory.

The kernel holds the lock for a process and drops it when the process dies, however it dies: there is no stale lock
to break and no guess about whether its owner lives.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from graphbus_core.files import lock

LOCK_TIMEOUT_S = 30.0


@contextmanager
def locked(path: Path, timeout_s: float = LOCK_TIMEOUT_S, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock file at `path`. Raises Locked, naming the owner, when another holds it longer than `timeout_s`.

    `waiting` is called again and again while others hold it: whoever waits is alive.
    """

    def busy(owner: str) -> str:
        return (
            f"Process {owner or '?'} has held {path} for {timeout_s:g} s. Wait for it, or end that process "
            "if it hangs; the lock goes with it."
        )

    with lock.locked(path, busy, wait_s=timeout_s, waiting=waiting) as fd:
        lock.sign(fd, str(os.getpid()))
        yield
