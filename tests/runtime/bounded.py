"""Waits that end. A test that waits without a bound may hang in its own cleanup, where no timeout reaches it."""

from __future__ import annotations

import asyncio
import subprocess
import threading
from collections.abc import Coroutine
from typing import Any

LONG_S = 60.0  # against a hang, and no measure of speed


def joined(*threads: threading.Thread, timeout_s: float = LONG_S) -> None:
    """Wait for threads; each must end. They are daemons, so that one that does not keeps no process alive."""
    for thread in threads:
        thread.join(timeout_s)
    left = [thread.name for thread in threads if thread.is_alive()]
    assert not left, f"did not end within {timeout_s:g} s: {left}"


def run(work: Coroutine[Any, Any, Any], timeout_s: float = LONG_S) -> Any:
    """`asyncio.run`, for so long."""
    return asyncio.run(asyncio.wait_for(work, timeout_s))


def line(process: subprocess.Popen[Any], timeout_s: float = LONG_S) -> Any:
    """The next line of what a process prints. One that prints nothing is killed."""
    assert process.stdout is not None
    got: list[Any] = []
    reader = threading.Thread(daemon=True, target=lambda: got.append(process.stdout.readline()))  # type: ignore[union-attr]
    reader.start()
    reader.join(timeout_s)
    if not got:
        process.kill()
        reader.join(timeout_s)
        raise AssertionError(f"it printed nothing within {timeout_s:g} s")
    return got[0]


def ended(process: subprocess.Popen[Any], timeout_s: float = LONG_S) -> None:
    """Kill a process that may run still, and let go of its pipes."""
    process.kill()
    try:
        process.communicate(timeout=timeout_s)
    except (subprocess.TimeoutExpired, ValueError):  # a child of it holds a pipe open, or they are closed already
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
