"""The head of a log: how far it got, kept beside it, and the lock of its one writer.

The head is written after the log has reached the disk, so it is never ahead of it: a log that is shorter than its head
has lost facts. The writer holds an `flock` on this file, which the system releases when the process dies, however it
dies: a dead writer's lock is taken over by whoever comes next. Readers take no lock.
"""

from __future__ import annotations

import json
import mmap
import os
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.errors import Locked
from graphbus_core.files.lock import take

# Smaller than any block of a disk or page of memory, so that a crash cannot leave half of it.
_SIZE = 128  # bytes, so that one write replaces all of it


@dataclass(frozen=True, slots=True)
class Head:
    """The last fact that is known to have been written."""

    seq: int
    hash: str


def head_path(log: Path) -> Path:
    """Where a log's head is kept."""
    return log.with_name(log.name + ".head")


def read_head(log: Path) -> Head | None:
    """The head, or None where there is none that can be read."""
    try:
        found = json.loads(head_path(log).read_bytes())
        return Head(int(found["seq"]), str(found["hash"]))
    except (OSError, ValueError, KeyError, TypeError):
        # No head is not damage here: who opens the log decides what it means, since old logs never had one.
        return None


class HeadFile:
    """The writer's hold on a log. Raises Locked where another live process has it."""

    def __init__(self, log: Path) -> None:
        self.path = head_path(log)
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            # `flock` and not a file that is deleted at the end: a process that is killed deletes nothing.
            if not take(self._fd):
                holder = _pid(self._fd)
                raise Locked(
                    f"{log} is being written by another process{f' (pid {holder})' if holder else ''}; "
                    "wait until it ends, or end it, and try again."
                )
            # Written through a mapping: a write call would change the file's times, and each sync of the log would
            # then have to bring this file's inode to the disk as well.
            if os.fstat(self._fd).st_size != _SIZE:
                os.pwrite(self._fd, b" " * (_SIZE - 1) + b"\n", 0)  # takes the room now: a full disk is said here
                os.ftruncate(self._fd, _SIZE)
            self._page = mmap.mmap(self._fd, _SIZE)
            self._pid = os.getpid()
        except BaseException:
            os.close(self._fd)
            # The descriptor holds the lock. Left open, it would lock the log until the process ends.
            raise

    def write(self, seq: int, hashed: str) -> None:
        """Record the last fact and the hash up to it. Not synced: it may fall behind the log, never run ahead of it."""
        self._page[:] = b"%-127b\n" % (b'{"seq":%d,"hash":"%s","pid":%d}' % (seq, hashed.encode(), self._pid))

    def close(self) -> None:
        """Let go of the log."""
        if self._fd >= 0:
            self._page.flush()
            self._page.close()
            # Synced once, at the end: the order "log first" is what must hold, and the log is synced with each
            # append.
            os.fsync(self._fd)
            os.close(self._fd)
            self._fd = -1


def _pid(fd: int) -> int | None:
    try:
        return int(json.loads(os.pread(fd, _SIZE, 0))["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
