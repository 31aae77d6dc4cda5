"""A process is watched until it ends: its time, memory, number of processes and output are bounded, for all its tree.

What confines it stands in `command.py`. What is over a bound here is killed, with all that it started.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO


@dataclass(frozen=True)
class Limits:
    """The bounds of one run."""

    timeout_s: float = 30.0
    memory_mb: int = 1024  # in use by all processes together; each may address four times that
    processes: int = 128
    file_mb: int = 64
    output_bytes: int = 200_000  # kept; ten times that ends the run
    stop: threading.Event | None = field(default=None, compare=False, repr=False)  # set: the run is ended at once


@dataclass(frozen=True)
class Ran:
    """How a run ended.

    `stopped`: the limit that ended it (`time`, `memory`, `processes`, `output`), `interrupt` where it was called off,
    or None.
    """

    returncode: int
    output: str
    stopped: str | None
    seconds: float

    @property
    def ok(self) -> bool:
        """It ended by itself, with success."""
        return self.returncode == 0 and self.stopped is None


def watch(command: Sequence[str], environment: dict[str, str], limits: Limits, cwd: Path, stdin: IO[bytes]) -> Ran:
    begun = time.monotonic()
    try:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=cwd,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as e:
        return Ran(127, f"the sandbox could not be started: {e}", None, time.monotonic() - begun)
    assert process.stdout is not None
    kept = bytearray()
    seen, stopped = 0, None
    os.set_blocking(process.stdout.fileno(), False)
    looked = begun
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        while stopped is None:
            left = begun + limits.timeout_s - time.monotonic()
            if left <= 0:
                stopped = "time"
                break
            if waiting.select(min(left, 0.05)):
                chunk = os.read(process.stdout.fileno(), 65_536)
                if not chunk:
                    break
                seen += len(chunk)
                kept += chunk[: max(0, limits.output_bytes - len(kept))]
                if seen > 10 * limits.output_bytes:
                    stopped = "output"
            elif process.poll() is not None:
                break
            if time.monotonic() - looked > 0.05:
                looked = time.monotonic()
                stopped = stopped or _over(process.pid, limits)
            if limits.stop is not None and limits.stop.is_set():
                stopped = "interrupt"
    if stopped is None:
        try:
            process.wait(max(0.1, begun + limits.timeout_s - time.monotonic()))
        except subprocess.TimeoutExpired:
            stopped = "time"
    _end(process)
    process.stdout.close()
    text = _scrubbed(bytes(kept).decode("utf-8", "replace"))
    if seen > len(kept):
        text += f"\n… {seen - len(kept):,} more bytes of output were not kept"
    return Ran(process.returncode, text, stopped, time.monotonic() - begun)


def _scrubbed(text: str) -> str:
    """Without keys: code may print what it found in files; this is shown and logged."""
    from graphbus_core.participants.llm.wire.secrets import Scrubber

    return Scrubber(environ=os.environ)(text) if text else text


def _over(pid: int, limits: Limits) -> str | None:
    """Whether the whole tree of processes is over its memory or its number.

    Counted are private pages, shared ones that belong to no file on a disk, and memory files that are open: each once.
    """
    pids = _tree(pid, 2 * limits.processes + 4)
    most = limits.memory_mb << 10  # kB
    private = shared = count = 0
    for one in pids:
        kept = _memory(f"/proc/{one}/status", ("RssAnon:", "RssShmem:"))
        if kept is not None:
            private, shared, count = private + kept[0], shared + kept[1], count + 1
    if count > 2 * limits.processes:
        return "processes"
    if private + shared > most:  # processes that share pages were counted once each: look closer
        shared = sum((_memory(f"/proc/{one}/smaps_rollup", ("Pss_Shmem:",)) or [0])[0] for one in pids)
    return "memory" if private + max(shared, _open_memory(pids)) > most else None


def _memory(file: str, names: Sequence[str]) -> list[int] | None:
    """Some lines of a table of the kernel, in kB; None where the process is gone."""
    try:
        with open(file) as lines:
            found = {line.split()[0]: int(line.split()[1]) for line in lines if line.startswith(tuple(names))}
    except (OSError, ValueError, IndexError):
        return None
    return [found.get(name, 0) for name in names]


def _open_memory(pids: Sequence[int]) -> int:
    """What memory files take that these processes hold open, mapped or not, in kB."""
    found: dict[int, int] = {}
    for one in pids:
        with suppress(OSError):
            for name in os.listdir(f"/proc/{one}/fd"):
                path = f"/proc/{one}/fd/{name}"
                with suppress(OSError):
                    if os.readlink(path).startswith("/memfd:"):
                        seen = os.stat(path)
                        found[seen.st_ino] = seen.st_blocks // 2
    return sum(found.values())


def _tree(pid: int, most: int = 10_000) -> list[int]:
    found: list[int] = []
    waiting = [pid]
    while waiting and len(found) < most:
        one = waiting.pop()
        found.append(one)
        try:
            with open(f"/proc/{one}/task/{one}/children") as file:
                waiting += [int(child) for child in file.read().split()]
        except (OSError, ValueError):
            continue
    return found


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the whole tree; the first process of a process namespace takes all others with it."""
    if process.poll() is None:
        with suppress(OSError):
            os.kill(process.pid, signal.SIGKILL)  # takes the first process of the namespace along, and that all others
        for one in _tree(process.pid):
            try:
                os.kill(one, signal.SIGKILL)
            except OSError:
                continue
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
