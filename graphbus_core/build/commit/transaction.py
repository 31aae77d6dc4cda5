"""All files or none: a redo journal with a checksum, then renames (design §7, "Transaction").

Why a crash after any step is safe:

    1  the new bytes go to `.graphbus-ID-N.tmp` beside each file, fsynced     nothing points there: all old
    2  the journal goes to `journal.tmp`, fsynced, renamed, folder fsynced    before: all old; after: redo, all new
    3  each new file changes names with the old one                           recovery finishes what is missing
    4  the folders are fsynced, the old bytes and the journal go              the journal goes last

Each step 3 is an exchange: the bytes that were there are looked at *after* they left their place. If they are not what
the commit was made for, somebody edited the file in the meantime: everything is put back and their edit stands. A
journal found at the start is finished, or undone where a file is neither old nor new; doing so twice changes nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from graphbus_core.build.commit.disk import Disk
from graphbus_core.errors import LogDamaged

FOLDER = "state/commit"
JOURNAL = f"{FOLDER}/journal"
FORMAT = 1
_MARK = ".graphbus-"


@dataclass(frozen=True)
class Change:
    """One file of a transaction: what it must be now (None: not there) and what it becomes."""

    path: str
    before: bytes | None
    after: bytes


class Result(Enum):
    """How a transaction or a recovery ended."""

    DONE = "done"  # all new
    SUPERSEDED = "superseded"  # somebody edited a file: all others as before, their edit untouched
    NOTHING = "nothing"  # no journal was there


class Interrupted(Exception):
    """An I/O fault after which the state is for the next start to settle, as after a crash."""


def commit(disk: Disk, changes: Sequence[Change]) -> Result:
    """Write all changes or none.

    Raises OSError where a call failed and everything is as before; Interrupted where that could not be made sure: the
    next `recover` settles it.
    """
    if not changes:
        return Result.DONE
    ident = _identity(changes)
    temps = [_temp(c.path, ident, i) for i, c in enumerate(changes)]
    try:
        disk.make_folder(FOLDER)
        for change in changes:
            if change.path.startswith("state/"):
                disk.make_folder(change.path.rpartition("/")[0])
        if any(disk.read(c.path) != c.before for c in changes):
            return Result.SUPERSEDED
        for change, temp in zip(changes, temps, strict=True):
            _put(disk, temp, change.after, disk.mode(change.path))
        _put(disk, f"{JOURNAL}.tmp", _journal(ident, changes), 0o600)
        if any(disk.read(c.path) != c.before for c in changes):
            _forget(disk, [*temps, f"{JOURNAL}.tmp"])
            return Result.SUPERSEDED
    except OSError:
        _forget(disk, [*temps, f"{JOURNAL}.tmp"])
        raise
    try:
        disk.rename(f"{JOURNAL}.tmp", JOURNAL)
        disk.sync_folder(FOLDER)
        if _install(disk, changes, temps):
            _close(disk, changes, temps)
            return Result.DONE
        _restore(disk, changes, temps)
        _close(disk, changes, temps)
        return Result.SUPERSEDED
    except OSError as fault:
        try:
            _restore(disk, changes, temps)
            _close(disk, changes, temps)
        except OSError as second:
            raise Interrupted(f"{fault}; putting the files back failed as well: {second}") from fault
        raise


def recover(disk: Disk, folders: Iterable[str] = ()) -> Result:
    """Settle what a crash left. `folders`: where half-written files of an unfinished commit may lie.

    Raises LogDamaged for a journal that is none, OSError where the disk fails (then nothing is lost: call it again).
    """
    data = disk.read(JOURNAL)
    result = Result.NOTHING
    if data is not None:
        ident, changes = _read_journal(data)
        temps = [_temp(c.path, ident, i) for i, c in enumerate(changes)]
        states = [disk.read(c.path) for c in changes]
        aside = [disk.read(t) for t in temps]
        edited = any(
            now not in (c.before, c.after) or (old is not None and old not in (c.before, c.after))
            for c, now, old in zip(changes, states, aside, strict=True)
        )
        redo = [f"{t}.redo" for t in temps]
        for change, again in zip(changes, redo, strict=True):  # an earlier recovery that stopped between swap and look
            left = disk.read(again)
            if left is not None and left != change.before and not change.after.startswith(left):
                disk.exchange(again, change.path)
                edited = True
        if not edited:
            for change, now, again in zip(changes, states, redo, strict=True):
                if now == change.after:
                    continue
                disk.unlink(again)
                _put(disk, again, change.after, disk.mode(change.path))
            if not _install(disk, changes, redo, states):
                edited = True
            _forget_strictly(disk, redo, changes)
        if edited:
            _restore(disk, changes, temps)
        _close(disk, changes, temps)
        result = Result.SUPERSEDED if edited else Result.DONE
    for folder in dict.fromkeys([FOLDER, *folders]):
        for name in disk.names(folder):
            if (name.startswith(_MARK) and name.endswith((".tmp", ".redo", ".back"))) or name == "journal.tmp":
                disk.unlink(f"{folder}/{name}")
    return result


# ---- steps


def _install(
    disk: Disk, changes: Sequence[Change], temps: Sequence[str], states: Sequence[bytes | None] | None = None
) -> bool:
    """Put every new file in its place. False where one of the files was edited; it is put back at once."""
    for i, (change, temp) in enumerate(zip(changes, temps, strict=True)):
        if states is not None and states[i] == change.after:
            continue
        if not _swap(disk, change.path, temp, change.before):
            return False
    for folder in _folders(changes):
        disk.sync_folder(folder)
    return True


def _swap(disk: Disk, path: str, temp: str, before: bytes | None) -> bool:
    """Put `temp` in the place of `path`, which must hold `before`; the old bytes stay at `temp`."""
    if before is None:
        if disk.read(path) is not None:
            return False
        disk.rename(temp, path)
        return True
    if not disk.exchange(temp, path):  # a system without the call: a moment between look and rename stays open
        if disk.read(path) != before:
            return False
        disk.rename(temp, path)
        return True
    if disk.read(temp) == before:
        return True
    disk.exchange(temp, path)
    return False


def _restore(disk: Disk, changes: Sequence[Change], temps: Sequence[str]) -> None:
    """Put back what was there, leaving alone what is neither old nor new."""
    for change, temp in zip(changes, temps, strict=True):
        now, aside = disk.read(change.path), disk.read(temp)
        if aside is not None and aside not in (change.before, change.after):
            disk.exchange(temp, change.path)  # an edit that was swapped out when we stopped
            continue
        if now != change.after or now == change.before:
            continue
        if change.before is None:
            disk.unlink(change.path)
            continue
        back = f"{temp}.back"
        disk.unlink(back)
        _put(disk, back, change.before, disk.mode(change.path))
        _swap(disk, change.path, back, change.after)
        disk.unlink(back)
    for folder in _folders(changes):
        disk.sync_folder(folder)


def _close(disk: Disk, changes: Sequence[Change], temps: Sequence[str]) -> None:
    """The files stand: take away what lies beside them, the journal last."""
    for temp in temps:
        disk.unlink(temp)
    disk.unlink(JOURNAL)
    disk.sync_folder(FOLDER)


def _forget_strictly(disk: Disk, redo: Sequence[str], changes: Sequence[Change]) -> None:
    for path in redo:
        disk.unlink(path)
    for folder in _folders(changes):
        disk.sync_folder(folder)


def _put(disk: Disk, path: str, data: bytes, mode: int) -> None:
    disk.create(path, mode)
    disk.write(path, data)
    disk.sync(path)


def _forget(disk: Disk, paths: Sequence[str]) -> None:
    for path in paths:
        try:
            disk.unlink(path)
        except OSError:
            continue  # the next start sweeps it


def _folders(changes: Sequence[Change]) -> list[str]:
    return list(dict.fromkeys(c.path.rpartition("/")[0] for c in changes))


def _temp(path: str, ident: str, i: int) -> str:
    return f"{path.rpartition('/')[0]}/{_MARK}{ident}-{i}.tmp"


def _identity(changes: Sequence[Change]) -> str:
    seen = hashlib.sha256()
    for change in changes:
        seen.update(repr((change.path, change.before, change.after)).encode())
    return seen.hexdigest()[:12]


def _journal(ident: str, changes: Sequence[Change]) -> bytes:
    files = [
        {"path": c.path, "before": None if c.before is None else _b64(c.before), "after": _b64(c.after)}
        for c in changes
    ]
    body = json.dumps({"format": FORMAT, "id": ident, "files": files}, sort_keys=True).encode()
    return body + b"\n" + hashlib.sha256(body).hexdigest().encode() + b"\n"


def _read_journal(data: bytes) -> tuple[str, list[Change]]:
    body, _, check = data.partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != check.strip():
        raise LogDamaged(
            f"{JOURNAL.partition('/')[2]} does not match its checksum. Look at the files of the last commit, "
            "then delete it."
        )
    found = json.loads(body)
    if found["format"] != FORMAT:
        raise LogDamaged("the commit journal is of another version of GraphBus; finish the commit with that version.")
    changes = [
        Change(f["path"], None if f["before"] is None else base64.b64decode(f["before"]), base64.b64decode(f["after"]))
        for f in found["files"]
    ]
    return found["id"], changes


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()
