"""Enumerates crashes and faults of a commit, and says what each leaves. Shared by the tests and the benchmark."""

from __future__ import annotations

import errno
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from graphbus_core.commit.transaction import (
    FileChange,
    TransactionInterrupted,
    TransactionResult,
    commit_changes,
    recover,
)
from tests.commit.faulty_disk import Crash, FaultyDisk


@dataclass
class Tally:
    """How much was tried, and what broke the rule: all old or all new, never mixed, nothing left behind."""

    tried: int = 0
    violations: list[str] = field(default_factory=list)


def changes(files: int) -> list[FileChange]:
    """A commit of some files in two folders, with the record that the engine writes beside them.

    Of three files one changes, one goes and one is new.
    """
    made = [
        FileChange(
            f"project/{'agents' if i % 2 else 'shop'}/f{i}.py",
            None if i % 3 == 2 else b"old %d\n" % i * 20,
            None if i % 3 == 1 else b"new %d\n" % i * 30,
        )
        for i in range(files)
    ]
    return [*made, FileChange("state/undo/p-1.json", None, b"{}" * 50)]


def fresh(some: list[FileChange]) -> FaultyDisk:
    """The disk before the commit."""
    disk = FaultyDisk()
    for change in some:
        disk.make_folder(change.path.rpartition("/")[0])
        if change.before is not None:
            disk.put(change.path, change.before)
    disk.make_folder("state/commit")
    return disk


def folders(some: list[FileChange]) -> list[str]:
    """Where temporary files may lie."""
    return list(dict.fromkeys(c.path.rpartition("/")[0] for c in some))


def state(disk: FaultyDisk, some: list[FileChange]) -> str:
    """`old`, `new`, or what is wrong."""
    found = {"old" if disk.read(c.path) == c.before else "new" if disk.read(c.path) == c.after else "?" for c in some}
    left = [
        n for f in [*folders(some), "state/commit"] for n in disk.names(f) if n.startswith((".graphbus", "journal"))
    ]
    if len(found) != 1 or "?" in found:
        return f"mixed: {[disk.read(c.path) for c in some]}"
    return f"left behind: {left}" if left else found.pop()


def calls_of(some: list[FileChange], *, reads: bool = False) -> int:
    """How many calls a commit makes that change the disk; with `reads`, those that look at it as well."""
    disk = fresh(some)
    disk.reads_count = reads
    assert commit_changes(disk, some) is TransactionResult.DONE
    calls, disk.reads_count = disk.calls, False
    assert state(disk, some) == "new"
    return calls


def crashes(files: int, *, again: bool = False, run: Callable[..., TransactionResult] = commit_changes) -> Tally:
    """A power cut after every call; `again`: a second one at every call of each recovery."""
    some, tally, rng = changes(files), Tally(), random.Random(files)
    for k in range(1, calls_of(some) + 1):
        disk = fresh(some)
        disk.crash_after = k
        with suppress(Crash):
            run(disk, some)
        for what, found in disk.after_power_cut(rng):
            _settle(found, some, tally, f"{files} files, call {k}, {what}", again, rng)
    return tally


def _settle(
    found: FaultyDisk, some: list[FileChange], tally: Tally, where: str, again: bool, rng: random.Random
) -> None:
    copies = [found] if not again else []
    if again:
        probe = _copy(found)
        recover(probe, folders(some))
        for j in range(1, probe.calls + 1):
            second = _copy(found)
            second.crash_after = j
            with suppress(Crash):
                recover(second, folders(some))
            copies += [d for _, d in second.after_power_cut(rng)][:4]
    for disk in copies:
        tally.tried += 1
        try:
            recover(disk, folders(some))
            ended = state(disk, some)
            recover(disk, folders(some))
            if ended not in ("old", "new") or state(disk, some) != ended:
                tally.violations.append(f"{where}: {ended}")
        except (OSError, ValueError, KeyError, Exception) as e:
            tally.violations.append(f"{where}: {type(e).__name__}: {e}")


def _copy(disk: FaultyDisk) -> FaultyDisk:
    made = FaultyDisk()
    for folder, names in disk.folders.items():
        made.make_folder(folder)
        for name, inode in names.items():
            made.put(f"{folder}/{name}", inode.data)
    return made


def faults(files: int, run: Callable[..., TransactionResult] = commit_changes) -> Tally:
    """Every call fails in turn, once and for good, with each of three errors."""
    some, tally = changes(files), Tally()
    for k in range(1, calls_of(some, reads=True) + 1):
        for code in (errno.ENOSPC, errno.EIO, errno.EACCES):
            for more in (False, True):
                disk = fresh(some)
                disk.fail_at, disk.code, disk.fail_more, disk.reads_count = k, code, more, True
                tally.tried += 1
                where = f"{files} files, call {k} fails with {errno.errorcode[code]}{' and all after' if more else ''}"
                try:
                    told = run(disk, some).value
                except TransactionInterrupted:
                    told = "interrupted"
                except OSError:
                    told = "failed"
                disk.fail_at, disk.reads_count = None, False
                before = {c.path: disk.read(c.path) for c in some}
                if told == "failed" and any(before[c.path] != c.before for c in some):
                    tally.violations.append(f"{where}: said failed, yet {state(disk, some)}")
                recover(disk, folders(some))
                ended = state(disk, some)
                right = {"done": ("new",), "failed": ("old",), "interrupted": ("old", "new")}[told]
                if ended not in right:
                    tally.violations.append(f"{where}: said {told}, then {ended}")
    return tally


def edits(files: int, run: Callable[..., TransactionResult] = commit_changes) -> Tally:
    """Somebody saves one of the files before every call: the edit is never lost, the others are all old or all new."""
    some, tally = changes(files), Tally()
    for k in range(1, calls_of(some, reads=True) + 3):
        for victim in [c for c in some if c.before is not None]:
            disk = fresh(some)

            def save(call: int, disk: FaultyDisk = disk, victim: FileChange = victim, k: int = k) -> None:
                if call == k:
                    disk.save_over(victim.path, b"mine\n")

            disk.meanwhile, disk.reads_count = save, True
            tally.tried += 1
            result = run(disk, some)
            disk.meanwhile, disk.reads_count = None, False
            where = f"{files} files, {victim.path} saved before call {k}: {result.value}"
            if disk.calls >= k and disk.read(victim.path) != b"mine\n":
                tally.violations.append(f"{where}: the edit is lost")
            others = {"old" if disk.read(c.path) == c.before else "new" for c in some if c is not victim}
            if len(others) > 1 or (result is TransactionResult.SUPERSEDED and others == {"new"}):
                tally.violations.append(f"{where}: others are {others}")
    return tally


def edits_and_cuts(files: int, run: Callable[..., TransactionResult] = commit_changes) -> Tally:
    """Somebody saves a file before a call, and the power goes after a later one: the edit is there."""
    some, tally, rng = changes(files), Tally(), random.Random(files)
    calls = calls_of(some)
    for victim in [c for c in some if c.before is not None]:
        for early in range(1, calls + 1):
            for k in range(early, calls + 4):
                disk = fresh(some)
                saved: list[int] = []

                def save(call: int, disk: FaultyDisk = disk, victim: FileChange = victim, early: int = early) -> None:
                    if call == early:
                        saved.append(call)  # noqa: B023
                        disk.save_over(victim.path, b"mine\n")

                disk.meanwhile, disk.crash_after = save, k
                with suppress(Crash):
                    run(disk, some)
                for what, found in disk.after_power_cut(rng) if saved else ():
                    tally.tried += 1
                    recover(found, folders(some))
                    where = f"{files} files, {victim.path} saved before call {early}, power cut after {k}, {what}"
                    if found.read(victim.path) != b"mine\n":
                        tally.violations.append(f"{where}: the edit is lost")
                    others = {"old" if found.read(c.path) == c.before else "new" for c in some if c is not victim}
                    if len(others) > 1:
                        tally.violations.append(f"{where}: others are {others}")
    return tally
