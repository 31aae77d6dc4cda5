"""Move a branch, its index and its working tree to a landed commit: as before, or as after, whatever kills it.

    journal written  ->  index and files  ->  branch  ->  journal gone

A kill before the journal leaves everything as before. After it, whoever comes next finishes: the proof is done, so the
way forward is the only one. Files are finished only where they are still what they were, what they become, or the
beginning of what they become (a write that was cut off); one that somebody edited meanwhile is told, and nothing moves.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from graphbus_core.commit.landing.repository import LINK, Blob, Repository
from graphbus_core.errors import LogDamaged
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.storage.locks import hold_lock

JOURNAL = "journal.json"
STATE = "graphbus"


def open_state(repository: Repository) -> Path:
    """The folder of landings in git's common directory; made where it is not there."""
    folder = repository.common / STATE
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


@contextmanager
def hold_landing_lock(repository: Repository, wait_s: float = 0.0) -> Iterator[None]:
    """One landing at a time in a repository. Raises Locked where another one takes longer than `wait_s`."""
    path = open_state(repository) / "lock"
    busy = "Another `graphbus land` is at work in this repository; wait for its end."
    with hold_lock(path, lambda holder: busy, mode=0o600, wait_s=wait_s):
        yield


def advance(repository: Repository, ref: str, old: str, new: str, message: str) -> None:
    """Move `ref`, which is checked out here, from one commit to another. Raises OSError before anything has moved."""
    journal = open_state(repository) / JOURNAL
    record = {"ref": ref, "old": old, "new": new, "message": message, "root": str(repository.root)}
    with without_interrupts():
        write_atomic(journal, json.dumps(record).encode(), durable=True)
        try:
            repository.run("read-tree", "-m", "-u", old, new)
        except OSError:
            journal.unlink()  # git looks first and moves nothing where something stands in the way
            raise
        repository.run("update-ref", "-m", message, ref, new, old)
        journal.unlink()


def recover(repository: Repository) -> str | None:
    """Finish a landing that was cut off; gives what was done, in a sentence. Raises LogDamaged where it cannot."""
    journal = open_state(repository) / JOURNAL
    try:
        record = json.loads(journal.read_bytes())
        ref, old, new, root = (str(record[key]) for key in ("ref", "old", "new", "root"))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        raise LogDamaged(f"{journal} is not a journal of a landing. Look at it, then delete it.") from None
    there = Repository(Path(root)) if Path(root).is_dir() else repository
    stands = there.run("rev-parse", ref)
    if stands not in (old, new) or there.head_ref() != ref:
        raise LogDamaged(
            f"A landing was cut off, and {ref} was moved since. Look at `git status`, then delete {journal}."
        )
    edited = _finish_files(there, old, new)
    if edited:
        raise LogDamaged(f"A landing was cut off, and {edited} was edited since. Mend that file, then land again.")
    if stands == old:
        there.run("update-ref", "-m", str(record.get("message", "land")), ref, new, old)
    journal.unlink()
    return f"A landing that was cut off has been finished: {ref.removeprefix('refs/heads/')} is at {new[:12]}."


def _finish_files(repository: Repository, old: str, new: str) -> str | None:
    """Bring index and files to `new`; gives a file that somebody edited, before anything is touched."""
    before, after = repository.read_tree(old), repository.read_tree(new)
    changed = [path for path in sorted({*before, *after}) if before.get(path) != after.get(path)]
    for path in changed:
        if not _is_ours(repository, path, before.get(path), after.get(path)):
            return path
    with suppress(FileNotFoundError):
        (repository.git_dir / "index.lock").unlink()  # the lock of who was killed: no other landing runs, we hold ours
    repository.run("read-tree", new)
    for path in changed:
        file = repository.root / path
        if path in after:
            file.parent.mkdir(parents=True, exist_ok=True)
            repository.run("checkout-index", "-f", "--", path)
        else:
            with suppress(FileNotFoundError):
                file.unlink()
            with suppress(OSError):
                file.parent.rmdir()
    repository.run("update-index", "-q", "--refresh")
    return None


def _is_ours(repository: Repository, path: str, before: Blob | None, after: Blob | None) -> bool:
    """Whether a file is as before, as after, gone, or the beginning of what it becomes."""
    file = repository.root / path
    if any(blob is not None and blob.mode == LINK for blob in (before, after)):
        return True
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    for blob in (before, after):
        if blob is not None:
            text = repository.read_blob(blob)
            if data == text or data.replace(b"\r\n", b"\n") == text.replace(b"\r\n", b"\n"):
                return True
    return after is not None and repository.read_blob(after).startswith(data)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Without Ctrl-C: what has begun to be written is carried through, by git, too, which inherits it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def remove_scratch(*files: Path) -> None:
    """Take away files of ours that may not be there."""
    for file in files:
        with suppress(OSError):
            os.unlink(file)
