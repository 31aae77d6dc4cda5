"""The shelf shows negotiations of all three kinds, and each as it stood earlier."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.errors import UsageError
from graphbus_core.examples import example
from graphbus_core.participants.desk import Desk
from graphbus_core.stores.directory import NegotiationDirectory
from graphbus_core.workspace.negotiations import NegotiationShelf
from graphbus_core.workspace.questions import Questions


def test_consent_negotiations_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A consent negotiation stands on the shelf with its conversation and its satisfaction."""
    monkeypatch.chdir(tmp_path)
    assert main(["consent", "run", str(example("consent") / "storage.yaml")]) == 0
    shelf = NegotiationShelf(Path(".graphbus"))
    (short,) = shelf.all()
    assert (short["kind"], short["state"]) == ("consent", "ended")
    told = shelf.get(short["id"])["log"]
    assert told["status"] == "DONE"
    assert {"advocate", "proposal", "consent"} <= {turn["kind"] for turn in told["turns"]}
    assert all(0 <= share <= 1 for shares in told["satisfaction"].values() for share in shares)
    assert len(shelf.get(short["id"], at=2)["log"]["turns"]) < len(told["turns"])


def test_document_negotiations_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document negotiation is shown with whose turn it is, and every issue."""
    monkeypatch.chdir(tmp_path)
    for command in ("init talk 2 60", "register talk agent-alpha", "register talk agent-beta"):
        assert main(["negotiate", *command.split()]) == 0
    assert main(["negotiate", "wait-for-start", "talk", "agent-alpha"]) == 0
    assert main(["negotiate", "new-issue", "talk", "storage"]) == 0
    shelf = NegotiationShelf(Path(".graphbus"), [tmp_path / "talk"])
    (short,) = shelf.all()
    assert (short["id"], short["kind"], short["state"]) == ("talk", "document", "unfinished")
    told = shelf.get("talk")["log"]
    assert told["turn"] == "agent-alpha"
    assert [issue["status"] for issue in told["issues"]] == ["OPEN"]


def test_an_escalated_issue_is_a_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the agents could not settle is an open question, and a person's decision goes into the directory."""
    monkeypatch.chdir(tmp_path)
    for command in ("init talk 2 60", "register talk agent-alpha", "register talk agent-beta"):
        assert main(["negotiate", *command.split()]) == 0
    assert main(["negotiate", "wait-for-start", "talk", "agent-alpha"]) == 0
    directory = NegotiationDirectory(tmp_path / "talk")
    directory.new_issue("storage", "agent-alpha")
    (stem,) = directory.look().issues
    for name, text, status in (("agent-alpha", "Postgres.", ""), ("agent-beta", "We cannot agree.", "ESCALATE")):
        assert directory.write(name, stem, text, status=status).ok
        assert directory.hand_off(name).ok
    questions = Questions(Desk(), [tmp_path / "talk"])
    (asked,) = questions.open()
    assert (asked["kind"], asked["about"]["said"][0]["who"]) == ("rule_issue", "agent-alpha")
    with pytest.raises(UsageError):
        questions.answer(asked["id"], {})
    questions.answer(asked["id"], {"decision": "Postgres it is."})
    assert questions.open() == []
    assert directory.look().issues[stem].decision == "Postgres it is."


def test_a_dry_run_and_what_was_undone_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the list, in the negotiation and in `why`: what the page shows."""
    shutil.copytree(example("seed_negotiation"), tmp_path / "seed")
    monkeypatch.chdir(tmp_path / "seed")
    build = ["build", "agents", "--enable-agents", "--rounds", "1", "--model", "scripted:script.yaml"]
    assert main([*build, "--dry-run"]) == main(build) == main(["undo", "p-12d6"]) == 0
    shelf = NegotiationShelf(Path(".graphbus"))
    assert [short["dry_run"] for short in shelf.all()] == [False, True]
    assert [shelf.get(short["id"])["log"]["dry_run"] for short in shelf.all()] == [False, True]
    made, tried = shelf.why("FormatterService.header")
    assert (made["undone"]["at"][:2], made.get("dry_run"), tried["dry_run"]) == ("20", None, True)
    assert made["gates"]["failed"] is None
