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

from graphbus_core.build.commit.back.history import CommitHistory, known, read_record, record_file, records
from graphbus_core.build.commit.back.targets import undo_target
from graphbus_core.build.commit.land import transaction
from graphbus_core.build.commit.land.disk import RealDisk
from graphbus_core.build.commit.land.settling import warning
from graphbus_core.build.commit.land.transaction import JOURNAL, Change, Result, commit, recover
from graphbus_core.errors import LogDamaged, UsageError
from graphbus_core.files.seal import machine_seal
from tests.build.commit.faulty_disk import FaultyDisk

OLD, NEW, THEIRS = b"old text\n", b"new text\n", b"theirs\n"
SOME = [Change(f"project/shop/{name}.py", OLD, NEW) for name in "abc"]
GONE = Change("project/shop/d.py", OLD, None)
MADE = Change("project/shop/e.py", None, NEW)
IDENT = transaction._identity(SOME)


def stopped(now: dict[str, bytes | None], beside: dict[str, bytes], some: list[Change] = SOME) -> FaultyDisk:
    """A disk with the journal of a commit, its files as they are now, and what lies beside (`a`, `a.redo`)."""
    disk = FaultyDisk()
    ident = transaction._identity(some)
    for folder in ("project/shop", "state/commit"):
        disk.make_folder(folder)
    disk.put(JOURNAL, transaction._journal(ident, "", some))
    for i, change in enumerate(some):
        name = change.path[-4]
        text = now.get(name, change.before)
        if text is not None:
            disk.put(change.path, text)
        for kind in ("", ".redo"):
            if name + kind in beside:
                disk.put(transaction._temp(change.path, ident, i) + kind, beside[name + kind])
    return disk


def after(disk: FaultyDisk) -> dict[str, bytes | None]:
    """Every file of the project's folder, by the letter it is named by; a leftover by its whole name."""
    assert disk.names("state/commit") == []
    return {n.removesuffix(".py"): disk.read(f"project/shop/{n}") for n in disk.names("project/shop")}


ALL_NEW, ALL_OLD = dict.fromkeys("abc", NEW), dict.fromkeys("abc", OLD)
STATES: list[tuple[str, dict[str, Any], dict[str, bytes], Result, dict[str, Any]]] = [
    ("nothing was put in place", {}, dict.fromkeys("abc", NEW), Result.DONE, ALL_NEW),
    ("the temporary files are gone as well", {}, {}, Result.DONE, ALL_NEW),
    ("one is in place", {"b": NEW}, {"a": NEW, "b": OLD}, Result.DONE, ALL_NEW),
    ("all are in place", ALL_NEW, ALL_OLD, Result.DONE, ALL_NEW),
    ("an edit of the first", {"a": THEIRS, "b": NEW, "c": NEW}, {}, Result.SUPERSEDED, {**ALL_OLD, "a": THEIRS}),
    ("an edit of the last", {"a": NEW, "c": THEIRS}, {}, Result.SUPERSEDED, {**ALL_OLD, "c": THEIRS}),
    ("a file that is gone", {"a": NEW, "b": None}, {}, Result.SUPERSEDED, {"a": OLD, "c": OLD}),
    ("an edit swapped out", ALL_NEW, {"a": THEIRS}, Result.SUPERSEDED, {**ALL_OLD, "a": THEIRS}),
    ("and nothing in its place", {**ALL_NEW, "a": None}, {"a": THEIRS}, Result.SUPERSEDED, {**ALL_OLD, "a": THEIRS}),
    ("an edit swapped out by a recovery", ALL_NEW, {"b.redo": THEIRS}, Result.SUPERSEDED, {**ALL_OLD, "b": THEIRS}),
    ("half of ours by a recovery", {"a": NEW}, {"b.redo": NEW[:3]}, Result.DONE, ALL_NEW),
    ("ours swapped in by a recovery", {"a": NEW}, {"a.redo": OLD}, Result.DONE, ALL_NEW),
]


@pytest.mark.parametrize(("now", "beside", "result", "files"), [s[1:] for s in STATES], ids=[s[0] for s in STATES])
@pytest.mark.parametrize("can_exchange", [True, False])
def test_what_recovery_makes_of_it(
    now: dict[str, Any], beside: dict[str, bytes], result: Result, files: dict[str, Any], can_exchange: bool
) -> None:
    """All old or all new, an edit where it was made, and a second recovery finds nothing to do."""
    disk = stopped(now, beside)
    disk.can_exchange = can_exchange or THEIRS in beside.values()
    assert recover(disk, ["project/shop"]) is result
    assert after(disk) == files
    assert recover(disk, ["project/shop"]) is Result.NOTHING


@pytest.mark.parametrize(
    ("now", "result", "files"),
    [
        ({}, Result.DONE, {"a": NEW, "e": NEW}),
        ({"e": NEW}, Result.DONE, {"a": NEW, "e": NEW}),
        ({"d": None}, Result.DONE, {"a": NEW, "e": NEW}),
        ({"a": THEIRS, "d": None, "e": NEW}, Result.SUPERSEDED, {"a": THEIRS, "d": OLD}),
        ({"e": THEIRS, "a": NEW, "d": None}, Result.SUPERSEDED, {"a": OLD, "d": OLD, "e": THEIRS}),
        ({"d": THEIRS, "a": NEW, "e": NEW}, Result.SUPERSEDED, {"a": OLD, "d": THEIRS}),
    ],
)
def test_files_that_come_and_go_too(now: dict[str, Any], result: Result, files: dict[str, Any]) -> None:
    """One is changed, one taken away, one made."""
    disk = stopped(now, {}, [SOME[0], GONE, MADE])
    assert recover(disk, ["project/shop"]) is result
    assert after(disk) == files


@pytest.mark.parametrize("spoilt", [SOME[1], GONE])
def test_an_edit_at_any_call_of_a_recovery_stands(spoilt: Change) -> None:
    """Theirs is in the file, the other one is old or new as is told, and nothing lies beside them."""
    call, calls = 0, 1
    while call < calls:
        call += 1
        disk = stopped({}, {}, [SOME[0], spoilt])
        disk.meanwhile = lambda at, disk=disk, call=call: disk.save_over(spoilt.path, THEIRS) if at == call else None
        result = recover(disk, ["project/shop"])
        assert after(disk) == {"a": NEW if result is Result.DONE else OLD, spoilt.path[-4]: THEIRS}
        calls = disk.calls
    assert calls > 10


def test_what_is_no_leftover_of_ours_stays() -> None:
    """Only our own names are swept, in the folders that are named and in that of the journal."""
    disk = FaultyDisk()
    for path in ("project/shop/.graphbus-x.tmp", "project/shop/.graphbus-x.py", "project/shop/x.tmp"):
        disk.put(path, OLD)
    disk.put("state/commit/journal.tmp", OLD)
    assert recover(disk, ["project/shop"]) is Result.NOTHING
    assert disk.names("project/shop") == [".graphbus-x.py", "x.tmp"]
    assert disk.names("state/commit") == []


def written(**other: Any) -> bytes:
    """A journal, sealed by this machine, that says something else."""
    body = json.loads(transaction._journal(IDENT, "", SOME).split(b"\n")[0])
    text = json.dumps(body | other).encode()
    return b"\n".join([text, hashlib.sha256(text).hexdigest().encode(), machine_seal().of(text), b""])


def file(path: str, before: bytes | None = OLD, to: bytes | None = NEW) -> dict[str, Any]:
    sides = {"before": before, "after": to}
    return {"path": path, **{k: None if v is None else base64.b64encode(v).decode() for k, v in sides.items()}}


@pytest.mark.parametrize(
    ("journal", "why"),
    [
        (written(format=1), r"another version of GraphBus \(shop/a.py, shop/b.py, shop/c.py\)"),
        (written(files=3), "is no journal of a commit"),
        (written(files=[{"path": "project/a.py"}]), "is no journal of a commit"),
        (written(files=[file("elsewhere/a.py")]), "outside of the project"),
        (written(files=[file("state/undo/../x.json")]), "it is no record"),
        (written(files=[file("state/undo/p.json.py")]), "it is no record"),
        (written(files=[file("project/.git/config")]), "which no commit may"),
        (transaction._journal(IDENT, "", SOME).replace(b"\n", b"\nx", 1), "checksum"),
        (b"\n".join([*transaction._journal(IDENT, "", SOME).split(b"\n")[:2], b"x", b""]), "not begun by you"),
        (b"\n".join(transaction._journal(IDENT, "", SOME).split(b"\n")[:2]), "not begun by you"),
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
        assert recover(disk) is Result.DONE
        assert disk.read(f"state/undo/{name}") == b"{}"


def test_nothing_to_change_is_done() -> None:
    """Without a call to the disk."""
    disk = FaultyDisk()
    assert commit(disk, []) is Result.DONE
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
    for call in (disk.rename, disk.exchange):
        with pytest.raises(OSError, match="another folder"):
            call("project/a", "project/in/a")
    assert disk.read("project/a") == b"a"
    os.mkfifo(tmp_path / "p" / "pipe")
    with pytest.raises(OSError, match="no plain file"):
        disk.read("project/pipe")


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


# ---- what was committed


def kept(state: Path, pid: str, number: int, **other: Any) -> dict[str, Any]:
    """A record of a commit below an output folder."""
    text = base64.b64encode(b"x").decode()
    record = {
        "proposal_id": pid,
        "number": number,
        "root": "../p",
        "root_package": "p",
        "diff": [],
        "undone": False,
        "files": {"a.py": {"before": text, "after": text}},
        "contracts": {"before": {}, "after": {}},
        **other,
    }
    (state / "undo").mkdir(parents=True, exist_ok=True)
    record_file(state, pid, str(record["root"])).write_text(json.dumps(record))
    return record


def test_what_can_be_taken_back_is_told_newest_first(tmp_path: Path) -> None:
    """Without what was taken back already; a damaged record hides no other."""
    assert "none to take back" in known(tmp_path)
    for number in range(1, 24):
        kept(tmp_path, f"p-{number}", number, undone=number == 22)
    (tmp_path / "undo" / "p-0.json").write_text("{")
    told = known(tmp_path)
    assert told.startswith("Those that can be taken back: p-23, p-21, p-20")
    assert told.endswith("p-3 and 2 more.")
    assert [r["proposal_id"] for _, r in records(tmp_path, "p-2")] == ["p-2"]
    with pytest.raises(UsageError, match="is damaged"):
        records(tmp_path, "p-0")


@pytest.mark.parametrize(
    "wrong",
    [
        {"files": {}},
        {"files": {"a.py": {"before": "?", "after": ""}}},
        {"number": "1"},
        {"diff": {}},
        {"root": 1},
        {"include": "a"},
        {"whole_project": 1},
        {"contracts": {"before": {"a|b": {}}, "after": {}}},
        {"contracts": {"before": [], "after": {}}},
    ],
)
def test_a_record_of_another_form_is_not_believed(wrong: dict[str, Any], tmp_path: Path) -> None:
    """Whichever part of it."""
    kept(tmp_path, "p-1", 1)
    file = tmp_path / "undo" / "p-1.json"
    assert read_record(file) is not None
    file.write_text(json.dumps(json.loads(file.read_text()) | wrong))
    with pytest.raises(UsageError, match="is damaged"):
        read_record(file)


def test_only_later_commits_to_the_same_file_stand_in_the_way(tmp_path: Path) -> None:
    """Of the same project, and not taken back."""
    state = tmp_path / "s"
    first = kept(state, "p-2", 2)
    other = {"files": {"b.py": first["files"]["a.py"]}}
    for pid, number, more in (("p-1", 1, {}), ("p-3", 3, {"undone": True}), ("p-4", 4, other), ("p-5", 5, {})):
        kept(state, pid, number, **more)
    kept(state, "p-6", 6, root="../q")
    history = CommitHistory.__new__(CommitHistory)
    history.state = state
    history.project = lambda: type("P", (), {"root": tmp_path / "p"})()  # type: ignore[assignment, return-value]
    assert history.later(first, "a.py") == "; take back p-5 first"
    assert history.later(first, "none.py") == ""


def test_undo_names_the_project_of_the_commit(tmp_path: Path) -> None:
    """By the folder that is given, where two share an output folder; nothing for an id that could be a path."""
    state = tmp_path / "s"
    for name in "pq":
        (tmp_path / name / "agents").mkdir(parents=True)
        kept(state, "p-1", 1, root=f"../{name}", target=f"../{name}/agents", whole_project=f"../{name}")
    with pytest.raises(UsageError, match="2 projects that share"):
        undo_target(str(state), "p-1")
    for given in (tmp_path / "q", tmp_path / "q" / "agents"):
        found = undo_target(str(state), "p-1", str(given))
        assert found["root_package"] == str(tmp_path / "q" / "agents")
        assert found["whole_project"] == str(tmp_path / "q")
    for pid, root, why in (
        ("p-1", str(tmp_path), "no commit to the project at"),
        ("../undo/p-1", None, "not among the commits"),
        ("p-1/..", None, "not among the commits"),
    ):
        with pytest.raises(UsageError, match=why):
            undo_target(str(state), pid, root)


def test_a_journal_that_lies_there_is_told(tmp_path: Path) -> None:
    """By commands that only read; of any of the folders."""
    assert warning(tmp_path, tmp_path / "s") is None
    (tmp_path / "s" / "commit").mkdir(parents=True)
    (tmp_path / "s" / "commit" / "journal").write_text("")
    assert "cut off" in str(warning(tmp_path, tmp_path / "s"))
