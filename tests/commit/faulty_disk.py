"""A disk in memory that can crash after any call, lose what was not made durable, or fail any call.

It keeps apart what a running program sees and what would be there after a power cut: a file's bytes are durable after
`sync`, a folder's names after `sync_folder`.
"""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field


class Crash(BaseException):
    """The power went. No handler of the code under test may catch it."""


@dataclass
class Inode:
    data: bytes = b""
    durable: bytes = b""
    mode: int = 0o644


@dataclass
class FaultyDisk:
    """`crash_after`: the call after which the power goes. `fail_at`: the call that raises `code` instead."""

    folders: dict[str, dict[str, Inode]] = field(default_factory=dict)
    durable: dict[str, dict[str, Inode]] = field(default_factory=dict)
    pending: list[tuple[str, tuple[tuple[str, Inode | None], ...]]] = field(default_factory=list)
    crash_after: int | None = None
    fail_at: int | None = None
    fail_more: bool = False  # every call from `fail_at` on
    code: int = errno.EIO
    meanwhile: Callable[[int], None] | None = None  # somebody else, between two calls
    can_exchange: bool = True
    reads_count: bool = False  # whether looking is a call that can fail, too
    calls: int = 0

    # ---- faults

    def _begin(self) -> None:
        self.calls += 1
        if self.meanwhile is not None:
            self.meanwhile(self.calls)
        if self.fail_at is not None and (self.calls == self.fail_at or (self.fail_more and self.calls > self.fail_at)):
            raise OSError(self.code, os.strerror(self.code))

    def _end(self) -> None:
        if self.crash_after == self.calls:
            raise Crash

    def _names(self, path: str, *changes: tuple[str, Inode | None]) -> None:
        folder = path.rpartition("/")[0]
        for name, inode in changes:
            if inode is None:
                self.folders[folder].pop(name, None)
            else:
                self.folders[folder][name] = inode
        self.pending.append((folder, changes))

    # ---- the port

    def read(self, path: str) -> bytes | None:
        if self.reads_count:
            self._begin()
        folder, _, name = path.rpartition("/")
        inode = self.folders.get(folder, {}).get(name)
        return None if inode is None else inode.data

    def mode(self, path: str) -> int:
        if self.reads_count:
            self._begin()
        folder, _, name = path.rpartition("/")
        inode = self.folders.get(folder, {}).get(name)
        return 0o644 if inode is None else inode.mode

    def create(self, path: str, mode: int) -> None:
        self._begin()
        folder, _, name = path.rpartition("/")
        if name in self.folders.setdefault(folder, {}):
            raise FileExistsError(path)
        self._names(path, (name, Inode(mode=mode)))
        self._end()

    def dress(self, path: str, like: str) -> None:
        self._begin()
        self._end()

    def is_being_written(self, path: str) -> bool:
        return False

    def write(self, path: str, data: bytes) -> None:
        folder, _, name = path.rpartition("/")
        try:
            self._begin()
        except OSError:
            self.folders[folder][name].data = data[: len(data) // 3]  # a full disk takes what fits
            raise
        self.folders[folder][name].data = data
        self._end()

    def sync(self, path: str) -> None:
        self._begin()
        folder, _, name = path.rpartition("/")
        inode = self.folders[folder][name]
        inode.durable = inode.data
        self._end()

    def rename(self, path: str, to: str) -> None:
        self._begin()
        folder, _, name = path.rpartition("/")
        self._names(path, (to.rpartition("/")[2], self.folders[folder][name]), (name, None))
        self._end()

    def place(self, path: str, to: str) -> bool:
        self._begin()
        folder, _, name = path.rpartition("/")
        free = self.folders[folder].get(to.rpartition("/")[2]) is None
        if free:
            self._names(path, (to.rpartition("/")[2], self.folders[folder][name]), (name, None))
        self._end()
        return free

    def exchange(self, path: str, other: str) -> bool:
        if not self.can_exchange:
            return False
        self._begin()
        folder, _, name = path.rpartition("/")
        second = other.rpartition("/")[2]
        one, two = self.folders[folder].get(name), self.folders[folder].get(second)
        if one is None or two is None:
            raise FileNotFoundError(path)
        self._names(path, (name, two), (second, one))
        self._end()
        return True

    def unlink(self, path: str) -> None:
        self._begin()
        folder, _, name = path.rpartition("/")
        if name in self.folders.get(folder, {}):
            self._names(path, (name, None))
        self._end()

    def make_folder(self, path: str) -> None:
        self.folders.setdefault(path, {})
        self.durable.setdefault(path, {})

    def sync_folder(self, path: str) -> None:
        self._begin()
        self.durable[path] = dict(self.folders[path])
        self.pending = [p for p in self.pending if p[0] != path]
        self._end()

    def names(self, path: str) -> list[str]:
        return sorted(self.folders.get(path, {}))

    # ---- before and after

    def put(self, path: str, data: bytes) -> None:
        """A file that was there before, durably."""
        folder, _, name = path.rpartition("/")
        self.make_folder(folder)
        inode = Inode(data, data)
        self.folders[folder][name] = inode
        self.durable[folder][name] = inode

    def save_over(self, path: str, data: bytes) -> None:
        """Somebody's editor saves a file, as most do: a new file renamed over the old one, durable at once."""
        folder = path.rpartition("/")[0]
        self.put(path, data)
        self.durable[folder] = dict(self.folders[folder])
        self.pending = [p for p in self.pending if p[0] != folder]

    def after_power_cut(self, rng: random.Random) -> Iterator[tuple[str, FaultyDisk]]:
        """Every disk that could be found after the cut: names and bytes that were not durable survive or not."""
        seen: set[str] = set()
        subsets: list[tuple[str, list[int]]] = [("no names", []), ("all names", list(range(len(self.pending))))]
        subsets += [(f"only {i}", [i]) for i in range(len(self.pending))]
        subsets += [(f"all but {i}", [j for j in range(len(self.pending)) if j != i]) for i in range(len(self.pending))]
        subsets += [("some", [i for i in range(len(self.pending)) if rng.random() < 0.5]) for _ in range(3)]
        for named, kept in subsets:
            for bytes_named in ("bytes kept", "bytes lost", "bytes torn"):
                folders = {f: dict(names) for f, names in self.durable.items()}
                for i in kept:
                    folder, changes = self.pending[i]
                    for name, inode in changes:
                        if inode is None:
                            folders[folder].pop(name, None)
                        else:
                            folders[folder][name] = inode
                disk = FaultyDisk(can_exchange=self.can_exchange)
                for folder, names in folders.items():
                    disk.make_folder(folder)
                    for name, inode in names.items():
                        data = inode.data
                        if inode.data != inode.durable:
                            half = inode.data[: len(inode.data) // 2]
                            data = {"bytes kept": inode.data, "bytes lost": inode.durable, "bytes torn": half}[
                                bytes_named
                            ]
                        disk.put(f"{folder}/{name}", data)
                picture = repr(
                    sorted((f, sorted((n, i.data) for n, i in names.items())) for f, names in disk.folders.items())
                )
                if picture not in seen:
                    seen.add(picture)
                    yield f"{named}, {bytes_named}", disk
