"""The calls that a transaction makes on a file system: the port, and the real one behind it.

Small on purpose: the fault tests put a simulated disk here that crashes after, or fails, any single call.
Paths are `project/…` or `state/…`, with `/`.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import signal
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from graphbus_core.sandbox.path_guard import open_beneath, open_parent_scoped, open_scoped

RENAME_NOREPLACE, RENAME_EXCHANGE = 1, 2
WRITER_WAIT_S = 0.5  # for who has a file open for writing: most write and close


class Disk(Protocol):
    """What a transaction needs. Every call may raise OSError."""

    def read(self, path: str) -> bytes | None:
        """A plain file's bytes; None where there is none: nothing, a folder, a link."""

    def mode(self, path: str) -> int:
        """A file's permission bits; those of a new source where there is none."""

    def create(self, path: str, mode: int) -> None:
        """Make an empty file that was not there."""

    def dress(self, path: str, like: str) -> None:
        """Give a file the owner, rights and attributes of another, as far as they may be given."""

    def is_being_written(self, path: str) -> bool:
        """Whether somebody holds a file open for writing, after a moment's wait. False where nobody can tell."""

    def write(self, path: str, data: bytes) -> None:
        """Write a file that `create` made."""

    def sync(self, path: str) -> None:
        """Make a file's bytes durable."""

    def rename(self, path: str, to: str) -> None:
        """Give a file another name in its folder, over what is there."""

    def place(self, path: str, to: str) -> bool:
        """Give a file another name in its folder. False where something has that name: it stays."""

    def exchange(self, path: str, other: str) -> bool:
        """Swap two names of a folder at once. False where the system cannot."""

    def unlink(self, path: str) -> None:
        """Take a name away; nothing where it is gone."""

    def make_folder(self, path: str) -> None:
        """Make a folder where there is none."""

    def sync_folder(self, path: str) -> None:
        """Make the names of a folder durable."""

    def names(self, path: str) -> list[str]:
        """The names in a folder; none where there is no folder."""


class RealDisk:
    """The file system. No path leads through a symbolic link below the two roots."""

    def __init__(self, project: Path, state: Path) -> None:
        self._roots = {"project": project, "state": state}

    def _split_path(self, path: str) -> tuple[Path, str]:
        head, _, rest = path.partition("/")
        return self._roots[head], rest

    def read(self, path: str) -> bytes | None:
        """See `Disk.read`."""
        try:
            with open_scoped(*self._split_path(path), os.O_RDONLY) as fd:
                if not stat.S_ISREG(os.fstat(fd).st_mode):
                    return None
                with os.fdopen(fd, "rb", closefd=False) as file:
                    return file.read()
        except OSError as e:
            if e.errno in (errno.ENOENT, errno.ELOOP):
                return None
            raise

    def mode(self, path: str) -> int:
        """See `Disk.mode`."""
        try:
            with open_scoped(*self._split_path(path), os.O_RDONLY) as fd:
                return stat.S_IMODE(os.fstat(fd).st_mode) & 0o777
        except FileNotFoundError:
            return 0o644

    def create(self, path: str, mode: int) -> None:
        """See `Disk.create`."""
        with open_scoped(*self._split_path(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode) as fd:
            os.fchmod(fd, mode)

    def dress(self, path: str, like: str) -> None:
        """See `Disk.dress`."""
        try:
            model = open_beneath(*self._split_path(like), os.O_RDONLY)
        except FileNotFoundError:
            return
        try:
            with open_scoped(*self._split_path(path), os.O_RDONLY) as fd:
                _copy_attributes(fd, model)
        finally:
            os.close(model)

    def is_being_written(self, path: str) -> bool:
        """See `Disk.is_being_written`. Linux gives a read lease on a file that nobody has open for writing."""
        if not hasattr(fcntl, "F_SETLEASE"):
            return False
        with open_scoped(*self._split_path(path), os.O_RDONLY) as fd:
            fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)  # tells of a writer that comes; the default would end us
            until = time.monotonic() + WRITER_WAIT_S
            while True:
                try:
                    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
                except OSError as e:
                    if e.errno != errno.EAGAIN:
                        return False  # not our file, or a file system without leases
                    if time.monotonic() > until:
                        return True
                    time.sleep(0.002)
                    continue
                comes = fcntl.fcntl(fd, fcntl.F_GETLEASE) != fcntl.F_RDLCK
                fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
                return comes

    def write(self, path: str, data: bytes) -> None:
        """See `Disk.write`."""
        with open_scoped(*self._split_path(path), os.O_WRONLY) as fd:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]

    def sync(self, path: str) -> None:
        """See `Disk.sync`."""
        with open_scoped(*self._split_path(path), os.O_RDONLY) as fd:
            os.fsync(fd)

    def rename(self, path: str, to: str) -> None:
        """See `Disk.rename`."""
        with self._open_pair(path, to) as (folder, name, other):
            os.rename(name, other, src_dir_fd=folder, dst_dir_fd=folder)

    def place(self, path: str, to: str) -> bool:
        """See `Disk.place`."""
        try:
            if self._rename_with_flag(path, to, RENAME_NOREPLACE):
                return True
        except FileExistsError:
            return False
        if os.path.lexists(self._roots[to.partition("/")[0]] / to.partition("/")[2]):
            # a system without the call: a moment between look and rename stays open
            return False
        self.rename(path, to)
        return True

    def exchange(self, path: str, other: str) -> bool:
        """See `Disk.exchange`."""
        return self._rename_with_flag(path, other, RENAME_EXCHANGE)

    def _rename_with_flag(self, path: str, other: str, flag: int) -> bool:
        """By the call of Linux that says how. False where the system does not have it."""
        with self._open_pair(path, other) as (folder, name, second):
            call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
            if call is None:
                return False
            if call(folder, os.fsencode(name), folder, os.fsencode(second), flag) == 0:
                return True
            code = ctypes.get_errno()
            if code in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
                return False
            raise OSError(code, os.strerror(code), path)

    @contextmanager
    def _open_pair(self, path: str, other: str) -> Iterator[tuple[int, str, str]]:
        where, _, second = other.rpartition("/")
        if path.rpartition("/")[0] != where:
            raise OSError(errno.EXDEV, "another folder", other)
        with open_parent_scoped(*self._split_path(path)) as (folder, name):
            yield folder, name, second

    def unlink(self, path: str) -> None:
        """See `Disk.unlink`."""
        with suppress(FileNotFoundError), open_parent_scoped(*self._split_path(path)) as (folder, name):
            os.unlink(name, dir_fd=folder)

    def make_folder(self, path: str) -> None:
        """See `Disk.make_folder`."""
        root, rest = self._split_path(path)
        (root / rest).mkdir(parents=True, exist_ok=True)

    def sync_folder(self, path: str) -> None:
        """See `Disk.sync_folder`."""
        with open_parent_scoped(*self._split_path(f"{path}/x")) as (folder, _):
            os.fsync(folder)

    def names(self, path: str) -> list[str]:
        """See `Disk.names`."""
        try:
            with open_parent_scoped(*self._split_path(f"{path}/x")) as (folder, _):
                return sorted(os.listdir(folder))
        except (FileNotFoundError, NotADirectoryError):
            return []


def _copy_attributes(fd: int, model: int) -> None:
    """What may not be given is left: another owner by a user, attributes of a security module."""
    model_stat, now = os.fstat(model), os.fstat(fd)
    if (model_stat.st_uid, model_stat.st_gid) != (now.st_uid, now.st_gid):
        try:
            os.fchown(fd, model_stat.st_uid, model_stat.st_gid)
        except OSError:
            with suppress(OSError):
                os.fchown(fd, -1, model_stat.st_gid)
    names: list[str] = []
    if hasattr(os, "listxattr"):
        with suppress(OSError):
            names = os.listxattr(model)
    for name in names:
        with suppress(OSError):
            os.setxattr(fd, name, os.getxattr(model, name))
    with suppress(OSError):
        os.fchmod(fd, stat.S_IMODE(model_stat.st_mode) & 0o777)
