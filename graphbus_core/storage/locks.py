"""Locks between processes: an `flock`, which the system releases when its holder dies, however it dies.

So there is no stale lock to break, and no guess about whether an owner lives. The file says who holds it, for people
alone: what stands there is never believed. A lock file may be deleted while somebody waits for it; who then holds a
lock on nothing opens it again.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from graphbus_core.errors import Locked

PAUSE_S = 0.002
_MAX_PAUSE_S = 0.05
_HOLDER = 32  # bytes at the start of the file

Name = str | os.PathLike[str]


def acquire_lock(
    path: Name,
    busy: Callable[[str], str],
    *,
    shared: bool = False,
    make: bool = True,
    append: bool = False,
    mode: int = 0o644,
    wait_s: float | None = 0.0,
    waiting: Callable[[], None] | None = None,
) -> int:
    """Take the lock and return its descriptor: closing that lets go.

    `busy` turns the holder's name ("" where it is not known) into the message of Locked, which is raised when others
    hold it for `wait_s` seconds (None: wait for ever). `waiting` is called again and again meanwhile. `shared`: others
    may share it. `make=False`: raises FileNotFoundError where there is no file, and writes none; else it is made with
    `mode`. `append`: it is the data itself, and what is written through the descriptor goes to its end. Raises OSError.
    """
    flags = (os.O_RDWR | os.O_CREAT if make else os.O_RDONLY) | os.O_CLOEXEC | os.O_NOFOLLOW
    flags |= os.O_APPEND if append else 0
    ends = None if wait_s is None else time.monotonic() + wait_s
    pause = PAUSE_S
    while True:
        fd = os.open(path, flags, mode)
        try:
            if not try_lock(fd, shared=shared, wait=ends is None and waiting is None):
                if ends is not None and time.monotonic() >= ends:
                    raise Locked(busy(read_holder(fd)))
            elif _is_still_there(fd, path):
                return fd
            else:
                pause = 0.0  # somebody deleted the file: what we hold is a lock on nothing
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)
        if waiting is not None:
            waiting()
        time.sleep(pause)
        pause = min(max(pause, PAUSE_S) * 1.5, _MAX_PAUSE_S)


@contextmanager
def hold_lock(
    path: Name,
    busy: Callable[[str], str],
    *,
    shared: bool = False,
    make: bool = True,
    append: bool = False,
    mode: int = 0o644,
    wait_s: float | None = 0.0,
    waiting: Callable[[], None] | None = None,
) -> Iterator[int]:
    """Hold the lock while the block runs; see `lock`. Gives the descriptor, for who keeps something in the file."""
    fd = acquire_lock(path, busy, shared=shared, make=make, append=append, mode=mode, wait_s=wait_s, waiting=waiting)
    try:
        yield fd
    finally:
        os.close(fd)


def try_lock(fd: int, *, shared: bool = False, wait: bool = False) -> bool:
    """Lock an open file, which may be the data itself. False where somebody else has it. Raises OSError."""
    how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(fd, how if wait else how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def write_holder(fd: int, name: str = "") -> None:
    """Say in the lock's file who holds it: this process, or `name`. A full disk stops nobody."""
    with suppress(OSError):
        os.pwrite(fd, f"{name or f'process {os.getpid()}':<{_HOLDER - 1}}\n".encode(), 0)


def read_holder(fd: int) -> str:
    """Who signed, "" where nobody did."""
    try:
        return os.pread(fd, _HOLDER, 0).decode("ascii", "replace").strip().strip("\0")
    except OSError:
        return ""


def _is_still_there(fd: int, path: Name) -> bool:
    try:
        path_status, fd_status = os.lstat(path), os.fstat(fd)
    except FileNotFoundError:
        return False
    return (path_status.st_dev, path_status.st_ino) == (fd_status.st_dev, fd_status.st_ino)


# The lock of a project's builds: one that negotiates has it alone, plain ones share it.
#
# It is an `flock` on `.graphbus/commit/lock`, which the system releases when its holder dies, however it dies.


@contextmanager
def hold_build_lock(output_dir: Path | str) -> Iterator[None]:
    """Hold the project alone: its sources may be edited. Raises Locked, which names the holder."""
    folder = Path(output_dir) / "commit"
    folder.mkdir(parents=True, exist_ok=True)
    with hold_lock(folder / "lock", _describe_holder, mode=0o600) as fd:
        write_holder(fd)
        yield


@contextmanager
def hold_reading_lock(output_dir: Path | str) -> Iterator[None]:
    """Hold the project's sources still meanwhile. Raises Locked where a build negotiates. Writes nothing."""
    try:
        fd = acquire_lock(Path(output_dir) / "commit" / "lock", _describe_holder, shared=True, make=False)
    except OSError:
        yield  # nobody ever negotiated here, or the folder is not ours to look into
        return
    try:
        yield
    finally:
        os.close(fd)


def _describe_holder(holder: str) -> str:
    who = holder or "another process"
    return f"Another build of this project is under way ({who}). Wait for it, or end it."
