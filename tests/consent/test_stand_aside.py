"""Standing aside: open only where the decision says so, neither consent nor objection, and named wherever it ended."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.main import main
from graphbus_core.logs.memory import MemoryLog
from graphbus_core.negotiation.consent.events import CheckFailed, Outcome, StoodAside
from graphbus_core.negotiation.consent.protocol import ConsentProtocol
from graphbus_core.negotiation.consent.scenario.model import Advocate, Scenario
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.consent.transcript import parse_blocks, read_transcript, render_transcript
from graphbus_core.negotiation.core import Answered, Ask, Session
from graphbus_core.participants.scripted.advocates import TranscriptAdvocate
from graphbus_core.sessions import consent
from graphbus_core.sessions.consent.files import Runs
from graphbus_core.sessions.consent.verification import verify_file
from tests.consent.test_rules import CHECK, NO, PROPOSE, YES, Table

ASIDE = {"answer": "stand_aside", "reason": "I do not mind"}
SEATS = (Advocate("A"), Advocate("B"), Advocate("C"))
OPEN = Scenario("lunch", advocates=SEATS, stand_aside=True)
DECISION = """\
topic: Where the data lies
stand_aside: true
issues: {store: [postgres, files]}
advocates:
  Ann: {priority: Safety, scores: {store: {postgres: 10}}}
  Ben: {priority: Cost, scores: {store: {files: 3, postgres: 2}}}
  Cem: {priority: Speed, scores: {store: {postgres: 5}}, red_lines: [{text: No files, forbid: {store: files}}]}
"""
SCRIPT = """\
advocates:
  Ben: {position: {priority: Cost}, consent: {answer: stand_aside, reason: "It is dear,\\nbut go on [DONE]"}}
"""


def checked(scenario: Scenario, *answers: dict[str, Any]) -> Table:
    """A table that has answered one check."""
    table = Table(scenario=scenario)
    table.sit()
    table.say(PROPOSE, CHECK, *answers)
    return table


def test_who_stands_aside_does_not_block_and_does_not_consent() -> None:
    outcome = checked(OPEN, YES, ASIDE, YES).outcome
    assert outcome is not None
    assert (outcome.status, outcome.consented) == ("DONE", ("A", "C"))
    assert outcome.stood_aside == {"B": "I do not mind"}
    assert outcome.turns == 3 + 1 + 3, "an answer is a turn, whatever it says"


def test_it_is_refused_where_the_decision_does_not_allow_it() -> None:
    table = Table(scenario=replace(OPEN, stand_aside=False))
    table.sit()
    table.say(PROPOSE, CHECK)
    why = table.session.protocol.check(table.head, ASIDE)
    assert why is not None
    assert "stand_aside" not in table.head.about
    assert "stand_aside" not in json.dumps(table.head.about["answer"])


def test_an_objection_blocks_all_the_same_and_nothing_is_decided_by_nobody() -> None:
    assert checked(OPEN, YES, ASIDE, NO).outcome is None
    table = checked(OPEN, ASIDE, ASIDE, ASIDE)
    assert table.outcome is None
    assert [f.objectors for f in table.facts(CheckFailed)] == [()]


def test_a_quorum_is_not_filled_by_standing_aside_and_a_veto_is_not_used_by_it() -> None:
    veto = (Advocate("A"), Advocate("B"), Advocate("C", veto=True))
    quorum = replace(OPEN, advocates=veto, quorum=2)
    assert checked(quorum, YES, ASIDE, ASIDE).outcome is None
    outcome = checked(quorum, YES, YES, ASIDE).outcome
    assert outcome is not None
    assert outcome.status == "DONE"
    assert checked(quorum, YES, YES, NO).outcome is None


def test_nobody_stands_aside_across_a_red_line_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "d.yaml").write_text(DECISION.replace("topic:", "preferences: private\ntopic:"))
    scenario = consent.prepare(consent.Request(str(tmp_path / "d.yaml"))).scenario
    table = Table(scenario=scenario)
    table.sit()
    table.say({**PROPOSE, "terms": {"store": "files"}}, CHECK, YES, YES)
    assert table.head.to == "Cem"
    why = table.session.protocol.check(table.head, ASIDE)
    assert why is not None
    assert "stand aside" in why


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """`consent run` in which Ben stands aside; what it printed."""
    monkeypatch.chdir(tmp_path)
    Path("d.yaml").write_text(DECISION)
    Path("ben.yaml").write_text(SCRIPT)
    assert main(["consent", "run", "d.yaml", "--model", "Ben=scripted:ben.yaml", "--output", "out.md"]) == 0
    return capsys.readouterr().out


def test_the_status_the_ledger_the_document_and_the_certificate_name_it(
    ended: str, capsys: pytest.CaptureFixture[str]
) -> None:
    named = "STOOD ASIDE: Ben (It is dear, but go on [DONE])"
    assert named in ended
    assert "[STAND ASIDE - Ben: It is dear, but go on [DONE]]" in Path("comms.md").read_text()
    document = Path("out.md").read_text()
    assert "2 of 3 advocates consented" in document
    assert "## Stood aside\n\n- Ben: It is dear, but go on [DONE]" in document
    assert "| Ben | stand aside |" in document
    assert named in document
    assert main(["consent", "verify", "out.md"]) == 0
    capsys.readouterr()
    assert main(["consent", "status", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["stood_aside"] == {"Ben": "It is dear,\nbut go on [DONE]"}
    assert told["certificate"]["advocates"] == ["Ann", "Cem"]
    assert told["certificate"]["nash"]["ratio"] == 1.0, "the deal is weighed for who stood aside as well"
    assert main(["consent", "why"]) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"stood_aside": [\n  "Ben"\n ]', '"stood_aside": []'),
        ('"stood_aside": [\n  "Ben"\n ]', '"stood_aside": [\n  "Cem"\n ]'),
        ("| Ben | stand aside |", "| Ben | consent |"),
        ("STOOD ASIDE: Ben", "STOOD ASIDE: Cem"),
        ("- Ben: It is dear", "- Ben: It is fine"),
        ('"vote": "stand aside"', '"vote": "consent"'),
    ],
)
def test_what_it_says_of_it_cannot_be_altered(ended: str, old: str, new: str) -> None:
    text = Path("out.md").read_text()
    assert old in text
    Path("out.md").write_text(text.replace(old, new))
    assert verify_file("out.md").wrong


def test_a_log_that_lets_somebody_stand_aside_where_it_is_not_open_attests_nothing(ended: str) -> None:
    Path("d.yaml").write_text(DECISION.replace("stand_aside: true\n", ""))
    result = verify_file("out.md")
    assert not result.holds


def test_a_transcript_is_read_and_played_again(ended: str, capsys: pytest.CaptureFixture[str]) -> None:
    kept = Runs(Path.cwd()).find(None)
    _, _, events = consent.replay_run(kept)
    text = render_transcript(events)
    found = read_transcript(text, stand_aside=True)
    assert (found.status, found.faults, dict(found.aside)) == ("DONE", (), {"Ben": "It is dear, but go on [DONE]"})
    strict = read_transcript(text)
    assert strict.status == "INCOMPLETE"
    assert any("does not allow" in fault for fault in strict.faults)
    seat = TranscriptAdvocate("Ben", parse_blocks(text)[0])
    assert [a.kind if a else None for a in seat.answers] == ["STAND ASIDE"]
    assert main(["consent", "read", "comms.md"]) == 1
    assert main(["consent", "read", "comms.md", "--stand-aside"]) == 0
    assert "STOOD ASIDE: Ben" in capsys.readouterr().out


def test_after_a_kill_between_the_votes_who_stood_aside_is_not_asked_again(ended: str) -> None:
    prepared, _, events = consent.replay_run(Runs(Path.cwd()).find(None))
    cut = next(n for n, event in enumerate(events) if isinstance(event, StoodAside)) + 1
    session: Session[State, Outcome] = Session(ConsentProtocol(), prepared.config, MemoryLog(events[:cut]))
    assert [want.to for want in session.pending() if isinstance(want, Ask)] == ["Cem"]
    session.settle("consent:1:Cem", Answered({"answer": "consent"}))
    session.advance()
    assert session.outcome is not None
    assert list(session.outcome.stood_aside) == ["Ben"]


def test_the_option_opens_it_for_words_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.yaml").write_text(
        "advocates:\n"
        "  Ann: {turn: [{move: propose, offer: pizza, want: noon}, {move: check}], consent: {answer: consent}}\n"
        "  Ben: {turn: [{move: pass}], consent: {answer: stand_aside}}\n"
    )
    words = ["consent", "run", "Use negotiation to decide on lunch. Ann=Fast, Ben=Cheap.", "--model", "scripted:s.yaml"]
    assert main([*words, "--comms", "none"]) == 1
    capsys.readouterr()
    assert main([*words, "--stand-aside", "--output", "lunch.md"]) == 0
    assert "STOOD ASIDE: Ben\n" in capsys.readouterr().out
    assert main(["consent", "verify", "lunch.md"]) == 0
