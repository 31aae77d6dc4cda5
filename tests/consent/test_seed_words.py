"""The seeds to the letter: several `[DONE - NAME]`, `[OBJECT: reason]` as written, agents that are notified."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from graphbus_core.errors import ScenarioError, UsageError
from graphbus_core.negotiation.consent.events import Status
from graphbus_core.negotiation.consent.report import parse_record
from graphbus_core.negotiation.consent.transcript import read_transcript
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.advocates.elicitation_seats import SharedTerminal
from graphbus_core.participants.people.durable_desk import NotifiedSeat
from graphbus_core.participants.people.terminal import TerminalAdvocate
from graphbus_core.sessions import consent
from graphbus_core.sessions.consent.files import Runs
from graphbus_core.sessions.consent.preparation import Request
from graphbus_core.sessions.consent.verification import verify_file

OPENING = """\
[ADVOCATE - CC]
PRIORITY: Reliability

[ADVOCATE - CX]
PRIORITY: Speed

[ADVOCATE - GM]
PRIORITY: Security

[PROPOSAL - CC]
I OFFER: 150 ms
I WANT: at-least-once delivery

[CONSENT CHECK - GM]
"""


def test_every_done_with_a_name_is_that_seats_consent() -> None:
    """The first one does not close the check for the others."""
    done = read_transcript(OPENING + "[DONE - CC]\n[DONE - CX]\n[DONE - GM]\n[DONE] - Consensus reached.\n")
    assert (done.status, done.turns, done.faults) == (Status.DONE, 7, ())
    mixed = read_transcript(OPENING + "[DONE - CC]\n[CONSENT - CX]\n[DONE - CC]\n[DONE - GM]\n")
    assert (mixed.status, mixed.faults) == (Status.DONE, ())


def test_a_done_of_two_of_three_is_no_agreement() -> None:
    short = read_transcript(OPENING + "[DONE - CC]\n[DONE - CX]\n[OBJECT - GM: not yet [see 1]: no keys]\n[DONE]\n")
    assert short.status is Status.INCOMPLETE
    assert [e.reason for e in short.events if e.kind == "objected"] == ["not yet [see 1]: no keys"]


@pytest.mark.parametrize(
    ("typed", "body"),
    [
        ("[CONSENT]", {"answer": "consent", "hash": "h"}),
        ("[DONE]", {"answer": "consent", "hash": "h"}),
        ("[OBJECT: too slow: 200 ms]", {"answer": "object", "reason": "too slow: 200 ms"}),
    ],
)
def test_the_seeds_words_are_answers_at_the_terminal(typed: str, body: dict[str, str]) -> None:
    proposal = {"number": 1, "by": "CC", "terms": ["x"], "hash": "h"}
    about = {"topic": "t", "you": "CX", "priority": "", "proposal": proposal, "red_lines_crossed": [], "said": []}
    about |= {"issues": {}, "turns": 4, "max_turns": 30, "checks_left": 3, "work": "", "yours": {"red_lines": []}}
    seat = TerminalAdvocate(lambda prompt: typed, lambda text: None)
    assert seat._ask_consent(about) == body
    shared = SharedTerminal(lambda prompt: typed, lambda text: None)
    assert shared._read_vote({**about, "proposal": {**proposal, "terms": {"x": "a"}}}) == body


class Agent:
    """Answers at once."""

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Yes."""
        return Reply({"answer": "consent"})


def test_an_agent_is_told_once_of_each_question() -> None:
    told: list[dict[str, str]] = []
    seat = NotifiedSeat(Agent(), "run-1", lambda about: told.append(dict(about)))
    for refused in ((), ("no",)):
        asyncio.run(seat.answer(Ask("consent:1:CC", "CC", "consent", {"topic": "t"}), View((), refused)))
    assert told == [{"seat": "CC", "kind": "consent", "run": "run-1", "topic": "t"}]


TABLE = """\
topic: Where
issues: {x: [a, b]}
advocates:
  Ann: {scores: {x: {a: 2, b: 1}}}
  Ben: {scores: {x: {a: 1, b: 3}}}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.yaml").write_text(TABLE)
    return tmp_path


def test_a_certificate_as_json_is_bound_to_topic_and_names_and_read_in_one_way(here: Path) -> None:
    run = Runs(here).create()
    finished = consent.run(consent.prepare(Request("t.yaml", output="out.md")), run)
    text = json.dumps(finished.record)
    Path("c.json").write_text(text)
    assert verify_file("c.json", "t.yaml", str(run.folder)).holds
    for damaged in (
        text + "\n{}",
        text.replace('"kind"', '"kind": "certificate", "kind"', 1),
        text[:-1] + ', "x": NaN}',
    ):
        Path("d.json").write_text(damaged)
        with pytest.raises(ScenarioError):
            verify_file("d.json", "t.yaml", str(run.folder))
    for old, new in (("topic: Where", "topic: Whither"), ("Ben:", "Bem:")):
        Path("t.yaml").write_text(TABLE.replace(old, new))
        assert not verify_file("c.json", "t.yaml", str(run.folder)).holds
    Path("t.yaml").write_text(TABLE)
    document = Path("out.md").read_text()
    record = document[document.index("```json") : document.index("\n```", document.index("```json")) + 4]
    Path("twice.md").write_text(document + "\n" + record + "\n")
    with pytest.raises(ScenarioError, match="second record"):
        verify_file("twice.md", "t.yaml", str(run.folder))


def test_a_key_that_stands_twice_is_told() -> None:
    with pytest.raises(ValueError, match="'a' stands there twice"):
        parse_record('{"a": {"a": 1, "a": 2}}')


@pytest.mark.parametrize("name", ["Аnn", "ANN", "An​n", "Ａnn"])
def test_names_that_look_alike_are_refused_at_the_start(here: Path, name: str) -> None:
    """Cyrillic, another case, an invisible sign, full width."""
    Path("t.yaml").write_text(TABLE.replace("  Ben:", f'  "{name}":'))
    with pytest.raises(UsageError, match=r"look alike|told apart"):
        consent.prepare("t.yaml")


@pytest.mark.parametrize("person", ["Ann", "АNN"])
def test_one_person_does_not_sit_twice(here: Path, person: str) -> None:
    """By its own name, or by one that looks like it."""
    Path("t.yaml").write_text(TABLE.replace("Ben: {", f'Ben: {{person: "{person}", '))
    with pytest.raises(UsageError, match="one person has one seat"):
        consent.prepare("t.yaml")
    Path("t.yaml").write_text(TABLE.replace("Ben: {", "Ben: {person: Benjamin, "))
    consent.prepare("t.yaml")


def test_a_run_notifies_an_agent_without_any_link(here: Path) -> None:
    from graphbus_core.sessions.consent.seat_links import seat_people_behind_links

    script = here / "told.py"
    script.write_text("import os; open('told', 'a').write(os.environ['GRAPHBUS_SEAT'] + '\\n')")
    (here / "s.yaml").write_text("default: {consent: {answer: consent}}\n")
    request = Request("t.yaml", models={"Ann": "scripted:s.yaml"}, notify=f"{sys.executable} {script}")
    run = Runs(here).create()
    consent.run(seat_people_behind_links(consent.prepare(request), run, print), run)
    assert set((here / "told").read_text().split()) == {"Ann"}
