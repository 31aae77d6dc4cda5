"""The shelf shows negotiations of all three kinds, and each as it stood earlier."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.examples import example
from graphbus_core.cli.main import main
from graphbus_core.errors import UsageError
from graphbus_core.participants.people.desk import Desk
from graphbus_core.services.activity_watcher import ActivityWatcher
from graphbus_core.services.queries.negotiations import NegotiationShelf, name_directories
from graphbus_core.services.questions.inbox import Inbox
from graphbus_core.services.questions.seats import SeatLinks
from graphbus_core.sessions.document.directory import NegotiationDirectory


def test_consent_negotiations_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A consent negotiation stands on the shelf with its conversation and its satisfaction."""
    monkeypatch.chdir(tmp_path)
    assert main(["consent", "run", str(example("consent") / "storage.yaml")]) == 0
    shelf = NegotiationShelf(Path(".graphbus"))
    (short,) = shelf.list_negotiations()
    assert (short["kind"], short["state"]) == ("consent", "ended")
    told = shelf.get(short["id"])["log"]
    assert told["status"] == "DONE"
    assert {"advocate", "proposal", "consent"} <= {turn["kind"] for turn in told["turns"]}
    assert all(0 <= share <= 1 for shares in told["satisfaction"].values() for share in shares)
    assert len(shelf.get(short["id"], fact_number=2)["log"]["turns"]) < len(told["turns"])


SAID = (  # an issue is escalated in the last round of an agent
    ("agent-alpha", "Postgres.", ""),
    ("agent-beta", "Files.", ""),
    ("agent-alpha", "We cannot agree.", "ESCALATE"),
)


def test_document_negotiations_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document negotiation is shown with whose turn it is, and every issue."""
    monkeypatch.chdir(tmp_path)
    assert main(["negotiate", "init", "talk", "2", "60", "--max-rounds", "2"]) == 0
    Path("talk/topic.md").write_text("# Where orders are kept\n\nOne place for all of them.\n")
    for name in ("agent-alpha", "agent-beta"):
        assert main(["negotiate", "register", "talk", name, "--seat", f"{name}.seat"]) == 0
    assert main(["negotiate", "wait-for-start", "talk", "agent-alpha"]) == 0
    assert main(["negotiate", "new-issue", "talk", "storage"]) == 2  # it is alpha's turn, and nobody proves to be alpha
    assert main(["negotiate", "new-issue", "talk", "storage", "--seat", "agent-alpha.seat"]) == 0
    shelf = NegotiationShelf(Path(".graphbus"), [tmp_path / "talk"])
    (short,) = shelf.list_negotiations()
    assert (short["id"], short["kind"], short["state"]) == ("talk", "document", "unfinished")
    assert short["question"] == "Where orders are kept"
    told = shelf.get("talk")["log"]
    assert told["turn"] == "agent-alpha"
    assert [issue["status"] for issue in told["issues"]] == ["OPEN"]


def test_an_escalated_issue_is_a_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the agents could not settle is an open question, and a person's decision goes into the directory."""
    monkeypatch.chdir(tmp_path)
    _seated("talk")
    directory = NegotiationDirectory(tmp_path / "talk")
    directory.add_issue("storage", "agent-alpha")
    (stem,) = directory.read_state().issues
    for name, text, status in SAID:
        assert directory.write(name, stem, text, status=status).ok
        assert directory.hand_off(name).ok
    questions = Inbox(Desk(), [tmp_path / "talk"], SeatLinks(tmp_path / "links.json"))
    (asked,) = questions.open()
    assert (asked["kind"], asked["about"]["said"][0]["who"]) == ("rule_issue", "agent-alpha")
    with pytest.raises(UsageError):
        questions.answer(asked["id"], {})
    questions.answer(asked["id"], {"decision": "Postgres it is."})
    assert questions.open() == []
    assert directory.read_state().issues[stem].decision == "Postgres it is."


def test_a_dry_run_and_what_was_undone_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the list, in the negotiation and in `why`: what the page shows."""
    shutil.copytree(example("seed_negotiation"), tmp_path / "seed")
    monkeypatch.chdir(tmp_path / "seed")
    build = ["build", "agents", "--enable-agents", "--rounds", "1", "--model", "scripted:script.yaml"]
    assert main([*build, "--dry-run"]) == main(build) == main(["undo", "p-12d6"]) == 0
    shelf = NegotiationShelf(Path(".graphbus"))
    assert [short["dry_run"] for short in shelf.list_negotiations()] == [False, True]
    assert [shelf.get(short["id"])["log"]["dry_run"] for short in shelf.list_negotiations()] == [False, True]
    made, tried = shelf.find_proposals("FormatterService.header")
    assert (made["undone"]["at"][:2], made.get("dry_run"), tried["dry_run"]) == ("20", None, True)
    assert made["gates"]["failed"] is None


def test_two_directories_of_the_same_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a name of its own, on the shelf and in its questions; `.` has its folder's name."""
    for place in ("x", "y"):
        _talk(tmp_path / place, monkeypatch, escalated=True)
    directories = [tmp_path / "x" / "talk", tmp_path / "y" / "talk", tmp_path / "x" / ".." / "x" / "talk"]
    shelf, questions = (
        NegotiationShelf(Path(".graphbus"), directories),
        Inbox(Desk(), directories, SeatLinks(Path("links.json"))),
    )
    assert [short["id"] for short in shelf.list_negotiations()] == ["x-talk", "y-talk"]
    first, second = questions.open()
    questions.answer(second["id"], {"decision": "Postgres."})
    assert [q["id"] for q in questions.open()] == [first["id"]]
    assert NegotiationDirectory(tmp_path / "y" / "talk").read_state().issues["01-storage"].decision == "Postgres."
    monkeypatch.chdir(tmp_path / "x" / "talk")
    assert list(name_directories([Path(".")])) == ["talk"]


def test_one_damaged_log_hides_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is shown as damaged, up to the damage; the others are whole, and `why` says what may be missing."""
    shutil.copytree(example("news_pipeline"), tmp_path / "news")
    monkeypatch.chdir(tmp_path / "news")
    build = ["build", "agents", "--enable-agents", "--model", "rules", "--answers", "answers.yaml", "--dry-run"]
    assert main(build) == main(build) == 0
    shelf = NegotiationShelf(Path(".graphbus"))
    newer, older = (short["id"] for short in shelf.list_negotiations())
    log = shelf.kept.log_path(older)
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:10], lines[10].replace(b"a", b"b", 1), *lines[11:]]))
    assert [(s["id"], s["state"]) for s in shelf.list_negotiations()] == [(newer, "ended"), (older, "damaged")]
    whole = shelf.get(older)
    assert (whole["events"], "altered" in whole["damage"]) == (9, True)
    assert shelf.log(newer, 0, 1_000)["damage"] is None
    assert shelf.find_proposals("FormatterService")
    assert [d["id"] for d in shelf.list_damaged()] == [older]
    shelf.kept.answers_path(newer).write_bytes(b"{}\n")
    assert shelf.get(newer)["log"]["rounds"]


def test_what_others_do_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts of a build on the command line, and questions of a document, come up; what was there before does not."""
    shutil.copytree(example("news_pipeline"), tmp_path / "news")
    monkeypatch.chdir(tmp_path / "news")
    build = ["build", "agents", "--enable-agents", "--model", "rules", "--answers", "answers.yaml", "--dry-run"]
    assert main(build) == 0
    _talk(tmp_path, monkeypatch, escalated=False)
    monkeypatch.chdir(tmp_path / "news")
    told: list[tuple[str, dict[str, Any]]] = []
    directories = [tmp_path / "talk"]
    shelf, questions = (
        NegotiationShelf(Path(".graphbus"), directories),
        Inbox(Desk(), directories, SeatLinks(Path("links.json"))),
    )
    own: set[str] = set()
    watch = ActivityWatcher(shelf, questions, own.__contains__, lambda kind, data: told.append((kind, dict(data))))
    watch.look()
    assert told == []
    assert main(build) == 0
    _escalate(tmp_path / "talk")
    watch.look()
    newest = shelf.list_negotiations()[0]
    facts = [data for kind, data in told if data.get("build_id") == newest["id"]]
    assert len(facts) == newest["events"]
    assert {"proposal", "commit", "negotiation"} <= {kind for kind, _ in told}
    assert [data["id"] for kind, data in told if kind == "question"] == ["document/talk/01-storage"]
    told.clear()
    watch.look()
    assert told == []
    assert NegotiationDirectory(tmp_path / "talk").rule("01-storage", "Files.").ok
    watch.look()
    assert [data["id"] for kind, data in told if kind == "answered"] == ["document/talk/01-storage"]


def _talk(folder: Path, monkeypatch: pytest.MonkeyPatch, *, escalated: bool) -> None:
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    _seated("talk")
    assert main(["negotiate", "new-issue", "talk", "storage"]) == 0
    if escalated:
        _escalate(folder / "talk")


def _seated(where: str) -> None:
    """Two agents that act by name, as `RULE_DESCRIPTIONS` is said: without tokens."""
    assert main(["negotiate", "init", where, "2", "60", "--max-rounds", "2"]) == 0
    for name in ("agent-alpha", "agent-beta"):
        assert main(["negotiate", "register", where, name, "--trust", "names"]) == 0
    assert main(["negotiate", "wait-for-start", where, "agent-alpha"]) == 0


def _escalate(folder: Path) -> None:
    directory = NegotiationDirectory(folder)
    (stem,) = directory.read_state().issues
    for name, text, status in SAID:
        assert directory.write(name, stem, text, status=status).ok
        assert directory.hand_off(name).ok
