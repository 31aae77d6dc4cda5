"""All files or none: whatever call a crash, a fault or somebody's edit falls on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphbus_core.commit.disk import RealDisk
from graphbus_core.commit.transaction import JOURNAL, FileChange, TransactionResult, commit_changes, recover
from graphbus_core.errors import LogDamaged
from tests.commit import crashes
from tests.commit.faulty_disk import FaultyDisk


@pytest.mark.parametrize("files", [1, 3, 10])
def test_after_a_power_cut_at_any_call_all_files_are_old_or_all_are_new(files: int) -> None:
    """Whatever of the names and bytes that were not durable survives."""
    tally = crashes.crashes(files)
    assert tally.tried > 50 * files**0.5
    assert tally.violations == []


def test_a_second_power_cut_inside_of_the_recovery_changes_nothing() -> None:
    """Recovery is idempotent at every call."""
    assert crashes.crashes(1, again=True).violations == []


@pytest.mark.parametrize("files", [1, 3, 10])
def test_any_call_may_fail_and_what_is_told_is_true(files: int) -> None:
    """ENOSPC, EIO, EACCES, once and for good, reads included."""
    assert crashes.faults(files).violations == []


@pytest.mark.parametrize("files", [1, 3])
def test_a_file_saved_in_the_meantime_is_never_lost(files: int) -> None:
    """Their edit stands, and the other files are all old or all new."""
    assert crashes.edits(files).violations == []


def test_an_edit_and_a_power_cut_together_lose_nothing() -> None:
    """The edit is there after recovery, at every pair of calls."""
    assert crashes.edits_and_cuts(1).violations == []


def test_the_enumeration_finds_what_is_wrong_with_plain_renames() -> None:
    """Write beside, fsync, rename, without a journal: mixed files after a cut."""

    def plain(disk: FaultyDisk, some: list[FileChange]) -> TransactionResult:
        for change in some:
            if change.after is None:
                disk.unlink(change.path)
                continue
            disk.create(f"{change.path}.x", 0o644)
            disk.write(f"{change.path}.x", change.after)
            disk.sync(f"{change.path}.x")
            disk.rename(f"{change.path}.x", change.path)
        return TransactionResult.DONE

    assert len(crashes.crashes(3, run=plain).violations) > 10
    assert len(crashes.faults(3, run=plain).violations) > 10


def test_a_system_without_exchange_still_commits() -> None:
    """Then a plain rename after a last look serves."""
    some = crashes.changes(2)
    disk = crashes.fresh(some)
    disk.can_exchange = False
    assert commit_changes(disk, some) is TransactionResult.DONE
    assert crashes.state(disk, some) == "new"


def test_a_damaged_journal_is_named_and_nothing_is_touched() -> None:
    """It says what to do next."""
    some = crashes.changes(1)
    disk = crashes.fresh(some)
    disk.put(JOURNAL, b'{"id": 1}\n0000\n')
    with pytest.raises(LogDamaged, match="checksum"):
        recover(disk)
    assert disk.read(some[0].path) == some[0].before


def test_on_a_real_disk_modes_stay_and_nothing_is_left_behind(tmp_path: Path) -> None:
    """Permissions of the old file are those of the new one."""
    project, state = tmp_path / "p", tmp_path / "s"
    (project / "agents").mkdir(parents=True)
    state.mkdir()
    file = project / "agents" / "a.py"
    file.write_bytes(b"old\n")
    file.chmod(0o755)
    disk = RealDisk(project, state)
    changes = [FileChange("project/agents/a.py", b"old\n", b"new\n"), FileChange("state/undo/p.json", None, b"{}")]
    assert commit_changes(disk, changes) is TransactionResult.DONE
    assert file.read_bytes() == b"new\n"
    assert file.stat().st_mode & 0o777 == 0o755
    assert sorted(p.name for p in tmp_path.rglob("*") if p.is_file()) == ["a.py", "p.json"]
    assert commit_changes(disk, changes) is TransactionResult.SUPERSEDED


def test_a_file_that_becomes_a_link_between_check_and_write_is_not_followed(tmp_path: Path) -> None:
    """Neither the file itself nor its folder may turn into a link on the way."""
    project, state, outside = tmp_path / "p", tmp_path / "s", tmp_path / "outside"
    (project / "agents").mkdir(parents=True)
    state.mkdir()
    outside.mkdir()
    (outside / "a.py").write_bytes(b"old\n")
    (project / "agents" / "a.py").symlink_to(outside / "a.py")
    change = [FileChange("project/agents/a.py", b"old\n", b"new\n")]
    assert commit_changes(RealDisk(project, state), change) is TransactionResult.SUPERSEDED
    os.unlink(project / "agents" / "a.py")
    os.rmdir(project / "agents")
    (project / "agents").symlink_to(outside)
    with pytest.raises(OSError):
        commit_changes(RealDisk(project, state), change)
    assert (outside / "a.py").read_bytes() == b"old\n"
    assert os.listdir(outside) == ["a.py"]
