"""Each state that a crash may leave, by hand: what recovery makes of every file, and that nothing lies beside it.

`test_transaction` tries every call of a few commits. Here stand the states that need an edit, or a second crash, at one
certain moment; and what a journal must say before anything is written for it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.commit import transaction
from graphbus_core.commit.disk import RealDisk
from graphbus_core.commit.transaction import (
    JOURNAL,
    FileChange,
    TransactionResult,
    commit_changes,
    recover,
    warn_if_cut_off,
)
from graphbus_core.errors import LogDamaged
from graphbus_core.storage.signing import load_machine_seal
from tests.commit.faulty_disk import FaultyDisk

OLD, NEW, THEIRS = b"old text\n", b"new text\n", b"theirs\n"
SOME = [FileChange(f"project/shop/{name}.py", OLD, NEW) for name in "abc"]
GONE = FileChange("project/shop/d.py", OLD, None)
MADE = FileChange("project/shop/e.py", None, NEW)
IDENT = transaction._compute_identity(SOME)


def stopped(now: dict[str, bytes | None], beside: dict[str, bytes], some: list[FileChange] = SOME) -> FaultyDisk:
    """A disk with the journal of a commit, its files as they are now, and what lies beside (`a`, `a.redo`)."""
    disk = FaultyDisk()
    ident = transaction._compute_identity(some)
    for folder in ("project/shop", "state/commit"):
        disk.make_folder(folder)
    disk.put(JOURNAL, transaction._build_journal(ident, "", some))
    for i, change in enumerate(some):
        name = change.path[-4]
        text = now.get(name, change.before)
        if text is not None:
            disk.put(change.path, text)
        for kind in ("", ".redo"):
            if name + kind in beside:
                disk.put(transaction._name_temp_file(change.path, ident, i) + kind, beside[name + kind])
    return disk


def after(disk: FaultyDisk) -> dict[str, bytes | None]:
    """Every file of the project's folder, by the letter it is named by; a leftover by its whole name."""
    assert disk.names("state/commit") == []
    return {n.removesuffix(".py"): disk.read(f"project/shop/{n}") for n in disk.names("project/shop")}


ALL_NEW, ALL_OLD = dict.fromkeys("abc", NEW), dict.fromkeys("abc", OLD)
STATES: list[tuple[str, dict[str, Any], dict[str, bytes], TransactionResult, dict[str, Any]]] = [
    ("nothing was put in place", {}, dict.fromkeys("abc", NEW), TransactionResult.DONE, ALL_NEW),
    ("the temporary files are gone as well", {}, {}, TransactionResult.DONE, ALL_NEW),
    ("one is in place", {"b": NEW}, {"a": NEW, "b": OLD}, TransactionResult.DONE, ALL_NEW),
    ("all are in place", ALL_NEW, ALL_OLD, TransactionResult.DONE, ALL_NEW),
    (
        "an edit of the first",
        {"a": THEIRS, "b": NEW, "c": NEW},
        {},
        TransactionResult.SUPERSEDED,
        {**ALL_OLD, "a": THEIRS},
    ),
    ("an edit of the last", {"a": NEW, "c": THEIRS}, {}, TransactionResult.SUPERSEDED, {**ALL_OLD, "c": THEIRS}),
    ("a file that is gone", {"a": NEW, "b": None}, {}, TransactionResult.SUPERSEDED, {"a": OLD, "c": OLD}),
    ("an edit swapped out", ALL_NEW, {"a": THEIRS}, TransactionResult.SUPERSEDED, {**ALL_OLD, "a": THEIRS}),
    (
        "and nothing in its place",
        {**ALL_NEW, "a": None},
        {"a": THEIRS},
        TransactionResult.SUPERSEDED,
        {**ALL_OLD, "a": THEIRS},
    ),
    (
        "an edit swapped out by a recovery",
        ALL_NEW,
        {"b.redo": THEIRS},
        TransactionResult.SUPERSEDED,
        {**ALL_OLD, "b": THEIRS},
    ),
    ("half of ours by a recovery", {"a": NEW}, {"b.redo": NEW[:3]}, TransactionResult.DONE, ALL_NEW),
    ("ours swapped in by a recovery", {"a": NEW}, {"a.redo": OLD}, TransactionResult.DONE, ALL_NEW),
]


@pytest.mark.parametrize(("now", "beside", "result", "files"), [s[1:] for s in STATES], ids=[s[0] for s in STATES])
@pytest.mark.parametrize("can_exchange", [True, False])
def test_what_recovery_makes_of_it(
    now: dict[str, Any], beside: dict[str, bytes], result: TransactionResult, files: dict[str, Any], can_exchange: bool
) -> None:
    """All old or all new, an edit where it was made, and a second recovery finds nothing to do."""
    disk = stopped(now, beside)
    disk.can_exchange = can_exchange or THEIRS in beside.values()
    assert recover(disk, ["project/shop"]) is result
    assert after(disk) == files
    assert recover(disk, ["project/shop"]) is TransactionResult.NOTHING


@pytest.mark.parametrize(
    ("now", "result", "files"),
    [
        ({}, TransactionResult.DONE, {"a": NEW, "e": NEW}),
        ({"e": NEW}, TransactionResult.DONE, {"a": NEW, "e": NEW}),
        ({"d": None}, TransactionResult.DONE, {"a": NEW, "e": NEW}),
        ({"a": THEIRS, "d": None, "e": NEW}, TransactionResult.SUPERSEDED, {"a": THEIRS, "d": OLD}),
        ({"e": THEIRS, "a": NEW, "d": None}, TransactionResult.SUPERSEDED, {"a": OLD, "d": OLD, "e": THEIRS}),
        ({"d": THEIRS, "a": NEW, "e": NEW}, TransactionResult.SUPERSEDED, {"a": OLD, "d": THEIRS}),
    ],
)
def test_files_that_come_and_go_too(now: dict[str, Any], result: TransactionResult, files: dict[str, Any]) -> None:
    """One is changed, one taken away, one made."""
    disk = stopped(now, {}, [SOME[0], GONE, MADE])
    assert recover(disk, ["project/shop"]) is result
    assert after(disk) == files


@pytest.mark.parametrize("spoilt", [SOME[1], GONE, MADE])
def test_an_edit_at_any_call_of_a_recovery_stands(spoilt: FileChange) -> None:
    """Theirs is in the file, the other one is old or new as is told, and nothing lies beside them."""
    call, calls = 0, 1
    while call < calls:
        call += 1
        disk = stopped({}, {}, [SOME[0], spoilt])
        disk.meanwhile = lambda at, disk=disk, call=call: disk.save_over(spoilt.path, THEIRS) if at == call else None
        result = recover(disk, ["project/shop"])
        assert after(disk) == {"a": NEW if result is TransactionResult.DONE else OLD, spoilt.path[-4]: THEIRS}
        calls = disk.calls
    assert calls > 10


def test_what_is_no_leftover_of_ours_stays() -> None:
    """Only our own names are swept, in the folders that are named and in that of the journal."""
    disk = FaultyDisk()
    for path in ("project/shop/.graphbus-x.tmp", "project/shop/.graphbus-x.py", "project/shop/x.tmp"):
        disk.put(path, OLD)
    disk.put("state/commit/journal.tmp", OLD)
    assert recover(disk, ["project/shop"]) is TransactionResult.NOTHING
    assert disk.names("project/shop") == [".graphbus-x.py", "x.tmp"]
    assert disk.names("state/commit") == []


def written(**other: Any) -> bytes:
    """A journal, sealed by this machine, that says something else."""
    body = json.loads(transaction._build_journal(IDENT, "", SOME).split(b"\n")[0])
    text = json.dumps(body | other).encode()
    return b"\n".join([text, hashlib.sha256(text).hexdigest().encode(), load_machine_seal().sign(text), b""])


def file(path: str, before: bytes | None = OLD, to: bytes | None = NEW) -> dict[str, Any]:
    sides = {"before": before, "after": to}
    return {"path": path, **{k: None if v is None else base64.b64encode(v).decode() for k, v in sides.items()}}


@pytest.mark.parametrize(
    ("journal", "why"),
    [
        (written(format=1), r"another version of GraphBus \(shop/a.py, shop/b.py, shop/c.py\)"),
        (written(files=3), "is not a journal of a commit"),
        (written(files=[{"path": "project/a.py"}]), "is not a journal of a commit"),
        (written(files=[file("elsewhere/a.py")]), "outside of the project"),
        (written(files=[file("state/undo/../x.json")]), "it is not a record"),
        (written(files=[file("state/undo/p.json.py")]), "it is not a record"),
        (written(files=[file("project/.git/config")]), "which no commit may"),
        (transaction._build_journal(IDENT, "", SOME).replace(b"\n", b"\nx", 1), "checksum"),
        (b"\n".join([*transaction._build_journal(IDENT, "", SOME).split(b"\n")[:2], b"x", b""]), "not begun by you"),
        (b"\n".join(transaction._build_journal(IDENT, "", SOME).split(b"\n")[:2]), "not begun by you"),
    ],
)
def test_a_journal_that_may_not_be_followed(journal: bytes, why: str) -> None:
    """It is named, and every file stays as it is."""
    disk = stopped({}, {})
    disk.put(JOURNAL, journal)
    with pytest.raises(LogDamaged, match=why):
        recover(disk, ["project/shop"])
    assert {c.path: disk.read(c.path) for c in SOME} == dict.fromkeys((c.path for c in SOME), OLD)
    assert disk.read(JOURNAL) == journal


def test_the_records_of_commits_may_be_written() -> None:
    """Of every proposal that can have a record."""
    for name in ("p-1.json", "P_9.b.json", "0.json"):
        disk = stopped({}, {})
        disk.put(JOURNAL, written(files=[file(f"state/undo/{name}", None, b"{}")]))
        disk.make_folder("state/undo")
        assert recover(disk) is TransactionResult.DONE
        assert disk.read(f"state/undo/{name}") == b"{}"


def test_nothing_to_change_is_done() -> None:
    """Without a call to the disk."""
    disk = FaultyDisk()
    assert commit_changes(disk, []) is TransactionResult.DONE
    assert disk.calls == 0


# ---- the real disk


@pytest.fixture
def disk(tmp_path: Path) -> RealDisk:
    (tmp_path / "p").mkdir()
    (tmp_path / "s").mkdir()
    (tmp_path / "p" / "a").write_bytes(b"a")
    return RealDisk(tmp_path / "p", tmp_path / "s")


def test_each_call_of_the_real_disk(disk: RealDisk, tmp_path: Path) -> None:
    """As the port says, also of what is not there."""
    assert (disk.read("project/a"), disk.read("project/none")) == (b"a", None)
    assert disk.mode("project/none") == 0o644
    disk.create("project/b", 0o751)
    assert disk.mode("project/b") == 0o751
    with pytest.raises(FileExistsError):
        disk.create("project/b", 0o600)
    disk.write("project/b", b"bb" * 100_000)
    disk.sync("project/b")
    assert disk.exchange("project/a", "project/b") is True
    assert disk.read("project/b") == b"a"
    assert disk.is_being_written("project/b") is False
    disk.rename("project/b", "project/c")
    assert disk.names("project") == ["a", "c"]
    assert (disk.place("project/c", "project/a"), disk.names("project")) == (False, ["a", "c"])
    assert (disk.place("project/c", "project/b"), disk.names("project")) == (True, ["a", "b"])
    disk.rename("project/b", "project/c")
    disk.unlink("project/c")
    disk.unlink("project/c")
    disk.unlink("project/none/c")
    assert disk.names("project") == ["a"]
    assert disk.names("project/none") == disk.names("project/a") == []
    disk.make_folder("state/x/y")
    disk.make_folder("state/x/y")
    disk.sync_folder("state/x/y")
    disk.sync_folder("state")
    assert disk.names("state") == ["x"]
    with pytest.raises(FileNotFoundError):
        disk.exchange("project/a", "project/none")


def test_names_change_within_a_folder_alone(disk: RealDisk, tmp_path: Path) -> None:
    """Else another folder's file would be the one that goes."""
    disk.make_folder("project/in")
    for call in (disk.rename, disk.place, disk.exchange):
        with pytest.raises(OSError, match="another folder"):
            call("project/a", "project/in/a")
    assert disk.read("project/a") == b"a"
    os.mkfifo(tmp_path / "p" / "pipe")
    os.mkdir(tmp_path / "p" / "folder")
    os.symlink("a", tmp_path / "p" / "link")
    assert [disk.read(f"project/{name}") for name in ("pipe", "folder", "link", "in/none")] == [None] * 4


def test_a_file_takes_the_rights_of_another(disk: RealDisk, tmp_path: Path) -> None:
    """Not of one that is not there."""
    os.chmod(tmp_path / "p" / "a", 0o640)
    disk.create("project/b", 0o600)
    disk.dress("project/b", "project/none")
    assert disk.mode("project/b") == 0o600
    disk.dress("project/b", "project/a")
    assert disk.mode("project/b") == 0o640


def test_a_system_without_the_call_says_so(disk: RealDisk, monkeypatch: pytest.MonkeyPatch) -> None:
    """An old kernel, or a file system that cannot; any other fault is one."""
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: object())
    assert disk.exchange("project/a", "project/b") is False


def test_a_journal_that_lies_there_is_told(tmp_path: Path) -> None:
    """By commands that only read; of any of the folders."""
    assert warn_if_cut_off(tmp_path, tmp_path / "s") is None
    (tmp_path / "s" / "commit").mkdir(parents=True)
    (tmp_path / "s" / "commit" / "journal").write_text("")
    assert "cut off" in str(warn_if_cut_off(tmp_path, tmp_path / "s"))
