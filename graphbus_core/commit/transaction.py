"""All files or none: a redo journal with a checksum, then renames (design §7, "Transaction").

Why a crash after any step is safe:

    1  the new bytes go to `.graphbus-ID-N.tmp` beside each file, fsynced     nothing points there: all old
    2  the journal goes to `journal.tmp`, fsynced, renamed, folder fsynced    before: all old; after: redo, all new
    3  each new file changes names with the old one                           recovery finishes what is missing
    4  the folders are fsynced, the old bytes and the journal go              the journal goes last

Each step 3 is an exchange: the bytes that were there are looked at *after* they left their place. If they are not what
the commit was made for, somebody edited the file in the meantime: everything is put back and their edit stands. A
journal found at the start is finished, or undone where a file is neither old nor new; doing so twice changes nothing.

Somebody may write into the old file itself, through a descriptor that was opened before it left its place. A file that
is open for writing then is waited for, and put back if it stays open; what was written into it is seen as any edit is.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from graphbus_core.commit.disk import Disk, RealDisk
from graphbus_core.errors import LogDamaged
from graphbus_core.sandbox.path_guard import explain_forbidden
from graphbus_core.storage.locks import hold_build_lock
from graphbus_core.storage.signing import load_machine_seal

FOLDER = "state/commit"
JOURNAL = f"{FOLDER}/journal"
FORMAT = 2
_MARK = ".graphbus-"


@dataclass(frozen=True)
class FileChange:
    """One file of a transaction: what it must be now and what it becomes. None: not there."""

    path: str
    before: bytes | None
    after: bytes | None


class TransactionResult(Enum):
    """How a transaction or a recovery ended."""

    DONE = "done"  # all new
    SUPERSEDED = "superseded"  # somebody edited a file: all others as before, their edit untouched
    NOTHING = "nothing"  # no journal was there


class TransactionInterrupted(Exception):
    """An I/O fault after which the state is for the next start to settle, as after a crash."""


def commit_changes(disk: Disk, changes: Sequence[FileChange], root: str = "") -> TransactionResult:
    """Write all changes or none. `root`: the project as seen from the output folder; its journal says it.

    Raises OSError where a call failed and everything is as before; Interrupted where that could not be made sure: the
    next `recover` settles it.
    """
    if not changes:
        return TransactionResult.DONE
    ident = _compute_identity(changes)
    temps = [_name_temp_file(c.path, ident, i) for i, c in enumerate(changes)]
    try:
        disk.make_folder(FOLDER)
        for change in changes:
            if change.path.startswith("state/") or change.path.startswith("project/tests/"):
                disk.make_folder(change.path.rpartition("/")[0])
        if any(disk.read(c.path) != c.before for c in changes):
            return TransactionResult.SUPERSEDED
        for change, temp in zip(changes, temps, strict=True):
            if change.after is not None:
                _write_durable(disk, temp, change.after, change.path)
        _write_durable(disk, f"{JOURNAL}.tmp", _build_journal(ident, root, changes))
        if any(disk.read(c.path) != c.before for c in changes):
            _remove_quietly(disk, [*temps, f"{JOURNAL}.tmp"])
            return TransactionResult.SUPERSEDED
    except OSError:
        _remove_quietly(disk, [*temps, f"{JOURNAL}.tmp"])
        raise
    try:
        disk.rename(f"{JOURNAL}.tmp", JOURNAL)
        disk.sync_folder(FOLDER)
        if _install(disk, changes, temps):
            _close_transaction(disk, temps)
            return TransactionResult.DONE
        _restore(disk, changes, temps)
        _close_transaction(disk, temps)
        return TransactionResult.SUPERSEDED
    except OSError as fault:
        try:
            _restore(disk, changes, temps)
            _close_transaction(disk, temps)
        except OSError as second:
            raise TransactionInterrupted(f"{fault}; putting the files back failed as well: {second}") from fault
        raise


def recover(disk: Disk, folders: Iterable[str] = ()) -> TransactionResult:
    """Settle what a crash left. `folders`: where half-written files of an unfinished commit may lie.

    Raises LogDamaged for a journal that is not one, OSError where the disk fails (then nothing is lost: call it again).
    """
    data = disk.read(JOURNAL)
    result = TransactionResult.NOTHING if data is None else _finish_journal(disk, data)
    for folder in dict.fromkeys([FOLDER, *folders]):
        for name in disk.names(folder):
            if (name.startswith(_MARK) and name.endswith((".tmp", ".redo", ".back"))) or name == "journal.tmp":
                disk.unlink(f"{folder}/{name}")
    return result


def _finish_journal(disk: Disk, journal: bytes) -> TransactionResult:
    """Finish the journal's transaction; undo it where a file is neither old nor new."""
    ident, _, changes = _read_journal(journal)
    for folder in _list_folders(changes):
        try:
            disk.sync_folder(folder)
        except (FileNotFoundError, NotADirectoryError):
            raise LogDamaged(
                f"A commit was cut off, and its folder {folder.partition('/')[2]} is not where it was. Put it back and "
                f"build again, or look at its files yourself and delete {JOURNAL.partition('/')[2]}."
            ) from None
    temps = [_name_temp_file(c.path, ident, i) for i, c in enumerate(changes)]
    redo = [f"{t}.redo" for t in temps]
    states = [disk.read(c.path) for c in changes]
    edited = any(_is_edited(disk, *each) for each in zip(changes, states, temps, strict=True))
    edited = _put_back_edits(disk, changes, redo) or edited
    if not edited:
        edited = not _write_missing(disk, changes, states, redo)
    if edited:
        _restore(disk, changes, temps)
    _close_transaction(disk, temps)
    return TransactionResult.SUPERSEDED if edited else TransactionResult.DONE


def _is_edited(disk: Disk, change: FileChange, now: bytes | None, temp: str) -> bool:
    """Whether somebody else's bytes stand in the file, or were swapped out of it when we stopped."""
    aside = disk.read(temp)
    return now not in (change.before, change.after) or (
        aside is not None and aside not in (change.before, change.after)
    )


def _put_back_edits(disk: Disk, changes: Sequence[FileChange], redo: Sequence[str]) -> bool:
    """An earlier recovery may have stopped between swap and look: then an edit lies beside its file, and goes back."""
    has_edits = False
    for change, again in zip(changes, redo, strict=True):
        leftover = disk.read(again)
        # What is half written of ours is not an edit: a recovery that stopped while it wrote left it.
        if leftover is not None and leftover != change.before and not (change.after or b"").startswith(leftover):
            _give_back(disk, again, change.path)
            has_edits = True
    return has_edits


def _write_missing(
    disk: Disk, changes: Sequence[FileChange], states: Sequence[bytes | None], redo: Sequence[str]
) -> bool:
    """Write what is still missing. False where one of the files was edited meanwhile."""
    for change, now, again in zip(changes, states, redo, strict=True):
        if now != change.after:
            disk.unlink(again)
            if change.after is not None:
                _write_durable(disk, again, change.after, change.path)
    installed = _install(disk, changes, redo, states)
    _remove_strictly(disk, redo, changes)
    return installed


# ---- steps


def _install(
    disk: Disk, changes: Sequence[FileChange], temps: Sequence[str], states: Sequence[bytes | None] | None = None
) -> bool:
    """Put every new file in its place. False where one of the files was edited; it is put back at once."""
    for i, (change, temp) in enumerate(zip(changes, temps, strict=True)):
        if states is not None and states[i] == change.after:
            continue
        step = _move_aside if change.after is None else _swap
        if not step(disk, change.path, temp, change.before):
            return False
    for folder in _list_folders(changes):
        disk.sync_folder(folder)
    return True


def _swap(disk: Disk, path: str, temp: str, before: bytes | None) -> bool:
    """Put `temp` in the place of `path`, which must hold `before`; the old bytes stay at `temp`."""
    if before is None:
        return disk.place(temp, path)
    if not disk.exchange(temp, path):  # a system without the call: a moment between look and rename stays open
        if disk.read(path) != before:
            return False
        disk.rename(temp, path)
        return True
    if not disk.is_being_written(temp) and disk.read(temp) == before:
        return True
    disk.exchange(temp, path)
    return False


def _move_aside(disk: Disk, path: str, temp: str, before: bytes | None) -> bool:
    """Move `path` aside to `temp`: it goes. What left its place is looked at afterwards, as in an exchange."""
    if disk.read(path) != before or before is None:
        return before is None
    disk.rename(path, temp)
    if not disk.is_being_written(temp) and disk.read(temp) == before:
        return True
    _give_back(disk, temp, path)
    return False


def _give_back(disk: Disk, aside: str, path: str) -> None:
    """Put what left its place back there; where somebody made a new file meanwhile, the two change places."""
    if not disk.place(aside, path):
        disk.exchange(aside, path)


def _restore(disk: Disk, changes: Sequence[FileChange], temps: Sequence[str]) -> None:
    """Put back what was there, leaving alone what is neither old nor new."""
    for change, temp in zip(changes, temps, strict=True):
        now, aside = disk.read(change.path), disk.read(temp)
        if aside is not None and aside not in (change.before, change.after):
            _give_back(disk, temp, change.path)  # an edit that was swapped out when we stopped
            continue
        if now != change.after or now == change.before:
            continue
        if change.before is None:
            disk.unlink(change.path)
            continue
        back = f"{temp}.back"
        disk.unlink(back)
        _write_durable(disk, back, change.before, change.path)
        _swap(disk, change.path, back, change.after)
        disk.unlink(back)
    for folder in _list_folders(changes):
        disk.sync_folder(folder)


def _close_transaction(disk: Disk, temps: Sequence[str]) -> None:
    """The files stand: take away what lies beside them, the journal last."""
    for temp in temps:
        disk.unlink(temp)
    disk.unlink(JOURNAL)
    disk.sync_folder(FOLDER)


def _remove_strictly(disk: Disk, redo: Sequence[str], changes: Sequence[FileChange]) -> None:
    for path in redo:
        disk.unlink(path)
    for folder in _list_folders(changes):
        disk.sync_folder(folder)


def _write_durable(disk: Disk, path: str, data: bytes, like: str | None = None) -> None:
    """A new file, durable; with the owner, rights and attributes of `like`, else for us alone."""
    disk.create(path, 0o600 if like is None else disk.mode(like))
    if like is not None:
        disk.dress(path, like)
    disk.write(path, data)
    disk.sync(path)


def _remove_quietly(disk: Disk, paths: Sequence[str]) -> None:
    for path in paths:
        try:
            disk.unlink(path)
        except OSError:
            continue  # the next start sweeps it


def _list_folders(changes: Sequence[FileChange]) -> list[str]:
    return list(dict.fromkeys(c.path.rpartition("/")[0] for c in changes))


def _name_temp_file(path: str, ident: str, i: int) -> str:
    return f"{path.rpartition('/')[0]}/{_MARK}{ident}-{i}.tmp"


def _compute_identity(changes: Sequence[FileChange]) -> str:
    digest = hashlib.sha256()
    for change in changes:
        digest.update(repr((change.path, change.before, change.after)).encode())
    return digest.hexdigest()[:12]


def read_pending_root(disk: Disk) -> str | None:
    """The project of a commit that was cut off, as seen from the output folder; None where there is no journal.

    Raises LogDamaged for a journal that is not one, or was not written by this user on this machine.
    """
    data = disk.read(JOURNAL)
    return None if data is None else _read_journal(data)[1]


def _build_journal(ident: str, root: str, changes: Sequence[FileChange]) -> bytes:
    files = [{"path": c.path, "before": _encode_base64(c.before), "after": _encode_base64(c.after)} for c in changes]
    body = json.dumps({"format": FORMAT, "id": ident, "root": root, "files": files}, sort_keys=True).encode()
    return b"\n".join([body, hashlib.sha256(body).hexdigest().encode(), load_machine_seal().sign(body), b""])


def _read_journal(data: bytes) -> tuple[str, str, list[FileChange]]:
    """Its id, its project and its changes. Raises LogDamaged."""
    name = JOURNAL.partition("/")[2]
    body, check, seal = (*data.split(b"\n"), b"", b"")[:3]
    if hashlib.sha256(body).hexdigest().encode() != check.strip():
        raise LogDamaged(f"{name} does not match its checksum. Look at the files of the last commit, then delete it.")
    try:
        journal = json.loads(body)
        files = ", ".join(str(f["path"]).partition("/")[2] for f in journal["files"])[:500]
        if journal["format"] != FORMAT:
            raise LogDamaged(
                f"{name} is of another version of GraphBus ({files}); finish the commit with that version, or look at "
                "these files and delete it."
            )
        if not load_machine_seal().fits(body, seal.strip()):
            raise LogDamaged(
                f"{name} holds a commit that was not begun by you on this machine, so it is not finished: it may come "
                f"from whoever made this folder, and would change {files}. Look at these files and delete it."
            )
        changes = [
            FileChange(
                f["path"], *(None if f[side] is None else base64.b64decode(f[side]) for side in ("before", "after"))
            )
            for f in journal["files"]
        ]
        ident, root = str(journal["id"]), str(journal["root"])
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise LogDamaged(f"{name} is not a journal of a commit ({e!r}). Look at it, then delete it.") from None
    for change in changes:
        why = _explain_forbidden_path(change.path)
        if why is not None:
            raise LogDamaged(
                f"{name} would write {change.path}, which no commit may: {why}. Look at it, then delete it."
            )
    return ident, root, changes


def _explain_forbidden_path(path: str) -> str | None:
    """Why no commit may ever have written this, or None: the door's rules, and the records of commits."""
    where, _, inner = path.partition("/")
    if where == "state":
        return None if re.fullmatch(r"undo/[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.json", inner) else "it is not a record"
    return explain_forbidden(inner) if where == "project" else "it lies outside of the project"


def _encode_base64(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


# A commit that a crash cut off: whose it is, and how it is brought to its end.
#
# One output folder may serve several projects. So a journal names its project, relative to the output folder: it is
# settled there, whichever of them is built next, and moves along with both.


CUT_OFF = (
    "A commit was cut off here, and its files may be half old, half new; "
    "`graphbus build` settles that before it does anything else."
)


def locate_root(root: Path, state: Path) -> str:
    """A project's root as seen from an output folder."""
    return os.path.relpath(os.path.realpath(root), os.path.realpath(state)).replace(os.sep, "/")


def is_cut_off(output_dir: Path | str) -> bool:
    """Whether a journal lies there. Looks at nothing else."""
    return os.path.lexists(Path(output_dir) / "commit" / JOURNAL.rpartition("/")[2])


def warn_if_cut_off(*output_dirs: Path | str) -> str | None:
    """What a command that only reads the sources should say of them."""
    return CUT_OFF if any(is_cut_off(folder) for folder in output_dirs) else None


def settle(state: Path, root: Path, folders: Iterable[str], disk: Disk) -> tuple[TransactionResult, Path]:
    """Finish or take back what was cut off; also gives whose it was. The lock is the caller's.

    Raises LogDamaged for a journal that is damaged, was not begun here, or whose project is gone; OSError.
    """
    pending_root = read_pending_root(disk)
    whose = (
        root if pending_root is None else Path(os.path.normpath(os.path.join(os.path.realpath(state), pending_root)))
    )
    if pending_root is None or pending_root == locate_root(root, state):
        return recover(disk, folders), root
    if not whose.is_dir():
        raise LogDamaged(
            f"A commit of a project at {whose} was cut off, and there is no such folder now. Put it back and build "
            f"again, or look at its files yourself and delete {state / 'commit' / 'journal'}."
        )
    result = recover(RealDisk(whose, state))
    recover(disk, folders)
    return result, whose


def settle_output_folder(output_dir: Path) -> str | None:
    """Settle before a build that does not negotiate; gives what was done, in a sentence. Raises Locked, LogDamaged."""
    if not is_cut_off(output_dir):
        return None
    state = Path(os.path.abspath(output_dir))
    with hold_build_lock(state):
        result, whose = settle(state, state, (), RealDisk(state, state))
    return describe_settlement(result, whose)


def describe_settlement(result: TransactionResult, whose: Path) -> str | None:
    """What became of it."""
    if result is TransactionResult.DONE:
        return f"A commit to {whose} that was cut off has been finished."
    if result is TransactionResult.SUPERSEDED:
        return f"A commit to {whose} that was cut off was taken back, because a file of it was edited since."
    return None
