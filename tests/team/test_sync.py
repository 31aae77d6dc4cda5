"""`team sync`: what landed comes in, and no byte of what was not committed is lost, whenever it is cut off."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from graphbus_core.errors import LogDamaged, UsageError
from graphbus_core.services import team
from graphbus_core.sessions.team.sync import WorktreeSync
from tests.team.conftest import Team

MakeTeam = Callable[[], Team]


def _land_count(table: Team) -> None:
    table.plan("ada", "shop/cart.py::Cart.count: body")
    table.replace("ada", "shop/cart.py", "return len(self.items)", "return sum(1 for _ in self.items)")
    table.commit(table.seats["ada"], "count")
    assert table.land("ada")["landing"]["status"] == "landed"


def test_what_landed_and_what_was_not_committed_are_both_there(make_team: MakeTeam) -> None:
    """Edits in the same file, a staged file, an untracked one, and one that was deleted."""
    table = make_team().start("ada", "bob")
    _land_count(table)
    bob = table.seats["bob"]
    table.replace("bob", "shop/cart.py", "tax=0.2):\n    price", "tax=0.25):\n    price")
    table.write(bob, {"staged.txt": "staged", "new.py": "x = 1\n"})
    table.git(bob, "add", "staged.txt")
    (bob / "shop/bill.py").unlink()
    done = team.sync(bob, clock=table.clock)
    assert done["status"] == "synced"
    text = (bob / "shop/cart.py").read_text()
    assert "tax=0.25" in text
    assert "sum(1 for _ in self.items)" in text
    assert (bob / "staged.txt").read_text() == "staged"
    assert (bob / "new.py").read_text() == "x = 1\n"
    assert not (bob / "shop/bill.py").exists()
    assert table.git(bob, "rev-parse", "HEAD") == table.git(table.root, "rev-parse", "main")
    assert "staged.txt" in table.git(bob, "ls-tree", "-r", "--name-only", done["kept"])
    assert team.sync(bob, clock=table.clock)["status"] == "current"


def test_a_branch_with_commits_gets_a_merge(make_team: MakeTeam) -> None:
    """Both parents are there, and the branch can land."""
    table = make_team().start("ada", "bob")
    _land_count(table)
    table.plan("bob", "shop/bill.py::count_lines: body")
    table.replace("bob", "shop/bill.py", 'text.count("x")', 'text.count("y")')
    table.commit(table.seats["bob"], "bob")
    assert team.sync(table.seats["bob"], clock=table.clock)["status"] == "synced"
    assert len(table.git(table.seats["bob"], "log", "-1", "--format=%P").split()) == 2
    assert table.land("bob")["landing"]["status"] == "landed"


def test_what_does_not_fit_is_named_and_nothing_is_touched(make_team: MakeTeam) -> None:
    """The same statement, changed otherwise and not committed."""
    table = make_team().start("ada", "bob")
    _land_count(table)
    bob = table.seats["bob"]
    table.replace("bob", "shop/cart.py", "return len(self.items)", "return 2 * len(self.items)")
    before = (bob / "shop/cart.py").read_bytes(), table.git(bob, "rev-parse", "HEAD")
    done = team.sync(bob, clock=table.clock)
    assert done["status"] == "refused"
    assert "Cart.count" in done["text"]
    assert before == ((bob / "shop/cart.py").read_bytes(), table.git(bob, "rev-parse", "HEAD"))


@pytest.mark.parametrize(
    "step", ["read-tree --reset", "update-ref -m team sync refs/heads", "read-tree", "update-index"]
)
def test_a_kill_at_any_step_loses_nothing_and_is_finished(
    make_team: MakeTeam, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """The next sync finishes it; everything is there as if nothing had happened."""
    table = make_team().start("ada", "bob")
    _land_count(table)
    bob = table.seats["bob"]
    table.replace("bob", "shop/cart.py", "tax=0.2):\n    price", "tax=0.25):\n    price")
    table.write(bob, {"new.py": "x = 1\n"})
    with monkeypatch.context() as patch:
        from graphbus_core.commit.landing.repository import Repository

        run, moving = Repository.run, []

        def fail(self: Repository, *words: str, **options: object) -> str:
            if (table.root / ".git/graphbus/team/sync-bob.json").exists() and " ".join(words).startswith(step):
                moving.append(words)
                if step != "read-tree" or len(words) == 2:
                    raise KeyboardInterrupt
            return run(self, *words, **options)  # type: ignore[arg-type]

        patch.setattr(Repository, "run", fail)
        with pytest.raises(KeyboardInterrupt):
            team.sync(bob, clock=table.clock)
        assert moving
    done = team.sync(bob, clock=table.clock)
    assert done["text"].startswith("A sync that was cut off is finished.")
    text = (bob / "shop/cart.py").read_text()
    assert "tax=0.25" in text
    assert "sum(1 for _ in self.items)" in text
    assert (bob / "new.py").read_text() == "x = 1\n"
    assert table.git(bob, "rev-parse", "HEAD") == table.git(table.root, "rev-parse", "main")


def test_a_file_that_was_edited_after_a_kill_is_left_alone(
    make_team: MakeTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named with the ref that holds what was before."""
    table = make_team().start("ada", "bob")
    _land_count(table)
    bob = table.seats["bob"]
    table.write(bob, {"new.py": "x = 1\n"})
    with monkeypatch.context() as patch:
        patch.setattr(WorktreeSync, "_finish", lambda self, steps: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            team.sync(bob, clock=table.clock)
    table.write(bob, {"new.py": "x = 2\n"})
    with pytest.raises(LogDamaged, match=r"new\.py was edited since"):
        team.sync(bob, clock=table.clock)
    assert (bob / "new.py").read_text() == "x = 2\n"
    assert json.loads((table.root / ".git/graphbus/team/sync-bob.json").read_text())["old"]


def test_another_branch_or_a_merge_under_way_is_said(make_team: MakeTeam) -> None:
    """A sentence, and nothing moves."""
    table = make_team().start("ada", "bob")
    _land_count(table)
    table.git(table.seats["bob"], "switch", "-q", "-c", "other")
    with pytest.raises(UsageError, match="another branch checked out"):
        team.sync(table.seats["bob"], clock=table.clock)
