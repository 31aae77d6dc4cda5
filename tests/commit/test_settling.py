"""What a crash left is settled where it belongs, and only if it was begun here; records know their project."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import stat
import threading
import time
from pathlib import Path

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.build import build_project
from graphbus_core.cli.main import main
from graphbus_core.commit import CommitEngine, undo_proposal
from graphbus_core.commit.disk import RealDisk
from graphbus_core.commit.transaction import FileChange, TransactionResult, commit_changes, is_cut_off, recover
from graphbus_core.config import BuildConfig
from graphbus_core.errors import LogDamaged, UsageError
from graphbus_core.storage import signing
from tests.commit.projects import CLEAN, FETCH, about, engine, texts, write

BODY = {"op": "replace_body", **CLEAN, "body": "return {'items': list(headlines)}"}
OTHER = {"op": "replace_body", **FETCH, "body": "return {'headlines': [], 'source': url}"}


class Crash(BaseException):
    """The process is gone."""


class CrashingDisk(RealDisk):
    """Dies before the second file changes names."""

    swaps = 0

    def exchange(self, path: str, other: str) -> bool:
        self.swaps += 1
        if self.swaps == 2:
            raise Crash
        return super().exchange(path, other)


def config(root: Path, state: Path | None = None) -> BuildConfig:
    return BuildConfig(str(root / "agents"), output_dir=str(state or root / ".graphbus"))


def cut_off(root: Path, state: Path | None = None) -> dict[str, str]:
    """A commit of two files that dies between them; gives what they were."""
    before = texts(root)
    state = state or root / ".graphbus"
    disk = CrashingDisk(root, state)
    with pytest.raises(Crash), CommitEngine(scan(root / "agents"), config(root, state), disk=disk) as commits:
        commits.apply("commit", about("p-1", BODY, OTHER))
    assert is_cut_off(state)
    assert sum(texts(root)[p] != before[p] for p in before) == 1
    return before


def is_whole(root: Path, before: dict[str, str]) -> bool:
    """Both files are new, and nothing lies beside them."""
    new = {p for p, text in texts(root).items() if text != before[p]}
    left = [p.name for p in (root / "agents").iterdir() if p.name.startswith(".")]
    return new == {"agents/cleaner.py", "agents/fetcher.py"} and not left


@pytest.fixture(autouse=True)
def _own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))


# ---- every build settles


def test_a_plain_build_settles_before_it_freezes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """And says so."""
    before = cut_off(root := write(tmp_path / "p"))
    build_project(config(root))
    assert is_whole(root, before)
    assert not is_cut_off(root / ".graphbus")
    assert "has been finished" in caplog.text


def test_commands_that_read_say_that_files_may_be_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They write nothing."""
    cut_off(root := write(tmp_path / "p"))
    monkeypatch.chdir(root)
    now = texts(root)
    for command in ("validate", "inspect"):
        main([command, "agents"])
        assert "cut off" in capsys.readouterr().err
    assert texts(root) == now
    with pytest.raises(UsageError, match="settle first"), engine(root, dry_run=True):
        pass


# ---- one output folder, two projects


def test_another_project_that_shares_the_output_folder_settles_it_where_it_belongs(tmp_path: Path) -> None:
    """Its recovery is not destroyed, and its own files stay."""
    one, two = write(tmp_path / "one"), write(tmp_path / "two")
    before, state = cut_off(one, tmp_path / ".graphbus"), tmp_path / ".graphbus"
    others = texts(two)
    with CommitEngine(scan(two / "agents"), config(two, state)) as commits:
        assert any(str(one) in note and "finished" in note for note in commits.notes)
    assert is_whole(one, before)
    assert texts(two) == others


def test_two_projects_may_agree_on_the_same_id(tmp_path: Path) -> None:
    """Each commit is taken back in its own project, and which one is asked where it is not clear."""
    one, two, state = write(tmp_path / "one"), write(tmp_path / "two"), tmp_path / ".graphbus"
    before = texts(one)
    for root in (one, two):
        with CommitEngine(scan(root / "agents"), config(root, state)) as commits:
            assert commits.apply("commit", about("p-1", BODY))["status"] == "committed"
    settings = BuildConfig(".", output_dir=str(state))
    with pytest.raises(UsageError, match=r"2 projects.*--root .*one.*--root .*two"):
        undo_proposal(settings, "p-1")
    assert undo_proposal(settings, "p-1", root=str(two))[0]["status"] == "committed"
    assert texts(two) == before
    assert texts(one) != before
    assert undo_proposal(settings, "p-1")[0]["status"] == "committed"
    assert texts(one) == before
    with pytest.raises(UsageError, match="taken back already"):
        undo_proposal(settings, "p-1", root=str(one))


# ---- copies and moves


@pytest.mark.parametrize("how", ["copied", "moved"])
def test_a_project_that_was_copied_or_moved_means_itself(how: str, tmp_path: Path) -> None:
    """Undo never reaches back to where the project was."""
    root = write(tmp_path / "p")
    before = texts(root)
    with engine(root) as commits:
        assert commits.apply("commit", about("p-1", BODY))["status"] == "committed"
    committed = texts(root)
    here = tmp_path / "elsewhere" / "q"
    here.parent.mkdir()
    if how == "copied":
        shutil.copytree(root, here)
    else:
        root.rename(here)
    undo_proposal(BuildConfig(".", output_dir=str(here / ".graphbus")), "p-1")
    assert texts(here) == before
    assert how == "moved" or texts(root) == committed


def test_an_absolute_path_of_an_older_version_is_used_only_for_the_project_here(tmp_path: Path) -> None:
    """Else the user says where."""
    root = write(tmp_path / "p")
    before = texts(root)
    with engine(root) as commits:
        commits.apply("commit", about("p-1", BODY))
    file = root / ".graphbus" / "undo" / "p-1.json"
    record = json.loads(file.read_text())
    del record["root"], record["target"]
    file.write_text(json.dumps({**record, "root_package": str(root / "agents")}))
    committed = texts(root)
    copy = tmp_path / "copy"
    shutil.copytree(root, copy)
    settings = BuildConfig(".", output_dir=str(copy / ".graphbus"))
    with pytest.raises(UsageError, match=r"not the project here.*--root"):
        undo_proposal(settings, "p-1")
    undo_proposal(settings, "p-1", root=str(copy / "agents"))
    assert texts(copy) == before
    assert texts(root) == committed
    undo_proposal(BuildConfig(".", output_dir=str(root / ".graphbus")), "p-1")
    assert texts(root) == before


# ---- a journal that was not begun here


def journal(path: str, before: bytes | None, **more: object) -> bytes:
    """One as somebody else would write it, checksum and all."""
    text = None if before is None else base64.b64encode(before).decode()
    files = [{"path": path, "before": text, "after": base64.b64encode(b"#!/bin/sh\nevil\n").decode()}]
    body = json.dumps({"format": 2, "id": "abc", "root": "..", "files": files, **more}).encode()
    return body + b"\n" + hashlib.sha256(body).hexdigest().encode() + b"\n"


@pytest.mark.parametrize(
    "path", ["project/agents/cleaner.py", "project/conftest.py", "project/.git/hooks/pre-commit", "project/../x.py"]
)
@pytest.mark.parametrize("more", [{}, {"format": 1}, {"files": [3]}, {"files": None}])
def test_a_planted_journal_writes_nothing(path: str, more: dict[str, object], tmp_path: Path) -> None:
    """It came with an archive, or with a pull; every build refuses it and says what to do."""
    root = write(tmp_path / "p")
    (root / ".git" / "hooks").mkdir(parents=True)
    (root / ".graphbus" / "commit").mkdir(parents=True)
    old = (root / "agents" / "cleaner.py").read_bytes() if path.endswith("cleaner.py") else None
    sealed = journal(path, old, **more) + hashlib.sha256(b"guess").hexdigest().encode() + b"\n"
    (root / ".graphbus" / "commit" / "journal").write_bytes(sealed)
    before = {p: p.read_bytes() for p in root.rglob("*") if p.is_file()}
    with pytest.raises(LogDamaged, match="delete it"):
        build_project(config(root))
    with pytest.raises(LogDamaged), engine(root):
        pass
    now = {p: p.read_bytes() for p in root.rglob("*") if p.is_file() and p.name != "lock"}
    assert now == before


@pytest.mark.parametrize(
    "path", ["project/conftest.py", "project/.git/hooks/x", "project/a/../../x.py", "state/x.json"]
)
def test_even_a_sealed_journal_goes_through_the_door(path: str, tmp_path: Path) -> None:
    """No commit ever writes there."""
    (tmp_path / "p").mkdir()
    (tmp_path / "s" / "commit").mkdir(parents=True)
    made = journal(path, None)
    body = made.split(b"\n")[0]
    (tmp_path / "s" / "commit" / "journal").write_bytes(made + signing.load_machine_seal().sign(body) + b"\n")
    with pytest.raises(LogDamaged, match="no commit may"):
        recover(RealDisk(tmp_path / "p", tmp_path / "s"))


def test_the_key_is_for_this_user_alone_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that others could have read or placed is not used; then the second place serves."""
    places = [tmp_path / "xdg" / "graphbus", tmp_path / "second"]
    monkeypatch.setattr(signing, "_list_key_folders", lambda: iter(places))
    first = signing.load_machine_seal()
    file = tmp_path / "xdg" / "graphbus" / "journal.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert signing.load_machine_seal() == first
    assert repr(first.keys[0]) not in repr(first)
    file.chmod(0o644)
    other = signing.load_machine_seal()
    assert first.keys[0] not in other.keys
    assert signing.Seal(other.keys[:1]).fits(b"x", other.sign(b"x"))
    assert not first.fits(b"x", other.sign(b"x"))
    file.chmod(0o600)
    assert signing.load_machine_seal().keys == (*first.keys, *other.keys)  # what was sealed meanwhile is still known


# ---- damaged records


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", "null", '{"files": {"a.py": 3}}', '{"files": {"a": {"before": "!"}}}']
)
def test_a_damaged_record_is_named(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One paragraph, exit code 2; other commits can still be taken back."""
    root = write(tmp_path / "p")
    with engine(root) as commits:
        commits.apply("commit", about("p-1", BODY))
        commits.apply("commit", about("p-2", OTHER))
        commits.undo("p-2")
    (root / ".graphbus" / "undo" / "p-3.json").write_text(text)
    output = ["--output-dir", str(root / ".graphbus")]
    assert main(["undo", "p-3", *output]) == 2
    said = capsys.readouterr().err
    assert "is damaged" in said
    assert "Traceback" not in said
    assert main(["undo", "p-2", *output]) == 2
    assert "Those that can be taken back: p-1." in capsys.readouterr().err
    assert main(["undo", "p-1", *output]) == 0


# ---- who else writes


def test_what_is_written_through_an_open_file_is_not_lost(tmp_path: Path) -> None:
    """An editor that writes into the file itself, and has it open while it changes names."""
    project, state = tmp_path / "p", tmp_path / "s"
    project.mkdir()
    state.mkdir()
    file = project / "a.py"
    file.write_bytes(b"old\n")
    opened = os.open(file, os.O_WRONLY | os.O_APPEND)

    def late() -> None:
        time.sleep(0.15)
        os.write(opened, b"mine\n")
        os.close(opened)

    writer = threading.Thread(target=late)
    writer.start()
    result = commit_changes(RealDisk(project, state), [FileChange("project/a.py", b"old\n", b"new\n")])
    writer.join()
    assert result is TransactionResult.SUPERSEDED
    assert file.read_bytes() == b"old\nmine\n"


def test_owner_rights_and_attributes_stay(tmp_path: Path) -> None:
    """As far as they may be given."""
    root = write(tmp_path / "p")
    file = root / "agents" / "cleaner.py"
    try:
        os.setxattr(file, "user.note", b"hi")
    except OSError:
        pytest.skip("no attributes on this file system")
    if os.getuid() == 0:
        os.chown(file, 1234, 1234)
    file.chmod(0o640)
    was = file.stat()
    with engine(root) as commits:
        assert commits.apply("commit", about("p-1", BODY))["status"] == "committed"
    now = file.stat()
    assert (now.st_uid, now.st_gid, now.st_mode) == (was.st_uid, was.st_gid, was.st_mode)
    assert os.getxattr(file, "user.note") == b"hi"


def test_a_file_that_is_read_only_is_refused(tmp_path: Path) -> None:
    """Its owner shut it; it may still be read."""
    root = write(tmp_path / "p")
    file = root / "agents" / "cleaner.py"
    file.chmod(0o444)
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", BODY))
        assert (receipt["status"], receipt["gate"]) == ("failed", "path")
        assert "read-only" in receipt["reason"]
        assert commits.apply("commit", about("p-2", OTHER))["status"] == "committed"
