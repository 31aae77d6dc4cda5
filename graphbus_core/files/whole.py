"""Files that are written as a whole: who reads one sees the old bytes or the new ones, never a part.

Why a crash after any step is safe:

    1  the new bytes go to `.NAME.PID-N.tmp`, beside it or in `scratch`     nothing points there: the old file
    2  with `durable` they are fsynced                                    else a power cut may leave an empty file
    3  the temporary file takes the name, in one call                     before: the old file; after: the new one
    4  with `durable` the folder is fsynced                               a power cut does not bring the old one back

A fault in any step takes the temporary file away and raises OSError, of the file that was to be written; the old file
is as it was, unless the fault is in step 4: then the new one stands and may not survive a power cut. A kill leaves at
most a temporary file, which nothing reads.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import count

from graphbus_core.files.lines import write_all

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_numbers = count()  # two threads that write one file do not share a temporary one

Name = str | os.PathLike[str]


def put_whole(path: Name, content: bytes, *, durable: bool = False, scratch: Name | None = None) -> None:
    """Put `content` there, in place of what there is. The folder must exist.

    `durable`: it survives a power cut once this returns. `scratch`: a folder of the same file system for the temporary
    file, where the target's own is one that people list. Raises OSError.
    """
    target = os.fspath(path)
    try:
        temporary = _written(target, content, durable, scratch)
        try:
            os.replace(temporary, target)
        except BaseException:
            _away(temporary)
            raise
        if durable:
            sync_folder(os.path.dirname(target) or ".")
    except OSError as e:
        raise _of(e, target) from None


def put_new(path: Name, content: bytes, *, durable: bool = False, scratch: Name | None = None) -> bool:
    """Put `content` there unless there is something: then False, and nothing is changed. Raises OSError."""
    target = os.fspath(path)
    try:
        temporary = _written(target, content, durable, scratch)
        try:
            os.link(temporary, target)
        except FileExistsError:
            return False
        finally:
            _away(temporary)
        if durable:
            sync_folder(os.path.dirname(target) or ".")
    except OSError as e:
        raise _of(e, target) from None
    return True


def sync_folder(folder: Name) -> None:
    """Wait until the names in a folder are on the disk. Raises OSError."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _written(target: str, content: bytes, durable: bool, scratch: Name | None) -> str:
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
        _away(temporary)
        raise
    return temporary


def _away(temporary: str) -> None:
    with suppress(OSError):
        os.unlink(temporary)


def _of(e: OSError, target: str) -> OSError:
    return OSError(e.errno, e.strerror, target)
