"""The shelf shows negotiations of all three kinds, and each as it stood earlier."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.examples import example
from graphbus_core.workspace.negotiations import NegotiationShelf


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
