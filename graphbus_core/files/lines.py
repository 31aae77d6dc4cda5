"""Files that grow by lines: a write is there as a whole or not at all, and what a crash tore is cut off.

The rule for torn tails is the same everywhere: a line without its newline was never acknowledged, so a reader passes
over it and the next writer cuts it off. A complete JSON text without its newline is torn all the same: a longer number
or a second field may have been on its way.

Every reader of such a file goes through `whole_lines`. What a line that cannot be read means is the reader's, and
differs on purpose: an answer is asked for again, a line of a ledger is counted and told, a line of a journal or a dead
letter ends the reading with its number. A sealed log is looked at by `stores.log_reading.Sound`: an unfinished end
is a finding there as well, because it tells a crash from an edit.

A fault while a line is written (a full disk, Ctrl-C) takes the file back to where the write began, so that the next
line does not stand behind half of this one. That is right while one process writes at a time: callers hold a lock.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

_BLOCK = 1 << 16  # bytes looked through at once for the last newline

_HAS_FDATASYNC = hasattr(os, "fdatasync")  # macOS has none


def whole_lines(source: Iterable[bytes], first: int = 1, start: int = 0) -> Iterator[tuple[int, int, bytes]]:
    """Each line with its newline, its number and where it begins, up to a torn one. In memory is one line at a time.

    `first` and `start` are number and place of the first line that `source`, a file opened for bytes, gives.
    """
    for number, line in enumerate(source, first):
        if not line.endswith(b"\n"):
            return
        yield number, start, line
        start += len(line)


def open_lines(path: str | os.PathLike[str], *, follow: bool = True, mode: int = 0o644) -> int:
    """A descriptor that appends to the file and can read it; the file is made where there is none. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
    return os.open(path, flags if follow else flags | os.O_NOFOLLOW, mode)


def append(fd: int, data: bytes, *, durable: bool = False) -> None:
    """Add all of `data` to the end. Raises what went wrong; then the file ends where it ended before."""
    start = os.fstat(fd).st_size
    try:
        write_all(fd, data)
        if durable:
            sync(fd)
    except BaseException:
        with suppress(OSError):
            os.ftruncate(fd, start)
        raise


def write_all(fd: int, data: bytes) -> None:
    """Write all of it: one call may take less. A disk that is full says so at the next one."""
    done = os.write(fd, data)
    if done < len(data):
        rest = memoryview(data)
        while done < len(data):
            done += os.write(fd, rest[done:])


def sync(fd: int) -> None:
    """Wait until content and size are on the disk; the file's times need not be. Raises OSError."""
    if _HAS_FDATASYNC:
        os.fdatasync(fd)
    else:
        os.fsync(fd)


def whole_size(fd: int) -> int:
    """How many bytes end with a newline: what stands behind them is torn."""
    end = os.fstat(fd).st_size
    while end > 0:
        start = max(0, end - _BLOCK)
        found = os.pread(fd, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def cut_torn(fd: int) -> int:
    """Cut off a torn end; how many bytes are left. Raises OSError."""
    size = whole_size(fd)
    if size < os.fstat(fd).st_size:
        os.ftruncate(fd, size)
    return size


def cut_off(path: Path, size: int) -> Path | None:
    """Cut a file to `size` bytes; what is cut is kept in `<name>.cut`. Where it was put, or None for nothing.

    It is kept, and on the disk, before anything is cut: evidence is doubled rather than lost. Raises OSError.
    """
    with path.open("r+b") as file:
        file.seek(size)
        rest = file.read()
        if not rest:
            return None
        kept = path.with_name(path.name + ".cut")
        with kept.open("ab") as beside:
            append(beside.fileno(), rest if rest.endswith(b"\n") else rest + b"\n", durable=True)
        file.truncate(size)
        sync(file.fileno())
    return kept
