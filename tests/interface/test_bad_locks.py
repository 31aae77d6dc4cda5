"""A lock that somebody edited, and a table that one side left: a sentence each, and nothing passes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.main import main
from tests.interface.test_sharing import SENDS, TAKES, commit, git, repositories, table, verify

__all__ = ["repositories"]


@pytest.mark.parametrize(
    ("edit", "code", "sentence"),
    [
        ({"hash": "sha256:" + "0" * 64}, 1, "its hash does not fit"),
        ({"hash": "none"}, 2, "is not a pin"),
        ({"version": 7}, 1, "history was rewritten"),
        ({"version": 0}, 2, "is not a pin"),
        ({"version": -1}, 2, "is not a pin"),
        ({"version": True}, 2, "is not a pin"),
        ({"side": "both"}, 2, "is not a pin"),
        ({"source": "../nowhere"}, 1, "failed"),
        ({"file": "contracts/other.contract.json"}, 1, "has no contracts/other.contract.json"),
        ({"branch": "nowhere"}, 1, "failed"),
        ({"shows": []}, 3, "nothing shows what the code does"),
        ({"shows": [1]}, 2, "is not a pin"),
        ({"peer": "../nowhere"}, 3, "what the other side found is not known"),
        ({"more": 1}, 2, "is not a pin"),
    ],
)
def test_a_lock_that_was_edited_passes_nowhere(
    edit: dict[str, Any],
    code: int,
    sentence: str,
    repositories: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each field by itself, on the side that fetches."""
    lock = repositories[1] / "contracts.lock"
    lock.write_text(json.dumps(json.loads(lock.read_text()) | edit) + "\n")
    ended, said = verify(repositories[1], capsys)
    assert (ended, sentence in said) == (code, True), said


def test_a_lock_with_two_lines_of_one_pin_is_refused(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """A merge leaves both lines; which one counts, nobody knows."""
    lock = repositories[1] / "contracts.lock"
    lock.write_text(lock.read_text() * 2)
    code, said = verify(repositories[1], capsys)
    assert (code, "pins orders twice" in said) == (2, True), said


def test_a_first_table_that_one_side_left_cannot_be_pinned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only one side signed what is on the table."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    git(tmp_path, "init", "-q")
    where = table(tmp_path)
    where.open("shop", "billing")
    where.table("producer", SENDS)
    where.table("consumer", TAKES)
    assert where.accept("producer", where.look().data["pair"]).ok
    assert main(["contracts", "pin", "contracts#orders", "--as", "producer", "--project", str(tmp_path)]) == 2
    assert "Only the producer signed what is on the table" in capsys.readouterr().err


def test_a_later_table_that_one_side_left_leaves_what_was_signed(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The branch with the open table is red; what is pinned goes on, and what is not signed cannot be pinned."""
    shop, billing = repositories
    assert table(shop).allow("consumer", False).ok
    commit(shop)
    git(shop, "checkout", "-q", "-b", "left")
    assert table(shop).table("producer", {**SENDS, "title": "Order"}).ok
    commit(shop)
    code, said = verify(shop, capsys)
    assert (code, "waits for shop and billing" in said) == (1, True), said
    git(shop, "checkout", "-q", "main")
    assert verify(shop, capsys)[0] == 0
    code, said = verify(billing, capsys)
    assert (code, "is proposed on branch left and fits you" in said) == (0, True), said
    pin = ["contracts", "pin", f"{shop}#orders@2", "--as", "consumer", "--branch", "left", "--project", str(billing)]
    assert main(pin) == 2
    assert "has versions 1 to 1" in capsys.readouterr().err


@pytest.mark.parametrize("peer", ["https://a:b@example.org/x", "-u"])
def test_a_peer_that_the_lock_must_not_hold_is_refused(peer: str, repositories: tuple[Path, Path]) -> None:
    """A password, and a word that git would read as an option."""
    pin = ["contracts", "pin", "contracts#orders", "--as", "producer", f"--peer={peer}"]
    before = (repositories[0] / "contracts.lock").read_bytes()
    assert main([*pin, "--project", str(repositories[0])]) == 2
    assert (repositories[0] / "contracts.lock").read_bytes() == before
