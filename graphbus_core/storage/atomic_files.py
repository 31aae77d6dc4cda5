"""Files that grow by lines: a write is there as a whole or not at all, and what a crash tore is cut off.

The rule for torn tails is the same everywhere: a line without its newline was never acknowledged, so a reader passes
over it and the next writer cuts it off. A complete JSON text without its newline is torn all the same: a longer number
or a second field may have been on its way.

Every reader of such a file goes through `iter_whole_lines`. What a line that cannot be read means is the reader's, and
differs on purpose: an answer is asked for again, a line of a ledger is counted and told, a line of a journal or a dead
letter ends the reading with its number. A sealed log is looked at by `stores.log_reading.LogVerifier`: an unfinished
end
is a finding there as well, because it tells a crash from an edit.

A fault while a line is written (a full disk, Ctrl-C) takes the file back to where the write began, so that the next
line does not stand behind half of this one. That is right while one process writes at a time: callers hold a lock.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

_BLOCK = 1 << 16  # bytes looked through at once for the last newline

_HAS_FDATASYNC = hasattr(os, "fdatasync")  # macOS has none


def iter_whole_lines(source: Iterable[bytes], first: int = 1, start: int = 0) -> Iterator[tuple[int, int, bytes]]:
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
    written_bytes = os.write(fd, data)
    if written_bytes < len(data):
        rest = memoryview(data)
        while written_bytes < len(data):
            written_bytes += os.write(fd, rest[written_bytes:])


def sync(fd: int) -> None:
    """Wait until content and size are on the disk; the file's times need not be. Raises OSError."""
    if _HAS_FDATASYNC:
        os.fdatasync(fd)
    else:
        os.fsync(fd)


def measure_whole_size(fd: int) -> int:
    """How many bytes end with a newline: what stands behind them is torn."""
    end = os.fstat(fd).st_size
    while end > 0:
        start = max(0, end - _BLOCK)
        newline_index = os.pread(fd, end - start, start).rfind(b"\n")
        if newline_index >= 0:
            return start + newline_index + 1
        end = start
    return 0


def cut_torn(fd: int) -> int:
    """Cut off a torn end; how many bytes are left. Raises OSError."""
    size = measure_whole_size(fd)
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
        kept_path = path.with_name(path.name + ".cut")
        with kept_path.open("ab") as beside:
            append(beside.fileno(), rest if rest.endswith(b"\n") else rest + b"\n", durable=True)
        file.truncate(size)
        sync(file.fileno())
    return kept_path


# Files that are written as a whole: who reads one sees the old bytes or the new ones, never a part.
#
# Why a crash after any step is safe:
#
#     1  the new bytes go to `.NAME.PID-N.tmp`, beside it or in `scratch`     nothing points there: the old file
#     2  with `durable` they are fsynced                                    else a power cut may leave an empty file
#     3  the temporary file takes the name, in one call                     before: the old file; after: the new one
#     4  with `durable` the folder is fsynced                               a power cut does not bring the old one back
#
# A fault in any step takes the temporary file away and raises OSError, of the file that was to be written; the old file
# is as it was, unless the fault is in step 4: then the new one stands and may not survive a power cut. A kill leaves at
# most a temporary file, which nothing reads.


_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_numbers = count()  # two threads that write one file do not share a temporary one

Name = str | os.PathLike[str]


def write_atomic(path: Name, content: bytes, *, durable: bool = False, scratch: Name | None = None) -> None:
    """Put `content` there, in place of what there is. The folder must exist.

    `durable`: it survives a power cut once this returns. `scratch`: a folder of the same file system for the temporary
    file, where the target's own is one that people list. Raises OSError.
    """
    target = os.fspath(path)
    try:
        temporary = _write_temporary(target, content, durable, scratch)
        try:
            os.replace(temporary, target)
        except BaseException:
            _remove_temporary(temporary)
            raise
        if durable:
            sync_folder(os.path.dirname(target) or ".")
    except OSError as e:
        raise _name_target(e, target) from None


def write_new(path: Name, content: bytes, *, durable: bool = False, scratch: Name | None = None) -> bool:
    """Put `content` there unless there is something: then False, and nothing is changed. Raises OSError."""
    target = os.fspath(path)
    try:
        temporary = _write_temporary(target, content, durable, scratch)
        try:
            os.link(temporary, target)
        except FileExistsError:
            return False
        finally:
            _remove_temporary(temporary)
        if durable:
            sync_folder(os.path.dirname(target) or ".")
    except OSError as e:
        raise _name_target(e, target) from None
    return True


def put_aside(path: Name, target: Name) -> None:
    """Give a file another name, in one step. Raises OSError."""
    os.replace(path, target)


def sync_folder(folder: Name) -> None:
    """Wait until the names in a folder are on the disk. Raises OSError."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _write_temporary(target: str, content: bytes, durable: bool, scratch: Name | None) -> str:
    """The temporary file with all of it; where that fails, there is none."""
    folder, name = os.path.split(target)
    # A name may be as long as the file system lets it be; the temporary one is not longer than its own part of it.
    temporary = os.path.join(scratch or folder, f".{name[:40]}.{os.getpid()}-{next(_numbers)}.tmp")
    fd = os.open(temporary, _FLAGS, 0o666)  # as `open` does: what the umask leaves
    try:
        try:
            write_all(fd, content)
            if durable:
                os.fsync(fd)
        finally:
            os.close(fd)
    except BaseException:
        _remove_temporary(temporary)
        raise
    return temporary


def _remove_temporary(temporary: str) -> None:
    with suppress(OSError):
        os.unlink(temporary)


def _name_target(e: OSError, target: str) -> OSError:
    return OSError(e.errno, e.strerror, target)
