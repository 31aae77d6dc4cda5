"""Temporary folders of ours alone, in which code that nobody has reviewed yet may have made what it likes.

Nobody else may look inside (mode 0700). They are taken away without following a link and without changing anything but
what lies in them; what a process that was killed left is swept by a later one. While a folder is in use its owner holds
an `flock` on `lock` in it, which the system releases however the owner ends.
"""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from graphbus_core.storage.locks import try_lock

PREFIX = "graphbus-private-"
LOCK = "lock"
_YOUNG_S = 60.0  # a folder that is being made has no lock yet


@contextmanager
def open_private_folder(purpose: str) -> Iterator[Path]:
    """A folder that is gone afterwards, whatever was put into it. Raises OSError where none can be made."""
    remove_stale_folders()
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{purpose}-"))
    lock = None
    try:
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try_lock(lock)
        yield folder
    finally:
        remove_tree(folder)
        if lock is not None:
            os.close(lock)


@cache
def remove_stale_folders() -> None:
    """Take away what dead processes of this user left; once in a process."""
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX):
                with suppress(OSError):
                    _remove_if_stale(Path(entry.path))


def _remove_if_stale(folder: Path) -> None:
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or time.time() - status.st_mtime < _YOUNG_S:
        return
    with suppress(FileNotFoundError):
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            if not try_lock(lock):
                return  # its owner lives
        finally:
            os.close(lock)
    remove_tree(folder)


def remove_tree(folder: Path) -> None:
    """Take a private folder away, as far as the system lets us.

    `shutil.rmtree` will not do: `TemporaryDirectory` gives rights to what a link points to, and deep trees end it. Here
    every folder is reached by its descriptor, and what lies in one is moved up beside it, so that none lies deep.
    """
    try:
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    try:
        while True:
            gone = [_remove(top, name) for name in os.listdir(top)]
            if not any(gone):
                break
    finally:
        os.close(top)
    with suppress(OSError):
        os.rmdir(folder)


def _remove(top: int, name: str) -> bool:
    """Take one name away; the folders in it move up to `top`. False where nothing could be done."""
    if _unlink_file(top, name):
        return True
    moved = 0
    with suppress(OSError):
        inner = _open_for_all(top, name)
        try:
            for entry in os.listdir(inner):
                if _unlink_file(inner, entry):
                    continue
                os.close(_open_for_all(inner, entry))  # a folder moves only where it may be written
                os.rename(entry, f"{name[:8]}{secrets.token_hex(8)}", src_dir_fd=inner, dst_dir_fd=top)
                moved += 1
        finally:
            os.close(inner)
        os.rmdir(name, dir_fd=top)
        return True
    return moved > 0


def _unlink_file(folder: int, name: str) -> bool:
    """Whether the name was not a folder, and is gone."""
    try:
        if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return False
        os.unlink(name, dir_fd=folder)
    except OSError:
        return False
    return True


def _open_for_all(folder: int, name: str) -> int:
    """A descriptor of a folder, no link, after all rights on it were given to its owner."""
    flags = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    path_only = getattr(os, "O_PATH", None)  # opens what may not be read; Linux
    if path_only is not None:
        path_fd = os.open(name, path_only | flags, dir_fd=folder)
        try:
            os.chmod(f"/proc/self/fd/{path_fd}", 0o700)
        finally:
            os.close(path_fd)
    return os.open(name, os.O_RDONLY | flags, dir_fd=folder)
